//go:build unix

package sandbox_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

func TestTalk(t *testing.T) {
	p := start(t, startLauncher(t), "/bin/cat")
	answers := bufio.NewReader(p.Stdout())
	for _, line := range []string{"one\n", "two\n"} {
		_, err := io.WriteString(p.Stdin(), line)
		require.NoError(t, err)
		got, err := answers.ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, line, got)
	}
	require.NoError(t, p.Stop(time.Minute))
	assert.Equal(t, "exit status 0", p.Exit().String(), "the end of its input is enough for cat")
	_, err := answers.ReadByte()
	assert.Error(t, err)
	_, err = p.Stdin().Write([]byte("late"))
	assert.Error(t, err)
}

// TestTerminate: a program ends by SIGTERM as it would elsewhere, or handles it.
func TestTerminate(t *testing.T) {
	l := startLauncher(t)
	p := start(t, l, "/bin/cat")
	require.NoError(t, p.Terminate())
	<-p.Done()
	assert.Equal(t, "signal: terminated", p.Exit().String())
	require.NoError(t, p.Terminate(), "it has ended")
	require.NoError(t, p.Kill())

	p = sh(t, l, "trap 'echo asked; exit 3' TERM; echo here; while :; do sleep 0.01; done")
	_, err := io.ReadFull(p.Stdout(), make([]byte, len("here\n")))
	require.NoError(t, err)
	require.NoError(t, p.Terminate())
	assert.Equal(t, "asked\n", readAll(t, p))
	<-p.Done()
	assert.Equal(t, "exit status 3", p.Exit().String())
	require.NoError(t, p.Kill())
}

func TestDeadlines(t *testing.T) {
	l := startLauncher(t)
	p := sh(t, l, "sleep 1000")
	require.NoError(t, p.Stdout().SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, err := p.Stdout().Read(make([]byte, 1))
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, p.Stdin().SetWriteDeadline(time.Now().Add(time.Millisecond)))
	_, err = p.Stdin().Write(make([]byte, 1<<20))
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, p.Kill())
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET", "of the arena")
	l := startLauncher(t)
	p, err := l.Start(sandbox.Spec{
		Args: []string{"env"},
		Env:  []string{"PATH=" + os.Getenv("PATH"), "A=1", "ARENA_PROCESS=forged"},
	})
	require.NoError(t, err)
	lines := strings.Fields(readAll(t, p))
	require.Len(t, lines, 3)
	assert.Regexp(t, `^ARENA_PROCESS=\w+\.1$`, lines[0])
	assert.Equal(t, []string{"PATH=" + os.Getenv("PATH"), "A=1"}, lines[1:])
	require.NoError(t, p.Stop(0))
}

func TestFindsProgram(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	write(t, filepath.Join(dir, "sub", "hello"), "#!/bin/sh\npwd\n", 0o755)
	l := startLauncher(t)
	for _, spec := range []sandbox.Spec{
		{Args: []string{"./sub/hello"}},
		{Args: []string{"sub/hello"}},
		{Args: []string{filepath.Join(dir, "sub", "hello")}},
		{Args: []string{"hello"}, Env: []string{"PATH=/nowhere:" + filepath.Join(dir, "sub")}},
		{Args: []string{"hello"}, Env: []string{"PATH=/nowhere", "PATH=sub"}},
	} {
		spec.Dir = dir
		p, err := l.Start(spec)
		require.NoError(t, err)
		pwd, err := filepath.EvalSymlinks(dir)
		require.NoError(t, err)
		assert.Equal(t, pwd+"\n", readAll(t, p))
		require.NoError(t, p.Stop(0))
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "plain"), "#!/bin/sh\n", 0o644)
	write(t, filepath.Join(dir, "noformat"), "print('hello')\n", 0o755)
	write(t, filepath.Join(dir, "lost"), "#!/no/such/interpreter\n", 0o755)
	path := []string{"PATH=/usr/bin:" + dir}
	tests := []struct {
		name string
		spec sandbox.Spec
		is   error
		says string
	}{
		{"empty", sandbox.Spec{}, nil, `start "": the command is empty; check the run line`},
		{"not in PATH", sandbox.Spec{Args: []string{"pyhton3"}, Env: path}, exec.ErrNotFound, `start "pyhton3": not found in PATH; check the run line`},
		{"no PATH", sandbox.Spec{Args: []string{"python3"}}, exec.ErrNotFound, "its environment has no PATH"},
		{"not executable in PATH", sandbox.Spec{Args: []string{"plain"}, Env: path}, fs.ErrPermission, "make it executable"},
		{"no file", sandbox.Spec{Args: []string{"./bot"}, Dir: dir}, fs.ErrNotExist, "check the run line, and whether the bot is built"},
		{"directory", sandbox.Spec{Args: []string{dir}}, syscall.EISDIR, "is a directory; check the run line"},
		{"not executable", sandbox.Spec{Args: []string{"./plain"}, Dir: dir}, fs.ErrPermission, "chmod +x"},
		{"wrong format", sandbox.Spec{Args: []string{"./noformat"}, Dir: dir}, syscall.ENOEXEC, "#!/usr/bin/env python3"},
		{"no interpreter", sandbox.Spec{Args: []string{"./lost"}, Dir: dir}, fs.ErrNotExist, "the interpreter of its first line"},
		{"no directory", sandbox.Spec{Args: []string{"/bin/cat"}, Dir: dir + "/gone"}, fs.ErrNotExist, "working directory"},
		{"file as directory", sandbox.Spec{Args: []string{"/bin/cat"}, Dir: dir + "/plain"}, syscall.ENOTDIR, "working directory"},
	}
	l := startLauncher(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := l.Start(tt.spec)
			require.ErrorContains(t, err, tt.says)
			if tt.is != nil {
				assert.ErrorIs(t, err, tt.is)
			}
		})
	}
}

func TestStartWhileWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot")
	command, err := exec.LookPath("true")
	require.NoError(t, err)
	program, err := os.ReadFile(command)
	require.NoError(t, err)
	write(t, file, string(program), 0o755)
	l := startLauncher(t)
	w, err := os.OpenFile(file, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = l.Start(sandbox.Spec{Args: []string{file}})
	assert.ErrorIs(t, err, syscall.ETXTBSY)
	go w.Close()
	p, err := l.Start(sandbox.Spec{Args: []string{file}})
	for errors.Is(err, syscall.ETXTBSY) { // on a machine so slow that it gave up before the file was closed
		p, err = l.Start(sandbox.Spec{Args: []string{file}})
	}
	require.NoError(t, err)
	require.NoError(t, p.Kill())
}

func TestExit(t *testing.T) {
	tests := []struct {
		script, want string
		code         int
		signal       syscall.Signal
	}{
		{"exit 0", "exit status 0", 0, 0},
		{"exit 3", "exit status 3", 3, 0},
		{"kill -TERM $$", "signal: terminated", -1, syscall.SIGTERM},
		{"kill -KILL $$", "signal: killed", -1, syscall.SIGKILL},
	}
	l := startLauncher(t)
	for _, tt := range tests {
		p := sh(t, l, tt.script)
		<-p.Done()
		got := p.Exit()
		assert.Equal(t, tt.want, got.String())
		assert.Equal(t, tt.code, got.Code)
		assert.Equal(t, tt.signal, got.Signal)
		assert.Positive(t, got.MaxRSS)
		require.NoError(t, p.Stop(0))
	}
}

func TestUsage(t *testing.T) {
	p := sh(t, startLauncher(t), "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done")
	<-p.Done()
	assert.Positive(t, p.Exit().User+p.Exit().System)
	require.NoError(t, p.Kill())
}

func TestStderr(t *testing.T) {
	l := startLauncher(t)
	p := sh(t, l, "echo oops >&2")
	<-p.Done()
	require.NoError(t, p.Stop(0))
	assert.Equal(t, "oops\n", p.Stderr().String())

	p, err := l.Start(sandbox.Spec{Args: []string{"/bin/sh", "-c", "echo 0123456789 >&2"}, Stderr: 4})
	require.NoError(t, err)
	<-p.Done()
	require.NoError(t, p.Stop(0))
	assert.Equal(t, sandbox.Tail{Bytes: []byte("789\n"), Dropped: 7}, p.Stderr())
	assert.Equal(t, "[7 bytes dropped]\n789\n", p.Stderr().String())
}

func TestStderrFlood(t *testing.T) {
	p := start(t, startLauncher(t), os.Args[0], "flood", "50")
	assert.Equal(t, "done\n", readAll(t, p), "it came to its end with nobody reading its log")
	require.NoError(t, p.Stop(time.Minute))
	tail := p.Stderr()
	assert.Len(t, tail.Bytes, 64<<10)
	assert.EqualValues(t, 50<<20+len("the end")-64<<10, tail.Dropped)
	assert.True(t, strings.HasSuffix(tail.String(), "xxx\nthe end"))
}

func TestStopStubborn(t *testing.T) {
	l := startLauncher(t)
	p := start(t, l, os.Args[0], "linger")
	readPids(t, p.Stdout(), 1)
	require.NoError(t, p.Stop(time.Millisecond))
	<-p.Done()
	assert.Equal(t, "signal: killed", p.Exit().String())
	require.NoError(t, p.Stop(time.Hour), "again")
	require.NoError(t, p.Kill(), "and again")
}

func TestKillCutsGrace(t *testing.T) {
	p := start(t, startLauncher(t), os.Args[0], "linger")
	readPids(t, p.Stdout(), 1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { assert.NoError(t, p.Stop(time.Hour)) })
	}
	require.NoError(t, p.Kill())
	wg.Wait()
}

func TestStopUnblocksReader(t *testing.T) {
	p := start(t, startLauncher(t), "/bin/sleep", "1000")
	read := make(chan error)
	go func() {
		_, err := p.Stdout().Read(make([]byte, 1))
		read <- err
	}()
	require.NoError(t, p.Stop(0))
	err := <-read
	assert.True(t, errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed), "%v", err)
}

func TestClose(t *testing.T) {
	l := startLauncher(t)
	var all []*sandbox.Process
	for range 5 {
		all = append(all, sh(t, l, "sleep 1000"))
	}
	require.NoError(t, l.Close())
	for _, p := range all {
		<-p.Done()
		assert.Equal(t, "signal: killed", p.Exit().String())
	}
	_, err := l.Start(sandbox.Spec{Args: []string{"/bin/cat"}})
	assert.ErrorContains(t, err, "the launcher is closed")
	require.NoError(t, l.Close())
}

func TestParallel(t *testing.T) {
	l := startLauncher(t)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			p := start(t, l, "/bin/cat")
			want := fmt.Sprintln("bot", i)
			_, err := io.WriteString(p.Stdin(), want)
			assert.NoError(t, err)
			got, err := bufio.NewReader(p.Stdout()).ReadString('\n')
			assert.NoError(t, err)
			assert.Equal(t, want, got)
			assert.NoError(t, p.Stop(time.Duration(i%2)*time.Minute))
		})
	}
	wg.Wait()
}

func TestCloseDuringStarts(t *testing.T) {
	l := startLauncher(t)
	started := make(chan struct{}, 8)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for {
				p, err := l.Start(sandbox.Spec{Args: []string{"/bin/sleep", "1000"}})
				if err != nil {
					assert.ErrorContains(t, err, "closed")
					return
				}
				select {
				case started <- struct{}{}:
				default:
				}
				defer func() { <-p.Done() }()
			}
		})
	}
	<-started
	require.NoError(t, l.Close())
	wg.Wait()
}

func write(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(text), mode))
}
