package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
)

func needLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("confinement is made of parts of Linux")
	}
}

// TestConfinedByDefault lets a bot look for a file of the user's in a match without any flags.
func TestConfinedByDefault(t *testing.T) {
	needLinux(t)
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("key"), 0o644))
	script := filepath.Join(t.TempDir(), "spy.sh")
	require.NoError(t, os.WriteFile(script, []byte(`while read -r m; do case $m in
'{"type":"hello"'*) echo '{"type":"ready"}' ;;
'{"type":"turn"'*) t=${m#*'"turn":'}; note=hidden; [ -r `+secret+` ] && note=seen
  echo '{"type":"move","turn":'"${t%%,*}"',"action":0,"note":"'$note'"}' ;; esac; done
`), 0o644))
	for flag, want := range map[string]string{"--strict": `"hidden"`, "--unsafe-no-sandbox": `"seen"`} {
		dir := t.TempDir()
		succeed(t, "match", "greedy", "cmd:bash "+script, "--deals", "1", "-q", "--replays", dir, "--move-time", "30s", flag)
		require.Contains(t, readAll(t, dir), `"note":`+want)
		require.Equal(t, flag == "--strict", strings.Contains(readAll(t, dir), `"confinement":{`))
	}
}

func readAll(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

// TestSecretFoldersAreThere makes the folders that bots may not see before the first bot runs: a tournament that another arena
// begins in them later would show its seed.
func TestSecretFoldersAreThere(t *testing.T) {
	needLinux(t)
	data := filepath.Join(t.TempDir(), "data")
	succeed(t, "match", "greedy", "random", "--deals", "1", "-q", "--data", data)
	require.DirExists(t, filepath.Join(data, "tournaments"))
	require.DirExists(t, filepath.Join(data, "replays"))
}

// TestMemoryFault plays against a bot that takes more and more memory.
func TestMemoryFault(t *testing.T) {
	needLinux(t)
	script := filepath.Join(t.TempDir(), "glutton.py")
	require.NoError(t, os.WriteFile(script, []byte(`import json, os, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif m["type"] == "turn":
        for _ in range(8):  # each below the limit of a process
            if os.fork() == 0:
                held = bytearray(100 << 20)
                held[::4096] = b"x" * len(held[::4096])
                os.read(0, 1 << 20)
        os.wait()
`), 0o644))
	out := succeed(t, "match", "greedy", "cmd:python3 "+script, "--deals", "1", "-q", "--no-replays", "--json", "--move-time", "60s")
	var report matchReport
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.NotEmpty(t, report.Result.Faults)
	for _, fault := range report.Result.Faults {
		require.Equal(t, protocol.Memory, fault.Code, fault.Detail)
		require.Contains(t, fault.Detail, "the limit is 512 MiB with all its processes; --memory raises it")
		require.Equal(t, "glutton@dev", fault.Bot)
		require.True(t, fault.Forfeit)
	}
}

// TestLackOfMemory plays against a bot that is refused memory, and starts some that get too little to begin with.
func TestLackOfMemory(t *testing.T) {
	needLinux(t)
	script := filepath.Join(t.TempDir(), "greed.py")
	require.NoError(t, os.WriteFile(script, []byte(`import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif m["type"] == "turn":
        held = bytearray(1 << 30)
`), 0o644))
	args := []string{"match", "greedy", "cmd:python3 " + script, "--deals", "1", "-q", "--no-replays", "--json", "--move-time", "60s"}
	var report matchReport
	require.NoError(t, json.Unmarshal([]byte(succeed(t, args...)), &report))
	require.NotEmpty(t, report.Result.Faults)
	for _, fault := range report.Result.Faults {
		require.Equal(t, protocol.Crash, fault.Code)
		require.Equal(t, "exit status 1; its stderr tells of a lack of memory: the limit is 512 MiB with all its processes; "+
			"--memory raises it, or memory_mb in a tournament file", fault.Detail)
		require.Contains(t, fault.Stderr, "MemoryError")
	}
	o := arenaRun(t, append(args, "--memory", "4")...)
	require.Equal(t, exitError, o.code)
	for _, bot := range []string{"greedy@1", "greed@dev"} {
		require.Regexp(t, bot+" does not start, so nothing was played: .*: the limit is 4 MiB with all its processes; --memory raises it", o.errOut)
	}
}

// TestManifestAsksToRead requires the user's word before a bot reads what its manifest asks for.
func TestManifestAsksToRead(t *testing.T) {
	needLinux(t)
	book := t.TempDir()
	bot := t.TempDir()
	text := "name = \"reader\"\nversion = \"1\"\nlanguage = \"bash\"\nrun = [\"bash\", \"bot.sh\"]\nread_only = [\"" + book + "\"]\n"
	require.NoError(t, os.WriteFile(filepath.Join(bot, "bot.toml"), []byte(text), 0o644))
	script := `while read -r m; do case $m in '{"type":"hello"'*) echo '{"type":"ready"}' ;;
'{"type":"turn"'*) t=${m#*'"turn":'}; echo '{"type":"move","turn":'"${t%%,*}"',"action":0}' ;; esac; done
`
	require.NoError(t, os.WriteFile(filepath.Join(bot, "bot.sh"), []byte(script), 0o644))
	args := []string{"match", "greedy", bot, "--deals", "1", "-q", "--no-replays", "--move-time", "30s", "--data", t.TempDir()}
	o := arenaRun(t, args...)
	require.Equal(t, exitUsage, o.code, o.errOut)
	require.Contains(t, o.errOut, "reader@1 asks to read "+book+"; if you agree, add --allow-read "+book)
	succeed(t, append(args, "--allow-read", filepath.Dir(book), "--strict")...)
	for all, want := range map[string]string{"": "--allow-read is empty", "/": "name a folder or a file"} {
		o = arenaRun(t, append(args, "--allow-read", all)...)
		require.Equal(t, exitUsage, o.code, o.errOut)
		require.Contains(t, o.errOut, want)
	}
}

// TestDataIsHidden lets a bot whose folder has the data folder in it look for the seed of the running tournament.
func TestDataIsHidden(t *testing.T) {
	needLinux(t)
	dir := t.TempDir()
	script := `while read -r m; do case $m in '{"type":"hello"'*) echo '{"type":"ready"}' ;;
'{"type":"turn"'*) t=${m#*'"turn":'}; note=hidden; [ -n "$(find data/tournaments data/replays -type f 2>/dev/null)" ] && note=seen
  echo '{"type":"move","turn":'"${t%%,*}"',"action":0,"note":"'$note'"}' ;; esac; done
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "spy.sh"), []byte(script), 0o644))
	file := filepath.Join(dir, "cup.toml")
	require.NoError(t, os.WriteFile(file, []byte("bots = [\"greedy\", \"cmd:bash spy.sh\"]\n"), 0o600))
	data := filepath.Join(dir, "data")
	succeed(t, "tournament", "run", file, "--data", data, "-q", "--strict", "--move-time", "30s")
	notes := readAll(t, filepath.Join(data, "replays", "cup"))
	require.Contains(t, notes, `"note":"hidden"`)
	require.NotContains(t, notes, `"note":"seen"`)
}
