package ratings_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/ratings"
)

const natural = math.Ln10 / 400 // Elo to the unit of the logistic function

func readJSON(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, to))
}

// games adds so many games of a against b, each with a deal of its own. White, a seat before black, is a.
func games(t *testing.T, pairs *ratings.Pairs, a, b string, wins, draws, losses int) {
	t.Helper()
	for i := range wins + draws + losses {
		ranks := []int{1, 2}
		if i >= wins {
			ranks = []int{1, 1}
		}
		if i >= wins+draws {
			ranks = []int{2, 1}
		}
		set := ratings.DealSet{
			Deal: fmt.Sprintf("%s-%s-%d", a, b, i), Bots: []string{a, b}, Ranks: [][]int{ranks}, Seats: [][]int{{0, 1}},
		}
		require.NoError(t, pairs.Add(set))
	}
}

// fit rates without the prior, with the errors of the model.
func fit(t *testing.T, pairs *ratings.Pairs, anchor string) *ratings.Fit {
	t.Helper()
	fit, err := pairs.Fit(ratings.FitConfig{Anchor: anchor, NoPrior: true, Independent: true})
	require.NoError(t, err)
	return fit
}

// centred returns the ratings around a mean of 0.
func centred(fit *ratings.Fit) map[string]float64 {
	mean := 0.0
	for _, row := range fit.Rows {
		mean += row.Rating / float64(len(fit.Rows))
	}
	out := make(map[string]float64)
	for _, row := range fit.Rows {
		out[row.Bot] = row.Rating - mean
	}
	return out
}

type likelihoods struct {
	Cases []struct {
		Name      string
		Data      [][]int
		Items     any
		ML        []float64
		ML2       []float64 `json:"ml_recomputed"`
		SE        []float64
		Cov       [][]float64
		Tolerance float64
	}
}

func TestFitOfWins(t *testing.T) {
	var file likelihoods
	readJSON(t, "bt_pl_mle.json", &file)
	for _, c := range file.Cases[:2] {
		t.Run(c.Name, func(t *testing.T) {
			var pairs ratings.Pairs
			for i, won := range c.Data {
				set := ratings.DealSet{
					Deal: fmt.Sprint(i), Bots: []string{fmt.Sprint(won[0]), fmt.Sprint(won[1])}, Ranks: [][]int{{1, 2}},
				}
				require.NoError(t, pairs.Add(set))
			}
			got := centred(fit(t, &pairs, "0"))
			for item, want := range c.ML {
				assert.InDelta(t, want, got[fmt.Sprint(item)]*natural, 1e-9)
			}
		})
	}
}

func TestFitOfCitations(t *testing.T) {
	var file likelihoods
	readJSON(t, "bt_pl_mle.json", &file)
	c := file.Cases[3]
	require.Equal(t, "journal citations (Stigler)", c.Name)
	var pairs ratings.Pairs
	names := make([]string, 4)
	for i, name := range c.Items.([]any) {
		names[i] = name.(string)
	}
	for _, row := range c.Data {
		games(t, &pairs, names[row[0]], names[row[1]], row[2], 0, row[3])
	}
	result := fit(t, &pairs, names[0])

	got := map[string]ratings.Row{}
	for _, row := range result.Rows {
		got[row.Bot] = row
	}
	for i, name := range names {
		assert.InDelta(t, c.ML[i], (got[name].Rating-1500)*natural, 1e-6, name)
		if i > 0 {
			assert.InDelta(t, c.SE[i], got[name].Interval.Error*natural, 1e-6, name)
		}
	}
	for i := range 3 {
		for j := range i {
			difference, err := result.Difference(names[i+1], names[j+1])
			require.NoError(t, err)
			variance := c.Cov[i][i] + c.Cov[j][j] - 2*c.Cov[i][j]
			assert.InDelta(t, math.Sqrt(variance), difference.Interval.Error*natural, 1e-6)
			assert.InDelta(t, c.ML[i+1]-c.ML[j+1], difference.Elo*natural, 1e-6)
			assert.InDelta(t, 0.5*math.Erfc(-(c.ML[i+1]-c.ML[j+1])/math.Sqrt(2*variance)), difference.Superiority, 1e-6)
		}
	}
}

type engineList struct {
	Name      string
	Games     [][5]int `json:"games_white_black_w_d_l"`
	Published struct {
		ClosedForm []float64 `json:"closed form"`
	}
	Ordo struct {
		Plain map[string]struct{ Rating, Points, Played float64 } `json:"plain_avg0"`
		White map[string]struct{ Rating float64 }                 `json:"white_and_draw_auto_sim300"`
	}
	Logistic struct{ Elo map[string]float64 } `json:"logistic_mle_draw_half"`
}

func readEngineLists(t *testing.T) []engineList {
	t.Helper()
	var file struct{ Lists []engineList }
	readJSON(t, "engine_lists.json", &file)
	require.Len(t, file.Lists, 2)
	return file.Lists
}

// ordoScale turns our Elo into that of Ordo, where 202 points are a score of 76 %.
var ordoScale = 202 / (400 * math.Log10(0.76/0.24))

func TestFitOfEngineLists(t *testing.T) {
	for _, list := range readEngineLists(t) {
		t.Run(list.Name, func(t *testing.T) {
			var pairs ratings.Pairs
			whites := ratings.NewSeatPairs()
			for _, g := range list.Games {
				white, black := fmt.Sprintf("P%03d", g[0]), fmt.Sprintf("P%03d", g[1])
				games(t, &pairs, white, black, g[2], g[3], g[4])
				games(t, whites, white, black, g[2], g[3], g[4])
			}
			plain := fit(t, &pairs, "P001")
			got := centred(plain)
			require.Len(t, got, len(list.Logistic.Elo))
			for name, want := range list.Logistic.Elo {
				assert.InDelta(t, want, got[name], 0.5e-4+1e-9, name)
				assert.InDelta(t, list.Ordo.Plain[name].Rating, got[name]*ordoScale, 0.0101, name)
			}
			for i, want := range list.Published.ClosedForm {
				assert.InDelta(t, want, got[fmt.Sprintf("P%03d", i+1)], 0.005)
			}
			for _, row := range plain.Rows {
				assert.InDelta(t, list.Ordo.Plain[row.Bot].Played, row.Games, 0, row.Bot)
			}

			withSeats := fit(t, whites, "P001")
			got = centred(withSeats)
			for name, want := range list.Ordo.White {
				assert.InDelta(t, want.Rating, got[name]*ordoScale, 0.0101, name)
			}
			require.Len(t, withSeats.Seats, 2)
			assert.Zero(t, withSeats.Seats[0].Advantage)
			assert.Negative(t, withSeats.Seats[1].Advantage, "white is better")
		})
	}
}
