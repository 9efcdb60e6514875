package ratings

import (
	"fmt"
	"math"
)

// Paired collects the scores that two bots made in turn against the same others with the same cards. What the cards and the
// others give to both does not count as luck of one. The zero value is ready.
type Paired struct {
	sets       int
	a, b       float64 // sums
	aa, ab, bb float64 // of products
}

// Add takes the mean scores, from 0 to 1, of a deal set. Sums depend on the order by rounding: add deal sets in theirs.
func (p *Paired) Add(a, b float64) error {
	for _, score := range []float64{a, b} {
		if !(score >= 0 && score <= 1) {
			return fmt.Errorf("score %v: choose one from 0 to 1", score)
		}
	}
	p.sets++
	p.a += a
	p.b += b
	p.aa += float64(a * a)
	p.ab += float64(a * b)
	p.bb += float64(b * b)
	return nil
}

// Difference is how much stronger the first is, in Elo: the difference at which each expects its mean score against the same
// others. It is an error without scores, and it is infinite, and so nil, where one of the means is 0 or 1.
//
// The error is that of the linearised logits of both means, whose covariance counts.
func (p *Paired) Difference() (elo *Estimate, superiority float64, err error) {
	if p.sets == 0 {
		return nil, 0, fmt.Errorf("no difference without scores: add at least 1 deal set")
	}
	n := float64(p.sets)
	a, b := p.a/n, p.b/n
	if min(a, b) <= 0 || max(a, b) >= 1 {
		return nil, 0.5, nil
	}
	u, v := 1/float64(a*(1-a)), 1/float64(b*(1-b))
	variance := u*u*(p.aa/n-a*a) - 2*u*v*(p.ab/n-a*b) + v*v*(p.bb/n-b*b)
	if variance < 1e-12*(u*u*p.aa+v*v*p.bb)/n { // rounding is all there is
		variance = 0
	}
	standardError := eloScale * math.Sqrt(variance/max(n-1, 1))
	by := student(p.sets)
	value := eloOf(a) - eloOf(b)
	superiority = 0.5
	if standardError > noError {
		superiority = by.CDF(value / standardError)
	}
	return &Estimate{value, newInterval(value, standardError, p.sets, by)}, superiority, nil
}
