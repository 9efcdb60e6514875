package show

import (
	"fmt"
	"io"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// HeadToHead prints a line for each number of players, or why there is none.
func HeadToHead(out io.Writer, first, second string, all []league.HeadToHead, table Tabulate) error {
	if len(all) == 0 {
		fmt.Fprintf(out, "%s and %s have not played at tables of the same size, so nothing compares them.\n", first, second)
		return nil
	}
	fmt.Fprintf(out, "%s v %s\n\n", first, second)
	header := []string{"SEATS", "GAMES", "DEALS", "AHEAD", "LEVEL", "BEHIND", "SCORE", "<", "ELO", "<", "PEN/ROUND", "OFFICIAL", "<", "STRONGER"}
	var rows [][]string
	apart := false
	for _, h := range all {
		score, scoreHalf := number(h.Score, 100, 1, "%.*f")
		elo, eloHalf := number(h.Elo, 1, 0, "%+.*f")
		official, officialHalf := number(h.Official, 1, 0, "%+.*f")
		stronger, penalty := "-", "-"
		if h.Superiority != nil {
			stronger = percent(*h.Superiority, 1)
		}
		if h.Games > 0 {
			score, penalty = score+" %", fmt.Sprintf("%.2f v %.2f", h.First.Penalty, h.Second.Penalty)
		}
		apart = apart || h.Games == 0
		rows = append(rows, []string{
			fmt.Sprint(h.Players), fmt.Sprint(h.Games), fmt.Sprint(h.Deals), fmt.Sprint(h.Ahead), fmt.Sprint(h.Level), fmt.Sprint(h.Behind),
			score, scoreHalf, elo, eloHalf, penalty, official, officialHalf, stronger,
		})
	}
	if err := table(out, header, rows); err != nil {
		return err
	}
	if apart {
		fmt.Fprintln(out, "\nWhere they have not met, the official ratings compare them through others, or not at all.")
	}
	return nil
}

// SpareOfHeadToHead are columns of [HeadToHead] for [Narrow]: with all of them left out it fits 80 columns.
func SpareOfHeadToHead() []string {
	return []string{"PEN/ROUND", "ELO", "DEALS", "LEVEL", "BEHIND", "AHEAD"}
}

// number gives a value, times so much, and the half of its interval, or both ends where it reaches further on one side.
func number(n *league.Number, times float64, decimals int, format string) (value, plusMinus string) {
	if n == nil {
		return "-", ""
	}
	value = fmt.Sprintf(format, decimals, times*n.Value)
	switch i := n.Interval; {
	case i == nil:
		return value, ""
	case lopsided(n.Value, i.Low, i.High):
		return value, fmt.Sprintf("("+format+" to "+format+")", decimals, times*i.Low, decimals, times*i.High)
	default:
		return value, fmt.Sprintf("± %.*f", decimals, times*(i.High-i.Low)/2)
	}
}
