package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	huntRounds = 50
	huntPause  = 200 * time.Millisecond // for the dying in each round, at most
	scanSweeps = 100
	scanPause  = time.Millisecond
	scanLooks  = 5
)

// hunt kills every process that has mark in its environment and returns when there is
// none. Rounds are many because a victim may fork while it is found.
func hunt(mark string) error {
	s := scan{mark: []byte(mark), self: strconv.Itoa(os.Getpid())}
	var found []int
	for range huntRounds {
		var err error
		if found, err = s.run(); err != nil || len(found) == 0 {
			return err
		}
		s.slay(found)
	}
	return fmt.Errorf("processes %v are not to be killed", found)
}

// scan reads the environments of processes. Those of other users are closed to it, and
// need not be open: a bot cannot become another user without the help of a program that
// drops its environment.
type scan struct {
	mark []byte
	self string
	buf  []byte
}

// run returns the processes that have the mark. It lists again until a listing shows no
// process that it has not looked at: the list is old as soon as it is made, and a
// process may flee from the unread part of it by a fork.
func (s *scan) run() (found []int, err error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = proc.Close() }()
	seen := make(map[string]struct{})
	for range scanSweeps {
		if _, err = proc.Seek(0, 0); err != nil {
			return nil, err
		}
		names, err := proc.Readdirnames(-1)
		if err != nil {
			return nil, err
		}
		fresh, unsure := false, false
		for _, name := range names {
			if _, ok := seen[name]; ok || name[0] < '1' || name[0] > '9' || name == s.self {
				continue
			}
			fresh = true
			seen[name] = struct{}{}
			switch s.look(int(proc.Fd()), name) {
			case marked:
				pid, _ := strconv.Atoi(name)
				found = append(found, pid)
			case loading:
				unsure = true
				delete(seen, name)
			case foreign:
			}
		}
		if !fresh {
			break
		}
		if unsure {
			time.Sleep(scanPause)
		}
	}
	return found, nil
}

type sight int

const (
	foreign sight = iota + 1
	marked
	loading // the program is being replaced and has no environment at the moment
)

// look tells a process that has no environment from one that has none yet. A process
// without memory of its own, dead or of the kernel, has no executable. One that has
// arguments has its environment too, though maybe since the look at it only, so it looks
// again; a process that replaces its program over and over may need that more than once.
func (s *scan) look(proc int, name string) sight {
	for range scanLooks {
		if env := s.read(proc, name+"/environ"); bytes.Contains(env, s.mark) {
			return marked
		} else if len(env) > 0 {
			return foreign
		}
		var link [1]byte
		if _, err := unix.Readlinkat(proc, name+"/exe", link[:]); err != nil {
			return foreign
		}
		if len(s.read(proc, name+"/cmdline")) == 0 {
			return loading
		}
	}
	return foreign
}

// read returns nothing for what it may not read. The result is valid until the next read.
func (s *scan) read(dir int, name string) []byte {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	if s.buf == nil {
		s.buf = make([]byte, 16<<10)
	}
	size := 0
	for {
		if size == len(s.buf) {
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
		n, err := unix.Read(fd, s.buf[size:])
		if n <= 0 || err != nil {
			return s.buf[:size]
		}
		size += n
	}
}

// slay kills and waits a little for each to be dead, which is quicker than to find it
// dying in the next round.
func (s *scan) slay(pids []int) {
	deadline := time.Now().Add(huntPause)
	var dying []unix.PollFd
	for _, pid := range pids {
		if fd := s.kill(pid); fd >= 0 {
			dying = append(dying, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		}
	}
	if len(dying) == 0 {
		time.Sleep(scanPause)
	}
	for _, d := range dying {
		for {
			wait := time.Until(deadline).Milliseconds()
			if wait <= 0 {
				break
			}
			if _, err := unix.Poll([]unix.PollFd{d}, int(wait)); !errors.Is(err, unix.EINTR) {
				break
			}
		}
		_ = unix.Close(int(d.Fd))
	}
}

// kill holds the process before it looks once more whether it has the mark, so that it
// cannot hit another one that got the same number. It returns a descriptor that becomes
// readable when the process is dead, or -1.
func (s *scan) kill(pid int) int {
	fd, err := unix.PidfdOpen(pid, 0)
	held := err == nil
	if errors.Is(err, unix.ESRCH) {
		return -1
	}
	if !bytes.Contains(s.read(unix.AT_FDCWD, "/proc/"+strconv.Itoa(pid)+"/environ"), s.mark) {
		if held {
			_ = unix.Close(fd)
		}
		return -1
	}
	if !held { // an old kernel
		_ = unix.Kill(pid, unix.SIGKILL)
		return -1
	}
	_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	return fd
}
