// Package schemas describes the files and lines of the arena as JSON Schema, from the Go types that read them.
package schemas

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Names lists what there is a schema of: bot.toml, a tournament file, a line of the bot protocol, a line of a replay.
func Names() []string { return []string{"bot", "tournament", "protocol", "replay"} }

// Of gives the schema by its name, indented. The error for an unknown name lists all.
func Of(name string) ([]byte, error) {
	var schema *jsonschema.Schema
	switch name {
	case "bot":
		schema = file("The manifest of a bot, bot.toml", registry.Manifest{})
	case "tournament":
		schema = file("A tournament file", league.Spec{})
	case "protocol":
		schema = lines("A line of the bot protocol, version 1", []tagged{
			{"hello", protocol.Hello{}},
			{"ready", protocol.Ready{}},
			{"start", protocol.Start{}},
			{"turn", protocol.Turn{}},
			{"move", protocol.Move{}},
			{"error", protocol.Error{}},
			{"end", protocol.End{}},
			{"quit", protocol.Quit{}},
		})
	case "replay":
		schema = lines("A line of a replay, version 1", []tagged{
			{"replay", protocol.Header{}},
			{"deal", protocol.ReplayDeal{}},
			{"play", protocol.ReplayPlay{}},
			{"clear", engine.Cleared{}},
			{"score", engine.Scored{}},
			{"result", protocol.GameResult{}},
		})
	default:
		return nil, fmt.Errorf("there is no schema of %q; there are %s%s", name, strings.Join(Names(), ", "), spelling.Suggestion(name, Names()))
	}
	schema.Version = jsonschema.Version
	return json.MarshalIndent(schema, "", "  ")
}

// file is the schema of a TOML file. Settings that are not known are refused.
func file(title string, of any) *jsonschema.Schema {
	r := reflector()
	r.FieldNameTag = "toml"
	r.RequiredFromJSONSchemaTags = true
	schema := r.Reflect(of)
	schema.Title = title
	return schema
}

// tagged is a struct that is written as an object with a type.
type tagged struct {
	tag string
	of  any
}

// lines is the schema of one line. Fields that are not known are ignored, and so are lines of another type.
func lines(title string, types []tagged) *jsonschema.Schema {
	root := &jsonschema.Schema{Title: title}
	for _, t := range types {
		schema := object(t.of, t.tag)
		schema.Title = t.tag
		root.OneOf = append(root.OneOf, schema)
	}
	return root
}

// object is a struct whose object has one of some types.
func object(of any, types ...string) *jsonschema.Schema {
	r := reflector()
	r.AllowAdditionalProperties = true
	schema := r.Reflect(of)
	schema.Version = ""
	if schema.Properties == nil {
		schema.Properties = jsonschema.NewProperties()
	}
	schema.Properties.Set("type", &jsonschema.Schema{Enum: list(types)})
	if err := schema.Properties.MoveToFront("type"); err != nil {
		panic(err) // it was just set
	}
	schema.Required = append([]string{"type"}, schema.Required...)
	return schema
}

func reflector() *jsonschema.Reflector {
	return &jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true, Mapper: special}
}
