package league

import (
	"context"
	"slices"

	"github.com/fivethreefive/fivethreefive/ratings"
)

// HeadToHead is what two bots did against each other at one number of players.
type HeadToHead struct {
	Players int     `json:"players"`
	Games   int     `json:"games"` // in which both sat at the table
	Deals   int     `json:"deals"` // different ones
	Ahead   int     `json:"ahead"` // games in which the first finished before the second
	Level   int     `json:"level"`
	Behind  int     `json:"behind"`
	First   Against `json:"first"`
	Second  Against `json:"second"`
	// Score of the first against the second, from 0 to 1: the mean over the deals, a shared place counting half. Nil where
	// they have not met, as are the next two.
	Score *Number `json:"score"`
	Elo   *Number `json:"elo"` // at which that score is expected; nil also where one was always ahead
	// Official is how much stronger the first is in the official ratings, which know of all results, also with others. Nil
	// where nothing connects the two.
	Official *Number `json:"official"`
	// Superiority is the likelihood, from 0 to 1, that the first is stronger, by the official ratings; nil without an
	// interval of Official.
	Superiority *float64 `json:"superiority"`
}

// Against is what a bot did in the games with the other.
type Against struct {
	Bot     string  `json:"bot"`
	Penalty float64 `json:"penalty"` // penalty points a round
	Firsts  int     `json:"firsts"`  // games in which nobody was before it
}

// Number is a value with what is known of it.
type Number struct {
	Value    float64   `json:"value"`
	Interval *Interval `json:"interval"` // nil where too little is known
}

// HeadToHeads compares two bots at each number of players at which both have played, fewest first. It also gives the
// labels of all bots that have played: one of the two may not be among them. The official ratings are those of the
// leaderboards of the same filter and anchor.
func (s *Store) HeadToHeads(ctx context.Context, f Filter, anchor, first, second string) (all []HeadToHead, known []string, err error) {
	var seen *encounters
	err = s.count(ctx, f, func() collector {
		seen = &encounters{first: first, second: second, known: map[string]bool{}, at: map[int]*encounter{}}
		return seen
	})
	if err != nil {
		return nil, nil, err
	}
	for players := 2; players <= 6; players++ {
		at := seen.at[players]
		if at == nil {
			continue
		}
		h, both, err := at.headToHead(players, anchor, first, second)
		if err != nil {
			return nil, nil, err
		}
		if both {
			all = append(all, h)
		}
	}
	for label := range seen.known {
		known = append(known, label)
	}
	slices.Sort(known)
	return all, known, nil
}

// encounters are by number of players.
type encounters struct {
	first, second string
	known         map[string]bool
	at            map[int]*encounter
}

type encounter struct {
	pairs  ratings.Pairs // of everybody
	deals  map[string]*ratings.DealSet
	counts [2]duel
	rounds int
	ahead  int
	level  int
	behind int
}

// duel is what one of the two did in the games with the other.
type duel struct{ penalty, firsts int }

func (e *encounters) add(c counted) error {
	at := e.at[len(c.bots)]
	if at == nil {
		at = &encounter{deals: map[string]*ratings.DealSet{}}
		e.at[len(c.bots)] = at
	}
	places := [2]int{-1, -1}
	for i, bot := range c.bots {
		e.known[bot.Label] = true
		switch bot.Label {
		case e.first:
			places[0] = i
		case e.second:
			places[1] = i
		}
	}
	for _, set := range c.dealSets() {
		if err := at.pairs.Add(set); err != nil {
			return err
		}
		if places[0] >= 0 && places[1] >= 0 {
			at.meet(set, places)
		}
	}
	return nil
}

// meet takes a deal set of both, who are at those places of the table.
func (e *encounter) meet(set ratings.DealSet, places [2]int) {
	deal := e.deals[set.Deal]
	if deal == nil {
		deal = &ratings.DealSet{Deal: set.Deal, Bots: []string{set.Bots[places[0]], set.Bots[places[1]]}}
		e.deals[set.Deal] = deal
	}
	for game, ranks := range set.Ranks {
		first, second := ranks[places[0]], ranks[places[1]]
		switch {
		case first < second:
			e.ahead++
		case first == second:
			e.level++
		default:
			e.behind++
		}
		deal.Ranks = append(deal.Ranks, []int{first, second})
		e.rounds += set.Rounds[game]
		for i, place := range places {
			e.counts[i].penalty += set.Penalties[game][place]
			if ranks[place] == slices.Min(ranks) {
				e.counts[i].firsts++
			}
		}
	}
}

// headToHead reports also whether both have played at that number of players.
func (e *encounter) headToHead(players int, anchor, first, second string) (h HeadToHead, both bool, err error) {
	h = HeadToHead{
		Players: players, Games: e.ahead + e.level + e.behind, Deals: len(e.deals), Ahead: e.ahead, Level: e.level, Behind: e.behind,
	}
	for i, against := range []*Against{&h.First, &h.Second} {
		*against = Against{Bot: []string{first, second}[i], Firsts: e.counts[i].firsts}
		if e.rounds > 0 {
			against.Penalty = rounded(float64(e.counts[i].penalty) / float64(e.rounds))
		}
	}
	if err = e.direct(&h); err != nil {
		return h, false, err
	}
	fit, err := e.pairs.Fit(ratings.FitConfig{Anchor: anchor, Initial: AnchorRating})
	if err != nil {
		return h, false, err
	}
	apart, err := fit.Difference(first, second)
	if err != nil {
		return h, false, nil //nolint:nilerr // one of them has not played at such tables
	}
	if sameIsland(fit, first, second) {
		h.Official = &Number{Value: rounded(apart.Elo), Interval: interval(apart.Interval)}
	}
	if apart.Interval != nil {
		h.Superiority = new(rounded(apart.Superiority))
	}
	return h, true, nil
}

// direct sets what the games of both say alone. Each deal is one observation.
func (e *encounter) direct(h *HeadToHead) error {
	if len(e.deals) == 0 {
		return nil
	}
	scores, err := ratings.NewScores(h.Games / h.Deals)
	if err != nil {
		return err
	}
	for _, deal := range e.deals { // in any order: they are counted
		var score float64
		if score, err = deal.Score(h.First.Bot); err == nil {
			err = scores.Add(score, 1)
		}
		if err != nil {
			return err
		}
	}
	strength, err := scores.Strength()
	if err != nil {
		return err
	}
	h.Score = &Number{Value: rounded(strength.Score.Value), Interval: interval(strength.Score.Interval)}
	if strength.Elo != nil {
		h.Elo = &Number{Value: rounded(strength.Elo.Value), Interval: interval(strength.Elo.Interval)}
	}
	return nil
}

func sameIsland(fit *ratings.Fit, first, second string) bool {
	for _, island := range fit.Islands {
		if slices.Contains(island, first) {
			return slices.Contains(island, second)
		}
	}
	return false
}
