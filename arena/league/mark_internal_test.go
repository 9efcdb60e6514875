package league

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAccounted: results are counted one tournament at a time unless the sum leaves no room for a lost one.
func TestAccounted(t *testing.T) {
	marks := map[string]extent{"a": {Results: 90, Played: 60, Lost: 5}, "b": {Results: 120, Played: 40}}
	logs := map[string]uint64{"a": 70, "b": 50}
	require.True(t, accounted(marks, logs, 95, 130))
	require.False(t, accounted(marks, logs, 94, 130), "one is lost")
	require.False(t, accounted(marks, logs, 96, 130), "one that is in no mark yet may stand for a lost one")
	require.False(t, accounted(marks, logs, 95, 119), "the stream has lost its end, and others came")
	logs["c"] = 10
	require.False(t, accounted(marks, logs, 95, 130), "of a tournament without a mark there may be any number")
}
