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
	HeaderElapsed = "Arena-Elapsed" // on a reply: the time used, in nanoseconds, from last byte written to newline read
	HeaderLimit   = "Arena-Limit"   // on a request: the time allowed, in nanoseconds
	HeaderFault   = "Arena-Fault"   // on a reply: the code of a fault; the payload is then a [FaultReport]
)

// SeatSubject is where a seat of a game is reached. Hello and Turn are requests there, and the reply is the bot's line;
// all else is published there. Names that could mean something to NATS are replaced by a digest of them.
func SeatSubject(bot, game string, seat int) string {
	return fmt.Sprintf("arena.seat.%s.%s.%d", token(bot), token(game), seat)
}

func token(name string) string {
	if ok, err := regexp.MatchString(`^[a-z0-9-]{1,64}$`, name); ok && err == nil {
		return name
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(name)))
	return "h" + hex.EncodeToString(sum[:12])
}

// FaultReport is what the host of a bot knows about a fault. Who judges it knows the rest.
type FaultReport struct {
	Detail string `json:"detail,omitempty"` // what happened, as in "exit status 3"
	Line   string `json:"line,omitempty"`   // the beginning of the offending, or of the last, line
	Stderr string `json:"stderr,omitempty"` // its last lines
}
