package league

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// No answer within that time means that nobody knows whether something was done.
const (
	answerWithin = 5 * time.Second
	retryAfter   = 250 * time.Millisecond
)

// insist tries until it is known whether something was done. What it does must be harmless to repeat. While a stream is
// full, or the store gives no answer, it waits and says so.
func (s *Store) insist(ctx context.Context, do func(context.Context) error) error {
	return s.insistFor(ctx, answerWithin, do)
}

// insistFor gives each try at most that long, and the first ones less, since what a server that went away was asked gets no
// answer from its successor.
func (s *Store) insistFor(ctx context.Context, long time.Duration, do func(context.Context) error) error {
	told := ""
	for wait := min(time.Second, long); ; wait = min(2*wait, long) {
		within, cancel := context.WithTimeout(ctx, wait)
		err := do(within)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && wait < long {
			continue
		}
		trouble := s.waitingHelps(err)
		if trouble == "" || ctx.Err() != nil {
			return err
		}
		if trouble != told && trouble != noRoom { // of which the bus tells
			s.log.Error(trouble, "error", err)
			told = trouble
		}
		if err := sleep(ctx, retryAfter); err != nil {
			return fmt.Errorf("%s: %w", trouble, err)
		}
	}
}

const noRoom = "nothing can be stored at the moment"

// waitingHelps says what is wrong, or nothing when trying again would not help.
func (s *Store) waitingHelps(err error) string {
	api := &jetstream.APIError{}
	switch {
	case err == nil:
		return ""
	case errors.As(err, &api) && api.Code == http.StatusInternalServerError && s.bus.Health() != nil:
		return noRoom
	case errors.As(err, &api) && api.ErrorCode == codeRefused && strings.Contains(api.Description, "bytes"):
		return "a stream is full: allow it more bytes by serve --store-size, or remove tournaments that are over and exported; until then play waits"
	case Away(err):
		return "the store gives no answer; trying again"
	default:
		return ""
	}
}

// Away reports whether an error comes of a server that is very busy, or away for a moment.
func Away(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrNoStreamResponse) || reconnecting(err)
}

// reconnecting reports whether nothing was sent, since there was no connection.
func reconnecting(err error) bool {
	return errors.Is(err, nats.ErrConnectionReconnecting) || errors.Is(err, nats.ErrDisconnected) || errors.Is(err, nats.ErrReconnectBufExceeded)
}

// Where room is missing there may be just enough for a little.
const (
	littleWithin = time.Second
	removeWithin = 30 * time.Second
)

// withRoom bounds what somebody waits for who does not go on by himself when there is room again. The error then says what is
// missing.
func (s *Store) withRoom(ctx context.Context, long time.Duration, do func(context.Context) error) error {
	full, within := s.bus.Room(), ctx
	if full != nil {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, long)
		defer cancel()
	}
	err := do(within)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case full != nil && (within.Err() != nil || bus.LacksRoom(err)):
		return noRoomError(full)
	case bus.LacksRoom(err):
		return noRoomError(err)
	default:
		return err
	}
}

func noRoomError(cause error) error {
	return fmt.Errorf("nothing can be stored: %w; make room, and try again", cause)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
