package ratings_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/ratings"
)

func TestDealSetScore(t *testing.T) {
	set := ratings.DealSet{Bots: []string{"fox", "owl", "cat"}, Ranks: [][]int{{1, 1, 3}, {2, 1, 3}, {5, 1, 4}}}
	for bot, want := range map[string]float64{"fox": (1.5 + 1 + 0) / 6, "owl": (1.5 + 2 + 2) / 6, "cat": 1.0 / 6} {
		got, err := set.Score(bot)
		require.NoError(t, err)
		assert.InDelta(t, want, got, 1e-15, bot)
	}
	_, err := set.Score("elk")
	require.EqualError(t, err, `deal set of ["fox" "owl" "cat"]: "elk" is not one of them`)
	_, err = ratings.DealSet{}.Score("elk")
	require.EqualError(t, err, "deal set with 0 bots: name at least 2")
}

func TestScores(t *testing.T) {
	scores, err := ratings.NewScores(3, 0, 1)
	require.NoError(t, err)
	for _, score := range []float64{2.0 / 6, 1.0 / 3, 0.5, 1} {
		require.NoError(t, scores.Add(score, 2))
	}
	assert.Equal(t, []ratings.ScoreCell{{0, 0}, {1.0 / 3, 4}, {0.5, 2}, {1, 2}}, scores.Cells())
	assert.Equal(t, 8, scores.DealSets())

	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		require.ErrorContains(t, scores.Add(bad, 1), "choose one from 0 to 1")
	}
	require.EqualError(t, scores.Add(0.5, -1), "score 0.5: -1 times: choose at least 0")
	_, err = ratings.NewScores(0)
	require.EqualError(t, err, "deal sets of 0 games: choose at least 1")
	_, err = ratings.NewScores(1, 2)
	require.Error(t, err)
	_, err = ratings.Pentanomial([5]int{0, 0, -1, 0, 0})
	require.Error(t, err)
	assert.Equal(t, 8, scores.DealSets(), "nothing bad was added")
}

func TestStrengthWhereLittleIsKnown(t *testing.T) {
	none, err := ratings.Pentanomial([5]int{})
	require.NoError(t, err)
	_, err = none.Strength()
	require.EqualError(t, err, "no strength without scores: add at least 1")

	wins := scoresOf(t, []int{0, 0, 0, 0, 30})
	strength, err := wins.Strength()
	require.NoError(t, err)
	assert.Nil(t, strength.Elo, "an infinite one")
	assert.Nil(t, strength.Normalized)
	assert.Equal(t, 0.5, strength.Superiority)
	assert.Equal(t, 1.0, strength.Score.Value)

	same, err := ratings.NewScores(6) // whose mean is rounded
	require.NoError(t, err)
	require.NoError(t, same.Add(5.0/12, 11))
	require.NoError(t, same.Add(2.0/12, 0))
	for n := range 30 {
		strength, err = same.Strength()
		require.NoError(t, err)
		assert.Nil(t, strength.Score.Interval, "%d deal sets that came to the same", 11+n)
		assert.NotNil(t, strength.Elo)
		assert.Nil(t, strength.Elo.Interval)
		assert.Nil(t, strength.Normalized)
		assert.Equal(t, 0.5, strength.Superiority)
		require.NoError(t, same.Add(5.0/12, 1))
	}

	nearly := scoresOf(t, []int{0, 0, 1, 0, 30})
	strength, err = nearly.Strength()
	require.NoError(t, err)
	assert.NotNil(t, strength.Score.Interval)
	assert.Nil(t, strength.Elo.Interval, "its upper end is infinite")
	assert.NotNil(t, strength.Normalized.Interval)

	seven := scoresOf(t, []int{1, 1, 2, 1, 2})
	strength, err = seven.Strength()
	require.NoError(t, err)
	assert.Nil(t, strength.Score.Interval)
	assert.Nil(t, strength.Elo.Interval)
	assert.Nil(t, strength.Normalized.Interval)

	eight := scoresOf(t, []int{1, 1, 2, 2, 2})
	strength, err = eight.Strength()
	require.NoError(t, err)
	i := strength.Score.Interval
	require.NotNil(t, i)
	assert.InDelta(t, 2.3646, (i.High-strength.Score.Value)/i.Error, 1e-4, "Student's t for 7 degrees of freedom")
}

func TestSequentialHasNoLLRYet(t *testing.T) {
	test := ratings.Sequential{Elo0: 0, Elo1: 10}
	scores := empty(t, 4)
	verdict, err := test.Test(scores)
	require.NoError(t, err)
	assert.Nil(t, verdict.LLR, "no scores")
	assert.InDelta(t, -math.Log(19), verdict.Lower, 1e-12)
	assert.InDelta(t, math.Log(19), verdict.Upper, 1e-12)

	require.NoError(t, scores.Add(0.75, 100))
	for _, logistic := range []bool{false, true} {
		test.Logistic = logistic
		verdict, err = test.Test(scores)
		require.NoError(t, err)
		assert.Nil(t, verdict.LLR, "one score")
		assert.Equal(t, ratings.PlayOn, verdict.Decision)
	}

	require.NoError(t, scores.Add(0.625, 50))
	for _, logistic := range []bool{false, true} {
		test.Logistic = logistic
		verdict, err = test.Test(scores)
		require.NoError(t, err)
		assert.Nil(t, verdict.LLR, "all scores are above 1/2")
		assert.Equal(t, ratings.PlayOn, verdict.Decision)
	}

	require.NoError(t, scores.Add(0.25, 1))
	verdict, err = test.Test(scores)
	require.NoError(t, err)
	require.NotNil(t, verdict.LLR)
	assert.Equal(t, ratings.AcceptH1, verdict.Decision)
}

func TestSequentialDecidesFrom20DealSetsOn(t *testing.T) {
	test := ratings.Sequential{Elo0: 0, Elo1: 200}
	for _, c := range []struct {
		wins int
		want ratings.Decision
	}{{18, ratings.PlayOn}, {19, ratings.AcceptH1}} {
		verdict, err := test.Test(scoresOf(t, []int{0, 0, 1, 0, c.wins}))
		require.NoError(t, err)
		assert.Greater(t, *verdict.LLR, verdict.Upper)
		assert.Equal(t, c.want, verdict.Decision)
	}
	verdict, err := test.Test(scoresOf(t, []int{9, 0, 5, 0, 6}))
	require.NoError(t, err)
	assert.Equal(t, ratings.AcceptH0, verdict.Decision)
}

// The distributions are the most likely ones: seen from the other side, all is the same.
func TestSequentialIsSymmetric(t *testing.T) {
	for _, logistic := range []bool{false, true} {
		one := llr(t, ratings.Sequential{Elo0: -3, Elo1: 8, Logistic: logistic}, scoresOf(t, []int{10, 40, 80, 55, 12}))
		other := llr(t, ratings.Sequential{Elo0: -8, Elo1: 3, Logistic: logistic}, scoresOf(t, []int{12, 55, 80, 40, 10}))
		assert.InDelta(t, one, -other, 1e-9)
		assert.NotZero(t, one)
	}
}

func TestSequentialRefuses(t *testing.T) {
	scores := scoresOf(t, []int{1, 2, 3})
	tests := []struct {
		test ratings.Sequential
		want string
	}{
		{ratings.Sequential{}, "sequential test: elo0 0 is not below elo1 0"},
		{ratings.Sequential{Elo0: 5, Elo1: 1}, "sequential test: elo0 5 is not below elo1 1"},
		{ratings.Sequential{Elo1: math.Inf(1)}, "sequential test: elo +Inf: choose a finite number"},
		{ratings.Sequential{Elo1: 5, Alpha: 0.5}, "sequential test: error rate 0.5: choose one above 0 and below 0.5"},
		{ratings.Sequential{Elo1: 5, Beta: -1}, "sequential test: error rate -1: choose one above 0 and below 0.5"},
	}
	for _, tt := range tests {
		_, err := tt.test.Test(scores)
		assert.EqualError(t, err, tt.want)
	}
}

func TestDecisionText(t *testing.T) {
	text, err := json.Marshal([]ratings.Decision{ratings.PlayOn, ratings.AcceptH0, ratings.AcceptH1, 0})
	require.NoError(t, err)
	assert.Equal(t, `["play-on","accept-h0","accept-h1","decision(0)"]`, string(text))
}
