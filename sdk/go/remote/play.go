package remote

import (
	"context"
	"fmt"
	"sync"
)

// Play connects and plays. It ends without an error when ctx does, which gives up what is played, or when leave is closed and
// what was played then is over; and with one when the server does not want the bot, or no longer.
func (h *Host) Play(ctx context.Context, leave <-chan struct{}, s Server) error {
	ended := make(chan error, 1)
	end := func(err error) {
		select {
		case ended <- err:
		default: // another reason was first
		}
	}
	h.Replaced = func(why string) { end(fmt.Errorf("the arena ends this connection: %s", printable(why))) }
	nc, connected, err := s.dial(end)
	if err != nil {
		return err
	}
	defer nc.Close()
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer h.Close()
	if err = h.Serve(nc, s.Name); err != nil {
		return err
	}
	running.Go(func() { s.welcome(ctx, nc, connected, h.Slots) })
	if !nc.IsConnected() {
		s.logf("Waiting for %s. Ctrl-C leaves.", s.shown())
	}
	left := make(chan struct{})
	for {
		select {
		case err = <-ended:
			nc.Close() // while the seats come to their end it would connect again, and replace what has replaced it
			return err
		case <-ctx.Done():
			return nil
		case <-leave:
			leave = nil
			h.Leave()
			running.Go(func() {
				h.Wait()
				close(left)
			})
		case <-left:
			return nil
		}
	}
}
