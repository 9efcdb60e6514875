package human

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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
	left   bool
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
		if !l.left {
			fmt.Fprintf(l.out, "%s: %s\n", m.Code, m.Message)
		}
	case protocol.End:
		l.follow.fold(m.Events)
		if !l.left {
			l.news()
		}
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
			l.left = errors.Is(err, ErrLeft)
			fmt.Fprintln(l.out)
			return 0, err
		}
		switch text := strings.TrimSpace(line); text {
		case "q", "quit":
			l.left = true
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
