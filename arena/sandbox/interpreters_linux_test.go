package sandbox_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

const (
	pythonPool  = "import multiprocessing as m\nif __name__ == '__main__':\n with m.Pool(2) as p: print(p.map(abs, [-1, -2]))"
	nodeWorker  = "const w = require('worker_threads'); new w.Worker(\"require('worker_threads').parentPort.postMessage(6*7)\", {eval: true}).on('message', m => console.log(m))"
	javaProgram = "class Bot { public static void main(String[] a) { System.out.println(6 * 7); } }"
)

func TestInterpreters(t *testing.T) {
	l := startCaged(t)
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"python", []string{"python3", "-c", "print(6*7)"}, "42"},
		{"python pool", []string{"python3", "-c", pythonPool}, "[1, 2]"},
		{"python libraries", []string{"python3", "-c", "import json, ssl, sqlite3, ctypes, hashlib, tempfile; tempfile.TemporaryFile(); print(1)"}, "1"},
		{"python relative", []string{"python3", "bot.py"}, "bot.py"},
		{"node", []string{"node", "-e", "console.log(6*7)"}, "42"},
		{"node worker", []string{"node", "-e", nodeWorker}, "42"},
		{"java", []string{"java", "Bot.java"}, "42"},
		{"bash", []string{"bash", "-c", "cat <(echo $((6*7)))"}, "42"},
		{"perl", []string{"perl", "-MPOSIX", "-e", "print 6*7"}, "42"},
		{"script", []string{"./bot.sh"}, "bot.sh"},
		{"static C", []string{"./attack", "limits"}, "errno 1"},
	}
	dir := t.TempDir()
	writeBot(t, dir, 0o755)
	write(t, filepath.Join(dir, "Bot.java"), javaProgram, 0o644)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(tt.args[0], "attack") {
				buildAttack(t, filepath.Join(dir, "attack"))
			} else if !strings.Contains(tt.args[0], "/") {
				need(t, tt.args[0])
			}
			spec := sandbox.Spec{Args: tt.args, Dir: dir}
			if tt.name == "java" {
				need(t, "javac")
				spec.Limits.Memory = 1 << 30
			}
			assert.Equal(t, tt.want, ask(t, l, spec))
		})
	}
	t.Run("Go", func(t *testing.T) {
		buildGo(t, filepath.Join(dir, "gobot"))
		assert.Equal(t, "42", ask(t, l, sandbox.Spec{Args: []string{"./gobot"}, Dir: dir}))
	})
}

// buildGo makes a bot in Go. The test binary will not do for one: the race detector takes more memory than a bot has.
func buildGo(t *testing.T, file string) {
	t.Helper()
	if built, err := os.ReadFile(filepath.Join("testdata", "gobot", "built")); err == nil {
		write(t, file, string(built), 0o755)
		return
	}
	out, err := exec.CommandContext(t.Context(), need(t, "go"), "build", "-o", file, "./testdata/gobot").CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestInterpreterFolders has programs and bots in places that only their owner can enter.
func TestInterpreterFolders(t *testing.T) {
	python := need(t, "python3")
	executable, err := exec.CommandContext(t.Context(), python, "-c", "import os, sys; print(os.path.realpath(sys.executable))").Output()
	require.NoError(t, err)
	l := startCaged(t)
	private := filepath.Join(t.TempDir(), "someone")
	require.NoError(t, os.Mkdir(private, 0o700))

	t.Run("environment of Python", func(t *testing.T) {
		bin := filepath.Join(private, "venv", "bin")
		require.NoError(t, os.MkdirAll(bin, 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(private, "venv", "lib"), 0o755))
		executable := strings.TrimSpace(string(executable))
		require.NoError(t, os.Symlink(executable, filepath.Join(bin, "python3")))
		write(t, filepath.Join(private, "venv", "pyvenv.cfg"), "home = "+filepath.Dir(executable)+"\n", 0o644)
		got := ask(t, l, sandbox.Spec{Args: []string{"python3", "-c", "import sys; print(sys.prefix)"}, Env: []string{"PATH=" + bin}})
		assert.Equal(t, filepath.Join(private, "venv"), got)
	})
	t.Run("private parent", func(t *testing.T) {
		dir := filepath.Join(private, "bots", "one")
		require.NoError(t, os.MkdirAll(dir, 0o755))
		writeBot(t, dir, 0o755)
		assert.Equal(t, "bot.sh", ask(t, l, sandbox.Spec{Args: []string{"./bot.sh"}, Dir: dir}))
	})
	t.Run("private folder", func(t *testing.T) {
		dir := filepath.Join(private, "bots", "two")
		require.NoError(t, os.MkdirAll(dir, 0o700))
		writeBot(t, dir, 0o700)
		assert.Equal(t, "bot.sh", ask(t, l, sandbox.Spec{Args: []string{"./bot.sh"}, Dir: dir}))
	})
	t.Run("more to read", func(t *testing.T) {
		data := filepath.Join(private, "data")
		require.NoError(t, os.Mkdir(data, 0o755))
		write(t, filepath.Join(data, "weights"), "42", 0o644)
		args := []string{"/bin/cat", filepath.Join(data, "weights")}
		assert.Empty(t, ask(t, l, sandbox.Spec{Args: args}))
		assert.Equal(t, "42", ask(t, l, sandbox.Spec{Args: args, ReadOnly: []string{data}}))
	})
}

// writeBot writes two that say their names.
func writeBot(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	write(t, filepath.Join(dir, "bot.sh"), "#!/bin/sh\ncat name\n", mode)
	write(t, filepath.Join(dir, "name"), "bot.sh", mode&0o666)
	write(t, filepath.Join(dir, "bot.py"), "import sys; print(sys.argv[0])", mode&0o666)
}

// ask returns what a bot prints.
func ask(t *testing.T, l *sandbox.Launcher, spec sandbox.Spec) string {
	t.Helper()
	if spec.Env == nil {
		spec.Env = []string{"PATH=" + os.Getenv("PATH")}
	}
	p, err := l.Start(spec)
	require.NoError(t, err)
	require.NoError(t, p.Stdin().Close())
	out, err := io.ReadAll(p.Stdout())
	require.NoError(t, err)
	<-p.Done()
	require.NoError(t, p.Kill())
	if p.Exit().Code != 0 {
		t.Logf("%s: %s", p.Exit(), p.Stderr())
	}
	return strings.TrimSpace(string(out))
}
