package arena_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestWatch requires that everybody sees the public record and nothing else, and of a deal set nothing before its end.
func TestWatch(t *testing.T) {
	for _, games := range []int{1, 2} {
		m := matchOf(rulesOf(t, engine.Rulebook, 3), 7)
		m.Orders = m.SeatOrders()[:games]
		d := &desk{}
		played, live := 0, 0
		lines := map[string][]string{}
		result, err := arena.Referee{
			Seats:  d,
			Played: func(arena.Game) { played++ },
			Watch: func(match *arena.Match, game string, line []byte) {
				require.Equal(t, m.ID, match.ID)
				require.NotContains(t, string(line), `"hand":`)
				require.Equal(t, strings.HasPrefix(string(line), `{"type":"score"`), strings.Contains(string(line), `"hands":`))
				if played < games {
					live++
				}
				lines[game] = append(lines[game], string(line))
			},
		}.Play(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, games == 1, live > 0, "games of one deal set show each other's cards")
		require.Len(t, lines, games)
		for _, game := range result.Sets[0].Games {
			seen := lines[game.ID]
			require.True(t, strings.HasPrefix(seen[0], `{"type":"game","game":"`+game.ID+`"`), seen[0])
			require.True(t, strings.HasPrefix(seen[len(seen)-1], `{"type":"result","reason":"finished"`))
			var events protocol.Events
			require.NoError(t, json.Unmarshal([]byte("["+strings.Join(seen[1:len(seen)-1], ",")+"]"), &events))
			require.Equal(t, public(t, d.at(t, m, game, 0)), events)
		}
	}
}

// public is the record that a seat was told, without its hands.
func public(t *testing.T, s *talk) (all protocol.Events) {
	for _, message := range s.messages(t) {
		switch m := message.(type) {
		case protocol.Turn:
			all = append(all, m.Events...)
		case protocol.End:
			all = append(all, m.Events...)
		}
	}
	for i, event := range all {
		if dealt, ok := event.(engine.Dealt); ok {
			dealt.Hand = nil
			all[i] = dealt
		}
	}
	return all
}
