package engine

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Kind is what an action does with the central meld.
type Kind uint8

// The kinds of action, in the order in which a legal list names them.
const (
	Lead Kind = iota + 1
	Overwrite
	Add
	Pass
)

func (k Kind) String() string {
	switch k {
	case Lead:
		return "lead"
	case Overwrite:
		return "overwrite"
	case Add:
		return "add"
	case Pass:
		return "pass"
	default:
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
}

// MarshalText gives the word used on the wire: lead, overwrite, add or pass.
func (k Kind) MarshalText() ([]byte, error) {
	if k < Lead || k > Pass {
		return nil, fmt.Errorf("%v is not a kind of action", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads the word used on the wire.
func (k *Kind) UnmarshalText(text []byte) error {
	for kind := Lead; kind <= Pass; kind++ {
		if string(text) == kind.String() {
			*k = kind
			return nil
		}
	}
	return fmt.Errorf("%q is not a kind of action; use lead, overwrite, add or pass", text)
}

// Action is a kind with the cards played, comparable with ==. The zero value is no action. The same cards can be legal
// as an overwrite and as an add, so the kind is always part of it.
type Action uint64 // the cards, with the kind in the four bits of the missing rank 0

// NewAction makes an action without asking whether it is legal anywhere.
func NewAction(kind Kind, cards Cards) Action { return Action(cards) | Action(kind) }

// Kind is zero only for the zero Action.
func (a Action) Kind() Kind { return Kind(a & 0xf) }

// Cards are the cards that leave the hand; none for a pass.
func (a Action) Cards() Cards { return Cards(a &^ 0xf) }

func (a Action) String() string {
	if a.Kind() == Pass {
		return "pass"
	}
	return fmt.Sprintf("%v %v", a.Kind(), a.Cards())
}

// MarshalJSON writes {"type":"add","cards":[8]}.
func (a Action) MarshalJSON() ([]byte, error) {
	kind, err := a.Kind().MarshalText()
	if err != nil {
		return nil, err
	}
	cards, err := a.Cards().MarshalJSON()
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, 64)
	out = append(append(out, `{"type":"`...), kind...)
	out = append(append(out, `","cards":`...), cards...)
	return append(out, '}'), nil
}

// UnmarshalJSON reads the object written by MarshalJSON, its cards in any order; a pass may leave the cards out. Names
// are matched exactly, and unknown fields are ignored.
func (a *Action) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("an action is an object with type and cards: %w", err)
	}
	var kind Kind
	if err := json.Unmarshal(fields["type"], &kind); err != nil || kind == 0 {
		return errors.New("an action needs a type: lead, overwrite, add or pass")
	}
	var cards Cards
	if raw, ok := fields["cards"]; ok || kind != Pass {
		if err := cards.UnmarshalJSON(raw); err != nil {
			return err
		}
	}
	*a = NewAction(kind, cards)
	return nil
}
