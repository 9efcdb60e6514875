package show

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// Tabulate prints a table, as [Table] or [Markdown] do.
type Tabulate func(out io.Writer, header []string, rows [][]string) error

// Leaderboards prints for each number of players the ratings, and then the penalty points.
func Leaderboards(out io.Writer, boards []league.Leaderboard, table Tabulate) error {
	for i, board := range boards {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s\n\n", leaderboardTitle(board))
		if err := table(out, ratingHeader(), ratingRows(board)); err != nil {
			return err
		}
		for _, note := range leaderboardNotes(board) {
			fmt.Fprintf(out, "\n%s\n", note)
		}
		fmt.Fprint(out, "\nPenalty points a round, compared with the others at the table:\n\n")
		if err := table(out, []string{"#", "<BOT", "MARGIN", "RANKS", "ROUNDS"}, marginRows(board)); err != nil {
			return err
		}
	}
	return nil
}

func leaderboardTitle(board league.Leaderboard) string {
	anchor := fmt.Sprintf("%s = %d", board.Anchor, league.AnchorRating)
	if !board.Anchored {
		anchor = fmt.Sprintf("without its anchor, %s has not played", board.Anchor)
	}
	var rules []string
	for _, preset := range board.Rules {
		rules = append(rules, string(preset))
	}
	return fmt.Sprintf("Leaderboard at %d seats (%s): rules %s; %s, %s, %s", board.Players, anchor, strings.Join(rules, " and "),
		Count(board.Tournaments, "tournament", "tournaments"), Count(board.Deals, "deal", "deals"), Count(board.Games, "game", "games"))
}

func ratingHeader() []string {
	return []string{
		"#", "<BOT", "<LANGUAGE", "RATING", "<", "RANKS", ">NEXT", "ELO", "SKILL", "<",
		"GAMES", "FIRST", "PLACE", "PEN/ROUND", "FAULTS", "P50/P99 MS",
	}
}

func ratingRows(board league.Leaderboard) (rows [][]string) {
	for _, row := range board.Rows {
		next := "-"
		if row.OverNext != nil {
			next = percent(*row.OverNext, 0)
		}
		tally := TallyCells(row.Tally)
		cells := []string{
			rank(row.Rank), row.Bot, Printable(row.Language), fmt.Sprintf("%.0f", row.Rating), half(row.Interval, 0), ranks(row.RankRange), next,
			fmt.Sprintf("%.0f", row.Elo), fmt.Sprintf("%.0f", row.Skill.Mean), fmt.Sprintf("± %.0f", 2*row.Skill.Deviation),
		}
		rows = append(rows, append(append(cells, tally[:4]...), fmt.Sprint(row.Faults), quantiles(row.Think)))
	}
	return rows
}

// marginRows are in the order of the margins, which is not that of the ratings. The ranks know more digits than the values.
func marginRows(board league.Leaderboard) (rows [][]string) {
	sorted := slices.Clone(board.Rows)
	slices.SortStableFunc(sorted, func(a, b league.Rated) int {
		return cmp.Or(cmp.Compare(a.Margin.Value, b.Margin.Value), cmp.Compare(a.Margin.Rank, b.Margin.Rank))
	})
	for _, row := range sorted {
		rows = append(rows, []string{
			rank(row.Margin.Rank), row.Bot, fmt.Sprintf("%+.2f %s", row.Margin.Value, half(row.Margin.Interval, 2)),
			ranks(row.Margin.RankRange), fmt.Sprint(row.Margin.Rounds),
		})
	}
	return rows
}

func rank(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func ranks(r *league.RankRange) string {
	switch {
	case r == nil:
		return "-"
	case r.Low == r.High:
		return fmt.Sprint(r.Low)
	default:
		return fmt.Sprintf("%d-%d", r.Low, r.High)
	}
}

// half of an interval that is as long on both sides.
func half(i *league.Interval, decimals int) string {
	if i == nil {
		return ""
	}
	return fmt.Sprintf("± %.*f", decimals, (i.High-i.Low)/2)
}

func percent(part float64, decimals int) string { return fmt.Sprintf("%.*f %%", decimals, 100*part) }

func quantiles(think *league.Times) string {
	if think == nil || think.P50 == nil || think.P99 == nil {
		return "-"
	}
	return fmt.Sprintf("%s/%s", short(*think.P50), short(*think.P99))
}

// short has three digits or so.
func short(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	default:
		return fmt.Sprintf("%.0f", ms)
	}
}

// leaderboardNotes say what the numbers of some rows do not mean.
func leaderboardNotes(board league.Leaderboard) (notes []string) {
	var provisional, perfect, files []string
	for _, row := range board.Rows {
		if row.Provisional {
			provisional = append(provisional, row.Bot)
		}
		if row.Perfect {
			perfect = append(perfect, row.Bot)
		}
		if row.Files > 1 {
			files = append(files, row.Bot)
		}
	}
	if len(provisional) > 0 {
		notes = append(notes, "Provisional, and so without a rank: "+list(provisional)+
			". A rank takes 100 games, 20 deals, 4 opponents or all there are, and a standard error of at most 40.")
	}
	if len(perfect) > 0 {
		notes = append(notes, "Won all or lost all: "+list(perfect)+". How much stronger or weaker they are is not known.")
	}
	if len(board.Islands) > 1 {
		for _, island := range board.Islands[1:] {
			notes = append(notes, "Never met the others, not even through third bots, and cannot be compared with them: "+list(island)+".")
		}
	}
	if len(files) > 0 {
		notes = append(notes, "One label for different files: "+list(files)+". Give a bot that changes another version.")
	}
	if len(board.Rules) > 1 {
		notes = append(notes, "Games of different rules are rated together; --rules keeps them apart.")
	}
	return notes
}

// list shortens what nobody would read.
func list(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
