package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// writeHoldable makes a bot that can be held: see hold.
func writeHoldable(t *testing.T, dir, name string, action int) {
	t.Helper()
	file := filepath.Join(writeBot(t, dir, name, action), "bot.sh")
	script, err := os.ReadFile(file)
	require.NoError(t, err)
	const hello, turn = `'{"type":"hello"'*) `, `'{"type":"turn"'*) `
	held := strings.NewReplacer(
		hello, `'{"type":"start"'*) g=${m#*'"game":"'} g=${g%%'"'*} g=${g##*-} ;;`+"\n"+hello+"hold hello; ",
		turn, turn+"n=$((n+1)); hold $g.$n; ",
	).Replace(string(script))
	at := filepath.Join(dir, name)
	held = "hold() { [ -p " + at + ".$1 ] || return; : > " + at + ".$1.$$; read -r < " + at + ".$1; }\n" + held
	require.NoError(t, os.WriteFile(file, []byte(held), 0o600))
}

// hold keeps a bot from answering.
type hold struct{ pipe *os.File }

// hold holds a bot at "hello", or at 2.3, the third turn of each second game of a match.
func (a *abroad) hold(t *testing.T, name, at string) hold {
	t.Helper()
	path := filepath.Join(a.dir, name+"."+at)
	require.NoError(t, unix.Mkfifo(path, 0o600))
	pipe, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	h := hold{pipe}
	t.Cleanup(h.release)
	return h
}

// holdButOwl holds the others, so that owl's games stand in their turns.
func (a *abroad) holdButOwl(t *testing.T, at string) (release func()) {
	t.Helper()
	var holds []hold
	for _, name := range []string{"ant", "bee", "fox"} {
		holds = append(holds, a.hold(t, name, at))
	}
	return func() {
		for _, h := range holds {
			h.release()
		}
	}
}

// pass lets one process go on.
func (h hold) pass(t *testing.T) {
	t.Helper()
	_, err := h.pipe.WriteString("\n")
	require.NoError(t, err)
}

// release lets all processes go on.
func (h hold) release() {
	_ = os.Remove(h.pipe.Name())
	_ = h.pipe.Close()
}

// held waits until so many processes of a bot, or of "*", have been held there.
func (a *abroad) held(t *testing.T, name, at string, count int) {
	t.Helper()
	require.Eventually(t, func() bool {
		files, err := filepath.Glob(filepath.Join(a.dir, name+"."+at+".*"))
		return err == nil && len(files) == count
	}, within, 10*time.Millisecond, "%s at %s", name, at)
}
