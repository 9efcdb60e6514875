package league

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// Coordinating says how a tournament is coordinated. The zero value is of use.
type Coordinating struct {
	Pool     string        // of the workers that play; empty is a pool of this tournament alone
	Ahead    int           // matches in the queue at most, those in play included; 0 is 1000
	Attempts int           // that may fail before a match is dead; 0 is 3
	Lost     int           // workers that a match may lose before it is dead; 0 is 15, since they go for other reasons, too
	Pause    time.Duration // between attempts at a match; 0 is 1 s
	Strict   bool          // a dead match ends Run
	Begin    *Tournament   // begun, as by [Store.Begin], when it is sure that nobody else takes it over; nil begins nothing
	Replays  string        // folder for the replays that workers send; empty leaves them in the store

	// Progress is called after each event that was written, from the goroutine that runs; nil is allowed. The state is
	// the coordinator's own and may be read only until Progress returns.
	Progress func(*State, Event)
}

func (c Coordinating) filled(id string) Coordinating {
	fill(&c.Pool, id)
	fill(&c.Ahead, 1000)
	fill(&c.Attempts, 3)
	fill(&c.Lost, 15)
	fill(&c.Pause, time.Second)
	return c
}

func fill[T comparable](to *T, standard T) {
	var unset T
	if *to == unset {
		*to = standard
	}
}

// Coordinator is the only writer of the log of one tournament. It pairs, fills the queue of the workers, and takes over
// what they have played.
//
// There is one at a time: it answers on the control subject of its tournament as long as its connection lives, and a
// second one that hears an answer does not begin. Where two believe to be alone all the same, the log takes the events of
// one only, and the other ends with [ErrFenced]. So there is no lease that has to be renewed on the disk, or to run out
// after a crash.
type Coordinator struct {
	store *Store
	cfg   Coordinating
	sub   *nats.Subscription
	wake  chan struct{} // room for one: something has changed that Run should look at

	mu      sync.Mutex // guards all below
	writer  *writer
	state   *State
	mark    *mark
	queued  map[int]time.Time // matches in the queue, or with a worker; or not to be queued before that time
	strange map[int]bool      // matches that have a result without having been paired: the log lost its end
	noMore  bool              // stages, for the entrants that there are
	held    bool              // the queue was emptied for a pause
	ready   bool              // to run: what was in the queues before is known
}

// ErrInUse is wrapped by the error for a tournament that another program coordinates.
var ErrInUse = errors.New("another arena runs this tournament; wait for its end, or stop it")

// Coordinate takes over the tournament. Close ends that.
func (s *Store) Coordinate(ctx context.Context, id string, cfg Coordinating) (*Coordinator, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	if err := s.alone(ctx, id); err != nil {
		return nil, err
	}
	c := &Coordinator{
		store: s, cfg: cfg.filled(id), wake: make(chan struct{}, 1), queued: map[int]time.Time{}, strange: map[int]bool{},
	}
	c.mu.Lock() // a command that comes early waits until the log is read
	defer c.mu.Unlock()
	var err error
	if c.sub, err = s.nc.Subscribe(bus.ControlSubject(id), c.answer); err != nil {
		return nil, err
	}
	if cfg.Begin != nil {
		_, err = s.Begin(ctx, *cfg.Begin)
	}
	if err == nil {
		err = c.begin(ctx, id)
	}
	if err != nil {
		return nil, errors.Join(err, c.sub.Unsubscribe())
	}
	return c, nil
}

// alone asks whether there is a coordinator already. The server knows at once when nobody listens.
func (s *Store) alone(ctx context.Context, id string) error {
	for long := time.Second; ; long *= 2 {
		_, err := s.request(ctx, id, Command{}, long)
		silent := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return nil
		case (silent || reconnecting(err)) && long < commandWithin: // an answer may have been lost with a connection
		case silent, err == nil:
			return fmt.Errorf("tournament %q: %w", id, ErrInUse)
		default:
			return err
		}
	}
}

// Shared reports whether the tournaments are in the hands of a server that another program runs.
func (s *Store) Shared() bool { return !s.bus.Owns() }

// Conducted reports whether a program coordinates the tournament at the moment.
func (s *Store) Conducted(ctx context.Context, id string) (bool, error) {
	err := s.alone(ctx, id)
	if errors.Is(err, ErrInUse) {
		return true, nil
	}
	return false, err
}

// begin mends a log with holes, since nobody else writes it now.
func (c *Coordinator) begin(ctx context.Context, id string) error {
	if err := c.store.finishSplice(ctx, id); err != nil {
		return err
	}
	state, last, err := c.store.fold(ctx, id)
	if errors.Is(err, ErrDamaged) && c.store.dir != "" {
		if err = c.store.mendLog(ctx, id); err == nil {
			state, last, err = c.store.fold(ctx, id)
		}
	}
	if err != nil {
		return err
	}
	c.state, c.writer = state, c.store.writer(id, last)
	c.mark = c.store.newMark(id)
	return nil
}

// Close gives the tournament up. It does not end Run: its context does.
func (c *Coordinator) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark.write(c.state)
	err := c.sub.Unsubscribe()
	_ = c.store.nc.FlushTimeout(time.Second) // where the server is away, it knows no subscriptions any more
	return err
}

// View calls see with the state, which may be read only until see returns.
func (c *Coordinator) View(see func(*State)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	see(c.state)
}

// write appends an event and applies it. It needs the mutex.
func (c *Coordinator) write(ctx context.Context, e Event) error {
	e.N = c.state.events + 1
	if err := c.writer.append(ctx, e); err != nil {
		return err
	}
	if err := c.state.Apply(e); err != nil {
		return err
	}
	c.mark.advance(c.state)
	if c.cfg.Progress != nil {
		c.cfg.Progress(c.state, e)
	}
	return nil
}

func (c *Coordinator) poke() {
	select {
	case c.wake <- struct{}{}:
	default: // it will look anyway
	}
}
