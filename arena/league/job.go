package league

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/engine"
)

// job is a match as it stands in a queue. It is all that a worker is told.
type job struct {
	Tournament string         `json:"tournament"`
	Number     int            `json:"number"`
	ID         string         `json:"id"`
	Bots       []string       `json:"bots"`
	Entrants   []Entrant      `json:"entrants"` // in the order of the bots
	Seed       engine.Seed    `json:"seed"`
	Settings   arena.Settings `json:"settings"`
}

func jobOf(m arena.Match, number int, entrants []Entrant) job {
	return job{
		Tournament: m.Tournament, Number: number, ID: m.ID, Bots: m.Bots, Entrants: entrants, Seed: m.Seed, Settings: m.Settings,
	}
}

func (j job) match() arena.Match {
	return arena.Match{Settings: j.Settings, ID: j.ID, Tournament: j.Tournament, Bots: j.Bots, Seed: j.Seed}
}

// readJob also checks what names subjects.
func readJob(data []byte) (job, error) {
	var j job
	if err := json.Unmarshal(data, &j); err != nil {
		return job{}, err
	}
	if err := CheckID(j.Tournament); err != nil {
		return job{}, err
	}
	if j.Number < 1 {
		return job{}, fmt.Errorf("match %d of %s: matches are counted from 1", j.Number, j.Tournament)
	}
	return j, j.match().Validate()
}

// enqueue puts a match into the queue of a pool, unless it is there already, waiting or with a worker.
func (s *Store) enqueue(ctx context.Context, pool string, j job) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	_, err = s.publish(ctx, &nats.Msg{Subject: bus.JobSubject(pool, j.Tournament, j.Number), Data: data})
	if err != nil && !refused(err) {
		return fmt.Errorf("queue match %s: %w", j.ID, err)
	}
	return nil
}
