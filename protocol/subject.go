package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// Headers of the NATS binding.
const (
	HeaderTurn    = "Arena-Turn"    // on a turn and its reply: the number of the turn
	HeaderAttempt = "Arena-Attempt" // on a request and its reply: 1, and more where the request is sent again
	HeaderElapsed = "Arena-Elapsed" // on a reply: the time used, in nanoseconds, from last byte written to newline read
	HeaderLimit   = "Arena-Limit"   // on a request: the time allowed, in nanoseconds
	HeaderFault   = "Arena-Fault"   // on a reply: the code of a fault; the payload is then a [FaultReport]
)

// SeatSubject is where a seat of a game is reached. Hello and Turn are requests there, and the reply is the bot's line;
// all else is published there. Names that could mean something to NATS are replaced by a digest of them.
func SeatSubject(bot, game string, seat int) string {
	return fmt.Sprintf("arena.seat.%s.%s.%d", token(bot), token(game), seat)
}

// PresenceSubject is where a remote bot answers a request with its [Presence].
func PresenceSubject(bot string) string { return "arena.seat." + token(bot) + ".presence" }

// Presence is what a remote bot says of itself. All of it is its own claim.
type Presence struct {
	Instance   string `json:"instance"`   // another one has none of its games
	Connection uint64 `json:"connection"` // grows with each reconnect: what was on the way may be lost
	Bot        string `json:"bot"`        // name@version of what plays
	Slots      int    `json:"slots"`      // seats that it can take at once
	Playing    int    `json:"playing"`    // seats that it has
}

// The codes of replies of a remote bot that are no faults.
const (
	Busy Code = "busy" // to hello: all its slots are taken; ask again
	Lost Code = "lost" // to a turn: it does not know the game, or not all of it; begin with hello again
)

func token(name string) string {
	if ok, err := regexp.MatchString(`^[a-z0-9-]{1,64}$`, name); ok && err == nil {
		return name
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(name)))
	return "_" + hex.EncodeToString(sum[:12]) // which is no name
}

// FaultReport is what the host of a bot knows about a fault. Who judges it knows the rest.
type FaultReport struct {
	Detail string `json:"detail,omitempty"` // what happened, as in "exit status 3"
	Line   string `json:"line,omitempty"`   // the beginning of the offending, or of the last, line
	Stderr string `json:"stderr,omitempty"` // its last lines
}
