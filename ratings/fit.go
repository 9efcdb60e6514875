package ratings

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// eloScale is one natural unit of the logistic function in Elo.
const eloScale = 400 / math.Ln10

// FitConfig sets up a fit; the zero value asks for the official one, without an anchor.
type FitConfig struct {
	Anchor  string  // bot that is rated Initial
	Initial float64 // 0 means 1500
	// NoPrior leaves out the one virtual draw of each bot against the anchor, or against a virtual bot rated Initial if the
	// anchor has not played. The prior keeps the ratings of bots finite that won or lost everything.
	NoPrior bool
	// Independent takes the standard errors from the curvature of the likelihood, as if the model were true and games of
	// one deal independent, and normal whatever the number of deals. It is for comparison with other programs.
	Independent bool
}

// Fit holds the ratings of maximum likelihood in the Bradley-Terry model, on the Elo scale.
//
// Standard errors are robust against dependence within a deal, across all its tables: the sandwich H⁻¹ΣggᵀH⁻¹ over the
// gradients g of the C deals, times C/(C-1), with the information H of the whole and without the prior in g.
type Fit struct {
	Rows     []Row      // best first; ratings within 1e-6 by name
	Groups   [][]string // of bots connected by wins, the largest first; more than one say that only the prior connects them
	Islands  [][]string // of bots connected by games, the largest first: bots of different ones have no rank in common
	Deals    int        // different ones
	Anchored bool       // whether the anchor has played, and so the ratings are relative to it
	Seats    []SeatRow  // of Pairs that tell seats apart

	config   FitConfig
	sums     *pairSums
	model    *likelihood
	layout   layout
	solution []float64     // parameters
	variance *mat.SymDense // of the parameters
	group    []int         // by bot
	island   []int         // by bot
	order    []int         // bots in the order of the rows
}

// layout says which parameter belongs to whom, negative for nobody.
type layout struct {
	anchor int // by number, or -1
	bots   int // number of bots
	seats  int // number of seats told apart, or 0
}

// bot returns the parameter of a bot.
func (l layout) bot(number int32) int32 {
	switch {
	case l.anchor < 0 || int(number) < l.anchor:
		return number
	case int(number) == l.anchor:
		return -1
	default:
		return number - 1
	}
}

// seat returns the parameter of a seat; the first is fixed at 0.
func (l layout) seat(number uint8) int32 {
	if number == 0 {
		return -1
	}
	return int32(l.size()-l.seats) + int32(number)
}

func (l layout) size() int {
	size := l.bots + max(l.seats-1, 0)
	if l.anchor >= 0 {
		size--
	}
	return size
}

// Fit rates the bots. It is an error if there are no deal sets, and without the prior also if the anchor has not played
// or the bots are not connected.
func (p *Pairs) Fit(config FitConfig) (*Fit, error) {
	if math.IsNaN(config.Initial) || math.IsInf(config.Initial, 0) {
		return nil, fmt.Errorf("initial rating is %v: choose a finite number", config.Initial)
	}
	if len(p.sets) == 0 {
		return nil, errors.New("no ratings without deal sets: add at least 1")
	}
	config.Initial = cmp.Or(config.Initial, defaultInitial)
	fit := &Fit{config: config, sums: p.fold(), layout: layout{anchor: -1}}
	fit.layout.bots = len(fit.sums.names)
	for number, name := range fit.sums.names {
		if name == config.Anchor {
			fit.layout.anchor, fit.Anchored = number, true
		}
	}
	if p.seats {
		for _, pair := range fit.sums.pairs {
			fit.layout.seats = max(fit.layout.seats, int(pair.seatA)+1, int(pair.seatB)+1)
		}
	}
	fit.Deals = len(fit.sums.deals)
	fit.findGroups()
	if config.NoPrior {
		if !fit.Anchored {
			return nil, fmt.Errorf("anchor %q has not played: keep the prior or name a bot that has", config.Anchor)
		}
		if len(fit.Groups) > 1 {
			return nil, fmt.Errorf("%w: they form %d groups", errNoMaximum, len(fit.Groups))
		}
	}
	if err := fit.solve(); err != nil {
		return nil, err
	}
	fit.makeRows()
	fit.makeSeats()
	return fit, nil
}

func (f *Fit) findGroups() {
	f.Groups, f.group = f.sums.named(f.sums.groups())
	f.Islands, f.island = f.sums.named(f.sums.islands())
}

// solve finds the parameters and their variance.
func (f *Fit) solve() error {
	f.model = f.newLikelihood()
	f.model.observe(f.sums.score, f.sums.weight)
	f.solution = make([]float64, f.model.size)
	factor, ok := f.model.maximize(f.solution, 200)
	if !ok {
		return errNoMaximum
	}
	f.variance = mat.NewSymDense(f.model.size, nil)
	if f.config.Independent {
		return exact(factor.InverseTo(f.variance))
	}
	return exact(f.sandwich(factor))
}

// exact drops the warning that a result is less precise than usual.
func exact(err error) error {
	if _, imprecise := errors.AsType[mat.Condition](err); imprecise {
		return nil
	}
	return err
}

// newLikelihood returns the model with the prior, still without observations.
func (f *Fit) newLikelihood() *likelihood {
	l := &likelihood{size: f.layout.size()}
	for _, pair := range f.sums.pairs {
		c := contrast{
			plus:  [2]int32{f.layout.bot(pair.a), -1},
			minus: [2]int32{f.layout.bot(pair.b), -1},
		}
		if pair.seatA != pair.seatB {
			c.plus[1], c.minus[1] = f.layout.seat(pair.seatA), f.layout.seat(pair.seatB)
		}
		l.pairs = append(l.pairs, c)
	}
	l.score, l.games = make([]float64, len(l.pairs)), make([]float64, len(l.pairs))
	if f.config.NoPrior {
		return l
	}
	for bot := range f.sums.names {
		if param := f.layout.bot(int32(bot)); param >= 0 {
			l.pairs = append(l.pairs, contrast{plus: [2]int32{param, -1}, minus: [2]int32{-1, -1}})
			l.score = append(l.score, 0.5)
			l.games = append(l.games, 1)
		}
	}
	return l
}

// observe takes scores and weights of the pairs, in units.
func (l *likelihood) observe(score, weight []int64) {
	for i := range score {
		l.score[i] = float64(score[i]) / gameUnits
		l.games[i] = float64(weight[i]) / gameUnits
	}
}
