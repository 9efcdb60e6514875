package protocol

import (
	"encoding/json"
	"fmt"

	"github.com/fivethreefive/fivethreefive/engine"
)

// ByArena marks an action that the arena chose: a forced one, or one in place of a fault.
const ByArena = "arena"

// Play is a play with who chose it, where that was not the bot.
type Play struct {
	engine.Played
	By    string `json:"by,omitempty"`    // ByArena or empty
	Fault Code   `json:"fault,omitempty"` // the fault that it stands in for
}

// Events is a stretch of the public record, oldest first. Its elements are engine.Dealt, [Play], engine.Cleared and
// engine.Scored; in JSON each begins with its type: deal, play, clear or score.
type Events []engine.Event

// eventType panics on a type that no record holds.
func eventType(event engine.Event) string {
	switch event.(type) {
	case engine.Dealt:
		return "deal"
	case Play:
		return "play"
	case engine.Cleared:
		return "clear"
	case engine.Scored:
		return "score"
	default:
		panic(fmt.Sprintf("protocol: %T is not an event", event))
	}
}

// MarshalJSON writes an array, also where there are none.
func (e Events) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, event := range e {
		if i > 0 {
			out = append(out, ',')
		}
		body, err := tagged(eventType(event), event)
		if err != nil {
			return nil, err
		}
		out = append(out, body...)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads an array of events and leaves out types that it does not know.
func (e *Events) UnmarshalJSON(data []byte) error {
	var raws []json.RawMessage
	if err := json.Unmarshal(data, &raws); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	out := make(Events, 0, len(raws))
	for _, raw := range raws {
		event, err := readEvent(raw)
		if err != nil {
			return err
		}
		if event != nil {
			out = append(out, event)
		}
	}
	*e = out
	return nil
}

func readEvent(raw []byte) (engine.Event, error) {
	tag, err := TypeOf(raw)
	if err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	switch tag {
	case "deal":
		return decode[engine.Dealt](tag, raw)
	case "play":
		return decode[Play](tag, raw)
	case "clear":
		return decode[engine.Cleared](tag, raw)
	case "score":
		return decode[engine.Scored](tag, raw)
	default:
		return nil, nil
	}
}

func decode[E engine.Event](tag string, raw []byte) (engine.Event, error) {
	var event E
	if err := json.Unmarshal(raw, &event); err != nil {
		return nil, fmt.Errorf("%s: %w", tag, err)
	}
	return event, nil
}
