package league_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// TestGames: what is read by hand is what the usual way reads, and everything else is refused.
func TestGames(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := league.Games{}
		for range rapid.IntRange(0, 5).Draw(rt, "games") {
			want = append(want, rapid.SliceOfN(rapid.IntRange(0, 1<<31), 0, 9).Draw(rt, "game"))
		}
		text, err := json.Marshal(want)
		require.NoError(rt, err)
		var got league.Games
		require.NoError(rt, json.Unmarshal(text, &got))
		require.Len(rt, got, len(want))
		for i := range want {
			require.Equal(rt, []int(want[i]), append([]int{}, got[i]...))
		}
	})
	for _, bad := range []string{"null", "1", "[1]", "[[[1]]]", "[[-1]]", "[[1.5]]", `[["1"]]`, "{}", "[[99999999999999999999]]", `"x"`, "[[1],2]"} {
		var games league.Games
		require.Error(t, json.Unmarshal([]byte(bad), &games), bad)
	}
}

// TestShortWay: the short way for what was played reads the same as encoding/json, also what nobody has written.
func TestShortWay(t *testing.T) {
	type plain league.Event
	rapid.Check(t, func(rt *rapid.T) {
		p := league.Played{Match: rapid.IntRange(0, 1<<40).Draw(rt, "match"), Seq: uint64(rapid.Int64Min(0).Draw(rt, "seq"))}
		for range rapid.IntRange(0, 3).Draw(rt, "games") {
			p.Games = append(p.Games, rapid.SliceOfN(rapid.IntRange(0, 1<<31), 0, 5).Draw(rt, "game"))
		}
		for range rapid.IntRange(0, 3).Draw(rt, "bots") {
			p.Bots = append(p.Bots, league.Behaviour{rapid.Int64().Draw(rt, "faults"), 1, 2, 3, rapid.Int64Min(0).Draw(rt, "think")})
		}
		text, err := json.Marshal(league.Event{N: rapid.IntRange(0, 1<<40).Draw(rt, "n"), Played: &p})
		require.NoError(rt, err)
		if rapid.Bool().Draw(rt, "changed") {
			text[rapid.IntRange(0, len(text)-1).Draw(rt, "at")] = rapid.SampledFrom([]byte(`0123,[]{}" -`)).Draw(rt, "to")
		}
		if !json.Valid(text) {
			return
		}
		var want plain
		var got league.Event
		wrong := json.Unmarshal(text, &want)
		require.Equal(rt, wrong != nil, got.UnmarshalJSON(text) != nil, "%s", text)
		if wrong == nil {
			require.Equal(rt, plain(got), want, "%s", text)
		}
	})
}
