package human

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// follower keeps what a seat has been told of the game.
type follower struct {
	start   protocol.Start
	names   []string // by seat, with the number
	seen    engine.Observation
	last    []string // of each seat in the trick
	acted   int      // who acted last, -1 for nobody
	how     string
	meld    engine.Cards
	covered []engine.Cards
	log     []string
	news    int // entries of the log before the last message
	scored  *engine.Scored
}

func newFollower(start protocol.Start) *follower {
	f := &follower{start: start, last: make([]string, start.Players), acted: -1}
	for seat, name := range start.Names {
		text := fmt.Sprintf("%d %s", seat, show.Printable(name))
		if seat == start.Seat {
			text = fmt.Sprintf("%d you", seat)
		}
		f.names = append(f.names, text)
	}
	return f
}

func (f *follower) turn(turn protocol.Turn) {
	f.seen = turn.Observation
	f.fold(turn.Events)
}

// fold takes in what happened since the last message.
func (f *follower) fold(events protocol.Events) {
	f.news = len(f.log)
	f.scored = nil
	for _, event := range events {
		switch e := event.(type) {
		case engine.Dealt:
			f.trick()
			f.say("%s: %s", roundWords(e.Round, e.Half), f.leads(e.Leader))
		case protocol.Play:
			f.play(e)
		case engine.Cleared:
			f.trick()
			f.say("  %s", table.Clear(e.Reason))
		case engine.Scored:
			f.score(e)
		}
	}
}

func (f *follower) say(format string, args ...any) {
	f.log = append(f.log, fmt.Sprintf(format, args...))
}

func roundWords(round, half int) string {
	if half > 0 {
		return fmt.Sprintf("round %d, half %d", round, half)
	}
	return fmt.Sprintf("round %d", round)
}

// you puts a verb into the form for its subject.
func (f *follower) you(seat int, verb string) string {
	if seat == f.start.Seat {
		return strings.TrimSuffix(strings.Replace(verb, "goes", "go", 1), "s")
	}
	return verb
}

func (f *follower) leads(seat int) string { return f.names[seat] + " " + f.you(seat, "leads") }

// trick begins a new one.
func (f *follower) trick() {
	f.last, f.covered, f.meld, f.how, f.acted = make([]string, f.start.Players), nil, 0, "", -1
}

func (f *follower) play(p protocol.Play) {
	f.acted = p.Seat
	f.last[p.Seat] = table.Short(p.Action)
	text := fmt.Sprintf("  %s %s", f.names[p.Seat], table.Short(p.Action))
	if p.Fault != "" {
		text += fmt.Sprintf(" (%s, the arena played)", p.Fault)
	}
	f.say("%s", text)
	if p.Action.Kind() == engine.Pass {
		return
	}
	if p.Action.Kind() == engine.Overwrite {
		f.covered = append(f.covered, f.meld)
	}
	f.meld = p.Meld
	f.how = map[engine.Kind]string{engine.Lead: "led by ", engine.Overwrite: "overwritten by ", engine.Add: "added to by "}[p.Action.Kind()] + f.names[p.Seat]
}

func (f *follower) score(e engine.Scored) {
	f.scored = &e
	f.say("  %s %s out", f.names[e.Out], f.you(e.Out, "goes"))
	for seat, hand := range e.Hands {
		if seat != e.Out {
			f.say("  %s +%d, left %s", f.names[seat], e.Points[seat], table.Ranks(hand))
		}
	}
}

// table is the position as the seat sees it.
func (f *follower) table(story ...table.Note) table.Table {
	t := table.Table{
		Target: f.start.Rules.Target, Undealt: table.Pile{Count: f.seen.Undealt}, Story: story,
		Centre: table.Centre{Meld: f.seen.Meld, How: f.how, Covered: f.covered, Leads: f.leads(f.start.Seat)},
	}
	for seat, name := range f.names {
		place := table.Seat{
			Name: name, Cards: f.seen.Counts[seat], Points: f.seen.Scores[seat], Passed: slices.Contains(f.seen.Passed, seat),
			Last: f.last[seat], Acted: seat == f.acted,
		}
		if seat == f.seen.Seat {
			place.Hand = &f.seen.Hand
		}
		t.Seats = append(t.Seats, place)
	}
	return t
}

// scoreTable is the end of the round that has just been scored, with all hands as everybody may now see them.
func (f *follower) scoreTable(story ...table.Note) table.Table {
	e := f.scored
	t := table.Table{Target: f.start.Rules.Target, Undealt: table.Pile{Count: f.seen.Undealt}, Story: story}
	t.Centre.Leads = fmt.Sprintf("%s %s out", f.names[e.Out], f.you(e.Out, "goes"))
	for seat, name := range f.names {
		t.Seats = append(t.Seats, table.Seat{
			Name: name, Cards: e.Hands[seat].Len(), Hand: &e.Hands[seat], Points: e.Scores[seat], Gained: e.Points[seat], Acted: seat == e.Out,
		})
	}
	return t
}

// ending says who came where.
func (f *follower) ending(end protocol.End) string {
	seats := make([]int, len(end.Ranks))
	for seat := range seats {
		seats[seat] = seat
	}
	slices.SortStableFunc(seats, func(a, b int) int { return end.Ranks[a] - end.Ranks[b] })
	var places []string
	for _, seat := range seats {
		places = append(places, fmt.Sprintf("%d. %s (%s)", end.Ranks[seat], f.names[seat], show.Count(end.Scores[seat], "point", "points")))
	}
	return strings.Join(places, ", ")
}
