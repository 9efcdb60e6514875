package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// A warden reads lines of a word and its argument: first "launcher ID" and "cgroup DIR" for each of its cgroups, then
// "start PGID" and "end PGID" in the order of events, and among them "folder DIR" and "removed DIR", where DIR is quoted as
// in Go. It writes one line, "ready".
const (
	wordLauncher = "launcher"
	wordCgroup   = "cgroup"
	wordStart    = "start"
	wordEnd      = "end"
	wordFolder   = "folder"
	wordRemoved  = "removed"
	wordReady    = "ready"
)

// Warden is the whole life of a warden process, whose command line is Config.Warden; r
// and w are its standard input and output. It waits for the end of its launcher, however
// that comes, kills what the launcher left alive, removes its cgroups and temporary folders, and returns.
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
	err = errors.Join(err, hunt(markName+"="+left.id+"."))
	for folder := range left.folders {
		err = errors.Join(err, removeFolder(folder))
	}
	return err
}

// remains are what a launcher left.
type remains struct {
	id      string
	groups  map[int]bool
	cgroups []string
	folders map[string]bool
}

// follow reads until the launcher is gone.
func follow(r io.Reader) (remains, error) {
	left := remains{groups: make(map[int]bool), folders: make(map[string]bool)}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		word, arg, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case wordLauncher:
			left.id = arg
		case wordCgroup:
			left.cgroups = append(left.cgroups, arg)
		case wordStart, wordEnd:
			left.group(word, arg)
		case wordFolder, wordRemoved:
			left.folder(word, arg)
		}
	}
	return left, lines.Err()
}

// The launcher may have died within a line. No group of -1, which would be everybody, and no folder that is cut off is killed or removed.

func (r remains) group(word, arg string) {
	pgid, err := strconv.Atoi(arg)
	switch {
	case err != nil || pgid <= 1:
	case word == wordStart:
		r.groups[pgid] = true
	default:
		delete(r.groups, pgid)
	}
}

func (r remains) folder(word, arg string) {
	dir, err := strconv.Unquote(arg)
	switch {
	case err != nil || !filepath.IsAbs(dir):
	case word == wordFolder:
		r.folders[dir] = true
	default:
		delete(r.folders, dir)
	}
}
