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

// A warden reads lines of a word and its argument: first "launcher ID", then "start PGID"
// and "end PGID" in the order of events. It writes one line, "ready".
const (
	wordLauncher = "launcher"
	wordStart    = "start"
	wordEnd      = "end"
	wordReady    = "ready"
)

// Warden is the whole life of a warden process, whose command line is Config.Warden; r
// and w are its standard input and output. It waits for the end of its launcher, however
// that comes, kills what the launcher left alive, and returns.
//
// It ignores the signals that ask a program to end: its end is that of its launcher.
func Warden(r io.Reader, w io.Writer) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	if _, err := fmt.Fprintln(w, wordReady); err != nil {
		return err
	}
	id, groups, err := follow(r)
	if id == "" {
		return errors.Join(errors.New("the launcher did not say who it is"), err)
	}
	for pgid := range groups {
		killGroup(pgid)
	}
	return errors.Join(err, hunt(markName+"="+id+"."))
}

// follow reads until the launcher is gone and returns its id and the groups that it left.
func follow(r io.Reader) (id string, groups map[int]bool, err error) {
	groups = make(map[int]bool)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		word, arg, _ := strings.Cut(lines.Text(), " ")
		if word == wordLauncher {
			id = arg
			continue
		}
		pgid, err := strconv.Atoi(arg)
		if err != nil || pgid <= 1 {
			continue // the launcher died within a line; -1 would mean everybody
		}
		switch word {
		case wordStart:
			groups[pgid] = true
		case wordEnd:
			delete(groups, pgid)
		}
	}
	return id, groups, lines.Err()
}
