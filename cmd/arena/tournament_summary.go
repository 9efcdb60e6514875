package main

import (
	"fmt"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/engine"
)

// summary is how a tournament stands. Its seed is there only when it is over.
type summary struct {
	ID         string         `json:"id"`
	Format     league.Format  `json:"format"`
	Settings   arena.Settings `json:"settings"`
	Created    time.Time      `json:"created"`
	Phase      league.Phase   `json:"phase"`
	Started    bool           `json:"started"`
	Stage      int            `json:"stage"` // the last that was paired
	Bots       []string       `json:"bots"`
	Withdrawn  []string       `json:"withdrawn"`
	Paired     int            `json:"paired"`            // matches
	Played     int            `json:"played"`            // matches
	Planned    int            `json:"planned,omitempty"` // matches in all, where that is known
	Games      int            `json:"games"`             // played
	Dead       []league.Dead  `json:"dead"`
	Commitment string         `json:"commitment"` // SHA-256 of the seed
	Seed       *engine.Seed   `json:"seed,omitempty"`
}

type summaryReport struct {
	Schema     string  `json:"schema"`
	Tournament summary `json:"tournament"`
}

func summaryOf(s *league.State) summary {
	sum := summary{
		ID: s.ID, Format: s.Format, Settings: s.Settings, Created: s.Created, Phase: s.Phase, Started: s.Started(), Stage: s.Stages(),
		Bots: s.Present(), Withdrawn: []string{}, Paired: s.Paired(), Played: s.Played(), Games: s.Games(),
		Dead: append([]league.Dead{}, s.Dead()...), Commitment: s.Seed.Commitment(),
	}
	present := map[string]bool{}
	for _, bot := range sum.Bots {
		present[bot] = true
	}
	for _, bot := range s.Labels() {
		if !present[bot] {
			sum.Withdrawn = append(sum.Withdrawn, bot)
		}
	}
	if matches, _, known, err := s.Plan(); err == nil && known {
		sum.Planned = matches
	}
	if s.Phase.Over() {
		sum.Seed = &s.Seed
	}
	return sum
}

// phase is the word for people.
func (s summary) phase() string {
	if s.Phase == league.Paused && !s.Started {
		return "not started"
	}
	return string(s.Phase)
}

// progress is how far it has come.
func (s summary) progress() string {
	if s.Planned > 0 {
		return fmt.Sprintf("%d of %d", s.Played, s.Planned)
	}
	return fmt.Sprintf("%d of %d paired", s.Played, s.Paired)
}
