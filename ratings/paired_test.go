package ratings_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// The error is that of the influence of each deal set on the difference of the logits, written out.
func TestPairedByHand(t *testing.T) {
	a := []float64{0.5, 0.75, 1, 0.25, 0.5, 0.75, 0.625, 0.75, 0.5, 1}
	b := []float64{0.5, 0.5, 0.75, 0, 0.5, 0.5, 0.75, 0.25, 0.5, 0.5}
	var paired ratings.Paired
	meanA, meanB := 0.0, 0.0
	for i := range a {
		require.NoError(t, paired.Add(a[i], b[i]))
		meanA += a[i] / float64(len(a))
		meanB += b[i] / float64(len(b))
	}
	squares := 0.0
	for i := range a {
		influence := (a[i]-meanA)/(meanA*(1-meanA)) - (b[i]-meanB)/(meanB*(1-meanB))
		squares += influence * influence
	}
	n := float64(len(a))
	elo, superiority, err := paired.Difference()
	require.NoError(t, err)
	assert.InDelta(t, (math.Log(meanA/(1-meanA))-math.Log(meanB/(1-meanB)))/natural, elo.Value, 1e-9)
	assert.InDelta(t, math.Sqrt(squares/n/(n-1))/natural, elo.Interval.Error, 1e-9)
	assert.Greater(t, superiority, 0.97)
}

func TestPairedRefuses(t *testing.T) {
	var paired ratings.Paired
	_, _, err := paired.Difference()
	require.EqualError(t, err, "no difference without scores: add at least 1 deal set")
	require.EqualError(t, paired.Add(0.5, 1.5), "score 1.5: choose one from 0 to 1")
	require.Error(t, paired.Add(math.NaN(), 0))
	require.NoError(t, paired.Add(1, 0.5))
	elo, _, err := paired.Difference()
	require.NoError(t, err)
	assert.Nil(t, elo, "it is infinite")

	paired = ratings.Paired{}
	for range 30 {
		require.NoError(t, paired.Add(1.0/3, 1.0/6))
	}
	elo, superiority, err := paired.Difference()
	require.NoError(t, err)
	assert.Nil(t, elo.Interval, "all deal sets came to the same")
	assert.Equal(t, 0.5, superiority)
}

// The interval has the coverage that it claims, though both scores depend on the cards.
func TestPairedCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	score := func(strength, luck float64) float64 { // of four games
		won := 0.0
		for range 4 {
			if strength+luck+rng.NormFloat64() > 0 {
				won++
			}
		}
		return won / 4
	}
	// The true means, since the luck and the noise of a game have the deviation √2 together.
	mean := func(strength float64) float64 { return 0.5 * math.Erfc(-strength/2) }
	truth := (math.Log(mean(0.3)/(1-mean(0.3))) - math.Log(mean(0.1)/(1-mean(0.1)))) / natural
	covered := 0
	for range 2000 {
		var paired ratings.Paired
		for range 60 {
			luck := rng.NormFloat64()
			require.NoError(t, paired.Add(score(0.3, luck), score(0.1, luck)))
		}
		elo, _, err := paired.Difference()
		require.NoError(t, err)
		covered += count(elo.Interval.Low <= truth && truth <= elo.Interval.High)
	}
	t.Logf("coverage %.3f", float64(covered)/2000)
	assert.InDelta(t, 0.95, float64(covered)/2000, 0.02)
}
