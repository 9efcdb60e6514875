// Package remote lets a bot play for an arena elsewhere, from its own program and with nothing beside it. [Run] is for a bot
// that is a [bot.Player]; a [Host] plays whatever is a [Seat], such as a process.
//
// It keeps no time and judges no move: the arena does.
package remote

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/nats-io/nats.go"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// Options say where to play. Server and Name are needed.
type Options struct {
	Server      string          // URL of the arena, as in tls://arena.example:4222; also nats://, ws:// and wss://
	Name        string          // of the bot, as the arena knows it
	Credentials string          // file of the token; empty shows none
	CA          string          // file with the certificate of the server; empty trusts those of the system
	Slots       int             // games at once, each with a Player of its own; 0 is 8
	Leave       <-chan struct{} // when closed, no game begins and Run ends with the last; nil never is
	Log         io.Writer       // of the connection, of faults and of panics; nil is stderr
}

// Run plays until ctx ends, which gives up all games, or until Leave is closed and they are over; both are no error. It connects
// again whenever the connection is lost, and ends with an error when the arena does not want the bot: its token is wrong, was
// revoked, or is shown by another connection.
//
// Each seat of each game gets a Player from newPlayer, which is called from many goroutines. A Player that panics loses its game,
// with the trace in the log. One that never returns from Act keeps its slot, and is left behind in the end.
func Run(ctx context.Context, o Options, info bot.Info, newPlayer func() bot.Player) error {
	server, err := o.server()
	if err != nil {
		return err
	}
	host := &Host{Bot: label(o.Name, info.Version), Slots: o.Slots}
	if host.Slots == 0 {
		host.Slots = 8
	}
	host.Open = func() Seat { return openPlayer(server.Log, info, newPlayer) }
	return host.Play(ctx, o.Leave, server)
}

func (o Options) server() (s Server, err error) {
	if o.Server == "" || o.Name == "" || o.Slots < 0 {
		return s, fmt.Errorf("play as %q at %q with %d slots: the address of a server, a name and at least one slot are needed", o.Name, o.Server, o.Slots)
	}
	s = Server{URL: o.Server, Name: o.Name, Log: &sharedLog{to: o.Log}}
	if o.Log == nil {
		s.Log = &sharedLog{to: os.Stderr}
	}
	if o.Credentials != "" {
		key, err := credentials(o.Credentials)
		if err != nil {
			return s, err
		}
		s.Options = append(s.Options, key)
	}
	if o.CA != "" {
		s.Options = append(s.Options, nats.RootCAs(o.CA))
	}
	return s, nil
}

func label(name, version string) string {
	if version == "" {
		return name
	}
	return name + "@" + version
}

// sharedLog takes one write after the other.
type sharedLog struct {
	mu sync.Mutex
	to io.Writer
}

func (l *sharedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(p)
}
