package protocol

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
)

// Message is one of the messages of the protocol: [Hello], [Ready], [Start], [Turn], [Move], [Error], [End] or [Quit].
type Message interface{ messageType() string }

// Hello opens the connection. The bot answers with Ready within the start-up limit.
type Hello struct {
	Protocol int    `json:"protocol"`
	Arena    string `json:"arena"` // program/version
	Limits   Limits `json:"limits"`
}

// Limits are what a bot must keep to.
type Limits struct {
	StartupMS int64 `json:"startup_ms"` // from the start of the process to the newline of ready
	LineBytes int   `json:"line_bytes"`
	MemoryMB  int   `json:"memory_mb"` // MiB for the whole process tree; 0 is no limit
}

// Ready answers Hello. All fields are optional.
type Ready struct {
	Name     string `json:"name,omitempty"`
	Version  string `json:"version,omitempty"`
	Author   string `json:"author,omitempty"`
	Protocol int    `json:"protocol,omitempty"`
}

// Start begins a game.
type Start struct {
	Game    string       `json:"game"`
	Seat    int          `json:"seat"`
	Players int          `json:"players"`
	Names   []string     `json:"names"` // name@version by seat
	Rules   engine.Rules `json:"rules"`
	Clock   Clock        `json:"clock"`
	Seed    uint64       `json:"seed"` // for the bot's own randomness, below 2^53
}

// Clock is the time control of a game, in milliseconds: each move has its limit, what exceeds it is taken from the bank,
// and after each move the increment is added to the bank.
type Clock struct {
	MoveMS      int64 `json:"move_ms"`
	BankMS      int64 `json:"bank_ms"`
	IncrementMS int64 `json:"increment_ms"`
}

// TurnClock is the time that a seat has for a turn: the move limit, then the bank.
type TurnClock struct {
	MoveMS int64    `json:"move_ms"`
	BankMS int64    `json:"bank_ms"`
	LastMS *float64 `json:"last_ms,omitempty"` // what its last turn took; nil on the first
}

// Turn asks for a decision. It numbers the requests of the connection in growing order, and Move repeats the number.
type Turn struct {
	Game string `json:"game"`
	Turn int64  `json:"turn"`
	engine.Observation
	Events Events          `json:"events"` // what happened since the last message to this seat
	Legal  []engine.Action `json:"legal"`  // in canonical order
	Clock  TurnClock       `json:"clock"`

	Read time.Time `json:"-"` // when the bot has read it, as told by who reads it; it is not sent
}

// Error tells the bot what was wrong with its last line and what was done about it.
type Error struct {
	Turn        int64          `json:"turn"`
	Code        Code           `json:"code"`
	Message     string         `json:"message"`
	Applied     *engine.Action `json:"applied,omitempty"` // what the arena played instead
	Strikes     int            `json:"strikes"`
	StrikeLimit int            `json:"strike_limit"`
}

// End closes a game.
type End struct {
	Game   string `json:"game"`
	Reason Reason `json:"reason"`
	Scores []int  `json:"scores"`
	Ranks  []int  `json:"ranks"`
	Events Events `json:"events"`
}

// Quit asks the bot to exit.
type Quit struct{}

func (Hello) messageType() string { return "hello" }
func (Ready) messageType() string { return "ready" }
func (Start) messageType() string { return "start" }
func (Turn) messageType() string  { return "turn" }
func (Move) messageType() string  { return "move" }
func (Error) messageType() string { return "error" }
func (End) messageType() string   { return "end" }
func (Quit) messageType() string  { return "quit" }

// Reason tells how a game ended.
type Reason string

// Finished is the end by the rules, whatever the faults on the way.
const Finished Reason = "finished"

// Code names what a bot did wrong.
type Code string

// The faults, and Stale, which is answered like one but is none.
const (
	StartFault Code = "start"      // could not start, or was not ready in time
	Timeout    Code = "timeout"    // no move in time
	Illegal    Code = "illegal"    // a move that the rules refuse
	Malformed  Code = "malformed"  // not JSON of the shape of a move
	Crash      Code = "crash"      // the process exited
	Memory     Code = "memory"     // it used more memory than it may
	Flood      Code = "flood"      // a line over the limit, or too many stray prints
	Disconnect Code = "disconnect" // alive, but its connection is closed
	Stale      Code = "stale"      // an answer to no open turn: dropped, never a fault
)

// Fatal reports whether the fault forfeits the seat at once, however many strikes it has.
func (c Code) Fatal() bool {
	switch c {
	case StartFault, Crash, Memory, Flood, Disconnect:
		return true
	default:
		return false
	}
}

// Marshal gives the line of a message, its type first and without the newline.
func Marshal(m Message) ([]byte, error) { return tagged(m.messageType(), m) }

// tagged writes a struct as an object that begins with its type.
func tagged(tag string, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", tag, err)
	}
	out := make([]byte, 0, len(body)+len(tag)+12)
	out = append(append(out, `{"type":"`...), tag...)
	out = append(out, '"')
	if len(body) > 2 {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

// TypeOf reads the type of a line. It fails where the line is not an object with a type.
func TypeOf(line []byte) (string, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return "", err
	}
	if head.Type == "" {
		return "", errNoType
	}
	return head.Type, nil
}
