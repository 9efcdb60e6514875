package sandbox_test

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

func TestCageTry(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	l, err := sandbox.New(sandbox.Config{Init: []string{exe, "cage-init"}})
	require.NoError(t, err)
	defer l.Close()
	for _, args := range [][]string{
		{"/bin/sh", "-c", "id; ls -la /; pwd; ls -la /tmp /dev; cat /proc/self/status | egrep 'Cap|NoNew|Seccomp|Uid'; ps ax 2>&1 | head; ls /root /etc; touch /x; echo $?"},
		{"python3", "-c", "import os,sys,socket; print(sys.version, os.getpid()); import multiprocessing as m; print(m.Pool(2).map(abs,[-1,-2]))\ntry:\n  socket.create_connection(('127.0.0.1',22),1)\nexcept Exception as e: print(e)"},
		{"node", "-e", "console.log(process.version, process.pid)"},
		{"java", "-version"},
	} {
		p, err := l.Start(sandbox.Spec{Args: args, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}})
		if err != nil {
			t.Error(args[0], err)
			continue
		}
		p.Stdin().Close()
		out, _ := io.ReadAll(p.Stdout())
		<-p.Done()
		p.Kill()
		t.Logf("%s\n%s\n%s\n%v", args[0], out, p.Stderr(), p.Exit())
	}
}
