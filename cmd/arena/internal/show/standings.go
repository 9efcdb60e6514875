package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// Standings prints, besides what the bots did, what orders the rows: the first criterion, and of the others those that
// part any two.
func Standings(out io.Writer, rows []league.Standing) error {
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
		cells = append(cells, append(append(line, fmt.Sprintf("%.1f", row.Points)), TallyCells(row.Tally)...))
	}
	return Table(out, append(append(header, "POINTS"), TallyHeader()...), cells)
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

// TallyHeader heads the columns of TallyCells.
func TallyHeader() []string {
	return []string{"GAMES", "FIRST", "PLACE", "PEN/ROUND", "THINK MS", "FAULTS"}
}

// TallyCells are what one bot did.
func TallyCells(t league.Tally) []string {
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
