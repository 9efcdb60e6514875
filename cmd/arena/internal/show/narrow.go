package show

import (
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Narrow prints tables within a width, if enough of their columns can be spared.
type Narrow struct {
	Width   int      // 0 is any
	Spare   []string // headers of columns, as printed; the first is left out first
	LeftOut bool     // whether a column was
}

// Table is a [Tabulate]. A column without a name belongs to the one before it.
func (n *Narrow) Table(out io.Writer, header []string, rows [][]string) error {
	var text strings.Builder
	for spare := n.Spare; ; spare = spare[1:] {
		text.Reset()
		if err := Table(&text, header, rows); err != nil {
			return err
		}
		if n.Width == 0 || len(spare) == 0 || width(text.String()) <= n.Width {
			break
		}
		var cut bool
		if header, rows, cut = without(spare[0], header, rows); cut {
			n.LeftOut = true
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// width is that of the longest line.
func width(text string) (most int) {
	for line := range strings.Lines(text) {
		most = max(most, ansi.StringWidth(strings.TrimRight(line, " \n")))
	}
	return most
}

// without leaves a column out.
func without(name string, header []string, rows [][]string) (_ []string, _ [][]string, found bool) {
	plain := func(at int) string { return strings.TrimPrefix(header[at], "<") }
	for from := range header {
		if plain(from) != name {
			continue
		}
		to := from + 1
		for to < len(header) && plain(to) == "" {
			to++
		}
		shorter := make([][]string, len(rows))
		for i, row := range rows {
			shorter[i] = slices.Delete(slices.Clone(row), from, to)
		}
		return slices.Delete(slices.Clone(header), from, to), shorter, true
	}
	return header, rows, false
}
