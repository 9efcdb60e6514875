package ratings

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// errNoMaximum is for comparisons whose likelihood grows without end.
var errNoMaximum = errors.New("the ratings have no finite maximum of likelihood: some bots or seats won everything; " +
	"keep the prior, and tell seats apart only if every bot held several of them")

// likelihood is that of the Bradley-Terry model: a scores against b as the logistic function of the sum of up to four
// parameters. It is strictly concave where it has a maximum.
//
// Hunter, D. R. (2004): MM algorithms for generalized Bradley-Terry models, The Annals of Statistics 32(1).
type likelihood struct {
	size  int        // parameters
	pairs []contrast // by comparison
	score []float64  // in games
	games []float64
}

// contrast holds the parameters of a comparison: those of the bot and the seat of a, which count for a, then those of b,
// which count against it. A negative one is fixed at 0.
type contrast struct {
	plus, minus [2]int32
}

// at returns the sum of the parameters.
func (c contrast) at(x []float64) float64 {
	sum := 0.0
	for side := range 2 {
		if i := c.plus[side]; i >= 0 {
			sum += x[i]
		}
		if i := c.minus[side]; i >= 0 {
			sum -= x[i]
		}
	}
	return sum
}

// add puts the value, with the sign of each parameter, where the parameters are.
func (c contrast) add(to []float64, value float64) {
	for side := range 2 {
		if i := c.plus[side]; i >= 0 {
			to[i] += value
		}
		if i := c.minus[side]; i >= 0 {
			to[i] -= value
		}
	}
}

// signed lists the parameters that are not fixed, and their signs.
func (c contrast) signed() (params [4]int32, signs [4]float64, n int) {
	for side := range 2 {
		if i := c.plus[side]; i >= 0 {
			params[n], signs[n] = i, 1
			n++
		}
		if i := c.minus[side]; i >= 0 {
			params[n], signs[n] = i, -1
			n++
		}
	}
	return params, signs, n
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// log returns the logarithm of the likelihood.
func (l *likelihood) log(x []float64) float64 {
	sum := 0.0
	for i, pair := range l.pairs {
		d := pair.at(x)
		sum += l.score[i]*d - l.games[i]*(max(d, 0)+math.Log1p(math.Exp(-math.Abs(d))))
	}
	return sum
}

// derivatives sets the gradient and the information, which is the negative of the matrix of second derivatives.
func (l *likelihood) derivatives(x, gradient []float64, information *mat.SymDense) {
	clear(gradient)
	information.Zero()
	raw := information.RawSymmetric()
	for k, pair := range l.pairs {
		p := logistic(pair.at(x))
		pair.add(gradient, l.score[k]-l.games[k]*p)
		curvature := l.games[k] * p * (1 - p)
		params, signs, n := pair.signed()
		for i := range n {
			for j := range n {
				if params[i] <= params[j] { // the upper triangle is all that counts
					raw.Data[int(params[i])*raw.Stride+int(params[j])] += curvature * signs[i] * signs[j]
				}
			}
		}
	}
}

// maximize improves x by at most so many Newton steps, and halves those that go too far. It returns the factorised
// information at the x that it came from last, and whether x is the maximum.
func (l *likelihood) maximize(x []float64, steps int) (*mat.Cholesky, bool) {
	gradient := make([]float64, l.size)
	information := mat.NewSymDense(l.size, nil)
	factor := new(mat.Cholesky)
	step := mat.NewVecDense(l.size, nil)
	value, last := l.log(x), math.Inf(1)
	for range steps {
		l.derivatives(x, gradient, information)
		if !factor.Factorize(information) {
			return nil, false
		}
		if err := factor.SolveVecTo(step, mat.NewVecDense(l.size, gradient)); err != nil {
			if _, imprecise := errors.AsType[mat.Condition](err); !imprecise {
				return nil, false
			}
		}
		length := mat.Norm(step, math.Inf(1))
		value = l.walk(x, step.RawVector().Data, value)
		// Rounding may keep the last steps of a very long log above the first bound, but then they no longer get shorter.
		if length < 1e-10 || length < 1e-7 && length > last/2 {
			return factor, true
		}
		last = length
	}
	return factor, false
}

// walk adds the step to x, or the first half, quarter and so on that does not lower the likelihood by more than rounding.
func (l *likelihood) walk(x, step []float64, value float64) float64 {
	next := make([]float64, len(x))
	for share := 1.0; ; share /= 2 {
		for i := range x {
			next[i] = x[i] + share*step[i]
		}
		reached := l.log(next)
		if reached >= value-1e-12*math.Abs(value) || share < 1e-9 {
			copy(x, next)
			return reached
		}
	}
}
