package table_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func cards(ranks ...int) engine.Cards {
	c, err := engine.NewCards(ranks...)
	if err != nil {
		panic(err)
	}
	return c
}

func position() table.Table {
	own, undealt := cards(1, 1, 3, 7, 8, 8, 11, 15), cards(2, 9, 12, 14)
	return table.Table{
		Target: 20,
		Seats: []table.Seat{
			{Name: "0 greedy@1", Cards: 8, Hand: &own, Points: 12, Last: "lead 5", Acted: true},
			{Name: "1 a-bot-with-a-very-long-name@3.1", Cards: 1, Points: 0, Passed: true},
			{Name: "2 foxy@3", Cards: 12, Points: 7, Last: "add 4", Mark: "timeout"},
		},
		Centre:  table.Centre{Meld: cards(4, 5), How: "added to by 2 foxy@3", Covered: []engine.Cards{cards(3), cards(7)}, Cleared: "an 8 was played; 0 greedy@1 leads"},
		Undealt: table.Pile{Count: 4, Cards: &undealt},
		Story:   []table.Note{{Label: "now", Text: "2 foxy@3 adds [4]"}, {Label: "time", Text: "0.4 of 1000 ms"}, {Label: "choices", Text: "[add 4], add 8, pass"}},
	}
}

// TestLook pins how a position looks with room and without.
func TestLook(t *testing.T) {
	var text strings.Builder
	for _, size := range [][2]int{{100, 40}, {48, 20}, {48, 12}, {38, 10}, {20, 5}} {
		for _, ascii := range []bool{false, true} {
			fmt.Fprintf(&text, "%d x %d, ASCII %v\n", size[0], size[1], ascii)
			for _, line := range position().Lines(table.Style{ASCII: ascii}, size[0], size[1]) {
				fmt.Fprintf(&text, "|%s\n", ansi.Strip(line))
			}
			text.WriteString("\n")
		}
	}
	golden := filepath.Join("testdata", "look.txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}

// TestFits draws any table in any room: no line is too wide, and there are not too many.
func TestFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := position()
		p.Seats = p.Seats[:rapid.IntRange(1, 3).Draw(t, "seats")]
		p.Seats = append(p.Seats, p.Seats...)
		p.Story[0].Text = rapid.StringMatching(`[a-z 界]{0,200}`).Draw(t, "story")
		width, height := rapid.IntRange(0, 130).Draw(t, "width"), rapid.IntRange(0, 50).Draw(t, "height")
		lines := p.Lines(table.Style{}, width, height)
		require.LessOrEqual(t, len(lines), height)
		for _, line := range lines {
			require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", ansi.Strip(line))
			require.NotContains(t, line, "\n")
		}
	})
}

// TestNarrowKeepsWhatMatters has all seats and the centre on the smallest screen that is promised.
func TestNarrowKeepsWhatMatters(t *testing.T) {
	p := position()
	p.Seats = append(p.Seats, p.Seats...)
	p.Centre.Cleared = ""
	text := ansi.Strip(strings.Join(p.Lines(table.Style{}, 40, 10), "\n"))
	for _, part := range []string{"0 greedy@1  8", "P", "!", "▲ 4 5", "run of 2"} {
		require.Contains(t, text, part)
	}
	require.Equal(t, 2, strings.Count(text, "0 greedy@1"))
}

func TestPanel(t *testing.T) {
	var rows []table.Row
	for i := range 20 {
		rows = append(rows, table.Row{Text: fmt.Sprint("row ", i), Marked: i == 15})
	}
	for height := 1; height <= 25; height++ {
		text := ansi.Strip(strings.Join(table.Panel(table.Style{}, rows, 10, height), "\n"))
		require.Contains(t, text, "▸ row 15", "the row that is marked is in sight, whatever the height")
		require.Equal(t, min(height, 20), strings.Count(text, "row"))
	}
	require.Empty(t, table.Panel(table.Style{}, rows, 10, 0))
	require.Empty(t, table.Panel(table.Style{}, nil, 10, 5))
}

func TestWords(t *testing.T) {
	require.Equal(t, "-", table.Ranks(0))
	require.Equal(t, "1 8 8 15", table.Ranks(cards(8, 1, 15, 8)))
	for want, meld := range map[string]engine.Cards{
		"single": cards(8), "set of 3": cards(8, 8, 8), "run of 2": cards(8, 9), "no meld": cards(9, 11),
	} {
		require.Equal(t, want, table.Meld(meld))
	}
	for kind, want := range map[engine.Kind][2]string{
		engine.Lead: {"leads [3 4]", "lead 3 4"}, engine.Overwrite: {"overwrites by [3 4]", "over 3 4"}, engine.Add: {"adds [3 4]", "add 3 4"},
	} {
		action := engine.NewAction(kind, cards(3, 4))
		require.Equal(t, want, [2]string{table.Action(action), table.Short(action)})
	}
	pass := engine.NewAction(engine.Pass, 0)
	require.Equal(t, "passes pass", table.Action(pass)+" "+table.Short(pass))
	require.Equal(t, "1 card, 2 cards", table.Cards(1)+", "+table.Cards(2))
	require.Equal(t, "comet", table.Clear("comet"))
}

func TestStyleOfTheTerminal(t *testing.T) {
	for env, ascii := range map[string]bool{
		"": false, "LANG=C.UTF-8": false, "LANG=C": true, "LANG=en_US.utf8": false, "LC_ALL=POSIX LANG=C.UTF-8": true, "LC_CTYPE=C.UTF-8 LANG=C": false,
	} {
		style := table.NewStyle(func(name string) string {
			for word := range strings.FieldsSeq(env) {
				if key, value, _ := strings.Cut(word, "="); key == name {
					return value
				}
			}
			return ""
		})
		require.Equal(t, ascii, style.ASCII, env)
	}
}

// TestOwnHandIsWhole: however narrow, the only open hand is shown to its last card, also where it takes more lines than one.
func TestOwnHandIsWhole(t *testing.T) {
	long := cards(1, 1, 2, 3, 4, 5, 7, 7, 8, 9, 11, 12, 12, 13, 14, 15)
	p := position()
	p.Seats[0].Hand, p.Seats[0].Cards = &long, 16
	p.Undealt.Cards = nil
	own, _, _ := strings.Cut(strings.Join(p.Lines(table.Style{}, 38, 10), " "), "1 a-bot")
	require.Equal(t, table.Ranks(long), table.Ranks(cards(numbers(own)...)), own)
	p.Seats[2].Hand = &long
	require.Contains(t, p.Lines(table.Style{}, 38, 10)[1], "1 a-bot", "of several hands each has one line")
}

// numbers are those in what a seat shows, after its own and its count of cards.
func numbers(text string) (out []int) {
	for _, field := range strings.FieldsFunc(ansi.Strip(text), func(r rune) bool { return !unicode.IsDigit(r) })[2:] {
		n, err := strconv.Atoi(field)
		if err != nil {
			panic(err)
		}
		out = append(out, n)
	}
	return out
}
