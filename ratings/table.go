package ratings

import (
	"fmt"
	"math"
	"slices"
)

// enoughError is the standard error against the mean of the others, in Elo, above which a bot is provisional. That against the
// anchor would not do: off a weak anchor everybody wins nearly everything, so that nobody knows how far ahead they are of
// it, however well they are told apart.
const enoughError = 40

// Row is the line of one bot.
type Row struct {
	// Rank counts from 1 among the bots of the first island that are not provisional; the others have 0. Bots that share one
	// have the same.
	Rank   int
	Bot    string
	Rating float64
	// Interval is that of the difference from the anchor, nil for the anchor itself and where the data give none: for fewer
	// than 8 deals of one of the two, where all deals came to the same, and for bots of another group, as a perfect one.
	// Without an anchor it is that of the difference from a virtual bot amid the largest group.
	Interval *Interval
	// Error is the standard error of the difference from the mean of the others of the group, in Elo; 0 where the data give
	// none. It does not depend on the anchor.
	Error float64
	// Provisional is true below 100 games, 20 deals or 4 opponents, all others on a smaller island, and above an Error of 40.
	Provisional bool
	Perfect     bool // whether it won everything or lost everything, and only the prior makes the rating finite
	Deals       int
	Games       int
	Opponents   int
}

// SeatRow is the advantage of sitting in a seat instead of seat 0, in Elo.
type SeatRow struct {
	Advantage float64
	Interval  *Interval // nil for seat 0 and for fewer than 8 deals
}

func (f *Fit) makeRows() {
	places := make([]place, len(f.sums.names))
	intervals, errors := make([]*Interval, len(places)), f.errors()
	provisionals := make([]bool, len(places))
	for bot, sums := range f.sums.bots {
		at := f.difference(bot, f.layout.anchor)
		intervals[bot] = at.Interval
		provisionals[bot] = provisional(sums.games(), sums.deals, sums.opponents, len(f.Islands[f.island[bot]])) || errors[bot] > enoughError
		places[bot] = place{bot: bot, name: f.sums.names[bot], value: at.Elo, unranked: provisionals[bot] || f.island[bot] > 0}
	}
	for _, at := range order(places) {
		sums, interval := f.sums.bots[at.bot], intervals[at.bot]
		if interval != nil {
			interval.Low += f.config.Initial
			interval.High += f.config.Initial
		}
		f.Rows = append(f.Rows, Row{
			Rank: at.rank, Bot: at.name, Rating: f.config.Initial + at.value, Interval: interval,
			Error: errors[at.bot], Provisional: provisionals[at.bot], Perfect: sums.perfect(),
			Deals: sums.deals, Games: sums.games(), Opponents: sums.opponents,
		})
		f.order = append(f.order, at.bot)
	}
}

// theta returns what a solution says of a bot: 0 for the anchor, and for the virtual bot, which is -1.
func (f *Fit) theta(bot int, solution []float64) float64 {
	if param := f.param(bot); param >= 0 {
		return solution[param]
	}
	return 0
}

func (f *Fit) param(bot int) int {
	if bot < 0 {
		return -1
	}
	return int(f.layout.bot(int32(bot)))
}

// covariance returns that of two parameters; one that is fixed has none.
func (f *Fit) covariance(i, j int) float64 {
	if i < 0 || j < 0 {
		return 0
	}
	return f.variance.At(i, j)
}

// Difference is how much stronger one bot is than another.
type Difference struct {
	Elo float64
	// Interval takes into account that the two ratings are correlated: it is not the sum of those of the rows. It is nil
	// for fewer than 8 deals of one of the two, where all deals came to the same, for a perfect bot, and for bots of
	// different groups.
	Interval *Interval
	// Superiority is the likelihood, from 0 to 1, that the first is stronger. It means something only with an interval.
	Superiority float64
}

// Difference compares two bots that have been rated. Other names are an error.
func (f *Fit) Difference(a, b string) (Difference, error) {
	i, okA := slices.BinarySearch(f.sums.names, a)
	j, okB := slices.BinarySearch(f.sums.names, b)
	if !okA || !okB {
		return Difference{}, fmt.Errorf("%q and %q: both must have been rated", a, b)
	}
	return f.difference(i, j), nil
}

// difference compares two bots by number; -1 is the virtual bot, whom the prior puts in the midst of the largest group.
func (f *Fit) difference(a, b int) Difference {
	d := Difference{Elo: eloScale * (f.theta(a, f.solution) - f.theta(b, f.solution)), Superiority: 0.5}
	group, deals := 0, f.deals(a)
	if b >= 0 {
		group, deals = f.group[b], min(deals, f.deals(b))
	}
	if a == b || f.group[a] != group || len(f.Groups[group]) == 1 {
		return d
	}
	i, j := f.param(a), f.param(b)
	variance := f.covariance(i, i) + f.covariance(j, j) - 2*f.covariance(i, j)
	standardError := eloScale * math.Sqrt(max(variance, 0))
	d.Interval = newInterval(d.Elo, standardError, deals, student(deals))
	if d.Interval != nil {
		d.Superiority = student(deals).CDF(d.Elo / standardError)
	}
	return d
}

// errors returns the standard error of each bot against the mean of the others of its group, of whom there is at least one.
func (f *Fit) errors() []float64 {
	out := make([]float64, len(f.sums.names))
	sums, totals := make([]float64, len(out)), make([]float64, len(f.Groups)) // of covariances within the group
	for a := range out {
		for b := range out {
			if f.group[a] == f.group[b] {
				sums[a] += f.covariance(f.param(a), f.param(b))
			}
		}
		totals[f.group[a]] += sums[a]
	}
	for bot, group := range f.group {
		others := float64(len(f.Groups[group]) - 1)
		if others == 0 || f.deals(bot) < tooFewDeals {
			continue
		}
		own := f.covariance(f.param(bot), f.param(bot))
		variance := own - float64(2*(sums[bot]-own)/others) + float64((totals[group]-2*sums[bot]+own)/(others*others))
		out[bot] = eloScale * math.Sqrt(max(variance, 0))
	}
	return out
}

// deals returns how many deals stand behind the rating of a bot.
func (f *Fit) deals(bot int) int {
	if f.config.Independent {
		return math.MaxInt
	}
	return f.sums.bots[bot].deals
}

func (f *Fit) makeSeats() {
	for seat := range f.layout.seats {
		row := SeatRow{}
		if param := int(f.layout.seat(uint8(seat))); param >= 0 {
			row.Advantage = eloScale * f.solution[param]
			deals := len(f.sums.deals)
			if f.config.Independent {
				deals = math.MaxInt
			}
			standardError := eloScale * math.Sqrt(max(f.variance.At(param, param), 0))
			row.Interval = newInterval(row.Advantage, standardError, deals, student(deals))
		}
		f.Seats = append(f.Seats, row)
	}
}
