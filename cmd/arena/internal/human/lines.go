package human

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Lines asks in lines of text, for terminals that can do no more and for programs.
type Lines struct {
	out    io.Writer
	hint   func(protocol.Turn) engine.Action
	leave  <-chan struct{} // closed to leave
	input  <-chan string   // closed at its end
	follow *follower
}

// NewLines reads from in until it ends, which is how the person leaves; a goroutine that waits for a line may outlive it.
func NewLines(in io.Reader, out io.Writer, hint func(protocol.Turn) engine.Action, leave <-chan struct{}) *Lines {
	input := make(chan string)
	go func() {
		defer close(input)
		for lines := bufio.NewScanner(in); lines.Scan(); {
			input <- lines.Text()
		}
	}()
	return &Lines{out: out, hint: hint, leave: leave, input: input}
}

// Hear implements [Asker].
func (l *Lines) Hear(m protocol.Message) {
	switch m := m.(type) {
	case protocol.Start:
		l.follow = newFollower(m)
		fmt.Fprintf(l.out, "You are seat %d of %d.\n", m.Seat, m.Players)
	case protocol.Error:
		fmt.Fprintf(l.out, "%s: %s\n", m.Code, m.Message)
	case protocol.End:
		l.follow.fold(m.Events)
		l.news()
		fmt.Fprintf(l.out, "\n%s\n", l.follow.ending(m))
	}
}

func (l *Lines) news() {
	for _, line := range l.follow.log[l.follow.news:] {
		fmt.Fprintln(l.out, line)
	}
}

// Choose implements [Asker].
func (l *Lines) Choose(ctx context.Context, turn protocol.Turn) (engine.Action, error) {
	l.follow.turn(turn)
	l.news()
	fmt.Fprintln(l.out)
	for _, line := range l.follow.table().Lines(table.Style{ASCII: true}, 80, 100) {
		fmt.Fprintln(l.out, strings.TrimRight(ansi.Strip(line), " "))
	}
	for i, action := range turn.Legal {
		fmt.Fprintf(l.out, "  %2d  %s\n", i+1, table.Short(action))
	}
	for {
		fmt.Fprint(l.out, "your move (number, or as in \"add 5\"; h hint, q leave): ")
		line, err := l.read(ctx)
		if err != nil {
			fmt.Fprintln(l.out)
			return 0, err
		}
		switch text := strings.TrimSpace(line); text {
		case "q", "quit":
			return 0, ErrLeft
		case "h", "hint":
			fmt.Fprintf(l.out, "heuristic would: %s\n", table.Short(l.hint(turn)))
		default:
			action, err := parseAction(text, turn.Legal)
			if err == nil {
				return action, nil
			}
			fmt.Fprintf(l.out, "%v\n", err)
		}
	}
}

func (l *Lines) read(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-l.leave:
		return "", ErrLeft
	case line, ok := <-l.input:
		if !ok {
			return "", ErrLeft
		}
		return line, nil
	}
}

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

// matching are the actions whose kind begins as the text does, and that have all cards of the text.
func matching(text string, legal []engine.Action) (found []engine.Action) {
	cards, ok := typedCards(text)
	if !ok {
		return nil
	}
	for _, action := range legal {
		kind, _, _ := strings.Cut(table.Short(action), " ")
		fits := true
		for _, word := range strings.Fields(text) {
			if _, err := strconv.Atoi(word); err != nil && !strings.HasPrefix(kind, strings.ToLower(word)) && !strings.HasPrefix(action.Kind().String(), strings.ToLower(word)) {
				fits = false
			}
		}
		if fits && action.Cards().Contains(cards) {
			found = append(found, action)
		}
	}
	return found
}

// typedCards are the numbers in a text, and false if one of them is no rank.
func typedCards(text string) (engine.Cards, bool) {
	var ranks []int
	for _, word := range strings.Fields(text) {
		if rank, err := strconv.Atoi(word); err == nil {
			ranks = append(ranks, rank)
		}
	}
	cards, err := engine.NewCards(ranks...)
	return cards, err == nil
}
