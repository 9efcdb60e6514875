package ratings

import "gonum.org/v1/gonum/stat/distuv"

const (
	// fewDeals is the number of deals below which an interval is that of Student's t distribution.
	fewDeals = 20
	// tooFewDeals is the number below which there is none.
	tooFewDeals = 8
)

// Interval says how sure a number is, in its unit.
type Interval struct {
	Error float64 // standard error
	Low   float64 // ends of the 95 % interval
	High  float64
}

// newInterval returns that of an estimate from independent deals, nil if they are fewer than 8.
func newInterval(value, standardError float64, deals int) *Interval {
	if deals < tooFewDeals {
		return nil
	}
	half := distribution(deals).Quantile(0.975) * standardError
	return &Interval{Error: standardError, Low: value - half, High: value + half}
}

// distribution is that of an estimate in units of its standard error.
func distribution(deals int) interface {
	CDF(x float64) float64
	Quantile(p float64) float64
} {
	if deals < fewDeals {
		return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(deals - 1)}
	}
	return distuv.UnitNormal
}
