package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names of the streams. Tokens of subjects are ids of tournaments and pools and numbers of matches, never free text.
const (
	Events  = "EVENTS"  // ev.<tournament>: the log of each tournament
	Results = "RESULTS" // res.<tournament>.<match>: what each match came to, once
	Jobs    = "JOBS"    // jobs.<pool>.<tournament>.<match>: matches that wait for a worker, or are with one
	Reports = "REPORTS" // rep.<tournament>.<match>: matches that could not be played, for the coordinator
	Replays = "REPLAYS" // rpl.<tournament>.<match>.<digest>.<part>: see ReplayStore
)

// again repeats what got no answer: the server may be starting again.
func again(ctx context.Context, do func(context.Context) error) error {
	for long := time.Second; ; long *= 2 {
		try, cancel := context.WithTimeout(ctx, long)
		err := do(try)
		cancel()
		away := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrDisconnected)
		if !away || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(reconnectWait):
		}
	}
}

// codeNoRoom is that of the server's error for limits that do not fit into those of the account.
const codeNoRoom = 10047

func explain(err error) error {
	if api := (&jetstream.APIError{}); errors.As(err, &api) && api.ErrorCode == codeNoRoom {
		return fmt.Errorf("%w; allow the server more storage, or choose smaller sizes", err)
	}
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) ||
		errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%w; start the NATS server with --jetstream", err)
	}
	return err
}

// AckWait is how long a worker may be silent before its match is given to another.
func (b *Bus) AckWait() time.Duration {
	if b.cfg.AckWait != 0 {
		return b.cfg.AckWait
	}
	return 30 * time.Second
}

// WorkersConsumer is the consumer of all workers of a pool. How often a match may be tried is counted in its tournament's
// log, so there is no bound here: a message beyond it would stay in the queue for ever.
func (b *Bus) WorkersConsumer(pool string) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: "workers-" + pool, FilterSubject: "jobs." + pool + ".*.*", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: b.AckWait(), MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 10_000,
	}
}

// CoordinatorConsumer is the consumer of the reports of a tournament.
func (b *Bus) CoordinatorConsumer(tournament string) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: "coordinator-" + tournament, FilterSubject: "rep." + tournament + ".*", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: b.AckWait(), MaxDeliver: -1, MaxAckPending: -1,
	}
}

// EventSubject is that of the log of a tournament.
func EventSubject(tournament string) string { return "ev." + tournament }

// ImportSubject has a message in the stream of events as long as the log of a tournament is being imported, and is not whole. It is
// that of no log, since ids have no such character.
func ImportSubject(tournament string) string { return EventSubject(tournament) + importing }

const importing = "_import"

// ImportOf gives the tournament of an [ImportSubject].
func ImportOf(subject string) (tournament string, ok bool) {
	return strings.CutSuffix(LastToken(subject), importing)
}

// ResultSubject is that of the result of a match.
func ResultSubject(tournament string, match int) string {
	return fmt.Sprintf("res.%s.%d", tournament, match)
}

// ResultSubjects are those of all results of a tournament.
func ResultSubjects(tournament string) string { return "res." + tournament + ".*" }

// JobSubject is that of a match in the queue of a pool.
func JobSubject(pool, tournament string, match int) string {
	return fmt.Sprintf("jobs.%s.%s.%d", pool, tournament, match)
}

// JobSubjects are those of all matches of a tournament in the queue of a pool, or with the pool "*" in all queues.
func JobSubjects(pool, tournament string) string {
	return fmt.Sprintf("jobs.%s.%s.*", pool, tournament)
}

// ReportSubject is where a worker reports a match that it could not play.
func ReportSubject(tournament string, match int) string {
	return fmt.Sprintf("rep.%s.%d", tournament, match)
}

// ControlSubject is where the coordinator of a tournament answers, without a stream.
func ControlSubject(tournament string) string { return "ctl." + tournament }

// WorkersSubject is where all workers say how they are, without a stream.
const WorkersSubject = "workers.status"

// LastToken is the last part of a subject, such as the number of a match.
func LastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }
