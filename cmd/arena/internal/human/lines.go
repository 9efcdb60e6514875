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
	input  <-chan written  // closed at its end
	follow *follower
	left   bool
}

// written is a line that was read, or that there was one too long to be an answer.
type written struct {
	text string
	long bool
}

// longest is the most bytes of a line.
const longest = 4 << 10

// NewLines reads from in until it ends, which is how the person leaves; a goroutine that waits for a line may outlive it.
func NewLines(in io.Reader, out io.Writer, hint func(protocol.Turn) engine.Action, leave <-chan struct{}) *Lines {
	input := make(chan written)
	go func() {
		defer close(input)
		lines := bufio.NewReaderSize(in, longest)
		for {
			line, long, err := lines.ReadLine()
			if err != nil {
				return
			}
			text := string(line)
			for more := long; more && err == nil; {
				_, more, err = lines.ReadLine()
			}
			input <- written{text, long}
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
		switch text := strings.TrimSpace(line.text); {
		case line.long:
			fmt.Fprintf(l.out, "the line is too long; write a number from 1 to %d\n", len(turn.Legal))
		case text == "q", text == "quit":
			l.left = true
			return 0, ErrLeft
		case text == "h", text == "hint":
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

func (l *Lines) read(ctx context.Context) (written, error) {
	select {
	case <-ctx.Done():
		return written{}, ctx.Err()
	case <-l.leave:
		return written{}, ErrLeft
	case line, ok := <-l.input:
		if !ok {
			return written{}, ErrLeft
		}
		return line, nil
	}
}
