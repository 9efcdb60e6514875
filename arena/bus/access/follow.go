package access

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	rereadEvery = time.Minute // all tokens, whatever a watch may have missed
	retryAfter  = 250 * time.Millisecond
)

// Follow keeps the gate up to date with the tokens until the context ends. From the first time on that all are read, the gate
// lets in who may.
func (g *Gate) Follow(ctx context.Context) error { return g.follow(ctx, func() {}) }

// follow calls known when all are read for the first time, before the gate lets anybody in.
func (g *Gate) follow(ctx context.Context, known func()) error {
	ended, err := g.nc.Subscribe("$SYS.ACCOUNT.*.DISCONNECT", func(m *nats.Msg) {
		var event struct {
			Server struct{ ID string }
			Client struct{ ID uint64 }
		}
		if json.Unmarshal(m.Data, &event) == nil {
			g.gone(Conn{event.Server.ID, event.Client.ID})
		}
	})
	if err != nil {
		return err
	}
	defer func() { _ = ended.Unsubscribe() }() // it ends with its connection
	for first := true; ctx.Err() == nil; {
		err := g.watch(ctx, func() {
			if first {
				known()
				close(g.loaded)
			}
			first = false
		})
		if err != nil && ctx.Err() == nil {
			g.log.Warn("the tokens cannot be read at the moment; trying again", "error", err)
			sleep(ctx, retryAfter)
		}
	}
	return ctx.Err()
}

// watch reads all tokens, and then each change, for a while.
func (g *Gate) watch(ctx context.Context, loaded func()) error {
	ctx, cancel := context.WithTimeout(ctx, rereadEvery)
	defer cancel()
	watcher, err := g.tokens.kv.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }() // it ends with the context
	all := map[string]bool{}
	reading := true
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry, ok := <-watcher.Updates():
			switch {
			case !ok:
				return nil
			case entry == nil:
				reading = false
				g.keep(ctx, all)
				loaded()
			default:
				if reading {
					all[entry.Key()] = true
				}
				g.take(ctx, entry)
			}
		}
	}
}

func (g *Gate) take(ctx context.Context, entry jetstream.KeyValueEntry) {
	if entry.Operation() != jetstream.KeyValuePut {
		g.learn(ctx, entry.Key(), nil)
		return
	}
	id, err := read(entry)
	if err != nil {
		g.log.Error("a token lets nobody in", "error", err)
		g.learn(ctx, entry.Key(), nil)
		return
	}
	g.learn(ctx, entry.Key(), &id)
}

// keep forgets all tokens but those.
func (g *Gate) keep(ctx context.Context, all map[string]bool) {
	g.mu.Lock()
	known := slices.Collect(maps.Keys(g.known))
	g.mu.Unlock()
	for _, key := range known {
		if !all[key] {
			g.learn(ctx, key, nil)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
