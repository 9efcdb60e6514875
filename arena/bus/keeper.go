package bus

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// doorkeeper tells the door of a server that listens who has a token. It lives as long as that server.
type doorkeeper struct {
	nc    *nats.Conn
	stop  context.CancelFunc
	tasks sync.WaitGroup
}

// newDoorkeeper opens the door when it knows where the tokens are.
//
//nolint:contextcheck,nolintlint // it lives as long as the server, and of the two linters one does not see the other
func newDoorkeeper(s *server.Server, door *access.Door, log *slog.Logger) (*doorkeeper, error) {
	nc, err := nats.Connect("", nats.InProcessServer(s), nats.Name("arena door"), nats.NoReconnect())
	if err != nil {
		return nil, fmt.Errorf("look after the listener: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	k := &doorkeeper{nc: nc, stop: stop}
	tokens, err := access.OpenTokens(ctx, nc)
	if err != nil {
		k.leave()
		return nil, fmt.Errorf("look after the listener: %w", explain(err))
	}
	gate := access.NewGate(nc, tokens, log)
	door.Open(gate)
	k.tasks.Go(func() {
		if err := gate.Follow(ctx); err != nil && ctx.Err() == nil {
			log.Error("nobody is let in any more", "error", err)
		}
	})
	return k, nil
}

// leave lets nobody in any more.
func (k *doorkeeper) leave() {
	if k != nil {
		k.stop()
		k.tasks.Wait()
		k.nc.Close()
	}
}
