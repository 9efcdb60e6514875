// Package dataset turns what was played into tables for other programs: one row a unit, the same columns in the same order,
// and a dictionary that says what each means. It reads tournaments and replays, and decides nothing.
package dataset

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// Format is how rows are written.
type Format string

// The formats. CSV has a header, and empty cells where a value is not known. JSONL has one object a line, with null there.
const (
	CSV   Format = "csv"
	JSONL Format = "jsonl"
)

// Writer writes rows of one table. A row is a struct of texts, whole numbers, numbers, truth values, and pointers to these; its
// tags give the name and the meaning of each column. A writer is not safe for concurrent use.
type Writer[Row any] struct {
	csv  *csv.Writer
	json *json.Encoder
}

// NewWriter writes the header, where the format has one.
func NewWriter[Row any](out io.Writer, format Format) (*Writer[Row], error) {
	switch format {
	case CSV:
		w := &Writer[Row]{csv: csv.NewWriter(out)}
		var names []string
		for _, column := range columns[Row]() {
			names = append(names, column.Name)
		}
		return w, w.csv.Write(names)
	case JSONL:
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return &Writer[Row]{json: encoder}, nil
	default:
		return nil, fmt.Errorf("format %q is unknown; choose csv or jsonl", string(format))
	}
}

// Write writes one row.
func (w *Writer[Row]) Write(row Row) error {
	if w.json != nil {
		return w.json.Encode(row)
	}
	value := reflect.ValueOf(row)
	cells := make([]string, 0, value.NumField())
	for _, field := range value.Fields() {
		cells = append(cells, cell(field))
	}
	return w.csv.Write(cells)
}

// Flush writes what is held back.
func (w *Writer[Row]) Flush() error {
	if w.csv == nil {
		return nil
	}
	w.csv.Flush()
	return w.csv.Error()
}

// cell is what stands in CSV.
func cell(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return cell(v.Elem())
	case reflect.String:
		return harmless(v.String())
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	default:
		return strconv.FormatInt(v.Int(), 10)
	}
}

// harmless puts an apostrophe before what a spreadsheet would take for a formula: names and notes are the bots' own words.
// Characters that would move the cursor of a terminal, or turn the direction of a text round, are replaced.
func harmless(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if text != "" && strings.ContainsRune("=+-@\t\n", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Column says what stands in a column.
type Column struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // text, whole number, number or true/false
	Meaning string `json:"meaning"`
}

// Table says what a table holds.
type Table struct {
	Name    string   `json:"name"`
	Row     string   `json:"row"` // what one row is
	Columns []Column `json:"columns"`
}

// Dictionary describes all tables.
func Dictionary() []Table {
	return []Table{
		{"matches", "one bot in one match", columns[MatchRow]()},
		{"games", "one bot in one game", columns[GameRow]()},
		{"decisions", "one move, also those that the arena made for a bot, in the order of play", columns[DecisionRow]()},
		{"ratings", "one bot at one number of players: a line of arena leaderboard", columns[RatingRow]()},
	}
}

func columns[Row any]() (all []Column) {
	for field := range reflect.TypeFor[Row]().Fields() {
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		all = append(all, Column{
			Name: name, Meaning: field.Tag.Get("doc"),
			Type: map[reflect.Kind]string{
				reflect.String: "text", reflect.Int: "whole number", reflect.Float64: "number", reflect.Bool: "true/false",
			}[kind.Kind()],
		})
	}
	return all
}
