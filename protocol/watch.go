package protocol

import (
	"errors"
	"fmt"

	"github.com/fivethreefive/fivethreefive/engine"
)

// WatchSubject is where the lines of a game are published for everybody who may watch: [Watched], the public record, and
// [GameResult].
func WatchSubject(tournament, match, game string) string {
	return fmt.Sprintf("arena.watch.%s.%s.%s", token(tournament), token(match), token(game))
}

// Watched is the first line of a game that may be watched. A game that comes again, after a failure of the arena, begins with
// it again.
type Watched struct {
	Game       string       `json:"game"`
	Match      string       `json:"match"`
	Tournament string       `json:"tournament"`
	Names      []string     `json:"names"` // by seat
	Rules      engine.Rules `json:"rules"`
}

// WatchedLine gives a line: of Watched, of GameResult, or of an event of the public record. It refuses an event with a hand.
func WatchedLine(v any) ([]byte, error) {
	switch v := v.(type) {
	case Watched:
		return tagged("game", v)
	case GameResult:
		return tagged("result", v)
	case engine.Dealt:
		if v.Hand != nil {
			return nil, errors.New("a deal with a hand is not public")
		}
		return tagged("deal", v)
	case Play, engine.Cleared, engine.Scored:
		return tagged(eventType(v.(engine.Event)), v)
	default:
		return nil, fmt.Errorf("%T is nothing to watch", v)
	}
}
