//go:build linux

package check_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
)

// TestFit: a good bot passes every step, its package is kept, and nothing stays in the scratch folder or in its own.
func TestFit(t *testing.T) {
	cfg := ground(t, true)
	var told []check.Step
	cfg.Told = func(step check.Step) { told = append(told, step) }
	played := make(chan arena.Game, 100)
	cfg.Played = func(g arena.Game) { played <- g }
	kept := check.Report{}
	cfg.Keep = func(_ context.Context, archive string, report check.Report) error {
		info, err := os.Stat(archive)
		require.NoError(t, err)
		require.Equal(t, report.Package.Packed, info.Size())
		kept = report
		return nil
	}
	cfg.Games = 5
	dir := write(t, map[string]string{"bot.sh": parts{start: "echo thinking >&2"}.script()}, shell+"author = \"Ann\"\nbuild = [\"sh\", \"-c\", \"echo built > made\"]\n")
	report, err := cfg.Run(t.Context(), dir)
	require.NoError(t, err)
	for _, step := range report.Steps {
		require.Equal(t, check.OK, step.State, "%+v", step)
	}
	require.True(t, report.Passed)
	require.Equal(t, report.Steps, told)
	require.Equal(t, "patient@1", report.Label())
	require.Equal(t, "Ann", report.Author)
	require.Equal(t, report.Package, kept.Package)
	require.Equal(t, "thinking", report.Stderr)
	require.Equal(t, 5, report.Games)
	close(played)
	sizes := []int{}
	for game := range played {
		sizes = append(sizes, len(game.Order))
	}
	slices.Sort(sizes)
	require.Equal(t, []int{2, 3, 4, 5, 6}, sizes)
	require.Positive(t, report.Timing.Moves)
	require.LessOrEqual(t, report.Timing.P50, report.Timing.P99)
	require.LessOrEqual(t, report.Timing.P99, report.Timing.Max)
	left, err := os.ReadDir(cfg.Scratch)
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoFileExists(t, filepath.Join(dir, "made"), "the folder of the author is left alone")
}

// TestInterrupted: a check that is given up is an error, and leaves nothing.
func TestInterrupted(t *testing.T) {
	cfg := ground(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	cfg.Told = func(step check.Step) {
		if step.Name == "quit" {
			cancel()
		}
	}
	_, err := cfg.Run(ctx, write(t, map[string]string{"bot.sh": parts{}.script()}, shell))
	require.ErrorIs(t, err, context.Canceled)
	left, err := os.ReadDir(cfg.Scratch)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestAllow: what a bot asks to read is for others to allow.
func TestAllow(t *testing.T) {
	cfg := ground(t, true)
	book := t.TempDir()
	cfg.Allow = func(bot registry.Bot) error {
		require.Equal(t, []string{book}, bot.ReadOnly)
		return os.ErrPermission
	}
	_, err := cfg.Run(t.Context(), write(t, map[string]string{"bot.sh": parts{}.script()}, shell+"read_only = [\""+book+"\"]\n"))
	require.ErrorIs(t, err, os.ErrPermission)
}

// TestPlayers: a bot plays only at the numbers of seats that it names, in all steps.
func TestPlayers(t *testing.T) {
	cfg := ground(t, true)
	played := make(chan arena.Game, 100)
	cfg.Played = func(g arena.Game) { played <- g }
	cfg.Games = 3
	bot := loop(`assert len(m["counts"]) in (3, 5), len(m["counts"])`)
	report, err := cfg.Run(t.Context(), write(t, map[string]string{"bot.py": bot}, python+"players = [5, 3]\n"))
	require.NoError(t, err)
	require.True(t, report.Passed, "%+v", report.Steps)
	close(played)
	sizes := []int{}
	for game := range played {
		sizes = append(sizes, len(game.Order))
	}
	slices.Sort(sizes)
	require.Equal(t, []int{3, 3, 5}, sizes)
	require.Contains(t, report.Steps[13].Text, "3 games of 3 or 5 players")
}

// TestReadsItsOwn: what lies in the folder is shown unasked, here as in a match.
func TestReadsItsOwn(t *testing.T) {
	cfg := ground(t, true)
	cfg.Allow = func(bot registry.Bot) error {
		require.Empty(t, bot.ReadOnly)
		return nil
	}
	files := map[string]string{"bot.sh": parts{begin: "read -r line < book || exit 9"}.script(), "book": "moves\n"}
	report, err := cfg.Run(t.Context(), write(t, files, shell+"read_only = [\"./book\"]\n"))
	require.NoError(t, err)
	require.True(t, report.Passed, "%+v", report.Steps)
}

// TestSpread: a hundred games are twenty at each table size, and the bot sits equally often everywhere.
func TestSpread(t *testing.T) {
	seats := map[[2]int]int{}
	for number := range 5 * 60 {
		players, seat := check.TableOf(number, registry.Bot{}.Seats())
		seats[[2]int{players, seat}]++
	}
	for players := 2; players <= 6; players++ {
		for seat := range players {
			require.Equal(t, 60/players, seats[[2]int{players, seat}], "%d of %d", seat, players)
		}
	}
	require.Len(t, seats, 2+3+4+5+6)
}
