package ratings_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// pool returns the scores of one bot, better than the others by the given skill, in many deal sets of full tables. Without
// skill each score is there with its mirror image, so that the mean is exactly 1/2.
func pool(t *testing.T, seats int, skill float64) []float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, uint64(seats)))
	var scores []float64
	for _, set := range simulate(rng, table{bots: seats, seats: seats, luck: 1.5, ahead: skill}, 4000) {
		score, err := set.Score("bot 0")
		require.NoError(t, err)
		scores = append(scores, score)
		if skill == 0 {
			scores = append(scores, 1-score)
		}
	}
	return scores
}

// empty returns no scores of deal sets with a rotation of the seats. At two seats the grid is known.
func empty(t *testing.T, seats int) *ratings.Scores {
	t.Helper()
	var grid []float64
	if seats == 2 {
		grid = []float64{0, 0.25, 0.5, 0.75, 1}
	}
	scores, err := ratings.NewScores(seats, grid...)
	require.NoError(t, err)
	return scores
}

// The test is looked at after every deal set, as a user would, and is wrong no more often than it claims. The interval of Elo
// at its end holds the truth in somewhat less than 95 % of the runs, since it ends where the scores lean to one side.
func TestSequentialErrorRates(t *testing.T) {
	for _, seats := range []int{2, 4} {
		t.Run(fmt.Sprint(seats, " seats"), func(t *testing.T) {
			better := pool(t, seats, 0.4)
			all := empty(t, seats)
			for _, score := range better {
				require.NoError(t, all.Add(score, 1))
			}
			strength, err := all.Strength()
			require.NoError(t, err)
			elo1 := strength.Normalized.Value
			test := ratings.Sequential{Elo0: 0, Elo1: elo1}

			effect := elo1 * natural / 2 * math.Sqrt(float64(seats)) // in standard deviations of a deal set
			fixed := 4 * 1.6449 * 1.6449 / (effect * effect)         // both errors 5 %
			for _, h := range []struct {
				name  string
				pool  []float64
				elo   float64
				wrong ratings.Decision
				runs  int
			}{{"H0", pool(t, seats, 0), 0, ratings.AcceptH1, 2000}, {"H1", better, strength.Elo.Value, ratings.AcceptH0, 500}} {
				rng := rand.New(rand.NewPCG(12, uint64(seats)))
				wrong, played, covered := 0, 0, 0
				for range h.runs {
					scores := empty(t, seats)
					decision, sets := run(t, test, scores, rng, h.pool)
					wrong += count(decision == h.wrong)
					played += sets
					found, err := scores.Strength()
					require.NoError(t, err)
					interval := found.Elo.Interval
					covered += count(interval != nil && interval.Low <= h.elo && h.elo <= interval.High)
				}
				coverage := float64(covered) / float64(h.runs)
				rate, mean := float64(wrong)/float64(h.runs), float64(played)/float64(h.runs)
				t.Logf("%s, nElo 0 against %.0f: wrong %.4f, mean %.0f games in %.0f deal sets; a test of fixed size needs %.0f; coverage %.3f",
					h.name, elo1, rate, mean*float64(seats), mean, fixed*float64(seats), coverage)
				assert.LessOrEqual(t, rate, 0.06)
				assert.InDelta(t, 0.9, coverage, 0.05)
				assert.Less(t, mean, fixed)
			}
		})
	}
}

// run plays until the test decides, and returns how many deal sets that took.
func run(t *testing.T, test ratings.Sequential, scores *ratings.Scores, rng *rand.Rand, pool []float64) (ratings.Decision, int) {
	for sets := 1; ; sets++ {
		if err := scores.Add(pool[rng.IntN(len(pool))], 1); err != nil {
			t.Fatal(err)
		}
		verdict, err := test.Test(scores)
		if err != nil {
			t.Fatal(err)
		}
		if verdict.Decision != ratings.PlayOn {
			return verdict.Decision, sets
		}
	}
}

// Scores that lie far on one side of 1/2 decide, however fine their grid is.
func TestSequentialOfExtremeScores(t *testing.T) {
	for _, games := range []int{2, 6, 10, 30} {
		for _, hypotheses := range [][2]float64{{0, 5}, {0, 50}, {-50, 0}, {-5, 5}, {-100, 100}} {
			for side, want := range map[float64]ratings.Decision{-1: ratings.AcceptH0, 1: ratings.AcceptH1} {
				scores, err := ratings.NewScores(games, 0, 1)
				require.NoError(t, err)
				for i := range 20 {
					require.NoError(t, scores.Add(0.5+side*(0.15+0.0125*float64(i%15)), 100))
				}
				verdict, err := ratings.Sequential{Elo0: hypotheses[0], Elo1: hypotheses[1]}.Test(scores)
				require.NoError(t, err)
				require.Equal(t, want, verdict.Decision, "%d games, %v, %+v", games, hypotheses, verdict)
			}
		}
	}
}
