//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// pane is a real terminal with the program in it, inside a tmux of its own.
type pane struct {
	t      *testing.T
	socket string
}

// openPane starts a command in a terminal of some size. Env has variables as in NAME=value.
func openPane(t *testing.T, width, height int, env []string, args ...string) *pane {
	t.Helper()
	dir, err := os.MkdirTemp("", "pane") //nolint:usetesting // the path of a socket must be short
	require.NoError(t, err)
	p := &pane{t: t, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", p.socket, "kill-server").Run() // it ends by itself with its last pane
		_ = os.RemoveAll(dir)
	})
	config := filepath.Join(dir, "conf")
	require.NoError(t, os.WriteFile(config, []byte("set -g status off\n"), 0o600))
	exe, err := os.Executable()
	require.NoError(t, err)
	words := []string{"-f", config, "-u", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-e", "LANG=C.UTF-8", "-e", "LC_ALL=C.UTF-8"}
	for _, variable := range env {
		words = append(words, "-e", variable)
	}
	// The shell prints the exit code and stays, since tmux does not always hear of the end of its child.
	words = append(words, "sh", "-c", `"$0" "$@"; echo "(exit $?)"; cat`, exe)
	p.tmux(append(words, args...)...)
	return p
}

func (p *pane) tmux(words ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, words...)...).CombinedOutput()
	require.NoError(p.t, err, "tmux %v: %s", words, out)
	return string(out)
}

func (p *pane) keys(keys ...string) { p.tmux(append([]string{"send-keys"}, keys...)...) }

func (p *pane) text() string { return p.tmux("capture-pane", "-p") }

// await looks at the screen until the condition holds, for two minutes at most.
func (p *pane) await(what string, is func(text string) bool) {
	p.t.Helper()
	deadline := time.After(2 * time.Minute)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !is(p.text()) {
		select {
		case <-deadline:
			require.FailNow(p.t, what+" does not come", p.text())
		case <-tick.C:
		}
	}
}

// shows awaits texts that stand on the screen at once.
func (p *pane) shows(parts ...string) {
	p.t.Helper()
	p.await(fmt.Sprintf("%q", parts), func(text string) bool {
		for _, part := range parts {
			if !strings.Contains(text, part) {
				return false
			}
		}
		return true
	})
}

var exited = regexp.MustCompile(`\(exit (\d+)\)`)

// ends awaits the end of the program, and gives its exit code.
func (p *pane) ends() (code string) {
	p.t.Helper()
	p.await("the end", exited.MatchString)
	return exited.FindStringSubmatch(p.text())[1]
}

func TestScreenKeys(t *testing.T) {
	p := openPane(t, 80, 24, nil, "replay", "show", shownGame)
	p.shows("step 0 of 73", "2 random@1 leads", "trick 1", "? keys")
	for _, press := range []struct {
		key   string
		shows []string
	}{
		{"Right", []string{"step 1 of 73", "2 random@1 leads [8 8]"}},
		{"S-Right", []string{"step 4 of 73", "trick 2"}},
		{"S-Left", []string{"step 1 of 73"}},
		{"e", []string{"step 7 of 73", "! illegal"}},
		{"q", []string{"step 0 of 73"}},
		{"NPage", []string{"round 2"}},
		{"PPage", []string{"step 0 of 73"}},
		{"End", []string{"step 73 of 73", "result   1. "}},
		{"Left", []string{"step 72 of 73"}},
		{"0", []string{"as seat 0 bad@dev", "▒ ▒"}},
		{"p", []string{"public"}},
		{"h", []string{"all hands"}},
		{"l", nil},
		{"l", []string{"turn 1: the first of"}},
		{"?", []string{"PgUp PgDn", "a round, or a half"}},
		{"Home", []string{"step 0 of 73"}},
		{"+", []string{"speed 2"}},
		{"-", []string{"speed 1"}},
		{"+", nil},
		{"+", nil},
		{"+", nil},
		{"+", nil},
		{"Space", []string{"step 73 of 73"}},
	} {
		p.keys(press.key)
		p.shows(press.shows...)
	}
	p.keys("Q")
	require.Equal(t, "0", p.ends())
}

// TestScreenSizes gives the program other windows while it runs. Whatever the size, the screen is full of what fits.
func TestScreenSizes(t *testing.T) {
	p := openPane(t, 120, 40, nil, "replay", "show", shownGame, "--step", "20")
	p.shows("step 20 of 73", "all hands  m-")
	for _, size := range [][2]int{{80, 24}, {40, 12}, {20, 5}, {100, 30}} {
		width, height := size[0], size[1]
		p.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
		p.await(fmt.Sprint(size), func(text string) bool { return fills(text, width, height) })
	}
	p.keys("C-c")
	require.Equal(t, "0", p.ends())
}

// fills reports whether the view stands in a window from the first line to the last, with all three seats.
func fills(text string, width, height int) bool {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	seats := 0
	for _, line := range lines {
		if ansi.StringWidth(line) > width {
			return false
		}
		if regexp.MustCompile(`^[▸ ] [012] `).MatchString(line) {
			seats++
		}
	}
	last := strings.TrimSpace(lines[len(lines)-1])
	return len(lines) == height && seats == 3 && strings.HasPrefix(lines[0], "step 20 of 73") && strings.HasPrefix(last, "? keys")
}

// colours are the escape sequences that set one.
var colours = regexp.MustCompile(`\x1b\[(\d+;)*(3[0-7]|4[0-7]|9[0-7]|38;[0-9;]+)m`)

func TestScreenColours(t *testing.T) {
	for name, test := range map[string]struct {
		env  []string
		args []string
		want bool
	}{
		"usual":    {want: true},
		"NO_COLOR": {env: []string{"NO_COLOR=yes"}},
		"never":    {args: []string{"--color", "never"}},
		"always":   {env: []string{"NO_COLOR=1"}, args: []string{"--color", "always"}, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := openPane(t, 80, 24, test.env, append([]string{"replay", "show", shownGame, "--step", "7"}, test.args...)...)
			p.shows("step 7 of 73", "! illegal", "▲ 1 3 3 5", "▸ 0 bad@dev")
			require.Equal(t, test.want, colours.MatchString(p.tmux("capture-pane", "-p", "-e")))
			p.keys("Escape")
			require.Equal(t, "0", p.ends())
		})
	}
}

// TestScreenPlain asks for text on a terminal.
func TestScreenPlain(t *testing.T) {
	p := openPane(t, 80, 24, nil, "replay", "show", shownGame, "--plain", "--step", "0")
	require.Equal(t, "0", p.ends())
	require.Contains(t, p.text(), "2 random@1 leads")
	require.NotContains(t, p.text(), "? keys")
}

// TestScreenPlay has a person play a whole game at a terminal.
func TestScreenPlay(t *testing.T) {
	dir := t.TempDir()
	p := openPane(t, 80, 24, nil, "play", "greedy", "--seed", "3", "--data", dir)
	p.shows("your turn: round 1, half 1", "0 you", "1 greedy@1", "#1 ")
	for turn := 0; ; turn++ {
		require.Less(t, turn, 100)
		p.await("a choice or the end", func(text string) bool {
			return strings.HasPrefix(text, "your turn") || strings.HasPrefix(text, "the game is over") || strings.HasPrefix(text, "the round is over")
		})
		before := p.text()
		if strings.HasPrefix(before, "the game is over") {
			break
		}
		if strings.HasPrefix(before, "your turn") {
			p.keys("h")
			p.shows("heuristic would: ")
		}
		p.keys("Enter")
		p.await("something else", func(text string) bool { return text != before && !strings.Contains(text, "heuristic would: ") })
	}
	p.shows("result", "go")
	p.keys("Q")
	require.Equal(t, "0", p.ends())
	p.shows("Seed: ", "Replays: ")
	require.Contains(t, succeed(t, "replay", "verify", filepath.Join(dir, "replays")), "ok    ")
}

func TestScreenLeave(t *testing.T) {
	p := openPane(t, 80, 24, nil, "play", "greedy", "--seed", "3", "--data", t.TempDir())
	p.shows("your turn")
	p.keys("C-c")
	p.shows("Q again leaves, any other key stays")
	p.keys("C-c")
	require.Equal(t, "130", p.ends())
	p.shows("you left, so the arena played your seat to the end")
}
