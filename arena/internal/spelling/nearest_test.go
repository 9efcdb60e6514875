package spelling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
)

func TestNearest(t *testing.T) {
	known := []string{"round-robin", "swiss", "gauntlet", "of"}
	for word, want := range map[string]string{
		"swis": "swiss", "Swiss": "swiss", "siwss": "swiss", "gau": "gauntlet", "round": "round-robin", "gantlett": "gauntlet",
		"swedish": "", "": "", "xy": "", "chess": "",
	} {
		require.Equal(t, want, spelling.Nearest(word, known), word)
	}
	require.Equal(t, "; did you mean swiss?", spelling.Suggestion("swis", known))
	require.Empty(t, spelling.Suggestion("chess", known))
}
