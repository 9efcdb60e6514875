package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
	"github.com/fivethreefive/fivethreefive/arena/league"
)

// writeHeld makes a bot that stops in the second turn of any game, as long as there is a file hold1 or hold2, and then makes
// a file asked1 or asked2.
func writeHeld(t *testing.T, dir, name string) string {
	t.Helper()
	folder := writeBot(t, dir, name, 0)
	file := filepath.Join(folder, "bot.sh")
	script, err := os.ReadFile(file)
	require.NoError(t, err)
	const turn = `'{"type":"turn"'*) `
	held := strings.Replace(string(script), turn, turn+fmt.Sprintf(`n=$((n+1)); for i in 1 2; do
  while [ $n -gt 1 ] && [ -e %[1]s/hold$i ]; do : > %[1]s/asked$i; sleep 0.02; done; done; `, dir), 1)
	require.NoError(t, os.WriteFile(file, []byte(held), 0o600))
	return folder
}

// exile is a bot that plays from another process.
func exile(t *testing.T, folder, address, token string) *program {
	t.Helper()
	p := launch(t, "connect", "--bot", folder, "--server", "nats://"+address, "--creds", token, "--unsafe-no-sandbox")
	p.says(t, "Connected to nats://"+address+" as "+filepath.Base(folder)+", for up to 8 games at once")
	return p
}

// TestRemoteSwiss plays a Swiss of local and remote bots. Where a remote side is killed in the middle of a game, and then the
// server, it comes to what it comes to without that.
func TestRemoteSwiss(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	dir := t.TempDir()
	for i, name := range []string{"ant", "bee", "cat", "dog"} {
		writeBot(t, dir, name, i%2)
	}
	fox, owl := writeHeld(t, dir, "fox"), writeBot(t, dir, "owl", 1)
	write := func(fox, owl string) (file string) {
		file = filepath.Join(dir, "spring.toml")
		text := "format = \"swiss\"\nplayers = 2\nstages = 2\nseed = 5\nmove_ms = 60000\nstartup_ms = 60000\n" +
			"bots = [\"ant\", \"" + fox + "\", \"bee\", \"cat\", \"" + owl + "\", \"dog\"]\n"
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	standings := func(data string) string {
		return succeed(t, "tournament", "standings", "spring", "--data", data, "--json", "--no-times")
	}
	near := t.TempDir()
	succeed(t, "tournament", "run", write("fox", "owl"), "--data", near, "-q", "--unsafe-no-sandbox", "--no-replays")
	want := strings.NewReplacer("fox@1", "fox@remote", "owl@1", "owl@remote").Replace(standings(near))

	data, address := t.TempDir(), freeAddress(t)
	hold := func(name string) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600)) }
	asked := func(name string) {
		require.Eventually(t, func() bool { return exists(filepath.Join(dir, name)) }, within, 10*time.Millisecond)
	}
	hold("hold1")
	serves := plain("serve", "--data", data, "--slots", "2", "--no-replays", "--listen", address)
	server := launch(t, serves...)
	server.says(t, "Conducting the tournaments")
	foxToken := tokenFile(t, data, "--bot", "fox")
	other, remote := exile(t, owl, address, tokenFile(t, data, "--bot", "owl")), exile(t, fox, address, foxToken)
	succeed(t, "tournament", "new", write("remote:fox", "remote:owl"), "--data", data)
	events := follow(t, data, "spring")
	shown := watchGames(t, address, tokenFile(t, data, "--spectator"))
	succeed(t, "tournament", "start", "spring", "--data", data)
	asked("asked1")
	remote.kill()
	hold("hold2")
	require.NoError(t, os.Remove(filepath.Join(dir, "hold1")))
	remote = exile(t, fox, address, foxToken)
	asked("asked2")
	server.kill()
	require.NoError(t, os.Remove(filepath.Join(dir, "hold2")))
	server = launch(t, serves...)
	require.NoError(t, await(events, func(e league.Event) bool { return e.Finished != nil }))
	remote.says(t, "Connected to nats://"+address+" again.")
	requireOnce(t, data, "spring")
	require.Equal(t, want, standings(data))
	require.Contains(t, succeed(t, "remote", "list", "fox", "ghost", "--data", data), "fox    connected      fox@1")
	require.Equal(t, exitInterrupted, server.stop(t))
	require.Contains(t, shown(), `{"type":"game","game":"spring-`)
	require.NotContains(t, shown(), `"hand":`)
	require.Contains(t, other.errOut.String(), "begins: seat ")
	require.Contains(t, other.errOut.String(), "is over: rank ")
	require.NoError(t, other.cmd.Process.Signal(os.Interrupt))
	other.says(t, "Leaving: running games are finished.")
	_ = other.cmd.Process.Signal(os.Interrupt) // it may wait for a game of the server that was killed
	require.Equal(t, exitInterrupted, other.code(t))
}

// watchGames gives what was published of the games since.
func watchGames(t *testing.T, address, token string) (shown func() string) {
	t.Helper()
	show, err := access.Credentials(token)
	require.NoError(t, err)
	nc, err := nats.Connect("nats://"+address, append(show, nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))...)
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	var lines lockedBuffer
	_, err = nc.Subscribe("arena.watch.spring.>", func(msg *nats.Msg) { _, _ = lines.Write(append(msg.Data, '\n')) })
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	return lines.String
}

// TestConnectCannot holds what is said when a remote bot does not play.
func TestConnectCannot(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	bot := writeBot(t, dir, "ant", 0)
	server := launch(t, plain("serve", "--data", data, "--slots", "0", "--listen", "127.0.0.1:0")...)
	server.says(t, "Tokens are made by:")
	address := regexp.MustCompile(`nats://(\S+)`).FindStringSubmatch(server.errOut.String())[1]
	worker := tokenFile(t, data, "--worker")
	to := " --server nats://" + address + " --unsafe-no-sandbox --bot "
	for args, want := range map[string]outcome{
		"connect":                                        {code: exitUsage, errOut: "--bot is missing"},
		"connect" + to + bot + " x":                      {code: exitUsage, errOut: "arena connect takes no arguments"},
		"connect" + to + bot + " --slots 0":              {code: exitUsage, errOut: "--slots 0: at least 1 is needed"},
		"connect" + to + bot + " --name a.b*":            {code: exitUsage, errOut: "--name: name \"a.b*\": use 1 to 32 letters"},
		"connect" + to + bot + " --creds " + dir + "/no": {code: exitUsage, errOut: "--creds: "},
		"connect" + to + "remote:ant":                    {code: exitUsage, errOut: "--bot remote:ant: it runs elsewhere"},
		"connect" + to + dir + "/bee":                    {code: exitUsage, errOut: "there is no such folder"},
		"match greedy remote:ghost --unsafe-no-sandbox --nats nats://" + address + " --creds " + worker: {code: exitError, errOut: "ghost is not connected, so nothing was played"},
		"match greedy remote:ghost --unsafe-no-sandbox --data " + dir + "/none":                         {code: exitError, errOut: "ghost@remote runs elsewhere, and no arena serves the data folder " + dir},
		"match greedy remote: --unsafe-no-sandbox":                                                      {code: exitUsage, errOut: "remote bot is missing"},
	} {
		t.Run(args, func(t *testing.T) {
			got := arenaRun(t, strings.Fields(args)...)
			require.Equal(t, want.code, got.code, got.errOut)
			require.Contains(t, got.errOut, want.errOut)
		})
	}
	require.NoError(t, os.WriteFile(filepath.Join(bot, "bot.sh"), []byte("echo no >&2\nexit 3\n"), 0o600))
	got := arenaRun(t, strings.Fields("connect"+to+bot)...)
	require.Equal(t, exitError, got.code)
	require.Contains(t, got.errOut, "ant@1 does not start, so it was not connected: before ready: exit status 3")
}
