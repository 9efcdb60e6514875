package league

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// WorkersService is the name under which workers can be found with any tool for services on NATS.
const WorkersService = "arena-worker"

// WorkerStatus is what a worker says of itself.
type WorkerStatus struct {
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Pool    string    `json:"pool"`
	Slots   int       `json:"slots"`
	Playing []InPlay  `json:"playing"` // longest first
	Matches int       `json:"matches"` // played
	Games   int       `json:"games"`   // played
	Since   time.Time `json:"since"`
}

// InPlay is a match that is being played.
type InPlay struct {
	Tournament string    `json:"tournament"`
	Match      int       `json:"match"`
	Since      time.Time `json:"since"`
}

// activity is what a worker does and has done. Its zero value is of use.
type activity struct {
	mu      sync.Mutex
	inPlay  map[InPlay]bool
	matches int
	games   int
}

// playing counts a match as in play until what it returns is called.
func (a *activity) playing(j job) (end func()) {
	now := InPlay{Tournament: j.Tournament, Match: j.Number, Since: time.Now().UTC()}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.inPlay == nil {
		a.inPlay = map[InPlay]bool{}
	}
	a.inPlay[now] = true
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.inPlay, now)
	}
}

func (a *activity) played(result arena.Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.matches++
	for _, set := range result.Sets {
		a.games += len(set.Games)
	}
}

// fill adds what changes.
func (a *activity) fill(s *WorkerStatus) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.Matches, s.Games = a.matches, a.games
	s.Playing = make([]InPlay, 0, len(a.inPlay))
	for match := range a.inPlay {
		s.Playing = append(s.Playing, match)
	}
	slices.SortFunc(s.Playing, func(x, y InPlay) int {
		return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Tournament, y.Tournament), cmp.Compare(x.Match, y.Match))
	})
}

// Announce lets [Store.Workers] and any tool for services find the worker, until stop is called. It may be called before
// Run, or beside it.
func (w *Worker) Announce() (stop func() error, err error) {
	host, _ := os.Hostname() // only for people
	status := WorkerStatus{
		Name: w.Name, Version: w.Version, Host: host, PID: os.Getpid(), Pool: w.Pool, Slots: max(1, w.Slots),
		Since: time.Now().UTC().Truncate(time.Millisecond),
	}
	service, err := micro.AddService(w.Store.nc, micro.Config{
		Name: WorkersService, Version: w.Version, Description: "plays matches",
		Metadata: map[string]string{
			"name": w.Name, "host": host, "pid": strconv.Itoa(status.PID), "pool": w.Pool, "slots": strconv.Itoa(status.Slots),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("announce the worker: %w", err)
	}
	answer := micro.HandlerFunc(func(r micro.Request) {
		now := status
		w.fill(&now)
		_ = r.RespondJSON(now) // who asked can ask again
	})
	err = service.AddEndpoint("status", answer, micro.WithEndpointSubject(bus.WorkersSubject), micro.WithEndpointQueueGroupDisabled())
	if err == nil {
		err = w.Store.nc.Flush() // from now on it is found
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("announce the worker: %w", err), service.Stop())
	}
	return service.Stop, nil
}

// How long answers are waited for: all of them, and after each for the next.
const (
	answersWithin = 3 * time.Second
	quietFor      = 500 * time.Millisecond
)

// Workers asks all workers how they are, and gives what they answered soon, by name.
func (s *Store) Workers(ctx context.Context) ([]WorkerStatus, error) {
	inbox := s.nc.NewInbox()
	answers, err := s.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answers.Unsubscribe() }() // the connection may be gone
	err = s.insist(ctx, func(context.Context) error { return s.nc.PublishRequest(bus.WorkersSubject, inbox, nil) })
	if err != nil {
		return nil, err
	}
	all := []WorkerStatus{}
	within, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	for quiet := answersWithin; ; quiet = quietFor {
		answer, err := nextAnswer(within, answers, quiet)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // nobody answers any more
			break
		}
		var status WorkerStatus
		if json.Unmarshal(answer.Data, &status) == nil && status.Name != "" {
			all = append(all, status)
		}
	}
	slices.SortFunc(all, func(a, b WorkerStatus) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Host, b.Host), cmp.Compare(a.PID, b.PID))
	})
	return all, nil
}

func nextAnswer(ctx context.Context, answers *nats.Subscription, quiet time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, quiet)
	defer cancel()
	return answers.NextMsgWithContext(ctx)
}
