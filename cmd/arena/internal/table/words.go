package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/engine"
)

// Ranks are the cards, separated by blanks, or a dash for none.
func Ranks(cards engine.Cards) string {
	if cards == 0 {
		return "-"
	}
	words := make([]string, 0, cards.Len())
	for _, rank := range cards.Slice() {
		words = append(words, strconv.Itoa(rank))
	}
	return strings.Join(words, " ")
}

// Meld names the kind of a meld, as in "run of 3".
func Meld(cards engine.Cards) string {
	meld, ok := cards.Meld()
	switch {
	case !ok:
		return "no meld"
	case meld.Kind == engine.Single:
		return "single"
	case meld.Kind == engine.Set:
		return fmt.Sprintf("set of %d", meld.Size)
	default:
		return fmt.Sprintf("run of %d", meld.Size)
	}
}

// Action says what an action does, as in "adds [5]".
func Action(a engine.Action) string {
	switch a.Kind() {
	case engine.Lead:
		return fmt.Sprintf("leads %v", a.Cards())
	case engine.Overwrite:
		return fmt.Sprintf("overwrites by %v", a.Cards())
	case engine.Add:
		return fmt.Sprintf("adds %v", a.Cards())
	default:
		return "passes"
	}
}

// Clear says why a trick ended.
func Clear(reason string) string {
	switch reason {
	case "passes":
		return "all others passed"
	case "set":
		return "the set is complete"
	case "run":
		return "a run of five"
	case "eight":
		return "an 8 was played"
	default:
		return reason
	}
}
