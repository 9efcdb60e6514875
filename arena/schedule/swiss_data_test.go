package schedule_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// dataRound is a stage of the published data; entrants count from 1.
type dataRound struct {
	Games []struct {
		White, Black int
		WhitePoints  float64 `json:"white_points"`
		BlackPoints  float64 `json:"black_points"`
		Forfeit      bool
	}
	Byes []struct {
		ID   int
		Kind string
	}
	Quality *quality `json:"reference_quality"`
}

// quality is what another program's pairing reached.
type quality struct {
	Gaps     []float64 `json:"score_diffs_desc"`
	Bye      *int
	ByeScore *float64 `json:"bye_score"`
}

// played turns a round into the words of this package: a game that was not played is two tables of one.
func (r dataRound) played() schedule.Played {
	var p schedule.Played
	alone := func(id int, points float64) {
		p.Tables = append(p.Tables, schedule.Table{Entrants: []int{id - 1}, Points: []int{units(points)}})
	}
	for _, g := range r.Games {
		if g.Forfeit {
			alone(g.White, g.WhitePoints)
			alone(g.Black, g.BlackPoints)
			continue
		}
		p.Tables = append(p.Tables, schedule.Table{
			Entrants: []int{g.White - 1, g.Black - 1}, Points: []int{units(g.WhitePoints), units(g.BlackPoints)},
		})
	}
	for _, b := range r.Byes {
		switch b.Kind {
		case "pab":
			p.Byes = append(p.Byes, b.ID-1)
		case "half":
			alone(b.ID, 0.5)
		}
	}
	return p
}

func units(points float64) int { return int(points * schedule.Unit) }

// only marks everybody as absent who is not in the list of ids.
func only(n int, ids []int) []schedule.Entrant {
	entrants := make([]schedule.Entrant, n)
	for i := range entrants {
		entrants[i].Absent = !slices.Contains(ids, i+1)
	}
	return entrants
}

// checkQuality checks a stage against the pairing of another program for the same history.
func checkQuality(t *testing.T, h schedule.History, stage schedule.Stage, want quality) {
	t.Helper()
	require.Empty(t, stage.Notes)
	checkLegal(t, h, stage)
	points := score(h)
	var gaps []int
	for _, table := range stage.Tables {
		gap := points[table[0]] - points[table[1]]
		gaps = append(gaps, max(gap, -gap))
	}
	slices.SortFunc(gaps, func(a, b int) int { return b - a })
	var wantGaps []int
	for _, g := range want.Gaps {
		wantGaps = append(wantGaps, units(g))
	}
	assert.LessOrEqual(t, slices.Compare(gaps, wantGaps), 0, "gaps %v, another program has %v", gaps, wantGaps)
	require.Equal(t, want.Bye != nil, len(stage.Byes) > 0)
	if want.Bye != nil {
		assert.LessOrEqual(t, points[stage.Byes[0]], units(*want.ByeScore), "points of the bye")
	}
}

// checkLegal checks that nobody meets again and nobody has a second bye.
func checkLegal(t require.TestingT, h schedule.History, stage schedule.Stage) {
	never := mustNot(h)
	for _, table := range stage.Tables {
		for i, a := range table {
			for _, b := range table[:i] {
				require.False(t, never[[2]int{a, b}], "%d and %d must not meet in stage %d", a, b, len(h.Stages))
			}
		}
	}
	for _, e := range stage.Byes {
		require.False(t, never[[2]int{e, e}], "%d has had a bye before stage %d", e, len(h.Stages))
	}
}

// mustNot collects, both ways round, the pairs that have met or must not, and as a pair with themselves those with a bye.
func mustNot(h schedule.History) map[[2]int]bool {
	never := make(map[[2]int]bool)
	for _, s := range h.Stages {
		for _, table := range s.Tables {
			for _, a := range table.Entrants {
				for _, b := range table.Entrants {
					never[[2]int{a, b}] = a != b || never[[2]int{a, a}] || len(table.Entrants) == 1 && table.Points[0] == schedule.Unit
				}
			}
		}
		for _, e := range s.Byes {
			never[[2]int{e, e}] = true
		}
	}
	for _, f := range h.Forbidden {
		never[[2]int{f[0], f[1]}], never[[2]int{f[1], f[0]}] = true, true
	}
	return never
}

// present lists who can play in the next stage.
func present(h schedule.History) []int {
	var here []int
	for i, e := range h.Entrants {
		if !e.Absent && e.Joined <= len(h.Stages) {
			here = append(here, i)
		}
	}
	return here
}

// checkPlaces checks that everybody present is at one table or has a bye, and nobody else.
func checkPlaces(t require.TestingT, h schedule.History, stage schedule.Stage) {
	places := make([]int, len(h.Entrants))
	for _, e := range slices.Concat(append(slices.Clone(stage.Tables), stage.Byes)...) {
		places[e]++
	}
	require.True(t, slices.IsSorted(stage.Byes))
	want := make([]int, len(h.Entrants))
	for _, e := range present(h) {
		want[e] = 1
	}
	require.Equal(t, want, places, "places in stage %d", len(h.Stages))
}

// score adds up the points.
func score(h schedule.History) []int {
	points := make([]int, len(h.Entrants))
	for _, s := range h.Stages {
		for _, table := range s.Tables {
			for i, e := range table.Entrants {
				points[e] += table.Points[i]
			}
		}
		for _, e := range s.Byes {
			points[e] += schedule.Unit
		}
	}
	return points
}

func readData(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

func TestSwissIsNeverWorseThanOtherPrograms(t *testing.T) {
	var file struct {
		Tournaments []struct {
			Name    string
			Players []struct{ ID int }
			Rounds  []dataRound
		}
	}
	readData(t, "swiss_tournaments.json", &file)
	require.Len(t, file.Tournaments, 14)
	for _, tt := range file.Tournaments {
		t.Run(tt.Name, func(t *testing.T) {
			h := schedule.History{Seats: 2}
			for _, round := range tt.Rounds {
				var ids []int
				for _, g := range round.Games {
					ids = append(ids, g.White, g.Black)
				}
				for _, b := range round.Byes {
					if b.Kind == "pab" {
						ids = append(ids, b.ID)
					}
				}
				h.Entrants = only(len(tt.Players), ids)
				stage, ok, err := schedule.Swiss{Stages: len(tt.Rounds)}.Next(h)
				require.NoError(t, err)
				require.True(t, ok)
				checkQuality(t, h, stage, *round.Quality)
				h.Stages = append(h.Stages, round.played())
			}
		})
	}
}

func TestSwissFindsAWayOutOfEveryDeadEnd(t *testing.T) {
	var file struct {
		Cases []struct {
			Name      string
			Players   []struct{ ID int }
			Absent    []int       `json:"absent_next_round"`
			Forbidden [][2]int    `json:"forbidden_pairs"`
			Past      []dataRound `json:"past_rounds"`
			Points    map[string]float64
			Expected  struct {
				Pairing [][]int
				Bye     *int
				Error   string
			}
			Quality *quality `json:"reference_quality"`
		}
	}
	readData(t, "swiss_states.json", &file)
	require.Len(t, file.Cases, 15)
	impossible := 0
	for _, tt := range file.Cases {
		t.Run(tt.Name, func(t *testing.T) {
			// Whom the other program paired was there, whatever the list of the absent says.
			ids := slices.Concat(tt.Expected.Pairing...)
			if tt.Expected.Bye != nil {
				ids = append(ids, *tt.Expected.Bye)
			}
			for _, p := range tt.Players {
				if tt.Expected.Error != "" && !slices.Contains(tt.Absent, p.ID) {
					ids = append(ids, p.ID)
				}
			}
			h := schedule.History{Seats: 2, Entrants: only(len(tt.Players), ids)}
			for _, f := range tt.Forbidden {
				h.Forbidden = append(h.Forbidden, [2]int{f[0] - 1, f[1] - 1})
			}
			for _, round := range tt.Past {
				h.Stages = append(h.Stages, round.played())
			}
			stage, ok, err := schedule.Swiss{Stages: 99}.Next(h)
			require.NoError(t, err)
			require.True(t, ok)
			if tt.Expected.Error != "" {
				impossible++
				checkPlaces(t, h, stage)
				assert.Len(t, stage.Notes, 2, "two rematches, each noted: %v", stage)
				return
			}
			checkQuality(t, h, stage, *tt.Quality)
		})
	}
	assert.Equal(t, 1, impossible)
}
