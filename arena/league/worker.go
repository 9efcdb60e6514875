package league

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Replays gives each game a place for its replay.
type Replays func(protocol.Header) (arena.ReplayFile, error)

// Worker plays the matches in the queue of a pool, of whatever tournament they are.
type Worker struct {
	Store *Store
	Name  string // for people who look for the cause of a failure
	Pool  string
	Slots int // matches at once; less than 1 is 1

	// Play plays a match. It returns an error only for a failure of the arena's own. Replays is nil where the worker has
	// no part in them.
	Play func(ctx context.Context, m arena.Match, replays Replays) (arena.Result, error)

	// Ready says why this worker cannot play between these bots, such as that one is not on its machine; nil is ready for
	// all. Other workers then get the match, and when none that has announced itself is ready for it, it is dead.
	Ready func(ctx context.Context, m arena.Match, entrants []Entrant) error

	// Send puts the replays of each match into the store, from where the coordinator takes them.
	Send bool

	Version string // of the program, for [Worker.Announce]

	activity
}

// Run plays until the context ends, or stop is closed: it then begins no further match, finishes those that run, and
// returns nil. When the context ends, matches in play are handed back, and its error is returned.
func (w *Worker) Run(ctx context.Context, stop <-chan struct{}) error {
	pulling, cancel := until(ctx, stop)
	defer cancel()
	consumer, err := w.queue(pulling)
	if pulling.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	working, giveUp := context.WithCancel(ctx)
	defer giveUp()
	slots := max(1, w.Slots)
	errs := make([]error, slots)
	var running, waiting sync.WaitGroup
	waiting.Go(func() {
		select {
		case <-stop:
			w.leave(working, giveUp)
		case <-working.Done():
		}
	})
	for slot := range slots {
		running.Go(func() {
			errs[slot] = w.slot(working, pulling, consumer)
			if errs[slot] != nil {
				cancel()
			}
		})
	}
	running.Wait()
	giveUp()
	waiting.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// queue waits for the queue of the pool, which who conducts makes.
func (w *Worker) queue(ctx context.Context) (consumer jetstream.Consumer, err error) {
	for {
		err = w.Store.insist(ctx, func(ctx context.Context) (err error) {
			consumer, err = w.Store.js.Consumer(ctx, bus.Jobs, w.Store.bus.WorkersConsumer(w.Pool).Durable)
			return err
		})
		if !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return consumer, err
		}
		if err = sleep(ctx, retryAfter); err != nil {
			return nil, err
		}
	}
}

// leave gives up what is in play if nothing can be stored: it would wait for room.
func (w *Worker) leave(working context.Context, giveUp func()) {
	for w.Store.bus.Health() == nil {
		if sleep(working, retryAfter) != nil {
			return
		}
	}
	w.Store.log.Error("matches in play are given up, since nothing can be stored; they are played again later", "error", w.Store.bus.Health())
	giveUp()
}

// slot plays one match after the other, as long as there may be a next.
func (w *Worker) slot(ctx, pulling context.Context, consumer jetstream.Consumer) error {
	for pulling.Err() == nil {
		if w.Store.bus.Health() != nil {
			_ = sleep(pulling, time.Second) // the loop looks at what ended it
			continue
		}
		message, err := pull(pulling, consumer)
		if err != nil {
			return err
		}
		if message == nil {
			continue
		}
		if err := w.work(ctx, message); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// pullFor is how long one request for a match lasts. It is not given up early: a match that is sent to nobody comes again
// only after a while.
const pullFor = time.Second

// pull waits for a message. It gives nil now and then.
func pull(pulling context.Context, consumer jetstream.Consumer) (jetstream.Msg, error) {
	message, err := consumer.Next(jetstream.FetchMaxWait(pullFor))
	switch {
	case err == nil, errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoMessages):
		return message, nil
	case errors.Is(err, nats.ErrConnectionClosed):
		return nil, err
	default: // the server is away for a moment, or the tournament is over
		_ = sleep(pulling, retryAfter) // who calls looks at what ended it
		return nil, nil
	}
}

// work sees a match through: replays, then the result, then the acknowledgement. Whatever is repeated after a crash
// between two of them changes nothing.
func (w *Worker) work(ctx context.Context, message jetstream.Msg) error {
	j, err := readJob(message.Data())
	if err != nil {
		w.Store.log.Error("the queue holds what is no match; it is removed", "subject", message.Subject(), "error", err)
		return message.TermWithReason(err.Error())
	}
	done, err := w.Store.last(ctx, w.Store.results, bus.ResultSubject(j.Tournament, j.Number))
	if err != nil {
		return err
	}
	if done != nil { // whoever played it did not get to the acknowledgement
		return w.acknowledge(ctx, message)
	}
	if err := w.reportLost(ctx, message, j); err != nil {
		return err
	}
	return w.play(ctx, message, j)
}

func (w *Worker) play(ctx context.Context, message jetstream.Msg, j job) error {
	beating, quiet := context.WithCancel(ctx)
	var beat sync.WaitGroup
	beat.Go(func() { heartbeat(beating, message, w.Store.bus.AckWait()/3) })
	defer beat.Wait()
	defer quiet()
	defer w.playing(j)()
	if w.Ready != nil {
		if err := w.Ready(ctx, j.match(), j.Entrants); err != nil {
			return w.passOn(ctx, message, j, err)
		}
	}
	var pack *pack
	var replays Replays
	if w.Send {
		var err error
		if pack, err = newPack(); err != nil {
			return w.failed(ctx, message, j, err)
		}
		defer pack.close()
		replays = pack.create
	}
	result, err := w.Play(ctx, j.match(), replays)
	switch {
	case err != nil && ctx.Err() != nil:
		return w.handBack(ctx, message, j)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // no failure of the match: it waits until there is room
		w.Store.log.Error("play pauses: the disk is full; make room, and play goes on by itself", "error", err)
		_ = sleep(ctx, time.Second) // the match is handed back in any case
		return w.handBack(ctx, message, j)
	case err != nil:
		return w.failed(ctx, message, j, err)
	}
	lasting, cancel := w.Store.outlast(ctx, 3*grace) // what was played is kept, also when the run ends meanwhile
	defer cancel()
	name, err := w.Store.sendReplays(lasting, j, pack)
	if err != nil {
		return w.failed(ctx, message, j, err)
	}
	first, err := w.Store.putResult(lasting, j.Tournament, j.Number, result, name)
	if err != nil {
		return err
	}
	if first {
		w.played(result)
	}
	return w.acknowledge(lasting, message)
}

// heartbeat tells the queue that the match is still being played.
func heartbeat(ctx context.Context, message jetstream.Msg, every time.Duration) {
	for sleep(ctx, every) == nil {
		_ = message.InProgress() // without it the match is given to another worker as well, and the first result counts
	}
}

// acknowledge takes the match out of the queue. Where that fails it comes again, and is seen to be done.
func (w *Worker) acknowledge(ctx context.Context, message jetstream.Msg) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	err := message.DoubleAck(ctx)
	if errors.Is(err, nats.ErrConnectionClosed) {
		return err
	}
	return nil
}

// handBack gives the match to others, as if it had not been tried. The coordinator queues it again when it hears of that, and does so
// too for a match that it misses in the queue.
func (w *Worker) handBack(ctx context.Context, message jetstream.Msg, j job) error {
	return w.giveBack(ctx, message, report{Failed: Failed{Match: j.Number}, Back: true}, j.Tournament)
}

func (w *Worker) giveBack(ctx context.Context, message jetstream.Msg, r report, tournament string) error {
	lasting, cancel := w.Store.outlast(ctx, grace)
	defer cancel()
	if err := message.DoubleAck(lasting); err != nil {
		return err
	}
	return w.Store.sendReport(lasting, tournament, r)
}

// failed tells the coordinator, who decides whether the match is tried again.
func (w *Worker) failed(ctx context.Context, message jetstream.Msg, j job, cause error) error {
	if err := w.acknowledge(ctx, message); err != nil {
		return err
	}
	return w.report(ctx, message, j, false, cause.Error())
}

// reportLost counts an attempt of which nothing was heard any more. A match that kills its workers is found that way.
func (w *Worker) reportLost(ctx context.Context, message jetstream.Msg, j job) error {
	meta, err := message.Metadata()
	if err != nil || meta.NumDelivered < 2 {
		return err
	}
	return w.report(ctx, message, j, true, fmt.Sprintf("its worker was not heard of for %v: it crashed, or lost its connection", w.Store.bus.AckWait()))
}

// maxCause bounds what an error may say in a log.
const maxCause = 2000

func (w *Worker) report(ctx context.Context, message jetstream.Msg, j job, playing bool, cause string) error {
	meta, err := message.Metadata()
	if err != nil {
		return err
	}
	attempt := fmt.Sprintf("job-%d-%d", meta.Sequence.Stream, meta.NumDelivered)
	if playing {
		attempt = fmt.Sprintf("job-%d-%d", meta.Sequence.Stream, meta.NumDelivered-1)
	}
	r := report{Failed: Failed{Match: j.Number, Attempt: attempt, Worker: w.Name, Cause: strings.ToValidUTF8(cause[:min(len(cause), maxCause)], "")}, Playing: playing}
	if playing {
		r.Worker = ""
	}
	return w.Store.sendReport(ctx, j.Tournament, r)
}

func (s *Store) sendReport(ctx context.Context, tournament string, r report) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = s.publish(ctx, &nats.Msg{Subject: bus.ReportSubject(tournament, r.Match), Data: data})
	return err
}
