package main

import (
	"encoding/json"
	"os"
	"os/exec"
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
		require.Equal(t, "glutton@dev", fault.Bot)
		require.True(t, fault.Forfeit)
	}
}

func TestDoctor(t *testing.T) {
	needLinux(t)
	text := succeed(t, "doctor")
	for _, part := range []string{"namespaces", "system calls", "users", "files", "memory", "processes", "processor", "freezing"} {
		require.Contains(t, text, part)
	}
	var doctor, version struct {
		Sandbox struct{ Confined bool }
	}
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "doctor", "--json")), &doctor))
	require.True(t, doctor.Sandbox.Confined)
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "version", "--json")), &version))
	require.Equal(t, doctor, version)
}

// TestRefusesWithoutConfinement takes user namespaces away and requires a refusal that says what to do.
func TestRefusesWithoutConfinement(t *testing.T) {
	needLinux(t)
	unshare, err := exec.LookPath("unshare")
	require.NoError(t, err, "it is part of util-linux")
	exe, err := os.Executable()
	require.NoError(t, err)
	inside := func(args string) (string, int) {
		cmd := exec.Command(unshare, "--user", "--map-root-user", "--mount", "sh", "-c",
			"echo 0 >/proc/sys/user/max_user_namespaces && exec "+exe+" "+args)
		out, err := cmd.CombinedOutput()
		if err != nil {
			require.IsType(t, &exec.ExitError{}, err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, code := inside("match greedy random --no-replays -q --deals 1")
	require.Equal(t, exitError, code, out)
	require.Contains(t, out, "sysctl -w user.max_user_namespaces=")
	require.Contains(t, out, "--unsafe-no-sandbox")
	out, code = inside("match greedy random --no-replays -q --deals 1 --unsafe-no-sandbox")
	require.Equal(t, exitOK, code, out)
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
