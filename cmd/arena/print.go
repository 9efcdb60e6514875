package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// schema stands in all JSON output and changes when fields change their meaning.
const schema = "arena/v1"

func printJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// printTable prints columns without lines. Those whose header begins with '<' are text, the others numbers.
func printTable(out io.Writer, header []string, rows [][]string) error {
	aligns := make([]tw.Align, len(header))
	names := make([]string, len(header))
	for i, name := range header {
		aligns[i] = tw.AlignRight
		if text, ok := strings.CutPrefix(name, "<"); ok {
			aligns[i], name = tw.AlignLeft, text
		}
		names[i] = name
	}
	cells := tw.CellConfig{Alignment: tw.CellAlignment{PerColumn: aligns}}
	cells.Formatting.AutoWrap = tw.WrapNone
	headers := cells
	headers.Formatting.AutoFormat = tw.Off
	table := tablewriter.NewTable(out,
		tablewriter.WithConfig(tablewriter.Config{Header: headers, Row: cells}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		})))
	table.Header(names)
	if err := table.Bulk(rows); err != nil {
		return err
	}
	return table.Render()
}

// printStandings prints, besides what the bots did, what orders the rows: the first criterion, and of the others those that
// part any two.
func printStandings(out io.Writer, rows []league.Standing) error {
	header := []string{"#", "<BOT"}
	var columns [][]string
	if len(rows) > 0 {
		for i, criterion := range rows[0].Order {
			parts := func(row league.Standing) bool { return row.By == criterion.Name }
			if criterion.Name != league.ByPlace && (i == 0 || slices.ContainsFunc(rows, parts)) {
				header, columns = append(header, criterionHeader(criterion.Name)), append(columns, criterionColumn(rows, i))
			}
		}
	}
	var cells [][]string
	for i, row := range rows {
		line := []string{fmt.Sprint(row.Rank), row.Bot}
		if row.Withdrawn {
			line[1] += " (withdrawn)"
		}
		for _, column := range columns {
			line = append(line, column[i])
		}
		cells = append(cells, append(append(line, fmt.Sprintf("%.1f", row.Points)), tallyCells(row.Tally)...))
	}
	return printTable(out, append(append(header, "POINTS"), tallyHeader()...), cells)
}

// criterionColumn gives all values as many decimals as one needs, two at most.
func criterionColumn(rows []league.Standing, i int) []string {
	decimals := 0
	for _, row := range rows {
		if _, fraction, _ := strings.Cut(row.Order[i].String(), "."); len(fraction) > decimals {
			decimals = len(fraction)
		}
	}
	column := make([]string, len(rows))
	for j, row := range rows {
		if value := row.Order[i].Value; value != nil {
			column[j] = fmt.Sprintf("%.*f", decimals, *value)
		}
	}
	return column
}

func criterionHeader(name string) string {
	switch name {
	case "points":
		return "MATCH PTS"
	case league.ByPointsPerGame:
		return "PER GAME"
	default:
		return strings.ToUpper(name)
	}
}

// printNotes says where a format could not keep its rules.
func printNotes(out io.Writer, notes []stageNotes) {
	if len(notes) > 0 {
		fmt.Fprintln(out)
	}
	for _, stage := range notes {
		for _, note := range stage.Notes {
			if stage.Stage == 0 {
				fmt.Fprintf(out, "end: %s\n", note)
				continue
			}
			fmt.Fprintf(out, "stage %d: %s\n", stage.Stage, note)
		}
	}
}

func tallyHeader() []string {
	return []string{"GAMES", "FIRST", "PLACE", "PEN/ROUND", "THINK MS", "FAULTS"}
}

func tallyCells(t league.Tally) []string {
	first := "-"
	if t.Games > 0 {
		first = fmt.Sprintf("%.1f %%", 100*t.Firsts/float64(t.Games))
	}
	think := "-"
	if t.Think != nil {
		think = fmt.Sprintf("%.2f", t.Think.Mean)
	}
	return []string{
		fmt.Sprint(t.Games), first, fmt.Sprintf("%.2f", t.MeanPlace), fmt.Sprintf("%.2f", t.Penalty), think, fmt.Sprint(t.Faults),
	}
}

// printFaults prints the cards that a person can take in; the JSON has all that were kept.
func printFaults(out io.Writer, cards []arena.Fault) {
	const most = 10
	for i, card := range cards {
		if i == most {
			fmt.Fprintf(out, "and %d more faults; --json has their cards\n", len(cards)-most)
			return
		}
		verdict := "strike"
		if card.Forfeit {
			verdict = "forfeit"
		}
		fmt.Fprintf(out, "\nfault: %s of %s at seat %d, game %s, turn %d: %s\n", card.Code, card.Bot, card.Seat, card.Game, card.Turn, verdict)
		fmt.Fprintf(out, "  %s\n  used %.1f ms of %.1f ms%s\n", printable(card.Detail), card.UsedMS, card.LimitMS, evidence(card.Line, card.Stderr))
	}
}

// printReplays says where the replays are, unless there are none.
func printReplays(out io.Writer, dir, match string) {
	if first := filepath.Join(dir, match+"-1-1.jsonl"); dir != "" && exists(first) {
		fmt.Fprintf(out, "Replays: %s (arena replay show %s)\n", dir, shellLine([]string{first}))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shellLine quotes the words that a shell would take apart.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`*?[]{}()<>|&;~#!") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// printable shows what a terminal would take for a command, and keeps line ends.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// evidence is what a bot said last, indented.
func evidence(line, stderr string) string {
	var b strings.Builder
	if line != "" {
		fmt.Fprintf(&b, "\n  its last line: %q", line)
	}
	if stderr != "" {
		fmt.Fprintf(&b, "\n  its stderr:\n    %s", strings.ReplaceAll(printable(stderr), "\n", "\n    "))
	}
	return b.String()
}
