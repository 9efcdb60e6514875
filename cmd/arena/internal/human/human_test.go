package human

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/bots"
	"github.com/fivethreefive/fivethreefive/bots/heuristic"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// opponents are built-in bots without processes.
type opponents struct{}

func (opponents) Open(_ context.Context, place arena.Place) (arena.Seat, error) {
	name, _, _ := strings.Cut(place.Bot, "@")
	player, _, err := bots.New(name)
	return &opponent{player}, err
}

type opponent struct{ player bot.Player }

func (o *opponent) Ask(_ context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	turn, ok := m.(protocol.Turn)
	if !ok {
		return answer(protocol.Ready{}, 0)
	}
	move := o.player.Act(turn)
	move.Turn = turn.Turn
	return answer(move, time.Millisecond)
}

func (o *opponent) Tell(_ context.Context, m protocol.Message) error {
	if start, ok := m.(protocol.Start); ok {
		if s, ok := o.player.(bot.Starter); ok {
			s.Start(start)
		}
	}
	return nil
}

func (*opponent) Close(context.Context) (string, error) { return "", nil }

type book struct{ bytes.Buffer }

func (*book) Abort()       {}
func (*book) Close() error { return nil }

// playGame plays one game with a person at seat 0, and gives its replay as steps.
func playGame(t *testing.T, players int, asker Asker) (*steps.Game, *Seat) {
	t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, players)
	require.NoError(t, err)
	everybody, order := []string{"human@1", "greedy@1", "random@1", "heuristic@1"}, []int{0, 1, 2, 3}
	m := arena.Match{
		Settings: arena.DefaultSettings(rules), ID: "m", Seed: engine.Seed{}.Child("human", uint64(players)),
		Bots: everybody[:players], Orders: [][]int{order[:players]},
	}
	m.Faults.StrikeLimit = 0
	written := &book{}
	seat := &Seat{Asker: asker}
	_, err = arena.Referee{
		Seats: Table{Opener: opponents{}, Seat: seat, Label: "human@1"}, Version: "test",
		Replays: func(protocol.Header) (arena.ReplayFile, error) { return written, nil },
	}.Play(t.Context(), m)
	require.NoError(t, err)
	game, err := steps.Read(written)
	require.NoError(t, err)
	return game, seat
}

func hint(turn protocol.Turn) engine.Action { return heuristic.New().Act(turn).Action.Action }

// pilot plays on the model of the screen by keys, and keeps what was shown.
type pilot struct {
	t      *testing.T
	model  model
	screen []string // at each choice
	ended  string
}

func (p *pilot) update(msg tea.Msg) {
	next, _ := p.model.Update(msg)
	p.model = next.(model)
	lines := p.model.lines()
	require.Len(p.t, lines, p.model.height)
	for _, line := range lines {
		require.LessOrEqual(p.t, ansi.StringWidth(line), p.model.width)
	}
}

func (p *pilot) text() string { return ansi.Strip(strings.Join(p.model.lines(), "\n")) }

func (p *pilot) Hear(m protocol.Message) {
	p.update(m)
	if _, ok := m.(protocol.End); ok {
		p.ended = p.text()
	}
}

func (p *pilot) Choose(_ context.Context, turn protocol.Turn) (engine.Action, error) {
	got := make(chan engine.Action, 1)
	p.update(turnMsg{turn, got})
	if p.model.phase == reading {
		require.Contains(p.t, p.text(), "the round is over")
		p.update(tea.KeyPressMsg{Code: tea.KeyEnter})
	}
	p.screen = append(p.screen, p.text())
	p.update(tea.KeyPressMsg{Code: 'h', Text: "h"})
	require.Contains(p.t, p.text(), "heuristic would: "+table.Short(hint(turn)))
	p.update(tea.KeyPressMsg{Code: tea.KeyEnter})
	action := <-got
	require.Equal(p.t, hint(turn), action, "the hint puts the cursor there")
	return action, nil
}

// TestWholeGames plays by the hints in windows of several sizes. At no choice is the hand of another seat on the screen.
func TestWholeGames(t *testing.T) {
	for players := 2; players <= 4; players++ {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 12}} {
			t.Run(fmt.Sprintf("%d players, %v", players, size), func(t *testing.T) {
				p := &pilot{t: t, model: newModel(table.Style{}, false, hint)}
				p.update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				game, seat := playGame(t, players, p)
				require.False(t, seat.Left)
				require.Empty(t, game.Result.Faults)
				n := 0
				for i, step := range game.Steps {
					if step.Kind != steps.Play || step.Seat != 0 || step.By != "" {
						continue
					}
					shown := p.screen[n]
					n++
					for other, hand := range game.Steps[i-1].Hands {
						text := ansi.Strip((table.Style{}).Hand(hand))
						if other != 0 && hand.Len() > 3 {
							require.NotContains(t, shown, text)
						}
					}
					require.Contains(t, shown, table.Short(step.Legal[0]))
				}
				require.Len(t, p.screen, n)
				require.Contains(t, p.ended, "the game is over")
			})
		}
	}
}

// TestLinesPlayAGame answers every question in words, after some that are no answer.
func TestLinesPlayAGame(t *testing.T) {
	in, typing := io.Pipe()
	defer in.Close()
	var out bytes.Buffer
	lines := NewLines(in, &out, hint, nil)
	typist := &typist{Lines: lines, typing: typing}
	game, seat := playGame(t, 3, typist)
	require.False(t, seat.Left)
	require.Empty(t, game.Result.Faults)
	require.NoError(t, typing.Close())
	for _, part := range []string{
		"You are seat 0 of 3.", "0 you lead", "heuristic would: ", `99 is not in the list; choose from 1 to`, `"xyz" is not in the list; write a number, or as in`,
		"write a number from 1 to", "goes out", "+", "round 1: ",
	} {
		require.Contains(t, out.String(), part)
	}
	for _, step := range game.Steps {
		if step.Kind == steps.Play && step.Seat == 0 && step.By == "" {
			require.Equal(t, typist.chosen[0], step.Action)
			typist.chosen = typist.chosen[1:]
		}
	}
	require.Empty(t, typist.chosen)
}

// TestLinesTooLong asks again, whatever is typed.
func TestLinesTooLong(t *testing.T) {
	var out bytes.Buffer
	long := strings.Repeat("9", 3<<20) + "\n"
	_, seat := playGame(t, 2, NewLines(strings.NewReader(long+"1\n"+long), &out, hint, nil))
	require.True(t, seat.Left, "at the end of the input")
	require.Equal(t, 2, strings.Count(out.String(), "the line is too long; write a number from 1 to "))
	require.NotContains(t, out.String(), "99999")
}

// typist types answers while it is asked.
type typist struct {
	*Lines
	typing *io.PipeWriter
	chosen []engine.Action
}

func (p *typist) Choose(ctx context.Context, turn protocol.Turn) (engine.Action, error) {
	action := turn.Legal[len(turn.Legal)/2]
	p.chosen = append(p.chosen, action)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, line := range []string{"h", "99", "xyz", "", "  " + strings.ToUpper(action.Kind().String()) + "   " + strings.Trim(table.Ranks(action.Cards()), "-")} {
			_, _ = io.WriteString(p.typing, line+"\n")
		}
	}()
	defer func() { <-done }()
	return p.Lines.Choose(ctx, turn)
}

// TestLeaving ends the input, quits, or is told to leave: the replay is whole all the same.
func TestLeaving(t *testing.T) {
	left := make(chan struct{})
	close(left)
	endless, typing := io.Pipe()
	defer typing.Close()
	for name, lines := range map[string]*Lines{
		"end of input": NewLines(strings.NewReader("1\n"), io.Discard, hint, nil),
		"q":            NewLines(strings.NewReader("1\nq\n1\n"), io.Discard, hint, nil),
		"interrupt":    NewLines(endless, io.Discard, hint, left),
	} {
		t.Run(name, func(t *testing.T) {
			game, seat := playGame(t, 2, lines)
			require.True(t, seat.Left)
			require.Equal(t, []protocol.SeatFault{{Seat: 0, Code: protocol.Disconnect, Count: 1, Forfeit: true}}, game.Result.Faults)
			require.Equal(t, []int{1}, game.Result.Winners)
		})
	}
}

// sleeper takes a minute for every choice.
type sleeper struct{}

func (sleeper) Hear(protocol.Message) {}

func (sleeper) Choose(ctx context.Context, turn protocol.Turn) (engine.Action, error) {
	select {
	case <-time.After(time.Minute):
		return turn.Legal[0], nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func TestTimeCountsOnlyWhereItIsLimited(t *testing.T) {
	turn := protocol.Turn{Turn: 4, Legal: []engine.Action{engine.NewAction(engine.Pass, 0)}}
	synctest.Test(t, func(t *testing.T) {
		free := &Seat{Asker: sleeper{}}
		reply, err := free.Ask(t.Context(), turn, time.Second)
		require.NoError(t, err)
		require.Empty(t, reply.Fault)
		require.Equal(t, time.Second, reply.Elapsed, "it looks as if it had been in time")
		move, fault := arena.Judge(reply, turn, time.Second)
		require.Nil(t, fault)
		require.Equal(t, turn.Legal[0], move.Action.Action)

		limited := &Seat{Asker: sleeper{}, Limited: true}
		reply, err = limited.Ask(t.Context(), turn, time.Second)
		require.NoError(t, err)
		require.Equal(t, protocol.Timeout, reply.Fault)
		require.False(t, limited.Left)
		reply, err = limited.Ask(t.Context(), turn, time.Hour)
		require.NoError(t, err)
		require.Empty(t, reply.Fault)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = limited.Ask(ctx, turn, time.Hour)
		require.ErrorIs(t, err, context.Canceled)
	})
}
