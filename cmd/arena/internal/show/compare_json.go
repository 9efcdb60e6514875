package show

import (
	"io"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/compare"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/ratings"
)

type comparisonJSON struct {
	Schema      string           `json:"schema"`
	New         string           `json:"new"`
	Old         string           `json:"old"`
	Field       []string         `json:"field,omitempty"`
	Settings    arena.Settings   `json:"settings"`
	Test        testJSON         `json:"test"`
	Commitment  string           `json:"commitment"` // SHA-256 of the seed
	Seed        engine.Seed      `json:"seed"`
	Verdict     string           `json:"verdict"` // better, not better, worse, not worse or undecided
	Stopped     bool             `json:"stopped"` // before the test had decided, or had played all that it may
	Sentence    string           `json:"sentence"`
	DealSets    int              `json:"deal_sets"`
	Games       int              `json:"games"`
	LLR         *float64         `json:"llr"`
	Elo         *estimateJSON    `json:"elo"`
	Normalized  *estimateJSON    `json:"normalized_elo"`
	Superiority *float64         `json:"superiority"`            // likelihood, from 0 to 1, that the new bot is stronger
	Against     *[2]float64      `json:"field_scores,omitempty"` // mean scores of both against the field, from 0 to 1
	Score       float64          `json:"score"`
	Scores      []scoreJSON      `json:"scores"` // of the deal sets, from 0 to 1, worst first
	Faults      [2]compareFaults `json:"conduct"`
}

type compareFaults struct {
	Bot string `json:"bot"`
	compare.Conduct
}

type testJSON struct {
	Elo0   float64 `json:"elo0"` // normalised, as is elo1
	Elo1   float64 `json:"elo1"`
	Alpha  float64 `json:"alpha"`
	Beta   float64 `json:"beta"`
	Lower  float64 `json:"lower"` // of the LLR
	Upper  float64 `json:"upper"`
	AtMost int     `json:"max_deal_sets"`
}

type estimateJSON struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"` // ends of the 95 % interval
	High  *float64 `json:"high"`
}

type scoreJSON struct {
	Score float64 `json:"score"`
	Count int     `json:"count"`
}

func estimate(e *ratings.Estimate) *estimateJSON {
	if e == nil {
		return nil
	}
	out := &estimateJSON{Value: e.Value}
	if e.Interval != nil {
		out.Low, out.High = &e.Interval.Low, &e.Interval.High
	}
	return out
}

// ComparisonJSON prints all that is known.
func ComparisonJSON(out io.Writer, c Comparison) error {
	r := c.Report
	told := comparisonJSON{
		Schema: Schema, New: c.NewBot, Old: c.OldBot, Field: c.Field, Settings: c.Settings, Commitment: c.Seed.Commitment(), Seed: c.Seed,
		Test: testJSON{
			Elo0: c.Test.Elo0, Elo1: c.Test.Elo1, Alpha: c.Test.Alpha, Beta: c.Test.Beta, Lower: r.Lower, Upper: r.Upper, AtMost: c.Most,
		},
		Verdict: c.Word(), Stopped: c.Stopped, Sentence: c.Sentence(), DealSets: r.DealSets, Games: r.Games, LLR: r.LLR,
		Elo: estimate(r.Elo), Normalized: estimate(r.Normalized), Superiority: r.Superiority, Against: r.Against, Score: r.Score, Scores: []scoreJSON{},
		Faults: [2]compareFaults{{c.NewBot, r.New}, {c.OldBot, r.Old}},
	}
	for _, cell := range r.Scores {
		told.Scores = append(told.Scores, scoreJSON{cell.Score, cell.Count})
	}
	return JSON(out, told)
}
