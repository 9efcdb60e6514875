// Command conform is the bot of the conformance tests in Go.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

type drawn struct{ random *bot.Random }

func (d *drawn) Start(start bot.Start) { d.random = bot.NewRandom(start.Seed) }

func (d *drawn) Act(turn bot.Turn) bot.Move {
	return bot.Play(turn.Legal[d.random.Below(len(turn.Legal))])
}

// seeing tells everything that it sees.
type seeing struct{ drawn }

func (s *seeing) Start(m bot.Start) {
	s.drawn.Start(m)
	r, c := m.Rules, m.Clock
	fmt.Println("start", m.Game, m.Seat, m.Players, strings.Join(m.Names, " "), r.Preset, r.Players, r.Copies, r.HandSize, r.Target,
		bit(r.PermanentPass), bit(r.GreaterOverwrite), c.MoveMS, c.BankMS, c.IncrementMS, m.Seed)
}

func (s *seeing) Act(t bot.Turn) bot.Move {
	last := -1.0
	if t.Clock.LastMS != nil {
		last = *t.Clock.LastMS * 1000
	}
	bot.Logf(t, "seat %d round %d half %d hand %v meld %v by %d counts %v scores %v passed %v undealt %d clock %d %d %.0f",
		t.Seat, t.Round, t.Half, t.Hand, t.Meld, t.MeldSeat, t.Counts, t.Scores, t.Passed, t.Undealt, t.Clock.MoveMS, t.Clock.BankMS, last)
	for _, event := range t.Events {
		bot.Logf(t, "%s", tell(event))
	}
	centre, _ := t.Meld.Meld()
	for _, action := range t.Legal {
		meld, ok := action.Cards().Meld()
		bot.Logf(t, "legal %v: %s beats %d", action, describe(action.Cards()), bit(ok && meld.Beats(centre)))
	}
	bot.Logf(t, "hand: %s", strings.Join(windows(t.Hand.Slice()), "; "))
	r := s.random
	bot.Logf(t, "random %d %d %d %d %d", r.Below(1), r.Below(6), r.Below(1000000), r.Below(2147483647), r.Next())
	left, limit := bot.TimeLeft(t).Milliseconds(), t.Clock.MoveMS+t.Clock.BankMS
	right := left >= max(0, limit-300_000) && left <= limit
	bot.Logf(t, "time %s", map[bool]string{true: "left", false: "wrong"}[right])
	move := bot.Play(t.Legal[len(t.Legal)-1])
	move.Note = "a \"b\" \\ \n\x01 😀"
	if t.Turn%2 == 1 {
		move.Note = strings.Repeat("é", 40_000)
	}
	return move
}

func (s *seeing) End(m bot.End) {
	fmt.Println("end", m.Game, m.Reason, m.Scores, m.Ranks, len(m.Events))
}

// windows are all stretches of one to six cards.
func windows(hand []int) (all []string) {
	for n := 1; n <= 6; n++ {
		for i := 0; i+n <= len(hand); i++ {
			cards, err := bot.NewCards(hand[i : i+n]...)
			if err != nil {
				panic(err)
			}
			all = append(all, describe(cards))
		}
	}
	return all
}

func describe(cards bot.Cards) string {
	meld, ok := cards.Meld()
	if !ok {
		return fmt.Sprintf("none strength 0 points %d", cards.Points())
	}
	kind := map[any]string{bot.SingleMeld: "single", bot.SetMeld: "set", bot.RunMeld: "run"}[meld.Kind]
	return fmt.Sprintf("%s %d %d strength %d points %d", kind, meld.Low, meld.Size, meld.Strength(), cards.Points())
}

func tell(event any) string {
	switch e := event.(type) {
	case bot.Dealt:
		return fmt.Sprintf("deal %d %d %d %v %v", e.Round, e.Half, e.Leader, e.Counts, e.Hand)
	case bot.Played:
		return fmt.Sprintf("play %d %v %v %s/%s", e.Seat, e.Action, e.Meld, e.By, e.Fault)
	case bot.Cleared:
		return fmt.Sprintf("clear %d %v", e.Seat, e.Reason)
	case bot.Scored:
		var hands strings.Builder
		for _, hand := range e.Hands {
			fmt.Fprintf(&hands, "%v ", hand)
		}
		return fmt.Sprintf("score %d %d %d %s%v %v", e.Round, e.Half, e.Out, &hands, e.Points, e.Scores)
	default:
		return "unknown"
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func main() {
	players := map[string]bot.Player{
		"first":  bot.Func(func(turn bot.Turn) bot.Move { return bot.Play(turn.Legal[0]) }),
		"random": &drawn{},
		"see":    &seeing{},
		"broken": bot.Func(func(bot.Turn) bot.Move { panic("broken on purpose") }),
	}
	if err := bot.Run(bot.Info{Name: "conform", Version: `1 "é"`}, players[os.Args[1]]); err != nil {
		log.Fatal(err)
	}
}
