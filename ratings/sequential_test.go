package ratings_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/ratings"
)

type sequentials struct {
	SPRT []struct {
		Name, Model             string
		Results                 []int
		Elo0, Elo1, Alpha, Beta float64
		LLR                     float64
		Recomputed              float64 `json:"llr_recomputed"`
	}
	Elo []struct {
		Kind    string
		W, L, D int
		Ptnml   [5]int
		NElo    float64
		NEloErr float64 `json:"nelo_err"`
		Elo     *float64
		EloErr  float64 `json:"elo_err"`
		Los     *float64
		Score   float64
	}
	Logs []struct {
		Ptnml      [5]int
		Elo, NElo  float64
		EloErr     float64 `json:"elo_err95"`
		NEloErr    float64 `json:"nelo_err95"`
		Los        float64 `json:"los_pct"`
		Recomputed [5]float64
		LLR        float64
		Bounds     [2]float64
		Elo0, Elo1 float64
		LLR2       float64 `json:"llr_recomputed"`
	}
}

// scoresOf returns those of three or five counts, worst first.
func scoresOf(t *testing.T, counts []int) *ratings.Scores {
	t.Helper()
	scores, err := ratings.Pentanomial([5]int(append(counts, 0, 0)[:5]))
	if len(counts) == 3 {
		scores, err = ratings.Trinomial(counts[0], counts[1], counts[2])
	}
	require.NoError(t, err)
	return scores
}

func llr(t *testing.T, test ratings.Sequential, scores *ratings.Scores) float64 {
	t.Helper()
	verdict, err := test.Test(scores)
	require.NoError(t, err)
	require.NotNil(t, verdict.LLR)
	return *verdict.LLR
}

func TestSequentialEqualsFastchess(t *testing.T) {
	var file sequentials
	readJSON(t, "sprt.json", &file)
	checked := 0
	for _, c := range file.SPRT {
		if c.Model == "bayesian" {
			continue // another model, of draws
		}
		test := ratings.Sequential{Elo0: c.Elo0, Elo1: c.Elo1, Alpha: c.Alpha, Beta: c.Beta, Logistic: c.Model == "logistic"}
		got := llr(t, test, scoresOf(t, c.Results))
		assert.InDelta(t, c.LLR, got, 0.01*math.Abs(c.LLR), c.Name)
		assert.InEpsilon(t, c.Recomputed, got, 1e-6, c.Name)
		checked++
	}
	assert.Equal(t, 5, checked)
}

func TestSequentialEqualsPublishedLogs(t *testing.T) {
	var file sequentials
	readJSON(t, "sprt.json", &file)
	require.Len(t, file.Logs, 4)
	for _, log := range file.Logs {
		scores := scoresOf(t, log.Ptnml[:])
		strength, err := scores.Strength()
		require.NoError(t, err)
		got := []float64{
			strength.Elo.Value, half(strength.Elo), strength.Normalized.Value, half(strength.Normalized), 100 * strength.Superiority,
		}
		for i, printed := range []float64{log.Elo, log.EloErr, log.NElo, log.NEloErr, log.Los} {
			assert.InDelta(t, printed, got[i], 0.0051, "figure %d of %v", i, log.Ptnml)
			assert.InDelta(t, log.Recomputed[i], got[i], 3e-4, "figure %d of %v: 1.96 is 1.959964", i, log.Ptnml)
		}

		rate := 0.05
		if log.Bounds[1] > 4 {
			rate = 0.01
		}
		test := ratings.Sequential{Elo0: log.Elo0, Elo1: log.Elo1, Alpha: rate, Beta: rate}
		assert.InDelta(t, log.LLR, llr(t, test, scores), 0.0051)
		assert.InEpsilon(t, log.LLR2, llr(t, test, scores), 1e-6)
		verdict, err := test.Test(scores)
		require.NoError(t, err)
		assert.Equal(t, ratings.AcceptH1, verdict.Decision)
		assert.InDelta(t, log.Bounds[0], verdict.Lower, 0.0051)
		assert.InDelta(t, log.Bounds[1], verdict.Upper, 0.0051)
	}
}

// half is half the length of the interval.
func half(e *ratings.Estimate) float64 { return (e.Interval.High - e.Interval.Low) / 2 }

func TestStrengthEqualsFastchess(t *testing.T) {
	var file sequentials
	readJSON(t, "sprt.json", &file)
	require.Len(t, file.Elo, 3)
	for _, c := range file.Elo {
		scores := scoresOf(t, []int{c.L, c.D, c.W})
		if c.Kind == "penta" {
			scores = scoresOf(t, c.Ptnml[:])
		}
		strength, err := scores.Strength()
		require.NoError(t, err)
		assert.InEpsilon(t, c.Score, strength.Score.Value, 0.01)
		assert.InEpsilon(t, c.NElo, strength.Normalized.Value, 0.01)
		assert.InEpsilon(t, c.NEloErr, half(strength.Normalized), 0.01)
		if c.Elo != nil {
			assert.InEpsilon(t, *c.Elo, strength.Elo.Value, 0.01)
			assert.InEpsilon(t, c.EloErr, half(strength.Elo), 0.01)
		}
		if c.Los != nil {
			assert.InEpsilon(t, *c.Los, 100*strength.Superiority, 0.01)
		}
	}
}
