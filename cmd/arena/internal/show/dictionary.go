package show

import (
	"fmt"
	"io"

	"github.com/fivethreefive/fivethreefive/arena/dataset"
)

// Dictionary says what the tables of an export hold.
func Dictionary(out io.Writer, tables []dataset.Table) error {
	for _, table := range tables {
		fmt.Fprintf(out, "%s: a row is %s.\n\n", table.Name, table.Row)
		var rows [][]string
		for _, column := range table.Columns {
			rows = append(rows, []string{column.Name, column.Type, column.Meaning})
		}
		if err := Table(out, []string{"<COLUMN", "<TYPE", "<MEANING"}, rows); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintln(out, "In CSV a text that begins with = + - @, a tab or a line end has an apostrophe before it, so that no\n"+
		"spreadsheet takes it for a formula. JSONL has all texts as they are.")
	return err
}
