package sandbox

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

type state int

const (
	stopped state = iota + 1 // or dead
	stuck                    // in a wait that no signal interrupts
	active
)

// member is a process of a bot; its state is that of its most active thread.
type member struct {
	pid   int
	state state
}

// survey looks at all processes of a bot. They all descend from the first one of their namespace, since an orphan becomes
// its child.
type survey struct {
	names, text []byte
}

// look returns the members, parents before children, and whether nothing ended while it looked: if something did, its
// children may have gone where they were not seen.
func (s *survey) look(root int, states bool) (members []member, whole bool) {
	whole = true
	todo := []int{root}
	for len(todo) > 0 {
		pid := todo[0]
		todo = todo[1:]
		m := member{pid: pid, state: stopped}
		threads := 0
		fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/task", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			whole = false
			continue
		}
		for _, tid := range s.list(fd) {
			if states {
				is, ok := s.state(fd, tid)
				whole = whole && ok
				m.state = max(m.state, is)
			}
			children, ok := s.read(fd, tid+"/children")
			whole = whole && ok
			for field := range bytes.FieldsSeq(children) {
				if child, err := strconv.Atoi(string(field)); err == nil {
					todo = append(todo, child)
				}
			}
			threads++
		}
		_ = unix.Close(fd)
		if threads > 0 {
			members = append(members, m)
		} else {
			whole = false
		}
	}
	return members, whole
}

func (s *survey) list(fd int) []string {
	if s.names == nil {
		s.names = make([]byte, 8<<10)
	}
	var names []string
	for {
		n, err := unix.ReadDirent(fd, s.names)
		if err != nil || n <= 0 {
			return names
		}
		_, _, names = unix.ParseDirent(s.names[:n], -1, names)
	}
}

// state is that of a thread. The leader of a process may have ended before the others.
func (s *survey) state(fd int, tid string) (state, bool) {
	text, ok := s.read(fd, tid+"/stat")
	i := bytes.LastIndexByte(text, ')')
	if !ok || i < 0 || i+2 >= len(text) {
		return stopped, false
	}
	switch text[i+2] {
	case 'T', 't', 'Z', 'X':
		return stopped, true
	case 'D':
		return stuck, true
	default:
		return active, true
	}
}

// read returns what is valid until the next read.
func (s *survey) read(dir int, name string) ([]byte, bool) {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = unix.Close(fd) }()
	if s.text == nil {
		s.text = make([]byte, 8<<10)
	}
	size := 0
	for {
		if size == len(s.text) {
			s.text = append(s.text, make([]byte, len(s.text))...)
		}
		n, err := unix.Read(fd, s.text[size:])
		if err != nil {
			return nil, false
		}
		if n <= 0 {
			return s.text[:size], true
		}
		size += n
	}
}
