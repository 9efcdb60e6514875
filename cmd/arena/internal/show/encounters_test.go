package show_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// TestHeadToHead: an interval that reaches further on one side is told by its ends, and all of it fits a terminal.
func TestHeadToHead(t *testing.T) {
	stronger := 0.021
	all := []league.HeadToHead{{
		Players: 4, Games: 1234567, Deals: 123456, Ahead: 400000, Level: 34567, Behind: 800000,
		First: league.Against{Penalty: 24.67}, Second: league.Against{Penalty: 12.5},
		Score:    &league.Number{Value: 0.267, Interval: &league.Interval{Low: 0.148, High: 0.386}},
		Elo:      &league.Number{Value: -176, Interval: &league.Interval{Low: -303, High: -81}},
		Official: &league.Number{Value: -1167, Interval: &league.Interval{Low: -1230, High: -1104}}, Superiority: &stronger,
	}, {Players: 5}}
	for _, width := range []int{0, 80} {
		var out strings.Builder
		narrow := show.Narrow{Width: width, Spare: show.SpareOfHeadToHead()}
		require.NoError(t, show.HeadToHead(&out, "a@1", "b@1", all, narrow.Table))
		require.Equal(t, width != 0, narrow.LeftOut)
		for _, part := range []string{"26.7 %  ± 11.9", "-1167  ± 63", "2.1 %", "Where they have not met"} {
			require.Contains(t, out.String(), part)
		}
		require.Equal(t, width == 0, strings.Contains(out.String(), "-176  (-303 to -81)"))
		table, _, _ := strings.Cut(out.String(), "\nWhere")
		for line := range strings.Lines(table) {
			require.True(t, width == 0 || ansi.StringWidth(strings.TrimRight(line, " \n")) <= width, line)
		}
	}
}
