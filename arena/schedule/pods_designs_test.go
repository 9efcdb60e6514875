package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

// stageMeetings counts by brute force how often any two met.
func stageMeetings(n int, stages []schedule.Played) (fewest, most, pairs int) {
	var tables [][]int
	for _, s := range stages {
		for _, table := range s.Tables {
			tables = append(tables, table.Entrants)
		}
	}
	met := make(map[[2]int]bool)
	for _, table := range tables {
		for i, a := range table {
			for _, b := range table[:i] {
				met[[2]int{min(a, b), max(a, b)}] = true
			}
		}
	}
	fewest, most = meetings(n, tables)
	return fewest, most, len(met)
}

// Perfect designs, in which nobody meets twice, come from algebra, and look ahead. A search stage by stage may fall behind
// them only by little: without results to go by nobody meets three times, and at most a tenth of their pairs do not meet.
func TestPodsComeNearToPerfectDesigns(t *testing.T) {
	var file struct {
		Designs []struct {
			Players  int
			Sizes    []int `json:"table_sizes"`
			Rounds   int
			Met      int `json:"pairs_met"`
			Schedule [][][]int
		}
	}
	readData(t, "pod_designs.json", &file)
	require.NotEmpty(t, file.Designs)
	for _, d := range file.Designs {
		name := fmt.Sprintf("%d entrants at %d seats", d.Players, d.Sizes[0])
		t.Run(name, func(t *testing.T) {
			var design []schedule.Played
			for _, round := range d.Schedule {
				var p schedule.Played
				for _, table := range round {
					var members []int
					for _, id := range table {
						members = append(members, id-1)
					}
					p.Tables = append(p.Tables, schedule.Table{Entrants: members})
				}
				design = append(design, p)
			}
			require.Len(t, design, d.Rounds)
			_, most, pairs := stageMeetings(d.Players, design)
			require.Equal(t, [2]int{1, d.Met}, [2]int{most, pairs}, "the design itself")

			h := schedule.History{Seats: d.Sizes[0], Entrants: make([]schedule.Entrant, d.Players)}
			for range d.Rounds {
				stage := nextPods(t, h)
				h.Stages = append(h.Stages, allEqual(stage))
			}
			_, most, pairs = stageMeetings(d.Players, h.Stages)
			assert.LessOrEqual(t, most, 2)
			assert.GreaterOrEqual(t, 10*pairs, 9*d.Met, "%d pairs of %d", pairs, d.Met)
		})
	}
}

// allEqual shares the points of every table equally.
func allEqual(stage schedule.Stage) schedule.Played {
	p := schedule.Played{Byes: stage.Byes}
	for _, table := range stage.Tables {
		points := make([]int, len(table))
		for i := range points {
			points[i] = schedule.Unit / 2
		}
		p.Tables = append(p.Tables, schedule.Table{Entrants: table, Points: points})
	}
	return p
}

func TestPodsOfSixteenMeetEvenly(t *testing.T) {
	for seed := range uint64(10) {
		h := schedule.History{Seats: 4, Entrants: make([]schedule.Entrant, 16)}
		var stages []schedule.Played
		tournament(t, schedule.Pods{Stages: 5}, h, seed, func(_ schedule.History, stage schedule.Stage) {
			stages = append(stages, allEqual(stage))
		})
		fewest, most, pairs := stageMeetings(16, stages)
		assert.LessOrEqual(t, most-fewest, 2, "seed %d", seed)
		assert.GreaterOrEqual(t, pairs, 110, "seed %d: of 120", seed)
	}
}
