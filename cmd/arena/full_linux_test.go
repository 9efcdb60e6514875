package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fullDisk is what somebody does on a small disk of their own that fills up. The commands are in ./arena, and say() waits for
// a word in what serve prints.
const fullDisk = `
set -eu
mount -t tmpfs -o size=400m none disk
arena() { ./arena "$@"; }
fill() { dd if=/dev/zero of=disk/ballast bs=64k 2>dd.txt || grep -q "No space left" dd.txt; }
serve() { ./arena serve --data disk/data --slots 2 --unsafe-no-sandbox --no-replays >serve.txt 2>&1 & pid=$!; }
says() { until grep -q "$1" serve.txt; do kill -0 $pid || { cat serve.txt; exit 1; }; sleep 0.05; done; }
stop() { kill -INT $pid; code=0; wait $pid || code=$?; test $code = 130 || { cat serve.txt; exit 1; }; }

arena tournament run one.toml --data disk/data -q --unsafe-no-sandbox --no-replays >/dev/null
arena tournament new two.toml --data disk/data
arena tournament start two --data disk/data
fill
for what in "tournament list" "tournament show one" "tournament standings one" "tournament pairings one" "tournament watch one" \
	leaderboard "tournament export one -o one.jsonl" "tournament show two"; do
	arena $what --data disk/data 2>&1 || { echo "$what: exit status $?"; exit 1; }
done | { ! grep -E "level=|NATS"; }

serve
says "256 MiB must stay free: .* are missing; make room, and play goes on by itself"
stop
grep "two: 1 of" serve.txt && exit 1
serve
says "play pauses"
rm disk/ballast
says "there is room again, play goes on"
says "two: 3 of"
fill
says "two: .*" # whatever was stored
until grep -c "play pauses" serve.txt | grep -q 2; do sleep 0.05; done
stop
rm disk/ballast
serve
says "two: finished"
stop
arena tournament export two --data disk/data --no-times >two.jsonl

fill
./arena serve --data disk/other --unsafe-no-sandbox >serve.txt 2>&1 & pid=$!
says "Waiting: .* are missing. Make room, and it goes on by itself"
rm disk/ballast
says "Conducting the tournaments in disk/other"
stop
grep NATS serve.txt && exit 1
echo all is well
`

// TestFullDisk: on a full disk everything can be looked at, nothing is begun, and all goes on by itself when there is room. What
// comes of it is what would have come without.
func TestFullDisk(t *testing.T) {
	unshare, err := exec.LookPath("unshare")
	require.NoError(t, err, "it is part of util-linux")
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "disk"), 0o700))
	require.NoError(t, os.Symlink(standIn, filepath.Join(dir, "arena")))
	const settings = "bots = [\"greedy\", \"heuristic\", \"random\"]\nplayers = 2\nmove_ms = 60000\nstartup_ms = 60000\noptions = {target = 0}\nseed = "
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one.toml"), []byte(settings+"1\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "two.toml"), []byte(settings+"2\ncycles = 10\n"), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, unshare, "--user", "--map-root-user", "--mount", "sh", "-c", fullDisk)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with what it has started
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "all is well")

	calm := t.TempDir()
	builtSucceed(t, "tournament", "run", filepath.Join(dir, "two.toml"), "--data", calm, "-q", "--unsafe-no-sandbox", "--no-replays")
	disturbed, err := os.ReadFile(filepath.Join(dir, "two.jsonl"))
	require.NoError(t, err)
	require.Equal(t, succeed(t, "tournament", "export", "two", "--data", calm, "--no-times"), string(disturbed))
}
