package protocol

import (
	"encoding/json"
	"fmt"
)

// ReadArena reads a line from the arena, as a bot does: Hello, Start, Turn, Error, End or Quit. A type that it does not
// know gives nil, which a bot ignores.
func ReadArena(line []byte) (Message, error) {
	tag, err := TypeOf(line)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	switch tag {
	case "hello":
		return read[Hello](tag, line)
	case "start":
		return read[Start](tag, line)
	case "turn":
		return read[Turn](tag, line)
	case "error":
		return read[Error](tag, line)
	case "end":
		return read[End](tag, line)
	case "quit":
		return Quit{}, nil
	default:
		return nil, nil
	}
}

func read[M Message](tag string, line []byte) (Message, error) {
	var m M
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrMalformed, tag, err)
	}
	return m, nil
}
