// Package handwritten reads TOML that people write by hand. What is wrong in it is told in their words: the line, what should
// stand there, and an example; for a key that is not known the one that was meant.
package handwritten

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
)

// Decode reads text into a pointer to a struct, whose fields have toml tags. Of names what is set, as in "a tournament".
func Decode(text []byte, into any, of string) (toml.MetaData, error) {
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(into)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return meta, fmt.Errorf("line %d: %s", parse.Position.Line, parse.Message)
	}
	if err != nil {
		return meta, explain(err, text, reflect.TypeOf(into))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return meta, unknownKey(unknown[0], text, reflect.TypeOf(into), of)
	}
	return meta, nil
}

// explain puts the library's message about a value of the wrong type into other words. It knows no type for it.
func explain(err error, text []byte, settings reflect.Type) error {
	parts := regexp.MustCompile(`^toml: line (\d+) \(last key "([^"]+)"\): `).FindStringSubmatch(err.Error())
	if parts == nil {
		return err
	}
	line, key := parts[1], strings.Split(parts[2], ".")
	field, known := fieldType(settings, key)
	want, example := expected(field)
	if !known || want == "" {
		return err
	}
	name := key[len(key)-1]
	return fmt.Errorf("line %s: %s: %s is expected%s; write it as in %s = %s", line, parts[2], want, instead(text, key, want), name, example)
}

// instead says what stands there.
func instead(text []byte, key []string, want string) string {
	var value any
	if _, err := toml.Decode(string(text), &value); err != nil {
		return ""
	}
	for _, word := range key {
		table, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = table[word]
	}
	if is := kind(value); is != "" && !strings.HasPrefix(want, is) {
		return ", not " + is
	}
	return ""
}

func kind(value any) string {
	switch value.(type) {
	case string:
		return "a text"
	case int64:
		return "a whole number"
	case float64:
		return "a fraction"
	case bool:
		return "true or false"
	case time.Time:
		return "a time"
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	default:
		return ""
	}
}

// expected says what a field takes, with an example. Both are empty where nothing is known.
func expected(field reflect.Type) (want, example string) {
	if field == nil {
		return "", ""
	}
	switch field.Kind() {
	case reflect.String:
		return "a text", `"..."`
	case reflect.Int, reflect.Int64:
		return "a whole number", "2"
	case reflect.Bool:
		return "true or false", "true"
	case reflect.Struct, reflect.Map:
		return "a table", "{...}"
	case reflect.Slice:
		switch field.Elem().Kind() {
		case reflect.Slice:
			return "a list of lists", `[["...", "..."]]`
		case reflect.Int:
			return "a list of whole numbers", "[2, 3]"
		default:
			return "a list of texts", `["...", "..."]`
		}
	default:
		return "", ""
	}
}

// unknownKey names the line where there can be no doubt about it.
func unknownKey(key toml.Key, text []byte, settings reflect.Type, of string) error {
	name := key[len(key)-1]
	line := ""
	found := regexp.MustCompile(`(?m)^[ \t]*(\[+[^\]]*\b)?"?`+regexp.QuoteMeta(name)+`"?[ \t]*[=\]]`).FindAllIndex(text, 2)
	if len(found) == 1 {
		line = fmt.Sprintf("line %d: ", 1+bytes.Count(text[:found[0][0]], []byte("\n")))
	}
	table, ok := fieldType(settings, key[:len(key)-1])
	if !ok {
		return fmt.Errorf("%s%q is no setting of %s", line, key, of)
	}
	names := keys(table)
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("%s%q is no setting of %s; did you mean %s?", line, key, of, near)
	}
	return fmt.Errorf("%s%q is no setting of %s; known are %s", line, key, of, strings.Join(names, ", "))
}

// fieldType follows tags from a struct on.
func fieldType(from reflect.Type, key []string) (reflect.Type, bool) {
	for from.Kind() == reflect.Pointer {
		from = from.Elem()
	}
	if len(key) == 0 {
		return from, true
	}
	if from.Kind() != reflect.Struct {
		return nil, false
	}
	for field := range from.Fields() {
		if field.Tag.Get("toml") == key[0] {
			return fieldType(field.Type, key[1:])
		}
	}
	return nil, false
}

// keys are those of a struct, in its order.
func keys(table reflect.Type) (all []string) {
	if table.Kind() != reflect.Struct {
		return nil
	}
	for field := range table.Fields() {
		if tag := field.Tag.Get("toml"); tag != "" {
			all = append(all, tag)
		}
	}
	return all
}
