package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// abroad is an arena, two bots of which are at home behind wires.
type abroad struct {
	dir, data string
	wires     map[string]*wire // by bot
	remotes   map[string]*program
	events    <-chan league.Event
}

// goAbroad has the tournament of the file ready. The wires are as bad as that from the beginning.
func goAbroad(t *testing.T, bad badness) *abroad {
	t.Helper()
	a := &abroad{dir: t.TempDir(), data: t.TempDir(), wires: map[string]*wire{}, remotes: map[string]*program{}}
	arenas, address := newNetwork(t), [4]byte{192, 0, 2, 1}
	homes := map[string]network{}
	for i, name := range []string{"fox", "owl"} {
		homes[name] = newNetwork(t)
		a.wires[name] = lay(t, uint64(i), arenas, homes[name], address, [4]byte{192, 0, 2, byte(2 + i)})
		a.wires[name].become(bad)
	}
	tokens := map[string]string{"fox": tokenFile(t, a.data, "--bot", "fox"), "owl": tokenFile(t, a.data, "--bot", "owl")}
	file := writeLeague(t, a.dir, "remote:fox", "remote:owl")
	var server *program
	arenas.inside(t, func() {
		server = launchCommand(t, built(t, plain("serve", "--data", a.data, "--slots", "6", "--no-replays", "--listen", "192.0.2.1:4222", "--tls-self")...))
	})
	server.says(t, "Conducting the tournaments")
	for name, home := range homes {
		home.inside(t, func() {
			a.remotes[name] = launchCommand(t, built(t, "connect", "--bot", filepath.Join(a.dir, name), "--server", "tls://192.0.2.1:4222",
				"--creds", tokens[name], "--ca", filepath.Join(a.data, "tls", bus.CertName), "--unsafe-no-sandbox"))
		})
	}
	for _, remote := range a.remotes {
		remote.says(t, "Connected to tls://192.0.2.1:4222 as ")
	}
	succeed(t, "tournament", "new", file, "--data", a.data)
	a.events = follow(t, a.data, "cup")
	return a
}

func (a *abroad) start(t *testing.T) {
	t.Helper()
	succeed(t, "tournament", "start", "cup", "--data", a.data)
}

// become changes all wires.
func (a *abroad) become(bad badness) {
	for _, w := range a.wires {
		w.become(bad)
	}
}

func (a *abroad) finish(t *testing.T) {
	t.Helper()
	require.NoError(t, await(a.events, func(e league.Event) bool { return e.Finished != nil }))
	requireOnce(t, a.data, "cup")
}

// writeLeague has every two of four bots play two short games.
func writeLeague(t *testing.T, dir, fox, owl string) (file string) {
	t.Helper()
	for i, name := range []string{"ant", "bee", "fox", "owl"} {
		writeHoldable(t, dir, name, i%2)
	}
	file = filepath.Join(dir, "cup.toml")
	text := fmt.Sprintf("bots = [\"ant\", \"bee\", %q, %q]\nplayers = 2\nseed = 5\nmove_ms = 60000\nstartup_ms = 60000\noptions = {target = 0}\n", fox, owl)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// ofPlace is what an export says of where a bot is, and the sums over it.
var ofPlace = regexp.MustCompile(`,"(sum|digest|language)":"[0-9a-z]*"`)

// placeless is what a tournament came to, wherever its bots are.
func placeless(t *testing.T, data string) string {
	t.Helper()
	return strings.ReplaceAll(ofPlace.ReplaceAllString(whole(t, data, "cup"), ""), "@remote", "@1")
}

// results are the matches of an export, by number.
func results(t *testing.T, export string) map[int]arena.Result {
	t.Helper()
	found := map[int]arena.Result{}
	for line := range strings.Lines(export) {
		if !strings.HasPrefix(line, `{"number":`) {
			continue
		}
		var match struct {
			Number int
			Result arena.Result
		}
		require.NoError(t, json.Unmarshal([]byte(line), &match))
		found[match.Number] = match.Result
	}
	require.Len(t, found, 6)
	return found
}

// onlyFirst leaves out all games but the first.
func onlyFirst(r arena.Result) arena.Result {
	r.Faults, r.Sets = nil, []arena.DealSet{{Games: r.Sets[0].Games[:1]}}
	return r
}
