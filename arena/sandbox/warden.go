package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// A warden reads lines of a word and its argument: first "launcher ID" and "cgroup DIR" for each of its cgroups, then
// "start PGID" and "end PGID" in the order of events. It writes one line, "ready".
const (
	wordLauncher = "launcher"
	wordCgroup   = "cgroup"
	wordStart    = "start"
	wordEnd      = "end"
	wordReady    = "ready"
)

// Warden is the whole life of a warden process, whose command line is Config.Warden; r
// and w are its standard input and output. It waits for the end of its launcher, however
// that comes, kills what the launcher left alive, removes its cgroups, and returns.
//
// It ignores the signals that ask a program to end: its end is that of its launcher.
func Warden(r io.Reader, w io.Writer) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	if _, err := fmt.Fprintln(w, wordReady); err != nil {
		return err
	}
	left, err := follow(r)
	if left.id == "" {
		return errors.Join(errors.New("the launcher did not say who it is"), err)
	}
	for pgid := range left.groups {
		killGroup(pgid)
	}
	err = errors.Join(err, removeTrees(left.cgroups))
	return errors.Join(err, hunt(markName+"="+left.id+"."))
}

// remains are what a launcher left.
type remains struct {
	id      string
	groups  map[int]bool
	cgroups []string
}

// follow reads until the launcher is gone.
func follow(r io.Reader) (remains, error) {
	left := remains{groups: make(map[int]bool)}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		word, arg, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case wordLauncher:
			left.id = arg
			continue
		case wordCgroup:
			left.cgroups = append(left.cgroups, arg)
			continue
		}
		pgid, err := strconv.Atoi(arg)
		if err != nil || pgid <= 1 {
			continue // the launcher died within a line; -1 would mean everybody
		}
		switch word {
		case wordStart:
			left.groups[pgid] = true
		case wordEnd:
			delete(left.groups, pgid)
		}
	}
	return left, lines.Err()
}
