package show

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/compare"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

// TestComparisonSentence holds the sentence against what is known, and no more.
func TestComparisonSentence(t *testing.T) {
	const after = " at 2 seats after 30 deal sets: "
	estimate := func(low, high float64) *ratings.Estimate {
		return &ratings.Estimate{Value: (low + high) / 2, Interval: &ratings.Interval{Low: low, High: high}}
	}
	for want, of := range map[string]struct {
		elo0   float64
		report compare.Report
	}{
		"a@1 is +20 ± 18 Elo v b@1" + after + "not better by 60 normalised Elo.": {
			report: compare.Report{Decision: ratings.AcceptH0, Score: 0.53, Elo: estimate(2, 38)},
		},
		"a@1 is +1 ± 2 Elo v b@1" + after + "not worse by 5 normalised Elo.": {
			elo0: -5, report: compare.Report{Decision: ratings.AcceptH1, Score: 0.5, Elo: estimate(-1, 3)},
		},
		"a@1 is +412 Elo (+318 to +611) v b@1" + after + "better.": {
			report: compare.Report{Decision: ratings.AcceptH1, Score: 0.92, Elo: &ratings.Estimate{Value: 412, Interval: &ratings.Interval{Low: 318, High: 611}}},
		},
		"a@1 is level v b@1" + after + "undecided.": {
			report: compare.Report{Decision: ratings.PlayOn, Score: 0.5, Elo: &ratings.Estimate{}},
		},
		"a@1 is +191 Elo (not known how exactly) v b@1" + after + "undecided.": {
			report: compare.Report{Decision: ratings.PlayOn, Score: 0.75, Elo: &ratings.Estimate{Value: 191}},
		},
		"a@1 is -20 ± 18 Elo v b@1" + after + "worse.": {
			report: compare.Report{Decision: ratings.AcceptH0, Score: 0.47, Elo: estimate(-38, -2)},
		},
		"a@1 won everything v b@1" + after + "better.": {report: compare.Report{Decision: ratings.AcceptH1, Score: 1}},
		"a@1 lost everything v b@1" + after + "worse.": {report: compare.Report{Decision: ratings.AcceptH0}},
		"a@1 is level v b@1 against the field" + after + "undecided. The Elo difference is not known, since both beat the field in every game.": {
			report: compare.Report{Decision: ratings.PlayOn, Score: 0.5, Against: &[2]float64{1, 1}},
		},
		"a@1 is ahead by 16.7 % of the points v b@1 against the field" + after + "undecided. The Elo difference is not known, since a@1 beat the field in every game.": {
			report: compare.Report{Decision: ratings.PlayOn, Score: 0.58333, Against: &[2]float64{1, 0.83333}},
		},
		"a@1 is ahead by 25.0 % of the points v b@1 against the field" + after + "better. The Elo difference is not known, since b@1 lost to the field in every game.": {
			report: compare.Report{Decision: ratings.AcceptH1, Score: 0.625, Against: &[2]float64{0.25, 0}},
		},
		"a@1 is behind by 10.0 % of the points v b@1 against the field" + after + "not better by 60 normalised Elo. The Elo difference is not known, since b@1 beat the field in every game.": {
			report: compare.Report{Decision: ratings.AcceptH0, Score: 0.45, Against: &[2]float64{0.9, 1}, Normalized: estimate(-50, 10)},
		},
		"a@1 is behind by 40.0 % of the points v b@1 against the field" + after + "worse. The Elo difference is not known, since b@1 beat the field in every game.": {
			report: compare.Report{Decision: ratings.AcceptH0, Score: 0.3, Against: &[2]float64{0.6, 1}, Normalized: estimate(-90, -20)},
		},
		"a@1 won everything v b@1 against the field" + after + "better. The Elo difference is not known, since a@1 beat the field in every game and b@1 lost to the field in every game.": {
			report: compare.Report{Decision: ratings.AcceptH1, Score: 1, Against: &[2]float64{1, 0}},
		},
	} {
		rules, err := engine.NewRules(engine.Rulebook, 2)
		require.NoError(t, err)
		of.report.DealSets = 30
		c := Comparison{
			NewBot: "a@1", OldBot: "b@1", Settings: arena.DefaultSettings(rules), Report: of.report,
			Test: ratings.Sequential{Elo0: of.elo0, Elo1: 60},
		}
		if of.elo0 < 0 {
			c.Test.Elo1 = 0
		}
		if of.report.Against != nil {
			c.Field = []string{"c@1"}
		}
		require.Equal(t, want, c.Sentence())
	}
}

// TestComparisonSuperiority: a likelihood that is not known is not told.
func TestComparisonSuperiority(t *testing.T) {
	llr, known := 1.5, 0.984
	for want, superiority := range map[string]*float64{"60 games\n": nil, "60 games, likelihood of superiority 98.4 %\n": &known} {
		var out strings.Builder
		ComparisonEnd(&out, Comparison{Report: compare.Report{Games: 60, LLR: &llr, Superiority: superiority}})
		require.Contains(t, out.String(), want)
	}
}
