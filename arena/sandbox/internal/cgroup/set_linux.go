package cgroup

import (
	"errors"
	"os"
	"slices"
	"time"
)

// removePatience is the time for the last processes of a cgroup to leave it.
const removePatience = 2 * time.Second

// Limits are what all processes of a group may use together.
type Limits struct {
	Memory    int64 // bytes
	Processes int
	CPU       float64 // processors' worth of time
}

// Set is what this program may do with cgroups: for each controller the first hierarchy that offers it.
type Set struct {
	grounds []*ground
	serves  map[string]*ground // by controller; what is missing has no cgroup
}

// Open makes a cgroup of the name arena-ID in each hierarchy that this program may write and that is of a version to be used; nil is
// every version. That some or all cannot be used is no error: [Set.By] tells. It removes what dead programs left there. The Set
// has to be closed.
func Open(id string, use func(version int) bool) *Set {
	s := &Set{serves: make(map[string]*ground)}
	from := slices.DeleteFunc(hierarchies(), func(h hierarchy) bool { return use != nil && !use(h.version) })
	lots := choose(files{}, from, os.Getpid())
	sweep(lots)
	for _, at := range lots {
		g, err := openGround(files{}, at, id)
		if err != nil {
			continue
		}
		used := false
		for _, name := range g.controllers {
			if s.serves[name] == nil {
				s.serves[name] = g
				used = true
			}
		}
		if !used {
			_ = g.close()
			continue
		}
		s.grounds = append(s.grounds, g)
	}
	return s
}

// By says which version serves a controller, "cgroup v1" or "cgroup v2", or gives back what stands for neither.
func (s *Set) By(controller, otherwise string) string {
	if g := s.serves[controller]; g != nil {
		return g.name
	}
	return otherwise
}

// Has says whether there is a controller.
func (s *Set) Has(controller string) bool { return s.serves[controller] != nil }

// Dirs are what [RemoveTrees] has to remove should this program be killed.
func (s *Set) Dirs() []string {
	var dirs []string
	for _, g := range s.grounds {
		dirs = append(dirs, g.dir)
	}
	return dirs
}

// Close removes the cgroups of the set; its groups have to be removed before.
func (s *Set) Close() error {
	var errs []error
	for _, g := range s.grounds {
		errs = append(errs, g.close())
	}
	return errors.Join(errs...)
}
