package arena_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

var errOurs = errors.New("the cable is out")

// breaks fails with an error, not a fault, at the messages for which it says so.
func breaks(at func(m protocol.Message) bool) maker {
	return func(place arena.Place) mind {
		think := builtin("greedy")(place)
		return func(m protocol.Message) (arena.Reply, error) {
			if at(m) {
				return arena.Reply{}, errOurs
			}
			return think(m)
		}
	}
}

// TestOurErrors: an error of a seat is never a result. All seats are closed, and the replay is given up.
func TestOurErrors(t *testing.T) {
	for name, test := range map[string]struct {
		at   func(m protocol.Message) bool
		want string
	}{
		"hello": {func(m protocol.Message) bool { _, ok := m.(protocol.Hello); return ok }, "game m-1-1: the cable is out"},
		"start": {func(m protocol.Message) bool { _, ok := m.(protocol.Start); return ok }, "game m-1-1: the cable is out"},
		"turn": {func(m protocol.Message) bool {
			turn, ok := m.(protocol.Turn)
			return ok && turn.Turn == 3
		}, "game m-1-1: ask seat 2 (c@1): the cable is out"},
		"end": {func(m protocol.Message) bool { _, ok := m.(protocol.End); return ok }, "game m-1-1: the cable is out"},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := &desk{bots: map[string]maker{"c@1": breaks(test.at)}}, &shelf{}
			played := 0
			referee := arena.Referee{Seats: d, Replays: s.Create, Played: func(arena.Game) { played++ }}
			result, err := referee.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 4), 2))
			require.ErrorIs(t, err, errOurs)
			require.EqualError(t, err, test.want)
			require.Zero(t, result)
			require.Zero(t, played)
			require.Len(t, d.talks, 4)
			for place, talk := range d.talks {
				require.Equal(t, 1, talk.closed, "%v", place)
			}
			require.Equal(t, 1, s.books["m-1-1"].aborted)
			require.Equal(t, 1, s.books["m-1-1"].closed)
		})
	}
}

// unopened fails to open one bot.
type unopened struct{ desk }

func (u *unopened) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	if place.Bot == "c@1" {
		return nil, errOurs
	}
	return u.desk.Open(ctx, place)
}

func TestOpenFails(t *testing.T) {
	u := &unopened{}
	_, err := arena.Referee{Seats: u}.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 4), 2))
	require.EqualError(t, err, "game m-1-1: open seat 2 (c@1): the cable is out")
	require.Len(t, u.talks, 2)
	for _, talk := range u.talks {
		require.Equal(t, 1, talk.closed, "what was opened is closed")
	}
}

// unclosed fails to close.
type unclosed struct{ desk }

func (u *unclosed) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	opened, err := u.desk.Open(ctx, place)
	return stuck{opened}, err
}

type stuck struct{ arena.Seat }

func (s stuck) Close(ctx context.Context) (string, error) {
	_, err := s.Seat.Close(ctx)
	return "", errors.Join(errOurs, err)
}

// TestCloseFails: what may be left of a bot could disturb the next game, so it is no result either.
func TestCloseFails(t *testing.T) {
	s := &shelf{}
	_, err := arena.Referee{Seats: &unclosed{}, Replays: s.Create}.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 2), 2))
	require.ErrorIs(t, err, errOurs)
	require.Equal(t, 1, s.books["m-1-1"].aborted)
}

// full is a replay file that takes so many lines only.
type full struct {
	book

	lines int
}

func (f *full) Write(p []byte) (int, error) {
	if f.lines--; f.lines < 0 {
		return 0, errOurs
	}
	return f.book.Write(p)
}

func TestReplayFails(t *testing.T) {
	for _, lines := range []int{0, 1, 2, 30} {
		file, d := &full{lines: lines}, &desk{}
		referee := arena.Referee{Seats: d, Replays: func(protocol.Header) (arena.ReplayFile, error) { return file, nil }}
		_, err := referee.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 2), 2))
		require.EqualError(t, err, "game m-1-1: replay: the cable is out")
		require.Equal(t, 1, file.aborted, "after %d lines", lines)
		require.Equal(t, 1, file.closed)
		for _, talk := range d.talks {
			require.Equal(t, 1, talk.closed)
		}
	}
	none := arena.Referee{Seats: &desk{}, Replays: func(protocol.Header) (arena.ReplayFile, error) { return nil, errOurs }}
	_, err := none.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 2), 2))
	require.EqualError(t, err, "game m-1-1: replay: the cable is out")
}

// TestNoFaultOfATurn: what a seat reports must be a fault that a bot can commit there.
func TestNoFaultOfATurn(t *testing.T) {
	for _, code := range []protocol.Code{protocol.StartFault, protocol.Stale, "bored"} {
		d := &desk{bots: map[string]maker{"a@1": failing(builtin("greedy"), now(1, arena.Reply{Fault: code}))}}
		_, err := arena.Referee{Seats: d}.Play(t.Context(), matchOf(rulesOf(t, engine.Rulebook, 2), 2))
		require.ErrorContains(t, err, "is no fault of a turn")
	}
}

func TestCancel(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	m := matchOf(rulesOf(t, engine.Rulebook, 4), 2)
	m.DealSets = 20
	d := &desk{bots: map[string]maker{"b@1": failing(builtin("greedy"), func(place arena.Place, turn protocol.Turn) *arena.Reply {
		if place.Game == "m-3-1" && turn.Turn == 4 {
			cancel()
		}
		return nil
	})}}
	result, err := arena.Referee{Seats: d, Parallel: 3}.Play(ctx, m)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, result)
	for _, talk := range d.talks {
		require.Equal(t, 1, talk.closed)
	}

	d = &desk{}
	_, err = arena.Referee{Seats: d}.Play(ctx, m)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, d.talks, "nothing is begun")
}
