package table

import "strings"

// Row is a line of a list.
type Row struct {
	Text   string
	Marked bool
}

// Panel shows as much of a list as there is room for, with the row that is marked in sight and a pointer at it.
func Panel(s Style, rows []Row, width, height int) []string {
	marked := 0
	for i, row := range rows {
		if row.Marked {
			marked = i
		}
	}
	from := max(0, min(marked-height/2, len(rows)-height))
	var lines []string
	for _, row := range rows[from:min(len(rows), from+height)] {
		if row.Marked {
			lines = append(lines, s.Mark(s.Sign("▸ ", "> ")+row.Text, width))
			continue
		}
		lines = append(lines, Cut("  "+row.Text, width))
	}
	return lines
}

// Beside puts two columns next to each other, the left one of a width.
func Beside(s Style, left, right []string, width, height int) []string {
	lines := make([]string, height)
	for i := range lines {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		lines[i] = strings.TrimRight(pad(l, width)+s.Faint(s.Sign("│", "|"))+" "+r, " ")
	}
	return lines
}

// Fill gives exactly so many lines.
func Fill(lines []string, height int) []string {
	if len(lines) > height {
		return lines[:max(0, height)]
	}
	return append(lines, make([]string, height-len(lines))...)
}
