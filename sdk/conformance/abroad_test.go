package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/arena/seat"
	"github.com/fivethreefive/fivethreefive/engine"
)

const patience = 5 * time.Minute // which is for hangs only

// abroad is an arena that listens, and a folder in which it and a remote bot make signs to each other.
type abroad struct {
	link   *link
	remote *seat.Remote
	tokens *access.Tokens
	token  string // its file
	key    string // of the last token
	name   string
	dir    string
}

func openAbroad(t *testing.T) *abroad {
	t.Helper()
	b, err := bus.Open(bus.Config{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	nc, err := b.Connect("referee")
	require.NoError(t, err)
	a := &abroad{link: openLink(t, b.URL()), name: "fox", dir: t.TempDir()}
	a.remote = &seat.Remote{Conn: nc, Names: map[string]string{"fox@remote": "fox"}}
	a.tokens, err = access.OpenTokens(t.Context(), nc)
	require.NoError(t, err)
	a.token = a.newToken(t)
	return a
}

// newToken makes one for fox, and gives its file.
func (a *abroad) newToken(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "fox.nkey")
	var err error
	a.key, err = access.NewCredentials(file)
	require.NoError(t, err)
	require.NoError(t, a.tokens.Add(t.Context(), access.Identity{Key: a.key, Role: access.Bot, Name: "fox", Created: time.Now()}))
	return file
}

// revoke makes an end of the last token. Nobody waits for its bot then.
func (a *abroad) revoke(t *testing.T) {
	t.Helper()
	require.NoError(t, a.tokens.Revoke(t.Context(), a.key, time.Now()))
}

// start runs a bot in the folder.
func (a *abroad) start(t *testing.T, bot []string, token string) *guest {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	g := &guest{command: exec.CommandContext(ctx, bot[0], append(slices.Clone(bot[1:]), a.link.url, token, a.name)...)}
	g.command.Dir = a.dir
	g.command.Stdout, g.command.Stderr = &g.said, &g.said
	require.NoError(t, g.command.Start())
	t.Cleanup(func() {
		_ = g.command.Process.Kill()
		_ = g.command.Wait()
	})
	return g
}

// guest is a bot that plays from its own program.
type guest struct {
	command *exec.Cmd
	said    bytes.Buffer // after it has ended
}

// failed waits for the end, which must come by itself, and gives what was said.
func (g *guest) failed(t *testing.T) string {
	t.Helper()
	err := g.command.Wait()
	_, exited := errors.AsType[*exec.ExitError](err)
	require.True(t, exited, "%v: %s", err, g.said.String())
	require.Equal(t, 1, g.command.ProcessState.ExitCode(), g.said.String())
	return g.said.String()
}

// requireThere waits for the bot.
func (a *abroad) requireThere(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, _, err := seat.Look(t.Context(), a.remote.Conn, "fox")
		return err == nil
	}, patience, 10*time.Millisecond)
}

// Open implements [arena.Opener].
func (a *abroad) Open(ctx context.Context, place arena.Place) (arena.Seat, error) {
	if _, ok := a.remote.Names[place.Bot]; ok {
		return a.remote.Open(ctx, place)
	}
	return &here{reference{random: true}}, nil
}

// playHere plays the match without anybody remote.
func (a *abroad) playHere(t *testing.T) []arena.DealSet {
	t.Helper()
	names := a.remote.Names
	defer func() { a.remote.Names = names }()
	a.remote.Names = nil
	return a.play(t).WithoutTimes().Sets
}

// play is a match of a round.
func (a *abroad) play(t *testing.T) arena.Result {
	t.Helper()
	result, err := a.referee(t)
	require.NoError(t, err)
	return result
}

func (a *abroad) referee(t *testing.T) (arena.Result, error) {
	rules, err := engine.NewRules(engine.Rulebook, 2)
	if err != nil {
		return arena.Result{}, err
	}
	rules.Target = 0
	m := arena.Match{Settings: arena.DefaultSettings(rules), ID: "remote", Bots: []string{"fox@remote", "here@1"}, Orders: [][]int{{0, 1}}}
	m.Clock.MoveMS, m.Limits.StartupMS = patience.Milliseconds(), patience.Milliseconds()
	return arena.Referee{Seats: a, Version: "test"}.Play(t.Context(), m)
}

// begin plays, and returns when the bot thinks about its second turn, until release.
func (a *abroad) begin(t *testing.T) <-chan arena.Result {
	t.Helper()
	a.remove(t, "asked")
	a.make(t, "hold")
	results := make(chan arena.Result, 1)
	go func() {
		defer close(results)
		result, err := a.referee(t)
		if err != nil {
			t.Error(err)
			return
		}
		results <- result
	}()
	a.await(t, "asked", true)
	return results
}

// release lets the bot answer.
func (a *abroad) release(t *testing.T) {
	t.Helper()
	a.remove(t, "hold")
}

// await waits for a file to be there, or to be gone.
func (a *abroad) await(t *testing.T, file string, there bool) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(a.dir, file))
		return (err == nil) == there
	}, patience, 5*time.Millisecond, file)
}

func (a *abroad) make(t *testing.T, file string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(a.dir, file), nil, 0o600))
}

func (a *abroad) remove(t *testing.T, file string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(filepath.Join(a.dir, file)))
}
