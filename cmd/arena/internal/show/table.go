// Package show is what people and programs read of the arena: tables, JSON, cards of faults, replays move by move, the progress
// of a run, and the words for all of it. It writes values to an io.Writer and knows nothing of commands and flags.
package show

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Schema stands in all JSON output and changes when fields change their meaning.
const Schema = "arena/v1"

// JSON prints one value, indented. What a terminal would take for a command is spelled.
func JSON(out io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, spelled(string(text))+"\n")
	return err
}

// spelled changes JSON only within its strings: nothing else in it is not printable.
func spelled(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// Table prints columns without lines. Those whose header begins with '<' are text, the others numbers.
func Table(out io.Writer, header []string, rows [][]string) error {
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

// Markdown prints the same columns as a table of Markdown.
func Markdown(out io.Writer, header []string, rows [][]string) error {
	line := func(cells []string) error {
		_, err := fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
		return err
	}
	names, aligns := make([]string, len(header)), make([]string, len(header))
	for i, name := range header {
		aligns[i] = "---:"
		if text, ok := strings.CutPrefix(name, "<"); ok {
			aligns[i], name = ":---", text
		}
		names[i] = name
	}
	if err := errors.Join(line(names), line(aligns)); err != nil {
		return err
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell)
		}
		if err := line(cells); err != nil {
			return err
		}
	}
	return nil
}
