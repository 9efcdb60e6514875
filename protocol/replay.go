package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
)

// ReplayVersion is the version of the replay format.
const ReplayVersion = 1

// FaultPolicy says what faults cost. It is a setting of the tournament and stands in every replay.
type FaultPolicy struct {
	StrikeLimit int     `json:"strike_limit" toml:"strike_limit"` // faults that forfeit a seat; 0 is never, but for fatal ones
	Penalty     Penalty `json:"penalty" toml:"penalty"`
}

// Penalty is what a forfeit does to the result.
type Penalty string

// A forfeited seat is ranked last, or where its points put it.
const (
	RankLast     Penalty = "last"
	RankByPoints Penalty = "points"
)

// Header is the first line of a replay. A match plays several games; Game names this one.
type Header struct {
	Version    int          `json:"version"`
	Game       string       `json:"game"`
	Match      string       `json:"match"`
	Tournament string       `json:"tournament"`
	Arena      string       `json:"arena"` // version of the program
	Rules      engine.Rules `json:"rules"`
	Bots       []string     `json:"bots"` // name@version by seat
	Seed       engine.Seed  `json:"seed"` // of the game: every deal and the first leader derive from it
	Clock      Clock        `json:"clock"`
	AskForced  bool         `json:"ask_forced"`           // whether a seat with one legal action was asked
	NetworkMS  int64        `json:"network_ms,omitempty"` // what of the time of a remote bot's answer was not counted
	Faults     FaultPolicy  `json:"faults"`
	Limits     Limits       `json:"limits,omitzero"`
	// Confinement says by what the bots were confined, part by part; it is empty where they were not.
	Confinement map[string]string `json:"confinement,omitempty"`
	Started     time.Time         `json:"started"`
}

// ReplayDeal shows all hands of a round, or of half two.
type ReplayDeal struct {
	Round   int            `json:"round"`
	Half    int            `json:"half"`
	Leader  int            `json:"leader"`
	Hands   []engine.Cards `json:"hands"`
	Hands2  []engine.Cards `json:"hands2,omitempty"` // at half one: the hands of half two
	Undealt engine.Cards   `json:"undealt"`
}

// ReplayPlay is a play with the time it took and what the bot noted.
type ReplayPlay struct {
	Play
	MS   float64 `json:"ms"` // 0 where the bot was not asked
	Note string  `json:"note,omitempty"`
}

// GameResult is the last line of a replay.
type GameResult struct {
	Reason  Reason      `json:"reason"`
	Scores  []int       `json:"scores"`  // penalty points by seat
	Ranks   []int       `json:"ranks"`   // by seat, 1 is best
	Winners []int       `json:"winners"` // seats of rank 1
	Faults  []SeatFault `json:"faults"`  // in the order of seats, then of first occurrence
}

// SeatFault counts the faults of one kind of a seat in a game.
type SeatFault struct {
	Seat    int  `json:"seat"`
	Code    Code `json:"code"`
	Count   int  `json:"count"`
	Forfeit bool `json:"forfeit"` // whether the seat was forfeited by a fault of this kind
}

// Unknown is a line of a type that this program does not know.
type Unknown struct {
	Type string
	JSON string // the line, without its sum
}

// Line is a line of a replay: [Header], [ReplayDeal], [ReplayPlay], engine.Cleared, engine.Scored or [GameResult], or one
// that is [Unknown].
type Line any

// lineBody is the JSON of a line without its sum.
func lineBody(line Line) ([]byte, error) {
	if unknown, ok := line.(Unknown); ok {
		if tag, err := TypeOf([]byte(unknown.JSON)); err != nil || tag != unknown.Type {
			return nil, fmt.Errorf("%q is not the JSON of a line of type %q", unknown.JSON, unknown.Type)
		}
		return bytes.TrimSpace([]byte(unknown.JSON)), nil
	}
	tag, err := lineType(line)
	if err != nil {
		return nil, err
	}
	return tagged(tag, line)
}

func lineType(line Line) (string, error) {
	switch line.(type) {
	case Header:
		return "replay", nil
	case ReplayDeal:
		return "deal", nil
	case ReplayPlay:
		return "play", nil
	case engine.Cleared:
		return "clear", nil
	case engine.Scored:
		return "score", nil
	case GameResult:
		return "result", nil
	default:
		return "", fmt.Errorf("%T is not a line of a replay", line)
	}
}

func readLine(raw []byte) (Line, error) {
	tag, err := TypeOf(raw)
	if err != nil {
		return nil, err
	}
	switch tag {
	case "replay":
		return decodeLine[Header](raw)
	case "deal":
		return decodeLine[ReplayDeal](raw)
	case "play":
		return decodeLine[ReplayPlay](raw)
	case "clear":
		return decodeLine[engine.Cleared](raw)
	case "score":
		return decodeLine[engine.Scored](raw)
	case "result":
		return decodeLine[GameResult](raw)
	default:
		return Unknown{Type: tag, JSON: string(raw)}, nil
	}
}

func decodeLine[L any](raw []byte) (Line, error) {
	var line L
	err := json.Unmarshal(raw, &line)
	return line, err
}
