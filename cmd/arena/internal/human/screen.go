package human

import (
	"context"
	"io"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/viewer"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Screen asks on a whole terminal. Its Run shows it; meanwhile the referee may ask from another goroutine.
type Screen struct {
	program *tea.Program
	gone    chan struct{} // closed when the person has left the screen
	once    sync.Once
}

// NewScreen makes a screen on a terminal.
func NewScreen(ctx context.Context, in io.Reader, out io.Writer, color string, style table.Style, limited bool, hint func(protocol.Turn) engine.Action) *Screen {
	options := append(viewer.Options(ctx, in, out, color), tea.WithoutSignalHandler())
	return &Screen{
		program: tea.NewProgram(newModel(style, limited, hint), options...),
		gone:    make(chan struct{}),
	}
}

// Run shows the screen until the person leaves it or Quit is called.
func (s *Screen) Run() error {
	defer s.once.Do(func() { close(s.gone) })
	return viewer.Finish(s.program.Run())
}

// Gone is closed when the person has left the screen.
func (s *Screen) Gone() <-chan struct{} { return s.gone }

// Quit takes the screen away.
func (s *Screen) Quit() { s.program.Quit() }

// turnMsg asks for a decision; the model answers once.
type turnMsg struct {
	turn   protocol.Turn
	answer chan<- engine.Action // with room for the answer
}

// lateMsg says that the time for a turn is over.
type lateMsg struct{ turn int64 }

// Choose implements [Asker].
func (s *Screen) Choose(ctx context.Context, turn protocol.Turn) (engine.Action, error) {
	answer := make(chan engine.Action, 1)
	s.program.Send(turnMsg{turn, answer})
	select {
	case action := <-answer:
		return action, nil
	case <-s.gone:
		return 0, ErrLeft
	case <-ctx.Done():
		s.program.Send(lateMsg{turn.Turn})
		return 0, ctx.Err()
	}
}

// Hear implements [Asker].
func (s *Screen) Hear(m protocol.Message) { s.program.Send(m) }
