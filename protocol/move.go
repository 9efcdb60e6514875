package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/fivethreefive/fivethreefive/engine"
)

// Move answers a Turn.
type Move struct {
	Turn   int64  `json:"turn"` // 0 where the bot left it out
	Action Choice `json:"action"`
	Note   string `json:"note,omitempty"` // goes into the replay, cut to MaxNote bytes
}

// Choice names an action by its index in the legal list, or in full. The zero value is the first legal action.
type Choice struct {
	Index  int
	Action engine.Action // when not zero, it counts and the index does not
}

// In finds the action in the legal list, or says why it is not there. The error is about the rules, not about the shape.
func (c Choice) In(legal []engine.Action) (engine.Action, error) {
	if c.Action == 0 {
		if c.Index < 0 || c.Index >= len(legal) {
			return 0, fmt.Errorf("index %d is outside the legal list, which has entries 0 to %d", c.Index, len(legal)-1)
		}
		return legal[c.Index], nil
	}
	for _, action := range legal {
		if action == c.Action {
			return action, nil
		}
	}
	return 0, fmt.Errorf("%v is not in the legal list", c.Action)
}

// MarshalJSON writes the action if there is one, else the index.
func (c Choice) MarshalJSON() ([]byte, error) {
	if c.Action != 0 {
		return c.Action.MarshalJSON()
	}
	return strconv.AppendInt(nil, int64(c.Index), 10), nil
}

// UnmarshalJSON reads either form.
func (c *Choice) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		*c = Choice{}
		return c.Action.UnmarshalJSON(data)
	}
	index, err := wholeNumber(data)
	if err != nil || index != int64(int32(index)) {
		return fmt.Errorf("action is an index into legal or an object with type and cards, not %.40s", data)
	}
	*c = Choice{Index: int(index)}
	return nil
}

// ErrMalformed is wrapped by the errors for lines that are not what a bot may say.
var ErrMalformed = errors.New("malformed line")

var errNoType = errors.New(`it has no "type"`)

// ReadBot reads a line from a bot that begins with '{'. It returns Ready or Move, nil for a type that it does not know,
// and an error wrapping [ErrMalformed] for all else. Names of fields are matched exactly, unknown ones are ignored, and
// of a repeated one the last counts. Invalid UTF-8 in a text is replaced by U+FFFD.
func ReadBot(line []byte) (Message, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, fmt.Errorf("%w: not a JSON object: %w", ErrMalformed, err)
	}
	var tag string
	if raw, ok := fields["type"]; !ok || json.Unmarshal(raw, &tag) != nil || tag == "" {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, errNoType)
	}
	var message Message
	var err error
	switch tag {
	case "ready":
		message, err = readReady(fields)
	case "move":
		message, err = readMove(fields)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return message, nil
}

func readReady(fields map[string]json.RawMessage) (Message, error) {
	var ready Ready
	for name, to := range map[string]*string{"name": &ready.Name, "version": &ready.Version, "author": &ready.Author} {
		if err := readText(fields, name, to); err != nil {
			return nil, err
		}
	}
	if raw, ok := fields["protocol"]; ok {
		version, err := wholeNumber(raw)
		if err != nil {
			return nil, fmt.Errorf("protocol is a number, not %.40s", raw)
		}
		ready.Protocol = int(version)
	}
	return ready, nil
}

func readMove(fields map[string]json.RawMessage) (Message, error) {
	var move Move
	if raw, ok := fields["turn"]; ok && string(raw) != "null" {
		turn, err := wholeNumber(raw)
		if err != nil {
			return nil, fmt.Errorf("turn is the number of the turn that is answered, not %.40s", raw)
		}
		move.Turn = turn
	}
	raw, ok := fields["action"]
	if !ok {
		return nil, errors.New(`a move needs an "action": an index into legal, or an object with type and cards`)
	}
	if err := move.Action.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	if err := readText(fields, "note", &move.Note); err != nil {
		return nil, err
	}
	move.Note = cut(move.Note, MaxNote)
	return move, nil
}

func readText(fields map[string]json.RawMessage, name string, to *string) error {
	raw, ok := fields[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s is a text, not %.40s", name, raw)
	}
	return nil
}

// wholeNumber also takes 7.0 and 7e0, which some languages write for 7.
func wholeNumber(raw []byte) (int64, error) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, nil
	}
	var f float64
	if err := json.Unmarshal(raw, &f); err != nil || string(raw) == "null" {
		return 0, errors.New("not a number")
	}
	if f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, errors.New("not a whole number")
	}
	return int64(f), nil
}

// cut shortens a text to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
