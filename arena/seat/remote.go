package seat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Remote opens seats for bots that run elsewhere and are connected to the server of Conn: see [remote.Host].
//
// Nothing that such a bot says is trusted. Its time is what passes here between question and answer, less Network. While it
// owes an answer and does not give one, it is asked for its presence: so one that thinks too long, a timeout, is told from
// one that is gone, whose clock stands still while its grace runs. When it is back it gets the same turn again; when it
// knows nothing of the game any more, a new process of it gets hello, start, and that turn with the public record of the
// whole game. A bot that pretends to be gone gains no more than the grace, once a game.
type Remote struct {
	Conn    *nats.Conn
	Names   map[string]string // of the bots, by label
	Session string            // keeps the subjects of programs that share a server apart
	Network time.Duration     // of each answer's time, for the way
	Grace   time.Duration     // for all absences in a game; 0 is [DefaultGrace]
}

// DefaultGrace is how long a bot may be gone, in all, in a game.
const DefaultGrace = 30 * time.Second

// Open implements [arena.Opener].
func (r *Remote) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	name, ok := r.Names[place.Bot]
	if !ok {
		return nil, fmt.Errorf("no remote bot %s", place.Bot)
	}
	return &remoteSeat{
		Client: NewClient(r.Conn, protocol.SeatSubject(name, r.Session+place.Game, place.Seat)),
		name:   name, network: r.Network, grace: cmp.Or(r.Grace, DefaultGrace), allowed: cmp.Or(r.Grace, DefaultGrace),
	}, nil
}

// ErrAbsent is wrapped by the error about a remote bot that nobody has connected.
var ErrAbsent = errors.New("is not connected")

// Look asks a remote bot for its presence, three times, and gives the median of the round trips.
func Look(ctx context.Context, nc *nats.Conn, name string) (protocol.Presence, time.Duration, error) {
	var seen protocol.Presence
	var trips []time.Duration
	for range 3 {
		begin := time.Now()
		var err error
		if seen, err = ask(ctx, nc, name); err != nil {
			return seen, 0, err
		}
		trips = append(trips, time.Since(begin))
	}
	slices.Sort(trips)
	return seen, trips[1], nil
}

// silentWithin is how long a presence may take. A bot that is further away cannot play.
const silentWithin = 2 * time.Second

// ask gives an error that wraps ErrAbsent where no presence comes.
func ask(ctx context.Context, nc *nats.Conn, name string) (protocol.Presence, error) {
	wait, cancel := context.WithTimeout(ctx, silentWithin)
	defer cancel()
	msg, err := nc.RequestWithContext(wait, protocol.PresenceSubject(name), nil)
	switch {
	case ctx.Err() != nil:
		return protocol.Presence{}, ctx.Err()
	case errors.Is(err, nats.ErrConnectionClosed):
		return protocol.Presence{}, fmt.Errorf("ask for %s: %w", name, err)
	case err != nil:
		return protocol.Presence{}, fmt.Errorf("%s %w", name, ErrAbsent)
	}
	var p protocol.Presence
	if len(msg.Data) > maxPresence || json.Unmarshal(msg.Data, &p) != nil || min(p.Slots, p.Playing) < 0 || p.Playing > p.Slots {
		return protocol.Presence{}, fmt.Errorf("%s %w: it answers with something else", name, ErrAbsent)
	}
	return p, nil
}

const maxPresence = 1 << 10 // bytes
