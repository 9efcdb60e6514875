package human

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
)

// parseAction reads the number of a legal action, from 1, or its kind with its cards. A kind may be shortened.
func parseAction(text string, legal []engine.Action) (engine.Action, error) {
	if text == "" {
		return 0, fmt.Errorf("write a number from 1 to %d", len(legal))
	}
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > len(legal) {
			return 0, fmt.Errorf("%d is not in the list; choose from 1 to %d", n, len(legal))
		}
		return legal[n-1], nil
	}
	found := matching(text, legal)
	var whole []engine.Action
	for _, action := range found {
		if typed, ok := typedCards(text); ok && typed == action.Cards() {
			whole = append(whole, action)
		}
	}
	switch {
	case len(whole) == 1:
		return whole[0], nil
	case len(whole) > 1:
		return 0, fmt.Errorf("%q can be %s or %s; write which", text, table.Short(whole[0]), table.Short(whole[1]))
	default:
		return 0, fmt.Errorf("%q is not in the list; write a number, or as in %q", text, table.Short(legal[0]))
	}
}

// matching are the actions that pass.
func matching(text string, legal []engine.Action) (found []engine.Action) {
	for _, action := range legal {
		if passes(text, action) {
			found = append(found, action)
		}
	}
	return found
}

// passes reports whether an action has all cards of a text, and a kind that begins as its letters do.
func passes(text string, action engine.Action) bool {
	cards, ok := typedCards(text)
	if !ok || !action.Cards().Contains(cards) {
		return false
	}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if _, err := strconv.Atoi(word); err != nil && !strings.HasPrefix(action.Kind().String(), word) {
			return false
		}
	}
	return true
}

// begins is passes while the last word may still be typed on: 1 is the beginning of 12, too.
func begins(text string, action engine.Action) bool {
	last := text[strings.LastIndexByte(text, ' ')+1:]
	if _, err := strconv.Atoi(last); err != nil {
		return passes(text, action)
	}
	before := text[:len(text)-len(last)]
	cards, ok := typedCards(before)
	if !ok || !passes(before, action) {
		return false
	}
	for _, rank := range (action.Cards() - cards).Slice() {
		if strings.HasPrefix(strconv.Itoa(rank), last) {
			return true
		}
	}
	return false
}

// typedCards are the numbers in a text, and false if one of them is no rank.
func typedCards(text string) (engine.Cards, bool) {
	var ranks []int
	for word := range strings.FieldsSeq(text) {
		if rank, err := strconv.Atoi(word); err == nil {
			ranks = append(ranks, rank)
		}
	}
	cards, err := engine.NewCards(ranks...)
	return cards, err == nil
}
