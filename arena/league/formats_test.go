package league_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/standings"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// formatCup is a tournament of a format with what it cannot do without.
func formatCup(t testing.TB, format league.Format, entrants, players int) league.Tournament {
	t.Helper()
	to := tournament(t, "cup", entrants, players)
	to.Format = format
	for i := range to.Entrants {
		to.Entrants[i].Label = botName(i)
	}
	to.Choices = map[league.Format]league.Choices{
		league.RoundRobin:        {Cycles: 2},
		league.Gauntlet:          {Cycles: 3, Heroes: []int{1, 2}},
		league.Ladder:            {Stages: 7},
		league.DoubleElimination: {Reset: true},
	}[format]
	return to
}

func botName(i int) string { return fmt.Sprintf("bot%02d@1", i) }

// wholeLog makes the log of a whole tournament as a coordinator would, with made-up results. Before each pairing the script
// is asked who comes and goes. The matches of a stage end in a random order.
func wholeLog(t require.TestingT, to league.Tournament, random *rand.Rand, script func(s *league.State) []league.Event) []league.Event {
	state := &league.State{}
	var log []league.Event
	write := func(e league.Event) {
		e.N = len(log) + 1
		require.NoError(t, state.Apply(e))
		log = append(log, e)
	}
	write(league.Event{Created: &to})
	for {
		for _, event := range script(state) {
			write(event)
		}
		if state.Phase.Over() {
			return log
		}
		next, ok, err := state.NextStage()
		require.NoError(t, err)
		if !ok {
			write(league.Event{Finished: &league.End{Notes: next.Notes}})
			return log
		}
		before := state.Paired()
		write(league.Event{Paired: &next})
		for _, i := range random.Perm(len(next.Tables)) {
			match, err := state.Match(before + i + 1)
			require.NoError(t, err)
			played := league.PlayedOf(before+i+1, resultOf(match))
			write(league.Event{Played: &played})
		}
	}
}

func nobody(*league.State) []league.Event { return nil }

func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// seats are the numbers of seats at which a format is played.
func seats(format league.Format) []int {
	if format == league.DoubleElimination {
		return []int{2}
	}
	return []int{2, 3, 4, 6}
}

// TestFormats plays whole tournaments of all formats in which nobody comes or goes.
func TestFormats(t *testing.T) {
	for _, format := range league.Formats() {
		for _, players := range seats(format) {
			for _, entrants := range []int{players, 7, 8, 13} {
				t.Run(fmt.Sprintf("%s/%d at %d", format, entrants, players), func(t *testing.T) {
					if entrants < players || format == league.Gauntlet && entrants < 3 || entrants == 13 && players == 6 {
						t.Skip("too few, or nothing new")
					}
					to := formatCup(t, format, entrants, players)
					require.NoError(t, to.Validate())
					log := wholeLog(t, to, dice(1), nobody)
					state, err := league.Fold(log...)
					require.NoError(t, err)
					require.Equal(t, league.Finished, state.Phase)
					requireStandings(t, state)
					requireRecorded(t, log)
					requirePlan(t, log)

					again := wholeLog(t, to, dice(2), nobody)
					require.Equal(t, frame(log), frame(again), "pairings do not depend on the order of results")
					other, err := league.Fold(again...)
					require.NoError(t, err)
					require.Equal(t, state.Standings(), other.Standings())
				})
			}
		}
	}
}

// frame is a log without matches.
func frame(log []league.Event) []league.Event {
	return renumber(slices.DeleteFunc(slices.Clone(log), func(e league.Event) bool { return e.Played != nil }))
}

// requireRecorded: after any prefix of the log the next pairing is the one that is recorded.
func requireRecorded(t require.TestingT, log []league.Event) {
	state := &league.State{}
	for _, event := range log {
		if event.Paired != nil {
			fresh, err := league.Fold(log[:event.N-1]...)
			require.NoError(t, err)
			for _, s := range []*league.State{state, fresh} {
				next, ok, err := s.NextStage()
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, *event.Paired, next)
			}
		}
		require.NoError(t, state.Apply(event))
	}
}

// requirePlan: what is planned at any time is what comes about when nobody comes or goes.
func requirePlan(t require.TestingT, log []league.Event) {
	end, err := league.Fold(log...)
	require.NoError(t, err)
	state := &league.State{}
	for _, event := range log {
		require.NoError(t, state.Apply(event))
		if event.Played != nil {
			continue
		}
		matches, games, known, err := state.Plan()
		require.NoError(t, err)
		require.True(t, known)
		if end.Format == league.DoubleElimination && !state.Phase.Over() {
			require.InDelta(t, end.Paired(), matches, 1)
			continue
		}
		require.Equal(t, []int{end.Paired(), end.Games()}, []int{matches, games}, "after event %d", event.N)
	}
}

// requireStandings: everybody is there once, ranks count, and who shares one has equal values.
func requireStandings(t require.TestingT, state *league.State) {
	rows := state.Standings()
	names := []string{}
	for i, row := range rows {
		names = append(names, row.Bot)
		if i == 0 {
			require.Equal(t, 1, row.Rank)
			require.Empty(t, row.By)
			continue
		}
		if row.Rank == rows[i-1].Rank {
			require.Empty(t, row.By)
			require.Equal(t, rows[i-1].Order, row.Order)
			continue
		}
		require.Equal(t, i+1, row.Rank)
		if row.By != "" {
			require.True(t, slices.ContainsFunc(row.Order, func(c league.Criterion) bool { return c.Name == row.By }))
		}
	}
	slices.Sort(names)
	require.Equal(t, slices.Sorted(slices.Values(state.Labels())), names)
}

// TestLadderPairsBySkill computes the skills from the games, and asks the schedule.
func TestLadderPairsBySkill(t *testing.T) {
	to := formatCup(t, league.Ladder, 10, 3)
	to.Settings.DealSets = 3
	unknown := ratings.Skill{Mean: 1500, Deviation: 350}
	model, err := ratings.NewWengLin(ratings.WengLinConfig{Initial: unknown, Beta: 400 / math.Log(10) / math.Sqrt(3)})
	require.NoError(t, err)
	skills := map[string]ratings.Skill{}
	h := schedule.History{Seats: 3, Entrants: make([]schedule.Entrant, 10)}
	var stage []league.Played
	state := &league.State{}
	for _, event := range wholeLog(t, to, dice(1), nobody) {
		if event.Paired != nil {
			slices.SortFunc(stage, func(a, b league.Played) int { return a.Match - b.Match })
			for _, played := range stage {
				match, err := state.Match(played.Match)
				require.NoError(t, err)
				for _, set := range resultOf(match).Sets {
					for _, game := range set.Games {
						var now []ratings.Skill
						for _, bot := range match.Bots {
							skill, known := skills[bot]
							now = append(now, map[bool]ratings.Skill{true: skill, false: unknown}[known])
						}
						now, err = model.Rate(now, game.ByBot(game.Ranks))
						require.NoError(t, err)
						for i, bot := range match.Bots {
							skills[bot] = now[i]
						}
					}
				}
			}
			stage = nil
			for i := range h.Entrants {
				h.Entrants[i] = schedule.Entrant{Rating: 1500, Deviation: 350}
			}
			for i, label := range state.Labels() {
				if skill, known := skills[label]; known {
					h.Entrants[i] = schedule.Entrant{Rating: skill.Mean, Deviation: skill.Deviation}
				}
			}
			want, ok, err := schedule.Ladder{Stages: 7}.Next(h)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, want.Tables, event.Paired.Tables, "stage %d", event.Paired.Stage)
			played := schedule.Played{Byes: want.Byes}
			for _, table := range want.Tables {
				played.Tables = append(played.Tables, schedule.Table{Entrants: table, Points: make([]int, len(table))})
			}
			h.Stages = append(h.Stages, played)
		}
		if event.Played != nil {
			stage = append(stage, *event.Played)
		}
		require.NoError(t, state.Apply(event))
	}
	require.Len(t, h.Stages, 7)
}

// TestLadderWithoutEnd goes on until it is cancelled.
func TestLadderWithoutEnd(t *testing.T) {
	to := formatCup(t, league.Ladder, 4, 2)
	to.Stages = 0
	require.NoError(t, to.Validate())
	_, _, known, err := to.Plan()
	require.NoError(t, err)
	require.False(t, known)
	log := wholeLog(t, to, dice(1), func(s *league.State) []league.Event {
		if s.Stages() == 30 {
			return []league.Event{{Cancelled: &league.End{}}}
		}
		return nil
	})
	require.Equal(t, 1+30*3+1, len(log))
}

// TestSameChoices: a tournament is not resumed under other choices, also where one of them was left out.
func TestSameChoices(t *testing.T) {
	store := openStore(t, t.TempDir())
	to := formatCup(t, league.Swiss, 4, 2)
	_, err := store.Begin(t.Context(), to)
	require.NoError(t, err)
	_, err = store.Begin(t.Context(), to)
	require.NoError(t, err)
	for want, change := range map[string]func(to *league.Tournament){
		"stages: none, not 3":                        func(to *league.Tournament) { to.Stages = 3 },
		"tiebreaks: none, not [wins points]":         func(to *league.Tournament) { to.TieBreaks = []standings.TieBreak{standings.Wins, standings.Points} },
		"forbidden: none, not [[0 1]]":               func(to *league.Tournament) { to.Forbidden = [][2]int{{0, 1}} },
		"format: swiss, not knockout":                func(to *league.Tournament) { to.Format = league.Knockout },
		"same_author: none, not forbid; choose anot": func(to *league.Tournament) { to.SameAuthor = league.ForbidAuthor },
	} {
		other := to
		change(&other)
		_, err := store.Begin(t.Context(), other)
		require.ErrorContains(t, err, `tournament "cup" exists already and differs: `+want)
	}
}
