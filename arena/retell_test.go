package arena_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// retelling repeats a game from its replay, and holds what each seat was told against what the engine lets it know.
type retelling struct {
	match  arena.Match
	result arena.Game
	game   *engine.Game
	public protocol.Events // without hands
	hear   [][]protocol.Message
	seen   []int
}

// retell requires that every turn and end is, byte for byte, what can be made of the engine's own views: so nothing
// hidden is in them, and the events of all messages together are the whole public record.
func retell(t *testing.T, m arena.Match, result arena.Game, text []byte, d *desk) {
	t.Helper()
	r := &retelling{match: m, result: result, seen: make([]int, len(result.Order))}
	for seat := range result.Order {
		talk := d.at(t, m, result, seat)
		require.Equal(t, 1, talk.closed)
		r.hear = append(r.hear, talk.messages(t))
		require.IsType(t, protocol.Hello{}, r.hear[seat][0])
		r.hear[seat] = r.hear[seat][1:]
	}
	reader, err := protocol.NewReplayReader(bytes.NewReader(text))
	require.NoError(t, err)
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		r.line(t, line)
	}
	require.Equal(t, engine.Ended, r.game.Phase())
	for seat, rest := range r.hear {
		require.Empty(t, rest, "seat %d", seat)
		require.Equal(t, len(r.game.Record(0)), r.seen[seat])
	}
}

func (r *retelling) line(t *testing.T, line protocol.Line) {
	t.Helper()
	switch line := line.(type) {
	case protocol.Header:
		r.begin(t, line)
	case protocol.ReplayDeal:
		if line.Half < 2 {
			deal := engine.Deal{Undealt: line.Undealt}
			copy(deal.Hands[:], line.Hands)
			copy(deal.Hands2[:], line.Hands2)
			require.NoError(t, r.game.Deal(deal))
		}
	case protocol.ReplayPlay:
		require.Equal(t, r.game.Turn(), line.Seat)
		if line.By == "" || line.Fault != "" {
			r.turn(t, line.Seat, line.Fault)
		}
		_, err := r.game.Apply(line.Action)
		require.NoError(t, err)
	case protocol.GameResult:
		for seat := range r.hear {
			want := protocol.End{Game: r.result.ID, Reason: protocol.Finished, Scores: line.Scores, Ranks: line.Ranks, Events: r.news(seat)}
			r.expect(t, seat, want)
		}
	}
	r.keep(line)
}

// keep writes the public record on.
func (r *retelling) keep(line protocol.Line) {
	for _, event := range r.game.Record(len(r.public)) {
		if played, ok := event.(engine.Played); ok {
			event = protocol.Play{Played: played, By: line.(protocol.ReplayPlay).By, Fault: line.(protocol.ReplayPlay).Fault}
		}
		r.public = append(r.public, event)
	}
}

func (r *retelling) begin(t *testing.T, header protocol.Header) {
	t.Helper()
	var err error
	r.game, err = engine.NewGame(header.Rules, header.Seed.Leader(header.Rules.Players))
	require.NoError(t, err)
	for seat := range r.hear {
		if e, failed := r.hear[seat][0].(protocol.Error); failed {
			require.Equal(t, protocol.StartFault, e.Code)
			r.hear[seat] = r.hear[seat][1:]
			continue
		}
		start := r.hear[seat][0].(protocol.Start)
		require.Less(t, start.Seed, uint64(1)<<53)
		r.expect(t, seat, protocol.Start{
			Game: r.result.ID, Seat: seat, Players: len(r.hear), Names: header.Bots, Rules: header.Rules, Clock: header.Clock, Seed: start.Seed,
		})
	}
}

func (r *retelling) turn(t *testing.T, seat int, fault protocol.Code) {
	t.Helper()
	got, ok := r.hear[seat][0].(protocol.Turn)
	require.True(t, ok, "seat %d hears %v", seat, r.hear[seat][0])
	legal := r.game.Legal(nil)
	require.True(t, len(legal) > 1 || r.match.AskForced, "a forced action is not asked")
	r.expect(t, seat, protocol.Turn{
		Game: r.result.ID, Turn: got.Turn, Observation: r.game.Observe(seat), Events: r.news(seat), Legal: legal, Clock: got.Clock,
	})
	if fault != "" {
		got, ok := r.hear[seat][0].(protocol.Error)
		require.True(t, ok, "seat %d hears %v", seat, r.hear[seat][0])
		require.Equal(t, fault, got.Code)
		r.hear[seat] = r.hear[seat][1:]
	}
}

// news is the public record from where the seat stopped, with its own hand in each deal.
func (r *retelling) news(seat int) protocol.Events {
	events := protocol.Events(r.game.RecordFor(seat, r.seen[seat]))
	for i, event := range events {
		if _, ok := event.(engine.Played); ok {
			events[i] = r.public[r.seen[seat]+i]
		}
	}
	r.seen[seat] += len(events)
	return events
}

// expect takes the next message of the seat.
func (r *retelling) expect(t *testing.T, seat int, want protocol.Message) {
	t.Helper()
	require.NotEmpty(t, r.hear[seat], "seat %d hears nothing, instead of %v", seat, want)
	wantLine, err := protocol.Marshal(want)
	require.NoError(t, err)
	gotLine, err := protocol.Marshal(r.hear[seat][0])
	require.NoError(t, err)
	require.Equal(t, string(wantLine), string(gotLine))
	r.hear[seat] = r.hear[seat][1:]
}
