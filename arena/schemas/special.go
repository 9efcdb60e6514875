package schemas

import (
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/standings"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// special are the types that are written in another way than their fields would be.
func special(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[engine.Cards]():
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Enum: list(engine.Ranks())}}
	case reflect.TypeFor[engine.Action]():
		return action()
	case reflect.TypeFor[engine.Seed]():
		return &jsonschema.Schema{Type: "string", Pattern: "^[0-9a-f]{64}$"}
	case reflect.TypeFor[protocol.Choice]():
		index := &jsonschema.Schema{Type: "integer", Description: "an index into legal, from 0"}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{index, action()}}
	case reflect.TypeFor[protocol.Events]():
		return &jsonschema.Schema{Type: "array", Items: lines("An event", []tagged{
			{"deal", engine.Dealt{}}, {"play", protocol.Play{}}, {"clear", engine.Cleared{}}, {"score", engine.Scored{}},
		})}
	case reflect.TypeFor[engine.Preset]():
		return words(engine.Presets())
	case reflect.TypeFor[protocol.Penalty]():
		return words([]protocol.Penalty{protocol.RankLast, protocol.RankByPoints})
	case reflect.TypeFor[league.Format]():
		return words(league.Formats())
	case reflect.TypeFor[league.Order]():
		return words([]league.Order{league.OrderFold, league.OrderAdjacent})
	case reflect.TypeFor[league.SameAuthor]():
		return words([]league.SameAuthor{league.AllowAuthor, league.ForbidAuthor})
	case reflect.TypeFor[league.Scoring]():
		return words([]league.Scoring{league.ScoreMatch, league.ScoreGames})
	case reflect.TypeFor[standings.TieBreak]():
		return &jsonschema.Schema{Type: "string", Enum: tieBreaks()}
	}
	return nil
}

func action() *jsonschema.Schema {
	return object(struct {
		Cards engine.Cards `json:"cards,omitempty"`
	}{}, "lead", "overwrite", "add", "pass")
}

func tieBreaks() (names []any) {
	for b := standings.Points; ; b++ {
		text, err := b.MarshalText()
		if err != nil {
			return names
		}
		names = append(names, string(text))
	}
}

func words[T ~string](all []T) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: list(all)}
}

func list[T any](all []T) []any {
	out := make([]any, len(all))
	for i, v := range all {
		out[i] = v
	}
	return out
}
