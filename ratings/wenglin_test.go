package ratings_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// A team of the reference is to us one bot with the sum of the means and of the variances. Its members share its change in
// proportion to their variances.
func TestWengLinEqualsOpenSkill(t *testing.T) {
	var file struct {
		Cases []struct {
			Model, Name      string
			Beta, Tau, Kappa float64
			Before, After    [][][2]float64
			Ranks            []int
		}
	}
	readJSON(t, "wenglin.json", &file)
	checked := 0
	for _, c := range file.Cases {
		if c.Model != "pl" {
			continue
		}
		checked++
		t.Run(c.Name, func(t *testing.T) {
			rater, err := ratings.NewWengLin(ratings.WengLinConfig{Beta: c.Beta, Kappa: c.Kappa})
			require.NoError(t, err)
			teams := make([]ratings.Skill, len(c.Before))
			for i, team := range c.Before {
				for _, player := range team {
					teams[i].Mean += player[0]
					teams[i].Deviation = math.Hypot(teams[i].Deviation, math.Hypot(player[1], c.Tau))
				}
			}
			after, err := rater.Rate(teams, c.Ranks)
			require.NoError(t, err)
			for i, team := range c.Before {
				variance := teams[i].Deviation * teams[i].Deviation
				lost := 1 - after[i].Deviation*after[i].Deviation/variance
				for j, player := range team {
					deviation := math.Hypot(player[1], c.Tau)
					share := deviation * deviation / variance
					assert.InDelta(t, c.After[i][j][0], player[0]+share*(after[i].Mean-teams[i].Mean), 1e-9)
					assert.InDelta(t, c.After[i][j][1], deviation*math.Sqrt(1-share*lost), 1e-9)
				}
			}
		})
	}
	assert.Equal(t, 6, checked)
}

func TestWengLinTau(t *testing.T) {
	still, err := ratings.NewWengLin(ratings.WengLinConfig{})
	require.NoError(t, err)
	moving, err := ratings.NewWengLin(ratings.WengLinConfig{Tau: 3})
	require.NoError(t, err)
	assert.Equal(t, ratings.Skill{Mean: 25, Deviation: 25.0 / 3}, moving.Initial())

	got, err := moving.Rate([]ratings.Skill{{25, 4}, {20, 4}}, []int{1, 2})
	require.NoError(t, err)
	want, err := still.Rate([]ratings.Skill{{25, 5}, {20, 5}}, []int{1, 2})
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func drawSkills(t *rapid.T) ([]ratings.Skill, []int) {
	n := rapid.IntRange(2, 6).Draw(t, "bots")
	skill := rapid.Custom(func(t *rapid.T) ratings.Skill {
		return ratings.Skill{
			Mean: rapid.Float64Range(-100, 100).Draw(t, "mean"), Deviation: rapid.Float64Range(0.1, 20).Draw(t, "deviation"),
		}
	})
	return rapid.SliceOfN(skill, n, n).Draw(t, "skills"), rapid.SliceOfN(rapid.IntRange(1, n), n, n).Draw(t, "ranks")
}

func rate(t require.TestingT, skills []ratings.Skill, ranks []int) []ratings.Skill {
	rater, err := ratings.NewWengLin(ratings.WengLinConfig{})
	require.NoError(t, err)
	after, err := rater.Rate(skills, ranks)
	require.NoError(t, err)
	return after
}

func TestWengLinIgnoresTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		skills, ranks := drawSkills(t)
		want := rate(t, skills, ranks)
		var turned []ratings.Skill
		var turnedRanks []int
		perm := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(len(skills))
		for _, i := range perm {
			turned, turnedRanks = append(turned, skills[i]), append(turnedRanks, 10*ranks[i]-7)
		}
		got := rate(t, turned, turnedRanks)
		for at, i := range perm {
			if got[at] != want[i] {
				t.Fatalf("got %v at %d, want %v", got, at, want[i])
			}
		}
	})
}

func TestWengLinSharedPlaces(t *testing.T) {
	equal := ratings.Skill{Mean: 25, Deviation: 8}
	for n := 2; n <= 6; n++ {
		skills, ranks := make([]ratings.Skill, n), make([]int, n)
		for i := range skills {
			skills[i], ranks[i] = equal, 3
		}
		for _, after := range rate(t, skills, ranks) {
			assert.InDelta(t, 25, after.Mean, 1e-12, "equals who share a place")
			assert.Less(t, after.Deviation, 8.0)
		}
		ranks[0] = 1
		after := rate(t, skills, ranks)
		for i := 2; i < n; i++ {
			assert.Equal(t, after[1], after[i], "bots with the same past and place")
		}
		assert.Greater(t, after[0].Mean, 25.0)
		if n > 2 {
			assert.Less(t, after[1].Mean, 25.0)
		}
	}
	// Between a win and a loss; by hand: c² = 2(64 + (25/6)²), p = 1/(1+e^(-5/c)), change = 64/c·(1/2-p).
	after := rate(t, []ratings.Skill{{30, 8}, {25, 8}}, []int{1, 1})
	c := math.Sqrt(2 * (64 + 625.0/36))
	p := 1 / (1 + math.Exp(-5/c))
	assert.InDelta(t, 30+64/c*(0.5-p), after[0].Mean, 1e-12)
	assert.InDelta(t, 25-64/c*(0.5-p), after[1].Mean, 1e-12)
}

func TestWengLinStaysFinite(t *testing.T) {
	after := rate(t, []ratings.Skill{{1e300, 1}, {-1e300, 1}, {0, 1}}, []int{3, 1, 2})
	for _, skill := range after {
		assert.False(t, math.IsNaN(skill.Mean) || math.IsInf(skill.Mean, 0))
		assert.Positive(t, skill.Deviation)
	}
}

func TestWengLinRefuses(t *testing.T) {
	good := ratings.Skill{Mean: 25, Deviation: 8}
	rater, err := ratings.NewWengLin(ratings.WengLinConfig{})
	require.NoError(t, err)
	tests := []struct {
		skills []ratings.Skill
		ranks  []int
		want   string
	}{
		{nil, nil, "game of 0 bots: give 2 to 6"},
		{[]ratings.Skill{good}, []int{1}, "game of 1 bots: give 2 to 6"},
		{make([]ratings.Skill, 7), make([]int, 7), "game of 7 bots: give 2 to 6"},
		{[]ratings.Skill{good, good}, []int{1}, "1 ranks for 2 bots"},
		{[]ratings.Skill{good, {25, 0}}, []int{1, 2}, "bot 1: deviation 0: choose a positive number"},
		{[]ratings.Skill{{math.NaN(), 1}, good}, []int{1, 2}, "bot 0: mean NaN: choose a finite number"},
	}
	for _, tt := range tests {
		_, err := rater.Rate(tt.skills, tt.ranks)
		assert.EqualError(t, err, tt.want)
	}
	for _, bad := range []ratings.WengLinConfig{
		{Beta: -1},
		{Tau: math.Inf(1)},
		{Kappa: math.NaN()},
		{Initial: ratings.Skill{Mean: 1}},
		{Initial: ratings.Skill{Mean: math.NaN(), Deviation: 1}},
	} {
		_, err := ratings.NewWengLin(bad)
		assert.ErrorContains(t, err, "weng-lin: ", "%+v", bad)
	}
}
