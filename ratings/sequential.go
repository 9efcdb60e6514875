package ratings

import (
	"fmt"
	"math"
)

// Sequential is a test of whether a candidate is stronger by Elo1 than its equals (H1) or only by Elo0 (H0), that may be
// looked at after every deal set: the generalised sequential probability ratio test.
//
// Van den Bergh, M. (2020): A practical introduction to the GSPRT; Comments on normalized Elo.
type Sequential struct {
	Elo0, Elo1 float64 // Elo0 < Elo1, normalised
	Alpha      float64 // how often H1 is accepted though H0 is true, below 1/2; 0 means 0.05
	Beta       float64 // how often H0 is accepted though H1 is true, below 1/2; 0 means 0.05
	Logistic   bool    // whether Elo0 and Elo1 are common Elo, and so the mean score is tested
}

// Decision is what a sequential test says.
type Decision int

// The decisions.
const (
	PlayOn   Decision = iota + 1 // not yet known
	AcceptH0                     // the candidate is no better than Elo0
	AcceptH1                     // the candidate is at least Elo1 better
)

// String returns play-on, accept-h0 or accept-h1.
func (d Decision) String() string {
	switch d {
	case PlayOn:
		return "play-on"
	case AcceptH0:
		return "accept-h0"
	case AcceptH1:
		return "accept-h1"
	default:
		return fmt.Sprintf("decision(%d)", int(d))
	}
}

// MarshalText returns the text of String.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// leastDealSets is the number of deal sets below which no decision is made: with fewer, scores on a fine grid, as those of 4
// to 6 seats, pass H1 too often.
const leastDealSets = 20

// Verdict is the state of a sequential test.
type Verdict struct {
	Decision Decision
	// LLR is the logarithm of how much more likely the scores are under H1. It is nil as long as the scores do not lie on
	// both sides of what the hypotheses expect, since then one of them fits as badly as one likes.
	LLR   *float64
	Lower float64 // H0 is accepted from here down
	Upper float64 // H1 is accepted from here up
}

func (q Sequential) check() error {
	for _, elo := range []float64{q.Elo0, q.Elo1} {
		if math.IsNaN(elo) || math.IsInf(elo, 0) {
			return fmt.Errorf("sequential test: elo %v: choose a finite number", elo)
		}
	}
	if q.Elo0 >= q.Elo1 {
		return fmt.Errorf("sequential test: elo0 %v is not below elo1 %v", q.Elo0, q.Elo1)
	}
	for _, rate := range []float64{q.Alpha, q.Beta} {
		if !(rate >= 0 && rate < 0.5) {
			return fmt.Errorf("sequential test: error rate %v: choose one above 0 and below 0.5", rate)
		}
	}
	return nil
}

// Bounds returns the LLRs at which the test stops, by Wald's approximation.
func (q Sequential) Bounds() (lower, upper float64) {
	alpha, beta := q.Alpha, q.Beta
	if alpha == 0 {
		alpha = 0.05
	}
	if beta == 0 {
		beta = 0.05
	}
	return math.Log(beta / (1 - alpha)), math.Log((1 - beta) / alpha)
}

// Test judges the scores so far, and decides from 20 deal sets on. A possible score that did not occur counts as a
// thousandth. It is an error if the hypotheses or error rates make no sense.
func (q Sequential) Test(scores *Scores) (Verdict, error) {
	if err := q.check(); err != nil {
		return Verdict{}, err
	}
	verdict := Verdict{Decision: PlayOn}
	verdict.Lower, verdict.Upper = q.Bounds()
	observed, total := newDistributionOf(scores)
	if scores.DealSets() == 0 {
		return verdict, nil
	}
	fit := func(elo float64) ([]float64, bool) {
		if q.Logistic {
			return observed.withMean(logistic(elo / eloScale))
		}
		return observed.withT(elo / normalizedScale * math.Sqrt(float64(scores.games)))
	}
	p0, ok0 := fit(q.Elo0)
	p1, ok1 := fit(q.Elo1)
	if !ok0 || !ok1 {
		return verdict, nil
	}
	llr := 0.0
	for i, p := range observed.p {
		llr += total * p * math.Log(p1[i]/p0[i])
	}
	verdict.LLR = &llr
	switch {
	case scores.DealSets() < leastDealSets:
	case llr <= verdict.Lower:
		verdict.Decision = AcceptH0
	case llr >= verdict.Upper:
		verdict.Decision = AcceptH1
	}
	return verdict, nil
}

// scoreDistribution is how often each score occurs.
type scoreDistribution struct {
	scores, p []float64
}

func newDistributionOf(scores *Scores) (scoreDistribution, float64) {
	var d scoreDistribution
	total := 0.0
	for _, cell := range scores.cells {
		count := float64(cell.Count)
		if cell.Count == 0 {
			count = 1e-3
		}
		d.scores, d.p = append(d.scores, cell.Score), append(d.p, count)
		total += count
	}
	for i := range d.p {
		d.p[i] /= total
	}
	return d, total
}

// withMean returns the most likely distribution with that mean, false if there is none.
func (d scoreDistribution) withMean(mean float64) ([]float64, bool) {
	out, offsets := make([]float64, len(d.p)), make([]float64, len(d.p))
	for i, score := range d.scores {
		offsets[i] = score - mean
	}
	return out, d.tilt(out, offsets)
}

// withT returns the most likely distribution whose mean is 1/2 and so many standard deviations, false if none is found. It
// solves the problem with the standard deviation linearised around the last solution until that no longer moves. Where the
// linear problem has no solution, as for scores that lie far on the other side of 1/2, alongMeans takes its place.
func (d scoreDistribution) withT(t float64) ([]float64, bool) {
	out, offsets, last := make([]float64, len(d.p)), make([]float64, len(d.p)), make([]float64, len(d.p))
	for i := range out {
		out[i] = 1 / float64(len(out))
	}
	for range 50 {
		copy(last, out)
		mean, variance := 0.0, 0.0
		for i, score := range d.scores {
			mean += score * out[i]
		}
		for i, score := range d.scores {
			variance += (score - mean) * (score - mean) * out[i]
		}
		if variance == 0 {
			return d.alongMeans(t)
		}
		deviation := math.Sqrt(variance)
		for i, score := range d.scores {
			z := (score - mean) / deviation
			offsets[i] = score - 0.5 - t*deviation*(1+z*z)/2
		}
		if !d.tilt(out, offsets) {
			return d.alongMeans(t)
		}
		moved := 0.0
		for i := range out {
			moved = max(moved, math.Abs(out[i]-last[i]))
		}
		if moved < 1e-9 {
			return out, true
		}
	}
	return out, true
}

// alongMeans returns one of the distributions of withMean, that whose mean is 1/2 and so many standard deviations. It is less
// likely than that of withT, for scores that are unlikely by far to come from either.
func (d scoreDistribution) alongMeans(t float64) (out []float64, found bool) {
	near, far := 0.5, d.scores[len(d.scores)-1]
	if t < 0 {
		far = d.scores[0]
	}
	for range 60 {
		middle := (near + far) / 2
		p, ok := d.withMean(middle)
		if !ok {
			far = middle
			continue
		}
		variance := 0.0
		for i, score := range d.scores {
			variance += (score - middle) * (score - middle) * p[i]
		}
		if math.Abs(middle-0.5) < math.Abs(t)*math.Sqrt(variance) {
			near, out, found = middle, p, true
		} else {
			far = middle
		}
	}
	return out, found
}

// tilt sets out to the distribution closest to d in which the offsets have mean 0: p/(1+x·offset) with the x that solves
// the secular equation Σ p·offset/(1+x·offset) = 0. It returns false if the offsets have not both signs.
func (d scoreDistribution) tilt(out, offsets []float64) bool {
	low, high := 0.0, 0.0
	for _, offset := range offsets {
		low, high = min(low, offset), max(high, offset)
	}
	if low == 0 || high == 0 {
		return false
	}
	left, right := -1/high, -1/low // poles; the sum falls from +Inf to -Inf between them
	x := 0.0
	for range 200 {
		value, slope := 0.0, 0.0
		for i, offset := range offsets {
			q := offset / (1 + x*offset)
			value += d.p[i] * q
			slope -= d.p[i] * q * q
		}
		if value > 0 {
			left = x
		} else {
			right = x
		}
		next := x - value/slope
		if !(next > left && next < right) {
			next = (left + right) / 2
		}
		if math.Abs(next-x) <= 1e-14*max(math.Abs(x), 1) {
			break
		}
		x = next
	}
	for i, offset := range offsets {
		out[i] = d.p[i] / (1 + x*offset)
	}
	return true
}
