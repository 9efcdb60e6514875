package league

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// Command is what an organiser asks of a coordinator. At most one field is set; the zero value asks whether it is there.
type Command struct {
	Pause    bool     `json:"pause,omitempty"`    // begin no further match; those in play are finished
	Resume   bool     `json:"resume,omitempty"`   //
	Cancel   bool     `json:"cancel,omitempty"`   // end the tournament as it is
	Requeue  int      `json:"requeue,omitempty"`  // number of a match that is to be tried as if it had never failed, or -1 for all
	Enter    *Entrant `json:"enter,omitempty"`    // late, or again after a withdrawal
	Withdraw string   `json:"withdraw,omitempty"` // label of an entrant; matches that are paired already are played
}

// Do has a command carried out by the coordinator of a tournament wherever it runs, or here if it does not run.
func (s *Store) Do(ctx context.Context, id string, command Command) error {
	return s.withRoom(ctx, littleWithin, func(ctx context.Context) error { return s.do(ctx, id, command) })
}

func (s *Store) do(ctx context.Context, id string, command Command) error {
	answer, err := s.request(ctx, id, command, commandWithin)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return s.doHere(ctx, id, command)
	case err != nil:
		return fmt.Errorf("coordinator of %s: %w", id, err)
	case answer != "":
		return errors.New(answer)
	default:
		return nil
	}
}

func (s *Store) doHere(ctx context.Context, id string, command Command) error {
	c, err := s.Coordinate(ctx, id, Coordinating{})
	if err != nil {
		return err
	}
	return errors.Join(c.Do(ctx, command), c.Close())
}

// request gives the coordinator's answer: what was wrong, or nothing.
func (s *Store) request(ctx context.Context, id string, command Command, long time.Duration) (string, error) {
	data, err := json.Marshal(command)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	for {
		reply, err := s.nc.RequestWithContext(ctx, bus.ControlSubject(id), data)
		if err == nil {
			return string(reply.Data), nil
		}
		if !reconnecting(err) || sleep(ctx, retryAfter) != nil {
			return "", err
		}
	}
}

const commandWithin = 10 * time.Second

// answer carries out a command that came over the bus.
func (c *Coordinator) answer(m *nats.Msg) {
	var command Command
	err := json.Unmarshal(m.Data, &command)
	if err == nil && command != (Command{}) {
		ctx, cancel := context.WithTimeout(context.Background(), commandWithin)
		defer cancel()
		err = c.store.withRoom(ctx, littleWithin, func(ctx context.Context) error { return c.Do(ctx, command) })
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	_ = m.Respond([]byte(text)) // who asked will hear nothing, and can ask again
}

// Do carries out a command. When it returns without an error, what was asked is in the log.
func (c *Coordinator) Do(ctx context.Context, command Command) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.poke()
	if command != (Command{}) && c.state.Phase.Over() {
		return fmt.Errorf("tournament %s is %s: nothing can be changed", c.state.ID, c.state.Phase)
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	switch {
	case command.Pause && c.state.Phase == Running:
		return c.write(ctx, Event{Paused: &now})
	case command.Resume && c.state.Phase == Paused:
		c.held = false
		return c.write(ctx, Event{Resumed: &now})
	case command.Cancel:
		return c.write(ctx, Event{Cancelled: &End{Time: now}})
	case command.Requeue != 0:
		return c.requeue(ctx, command.Requeue)
	case command.Enter != nil:
		if err := c.state.mayEnter(*command.Enter); err != nil {
			return err
		}
		c.noMore = false
		return c.write(ctx, Event{Entered: command.Enter})
	case command.Withdraw != "":
		if err := c.state.mayWithdraw(command.Withdraw); err != nil {
			return err
		}
		c.noMore = false
		return c.write(ctx, Event{Withdrawn: command.Withdraw})
	default:
		return nil // it is as was asked
	}
}

func (c *Coordinator) requeue(ctx context.Context, number int) error {
	if number > 0 && c.state.table(number) == nil {
		return fmt.Errorf("tournament %s has no match %d", c.state.ID, number)
	}
	for _, troubled := range c.state.troubled() {
		_, dead := c.state.dead[troubled]
		if troubled != number && number > 0 {
			continue
		}
		if err := c.write(ctx, Event{Requeued: troubled}); err != nil {
			return err
		}
		if dead {
			delete(c.queued, troubled)
		}
	}
	return nil
}

// mayEnter says why somebody cannot enter now.
func (s *State) mayEnter(e Entrant) error {
	i, known := s.index[e.Label]
	switch {
	case e.Label == "":
		return errors.New("an entrant needs a name")
	case known && !s.entrants[i].Absent:
		return fmt.Errorf("%s is in tournament %s already", e.Label, s.ID)
	case !known && len(s.Entrants) >= maxEntrants:
		return fmt.Errorf("tournament %s has %d bots, and can have no more", s.ID, maxEntrants)
	}
	if !known {
		if err := s.tooLate(); err != nil {
			return err
		}
	}
	return s.trial().tryAfter(Event{Entered: &e})
}

// tooLate says why nobody new can play any more.
func (s *State) tooLate() error {
	if s.Format == RoundRobin && len(s.stages) > 0 {
		return errors.New("a round robin takes no late entries: its schedule is made for all entrants at once")
	}
	if _, ok := s.format.(bracket); ok && len(s.stages) > 0 {
		return fmt.Errorf("tournament %s is a %s, which takes nobody after its draw; enter a swiss or a ladder instead", s.ID, s.Format)
	}
	if stages, cycles := s.cycle(len(s.Entrants) + 1); cycles > 0 && len(s.stages) >= stages*cycles {
		return fmt.Errorf("the last stage of tournament %s is paired already: whoever enters now plays no match", s.ID)
	}
	return nil
}

// mayWithdraw says why somebody cannot withdraw now.
func (s *State) mayWithdraw(label string) error {
	i, known := s.index[label]
	if !known || s.entrants[i].Absent {
		return fmt.Errorf("%s is not in tournament %s", label, s.ID)
	}
	return s.trial().tryAfter(Event{Withdrawn: label})
}

// trial is a copy in which entrants can come and go.
func (s *State) trial() *State {
	trial := *s
	trial.Entrants, trial.entrants, trial.forbidden = slices.Clone(s.Entrants), slices.Clone(s.entrants), slices.Clone(s.forbidden)
	trial.index, trial.counts = maps.Clone(s.index), slices.Clone(s.counts)
	return &trial
}

func (s *State) tryAfter(e Event) error {
	e.N = s.events + 1
	if err := s.apply(e); err != nil {
		return err
	}
	return s.try()
}

// try pairs the next stage as if all had been played, and gives the error. What is written into the log can always be
// paired and played.
func (s *State) try() error {
	players := s.Settings.Rules.Players
	if s.Format == Swiss && players == 2 && len(s.Entrants) >= 2 {
		return nil // it pairs whoever is there, and many take long
	}
	stage, _, err := s.pairNext()
	if err != nil {
		return err
	}
	sizes := map[int]bool{}
	for _, table := range stage.Tables {
		sizes[len(table)] = true
	}
	for size := 2; size <= players; size++ {
		if s.Format.early() && !sizes[size] {
			continue // tables keep their sizes unless somebody withdraws
		}
		if _, err := s.rulesAt(size); err != nil {
			return fmt.Errorf("options: tables of %d can come about, where %w", size, err)
		}
	}
	return nil
}
