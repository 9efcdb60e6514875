package league

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/schedule"
	"github.com/fivethreefive/fivethreefive/arena/standings"
)

// Standing is a line of the standings of one tournament or match.
type Standing struct {
	Rank      int         `json:"rank"`
	Withdrawn bool        `json:"withdrawn,omitempty"`
	By        string      `json:"by,omitempty"`      // name of the criterion that puts it behind the line before, if one of Order does
	Order     []Criterion `json:"order,omitempty"`   // what orders the lines besides the Tally, first things first
	Rating    *float64    `json:"rating,omitempty"`  // Elo in this tournament alone, where one is kept
	Reached   string      `json:"reached,omitempty"` // how far it came in a knockout, such as "winner", "final" or "stage 2"; see [State.reached]
	Tally
}

// Criterion is a value that orders standings: a tie-break, or one of the names below.
type Criterion struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"` // nil where it does not apply to the bot
}

// Criteria that are no tie-breaks.
const (
	// ByPlace is the place by how far a bot came in a knockout, 1 for the winner and for all who are still in; 0 is not drawn.
	ByPlace = "place"
	// ByPointsPerGame is [Tally].Points by games.
	ByPointsPerGame = "points-per-game"
)

// String has at most two decimals.
func (c Criterion) String() string {
	if c.Value == nil {
		return ""
	}
	text := strings.TrimRight(strconv.FormatFloat(*c.Value, 'f', 2, 64), "0")
	return strings.TrimSuffix(text, ".")
}

// StandingsOf counts results that are at hand, such as that of a single match.
func StandingsOf(labels []string, results ...arena.Result) []Standing {
	counts := map[string]*count{}
	for _, label := range labels {
		counts[label] = &count{}
	}
	for _, result := range results {
		played := PlayedOf(1, result)
		for i, bot := range result.Bots {
			counts[bot].add(played, i)
		}
	}
	rows := make([]Standing, len(labels))
	for i, label := range labels {
		rows[i].Tally = counts[label].tally(label)
	}
	return ranked(rows, pointsFirst)
}

// Standings are those of the matches played so far. What counts, and what counts next, is in [Tournament.order].
func (s *State) Standings() []Standing {
	rows := make([]Standing, len(s.Entrants))
	for i, entrant := range s.Entrants {
		rows[i] = Standing{Withdrawn: s.entrants[i].Absent, Tally: s.counts[i].tally(entrant.Label)}
	}
	if !s.Format.early() {
		for i, rating := range s.ratings() {
			rows[i].Rating = &rating.Rating
		}
	}
	order := s.order()
	switch {
	case order != nil:
		return s.rank(rows, order)
	case s.Format == Gauntlet:
		for i := range rows {
			rows[i].Order = []Criterion{{Name: ByPointsPerGame, Value: s.counts[i].perGame()}}
		}
		return ranked(rows, pointsPerGameFirst)
	default:
		return ranked(rows, pointsFirst)
	}
}

// order is what ranks the bots, and nil where the games themselves do:
//
//   - in a round robin by the points of all games, then by fewest penalty points a round;
//   - in a gauntlet, in which the heroes play more than others, by points a game, then as before.
//
// In a knockout, single or double, how far one came goes before the order, which is empty unless tie-breaks are chosen: whoever
// goes out in the same stage shares a rank. At larger tables the place at the last table counts as well. A swiss has
// [standings.SwissOrder]. A ladder goes by rating, then points, since bots meet opponents of unequal strength.
//
// Tie-breaks that are chosen follow the points of the tables, or in a ladder the rating, unless these are among them. Scoring
// that is chosen without tie-breaks in a round robin or a gauntlet brings [standings.RoundRobinOrder].
func (t Tournament) order() []standings.TieBreak {
	first := []standings.TieBreak{standings.Points}
	if t.Format == Ladder {
		first[0] = standings.Rating
	}
	switch {
	case t.Format == Knockout, t.Format == DoubleElimination:
		return append([]standings.TieBreak{}, t.TieBreaks...) // not nil
	case slices.Contains(t.TieBreaks, first[0]):
		return t.TieBreaks
	case t.TieBreaks != nil:
		return append(first, t.TieBreaks...)
	case t.Format == Swiss:
		return standings.SwissOrder()
	case t.Format == Ladder:
		return append(first, standings.Points)
	case t.Scoring != "":
		return slices.DeleteFunc(standings.RoundRobinOrder(), func(by standings.TieBreak) bool { return by == standings.Rating })
	default:
		return nil
	}
}

// rank orders the rows, which are by entrant.
func (s *State) rank(rows []Standing, order []standings.TieBreak) []Standing {
	record := s.record()
	rules := standings.Rules{Order: order, Unplayed: standings.PlayedOnly}
	if s.Format == Swiss {
		rules.Unplayed = standings.FIDE2026
	}
	lines, err := standings.Rank(record, rules)
	if err != nil {
		panic(fmt.Sprintf("league: what Apply has let through cannot be ranked: %v", err))
	}
	reached := s.reached(record.Places)
	out := make([]Standing, len(lines))
	for i, line := range lines {
		row := rows[line.Entrant]
		row.Rank = line.Rank
		if record.Places != nil {
			place := float64(record.Places[line.Entrant])
			row.Order = append(row.Order, Criterion{Name: ByPlace, Value: &place})
			row.Reached = reached[line.Entrant]
		}
		for j, value := range line.Values {
			row.Order = append(row.Order, Criterion{Name: order[j].String(), Value: number(value)})
		}
		switch {
		case line.By != 0:
			row.By = line.By.String()
		case i > 0 && line.Rank != lines[i-1].Rank:
			row.By = ByPlace
		}
		out[i] = row
	}
	return out
}

func number(value *big.Rat) *float64 {
	if value == nil {
		return nil
	}
	float, _ := value.Float64()
	return &float
}

// record is what the standings depend on. A table that is still to be played gives nothing, and is no stage missed either.
func (s *State) record() standings.Record {
	r := standings.Record{Seats: s.Settings.Rules.Players, Entrants: len(s.Entrants)}
	if !s.Format.early() {
		for _, rating := range s.ratings() {
			r.Ratings = append(r.Ratings, rating.Rating)
		}
	}
	if format, ok := s.format.(bracket); ok {
		h := s.history()
		if s.played < s.matches {
			h.Stages = h.Stages[:len(h.Stages)-1]
		}
		r.Places, _ = format.Places(h) // pair has seen to it that there is no error
	}
	number := 1
	for _, played := range s.stages {
		r.Stages = append(r.Stages, s.stageRecord(played, number))
		number += len(played.Tables)
	}
	return r
}

// stageRecord is that of the stage that begins with a match.
func (s *State) stageRecord(played schedule.Played, first int) (stage standings.Stage) {
	seated := map[int]bool{}
	var waiting []int
	for i, table := range played.Tables {
		if !s.isDone(first + i) {
			waiting = append(waiting, table.Entrants...)
			continue
		}
		stage.Tables = append(stage.Tables, standings.Table{Entrants: table.Entrants, Points: table.Points})
		for _, e := range table.Entrants {
			seated[e] = true
		}
	}
	for _, e := range played.Byes {
		stage.Unplayed = append(stage.Unplayed, standings.Unplayed{Entrant: e, Points: s.bye()})
	}
	for _, e := range waiting {
		if !seated[e] {
			stage.Unplayed = append(stage.Unplayed, standings.Unplayed{Entrant: e})
			seated[e] = true
		}
	}
	return stage
}

// bye is what a stage without a table is worth: as much as a win where it stands for one, and nothing where it only means
// that others play.
func (t Tournament) bye() int {
	if t.Format == Swiss || t.Format == Knockout {
		return schedule.Unit
	}
	return 0
}

// pointsFirst orders by points, then by fewest penalty points a round.
func pointsFirst(a, b Standing) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Penalty, b.Penalty))
}

// pointsPerGameFirst has those last who have not played.
func pointsPerGameFirst(a, b Standing) int {
	perGame := func(row Standing) float64 {
		if value := row.Order[0].Value; value != nil {
			return *value
		}
		return -1
	}
	return cmp.Or(cmp.Compare(perGame(b), perGame(a)), cmp.Compare(a.Penalty, b.Penalty))
}

// ranked gives ranks by an order. Equal bots share one and stand in the order of their names.
func ranked(rows []Standing, order func(a, b Standing) int) []Standing {
	slices.SortFunc(rows, func(a, b Standing) int { return cmp.Or(order(a, b), cmp.Compare(a.Bot, b.Bot)) })
	for i := range rows {
		rows[i].Rank = i + 1
		if i > 0 && order(rows[i-1], rows[i]) == 0 {
			rows[i].Rank = rows[i-1].Rank
		}
	}
	return rows
}
