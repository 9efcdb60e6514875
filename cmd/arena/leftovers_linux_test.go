package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

const (
	patience  = 3 * time.Minute // for what takes a second, on a machine that has other things to do
	anybody   = 65534           // the number of nobody nearly everywhere
	perMatch  = 4               // games of a table of four bots and one deal set
	mostGames = 1000 * perMatch // of a tournament
	daemon    = " sleep 1000"   // the end of a line of the census about what all rogues start
)

// gamesToPlay says how much is played before anything is counted: ARENA_TEST_GAMES, or some.
func gamesToPlay(t *testing.T) int {
	t.Helper()
	text, given := os.LookupEnv("ARENA_TEST_GAMES")
	if !given {
		return 8
	}
	games, err := strconv.Atoi(text)
	require.NoError(t, err, "ARENA_TEST_GAMES")
	require.LessOrEqual(t, games, mostGames)
	return max(2, games/perMatch) * perMatch
}

// user is somebody who runs the program as a process, or here, with a folder of rogues and of tournaments.
type user struct {
	dir  string
	mark string // of what the bots leave
	attr *syscall.SysProcAttr
}

// newUser lays out the bots, and has the programs of the system found first, which every user may run. Who is ordinary is not
// root even if the tests are; then he owns his data and nothing else.
func newUser(t *testing.T, ordinary bool) user {
	t.Helper()
	u := user{dir: t.TempDir(), mark: "leftover-" + rand.Text()}
	t.Setenv("PATH", "/usr/bin:/bin:"+os.Getenv("PATH"))
	require.NoError(t, os.Chmod(filepath.Dir(u.dir), 0o755))
	rogues := filepath.Join(u.dir, "rogues")
	require.NoError(t, os.CopyFS(rogues, os.DirFS("testdata/rogues")))
	for _, bot := range []string{"shell", "python", "go"} {
		require.NoError(t, os.WriteFile(filepath.Join(rogues, bot, "mark"), []byte(u.mark+"\n"), 0o644))
	}
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(rogues, "go", "bot"), "./testdata/rogues/go").CombinedOutput()
	require.NoError(t, err, string(out))
	program, err := os.ReadFile(standIn)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "arena"), program, 0o755))
	for _, own := range []string{"data", "tmp"} {
		require.NoError(t, os.Mkdir(filepath.Join(u.dir, own), 0o755))
		if ordinary {
			require.NoError(t, os.Chown(filepath.Join(u.dir, own), anybody, anybody))
		}
	}
	if ordinary {
		u.attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: anybody, Gid: anybody}}
	}
	return u
}

// tournament is the command line that plays a number of games of all rogues and one bot that behaves.
func (u user) tournament(t *testing.T, name string, games int) []string {
	t.Helper()
	file := filepath.Join(u.dir, name+".toml")
	text := fmt.Sprintf("bots = [\"greedy\", \"rogues/shell\", \"rogues/python\", \"rogues/go\"]\nplayers = 4\ncycles = %d\n", games/perMatch)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return []string{"tournament", "run", file, "--data", filepath.Join(u.dir, "data"), "--json", "--move-time", "60s", "--start-time", "60s"}
}

// command prepares the program as a process of the user's.
func (u user) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(u.dir, "arena"), args...)
	cmd.Dir = u.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(u.dir, "tmp"), "HOME="+u.dir)
	cmd.SysProcAttr = u.attr
	return cmd
}

// usesCgroups asks the doctor. A user who cannot confine bots has nothing to test.
func (u user) usesCgroups(t *testing.T) bool {
	t.Helper()
	out, err := u.command(t, "doctor", "--json").Output()
	if err != nil && u.attr != nil {
		t.Skipf("user %d cannot confine bots here: %s", anybody, out)
	}
	require.NoError(t, err, string(out))
	return bytes.Contains(out, []byte("by cgroup"))
}

// checkReport requires that all games were played, that the rogues did what they are here for, and that the bot that
// behaves did not suffer from it.
func (u user) checkReport(t *testing.T, out []byte, name string, games int) {
	t.Helper()
	var report tournamentReport
	require.NoError(t, json.Unmarshal(out, &report))
	played, faults := 0, 0
	for _, result := range report.Tournaments[0].Results {
		for _, set := range result.Sets {
			played += len(set.Games)
		}
		faults += len(result.Faults)
		for _, fault := range result.Faults {
			require.NotEqual(t, "greedy@1", fault.Bot, fault.Detail)
		}
	}
	require.Equal(t, games, played)
	require.Positive(t, faults)
	replays := readAll(t, filepath.Join(u.dir, "data", "replays", name))
	for _, note := range []string{"shell left", "python full", "go session /tmp /dev/shm"} {
		require.Contains(t, replays, `"note":"`+note+`"`)
	}
	require.Empty(t, glob(t, filepath.Join(u.dir, "data", "replays", name, ".*")), "of a killed arena, to be replaced")
}

// TestPlayLeavesNothing plays within this process, whose own descriptors and goroutines can be counted.
func TestPlayLeavesNothing(t *testing.T) {
	u := newUser(t, false)
	t.Setenv("TMPDIR", filepath.Join(u.dir, "tmp"))
	cgroups := u.usesCgroups(t)
	games := gamesToPlay(t)
	succeed(t, u.tournament(t, "warm-up", perMatch)...) // the first run opens what is opened once

	o := newObserver(t, u)
	before, routines := o.take(t), goleak.IgnoreCurrent()
	args := u.tournament(t, "cup", games)
	var got outcome
	peak := o.during(t, func() { got = arenaRun(t, args...) })
	require.Equal(t, exitOK, got.code, got.errOut)
	after := o.nothingMore(t, before)
	require.NoError(t, goleak.Find(routines))

	u.checkReport(t, []byte(got.out), "cup", games)
	require.Contains(t, strings.Join(peak.processes, "\n"), daemon)
	require.Equal(t, cgroups, len(peak.cgroups) > 0)
	t.Logf("%d games; before: %v; at most: %v; after: %v", games, before, peak, after)
}

// TestKilledLeavesNothing kills the arena in the middle of a tournament that goes on each time, and then plays another one to
// its end.
func TestKilledLeavesNothing(t *testing.T) {
	for name, ordinary := range map[string]bool{"user": false, "ordinary user": true} {
		t.Run(name, func(t *testing.T) {
			if ordinary && os.Geteuid() != 0 {
				t.Skip("the other test has run as an ordinary user")
			}
			u := newUser(t, ordinary)
			cgroups := u.usesCgroups(t)
			games := gamesToPlay(t) / 2 / perMatch * perMatch
			long, cup := u.tournament(t, "long", mostGames), u.tournament(t, "cup", games)
			o := newObserver(t, u)
			before := o.take(t)
			for range max(2, games/50) {
				o.kill(t, long, cgroups)
				t.Logf("killed; before: %v; after: %v", before, o.nothingMore(t, before))
			}
			cmd := u.command(t, cup...)
			var errOut bytes.Buffer
			cmd.Stderr = &errOut
			out, err := cmd.Output()
			require.NoError(t, err, errOut.String())
			after := o.nothingMore(t, before)
			u.checkReport(t, out, "cup", games)
			t.Logf("%d games; before: %v; after: %v", games, before, after)
		})
	}
}

// kill goes on with a tournament, kills the arena when a game has been played and the bots of another have daemons, and
// returns when the warden has ended and nothing runs any more.
func (o observer) kill(t *testing.T, args []string, cgroups bool) {
	t.Helper()
	games := func() int {
		replays, _ := filepath.Glob(filepath.Join(o.user.dir, "data", "replays", "long", "*.jsonl"))
		return len(replays)
	}
	played := games()
	cmd := o.user.command(t, args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	require.NoError(t, cmd.Start())
	defer func() {
		if t.Failed() {
			_ = cmd.Process.Kill()
			t.Log(cmd.Wait(), errOut.String())
		}
	}()
	var family []relative
	require.Eventually(t, func() bool {
		family = descendants(t)
		over := slices.ContainsFunc(family, func(p relative) bool { return p.pid == cmd.Process.Pid && p.state == "Z" })
		daemons := slices.ContainsFunc(family, func(p relative) bool { return strings.HasSuffix(p.String(), daemon) })
		return over || games() > played && daemons && cgroups == (len(o.take(t).cgroups) > 0)
	}, patience, 20*time.Millisecond)
	warden := slices.IndexFunc(family, func(p relative) bool {
		return p.parent == cmd.Process.Pid && strings.HasSuffix(p.command, " "+wardenName)
	})
	require.NotEqual(t, -1, warden, family)
	end, err := unix.PidfdOpen(family[warden].pid, 0)
	require.NoError(t, err)
	defer unix.Close(end)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())

	ended := []unix.PollFd{{Fd: int32(end), Events: unix.POLLIN}}
	require.Eventually(t, func() bool {
		n, err := unix.Poll(ended, 0)
		return err == nil && n > 0
	}, patience, 20*time.Millisecond, "the warden does not end")
	require.Empty(t, o.take(t).cgroups)
	require.Eventually(t, func() bool {
		for _, p := range descendants(t) {
			if p.parent == os.Getpid() && p.state == "Z" { // they are ours now, as those of the first process of a machine
				_, _ = unix.Wait4(p.pid, nil, unix.WNOHANG, nil)
			}
		}
		return len(descendants(t)) == 0
	}, patience, 20*time.Millisecond)
}
