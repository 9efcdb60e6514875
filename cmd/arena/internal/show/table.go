// Package show is what people and programs read of the arena: tables, JSON, cards of faults, replays move by move, the progress
// of a run, and the words for all of it. It writes values to an io.Writer and knows nothing of commands and flags.
package show

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Schema stands in all JSON output and changes when fields change their meaning.
const Schema = "arena/v1"

// JSON prints one value, indented.
func JSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
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
