package ratings

import "gonum.org/v1/gonum/stat/distuv"

// tooFewDeals is the number of deals below which there is no interval.
const tooFewDeals = 8

// Interval says how sure a number is, in its unit.
type Interval struct {
	Error float64 // standard error
	Low   float64 // ends of the 95 % interval
	High  float64
}

// noError is what an error is below where all deals came to the same, but for rounding. That says nothing about how they differ.
const noError = 1e-9

// newInterval returns that of an estimate from independent deals, nil if they are fewer than 8 or all came to the same.
func newInterval(value, standardError float64, deals int, by distribution) *Interval {
	if deals < tooFewDeals || standardError < noError {
		return nil
	}
	half := by.Quantile(0.975) * standardError
	return &Interval{Error: standardError, Low: value - half, High: value + half}
}

// distribution is that of an estimate in units of its standard error.
type distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}

// student is the distribution if the error was estimated from so many deals. The normal one, which has less than 95 % of
// the results in its interval up to some 100 deals, is its limit.
func student(deals int) distribution {
	if deals > 100_000 {
		return distuv.UnitNormal
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(max(deals-1, 1))}
}

// customary is student below 20 deal sets and then normal, as other programs of sequential tests have it.
func customary(dealSets int) distribution {
	if dealSets < 20 {
		return student(dealSets)
	}
	return distuv.UnitNormal
}
