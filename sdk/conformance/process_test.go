package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program is a bot that can be started.
type program struct {
	name string
	dir  string
	args []string
}

// process is a bot at work.
type process struct {
	t       *testing.T
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
	stderr  *bytes.Buffer
}

// start gives the process five minutes, which is for hangs only.
func (p program) start(t *testing.T, mode string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	path := p.args[0]
	if strings.HasPrefix(path, "./") {
		path = filepath.Join(p.dir, path)
	}
	b := &process{t: t, command: exec.CommandContext(ctx, path, append(p.args[1:len(p.args):len(p.args)], mode)...), stderr: &bytes.Buffer{}}
	b.command.Dir = p.dir
	b.command.Stderr = b.stderr
	var err error
	b.stdin, err = b.command.StdinPipe()
	require.NoError(t, err)
	stdout, err := b.command.StdoutPipe()
	require.NoError(t, err)
	b.stdout = bufio.NewReaderSize(stdout, 1<<16)
	require.NoError(t, b.command.Start())
	return b
}

func (b *process) send(text string) {
	b.t.Helper()
	_, err := io.WriteString(b.stdin, text)
	require.NoError(b.t, err)
}

// hear is the next line, without its end.
func (b *process) hear() string {
	b.t.Helper()
	line, err := b.stdout.ReadString('\n')
	require.NoError(b.t, err, "after %q", line)
	return strings.TrimSuffix(line, "\n")
}

// end waits for the process, which must have nothing more to say, and returns its stderr.
func (b *process) end() (string, error) {
	b.t.Helper()
	rest, err := io.ReadAll(b.stdout)
	require.NoError(b.t, err)
	require.Empty(b.t, string(rest), "more lines than answers")
	err = b.command.Wait()
	return b.stderr.String(), err
}

// quit says goodbye, after which the process must end well.
func (b *process) quit() string {
	b.t.Helper()
	b.send("{\"type\":\"quit\"}\n")
	stderr, err := b.end()
	require.NoError(b.t, err, stderr)
	return stderr
}
