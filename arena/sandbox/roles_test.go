//go:build unix

package sandbox_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

var roles = map[string]func(args []string){
	"warden": func([]string) {
		if err := sandbox.Warden(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	},
	"linger": func([]string) { linger() },
	"flood":  flood,
	"flee":   flee,
	"arena":  arena,
	"caged":  func([]string) { cagedArena() },
}

// linger says its pid and stays, whatever it is asked.
func linger() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	fmt.Println(os.Getpid())
	time.Sleep(time.Hour)
}

// flood writes its argument in MiB to stderr, then "done" to stdout.
func flood(args []string) {
	n, _ := strconv.Atoi(args[0])
	block := []byte(strings.Repeat("x", 1<<20-1) + "\n")
	for range n {
		os.Stderr.Write(block)
	}
	fmt.Fprint(os.Stderr, "the end")
	fmt.Println("done")
}

// flee forks two children, each in a session of its own, down to the depth of its
// argument, and ends before them, as a daemon does. The leaves say their pids and stay.
func flee(args []string) {
	depth, _ := strconv.Atoi(args[0])
	if depth == 0 {
		linger()
	}
	for range 2 {
		cmd := exec.Command(os.Args[0], "flee", strconv.Itoa(depth-1))
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			os.Exit(1)
		}
	}
}

// arena is a program that uses a launcher: it starts bots of several kinds, says their
// pids and those of their escapees, has a folder in the one of its argument, and stays until the test ends. A signal ends it as it
// ends any program that does not care.
func arena(args []string) {
	l, err := sandbox.New(sandbox.Config{Warden: []string{os.Args[0], "warden"}})
	if err == nil {
		err = leaveFolder(l, args[0])
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, args := range [][]string{
		{os.Args[0], "linger"},
		{"/bin/sh", "-c", `echo $$; sleep 1000 & echo $!; wait`},
		{os.Args[0], "flee", "2"},
		{os.Args[0], "flee", "1"},
	} {
		p, err := l.Start(sandbox.Spec{Args: args})
		if err != nil {
			fmt.Println(err)
			return
		}
		go io.Copy(os.Stdout, p.Stdout())
	}
	io.Copy(io.Discard, os.Stdin)
}

// leaveFolder makes a folder that its owner may not change, and removes another one.
func leaveFolder(l *sandbox.Launcher, parent string) error {
	dir, _, err := l.TempDir(parent, "left-")
	if err != nil {
		return err
	}
	locked := filepath.Join(dir, "locked")
	if err = os.Mkdir(locked, 0o700); err != nil {
		return err
	}
	if err = os.WriteFile(filepath.Join(locked, "file"), nil, 0o600); err != nil {
		return err
	}
	if err = os.Chmod(locked, 0); err != nil {
		return err
	}
	_, remove, err := l.TempDir(parent, "gone-")
	if err != nil {
		return err
	}
	return remove()
}

// fleeing starts two processes that leave session, parent and environment behind, says so, and stays.
const fleeing = `env -i setsid sh -c 'sleep 1000 & echo ready; exec sleep 1000' & cat`

// cagedArena is an arena whose bots are confined. It says their pids when their escapees are there.
func cagedArena() {
	l, err := sandbox.New(sandbox.Config{Warden: []string{os.Args[0], "warden"}, Confine: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 4 {
		p, err := l.Start(sandbox.Spec{Args: []string{"/bin/sh", "-c", fleeing}, Env: []string{"PATH=/usr/bin:/bin"}})
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := p.Stdout().Read(make([]byte, len("ready\n"))); err != nil {
			return
		}
		fmt.Println(p.Pid())
	}
	io.Copy(io.Discard, os.Stdin)
}
