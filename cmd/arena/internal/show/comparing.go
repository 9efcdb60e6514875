package show

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/fivethreefive/fivethreefive/arena/compare"
)

// Comparing shows how far a comparison has come: a bar on a terminal, else a line whenever there are twice as many deal sets
// as at the last, from 20 on.
type Comparing struct {
	*Progress

	next int
}

// NewComparing shows nothing when out is nil. It foretells no end, since most comparisons are over long before the last deal
// set, and there is no room for a speed.
func NewComparing(out io.Writer, most int) *Comparing {
	p := newProgress(out, most, progressbar.OptionSetDescription("deal sets"), progressbar.OptionSetPredictTime(false))
	return &Comparing{Progress: p, next: 20}
}

// Seen shows a report.
func (p *Comparing) Seen(r compare.Report) {
	if p.out == nil {
		return
	}
	llr := "no LLR yet"
	if r.LLR != nil {
		llr = fmt.Sprintf("LLR %.2f (%.2f to %.2f)", *r.LLR, r.Lower, r.Upper)
	}
	if elo := r.Elo; elo != nil && elo.Interval != nil {
		llr += ", " + eloText(*elo)
	}
	if p.bar != nil {
		p.bar.Describe(llr)
		p.Count()
		return
	}
	if r.DealSets >= p.next {
		p.next *= 2
		fmt.Fprintf(p.out, "%s: %s\n", Count(r.DealSets, "deal set", "deal sets"), llr)
	}
}
