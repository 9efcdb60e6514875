package show_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

func TestNarrow(t *testing.T) {
	header := []string{"#", "<BOT", "SKILL", "<", "GAMES"}
	rows := [][]string{{"1", "greedy@1", "1500", "± 20", "100"}, {"2", "random@1", "1400", "± 30", "100"}}
	var whole strings.Builder
	require.NoError(t, show.Table(&whole, header, rows))
	for width, want := range map[int]struct {
		header  string
		leftOut bool
	}{
		0:  {"# BOT SKILL GAMES", false},
		80: {"# BOT SKILL GAMES", false},
		25: {"# BOT GAMES", true},
		15: {"# BOT", true},
		1:  {"# BOT", true}, // it cannot do better
	} {
		var out strings.Builder
		narrow := show.Narrow{Width: width, Spare: []string{"NOT THERE", "SKILL", "GAMES"}}
		require.NoError(t, narrow.Table(&out, header, rows))
		first, _, _ := strings.Cut(out.String(), "\n")
		require.Equal(t, want.header, strings.Join(strings.Fields(first), " "), "%d", width)
		require.Equal(t, want.leftOut, narrow.LeftOut)
		require.Equal(t, width != 0 && want.leftOut, !strings.Contains(out.String(), "± 20"))
	}
	require.Equal(t, "± 30", rows[1][3], "nothing is changed")
}
