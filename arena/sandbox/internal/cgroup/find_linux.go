package cgroup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
)

// The controllers that are used.
const (
	Memory  = "memory"
	PIDs    = "pids"
	CPU     = "cpu"
	Freezer = "freezer" // of version 2 every cgroup has one
)

// hierarchy is a mounted tree of cgroups and the place of this program in it.
type hierarchy struct {
	version     int
	controllers []string // of version 1; those of version 2 differ from cgroup to cgroup
	mount       string
	own         string // the directory of this program's cgroup, at or below mount
}

// hierarchies finds those that this program can see itself in.
func hierarchies() []hierarchy {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	places, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	return parseHierarchies(string(mounts), string(places))
}

// parseHierarchies reads the formats of proc_pid_mountinfo(5) and cgroups(7). The version 2 one comes first.
func parseHierarchies(mounts, places string) []hierarchy {
	mounted, err := mountinfo.GetMountsFromReader(strings.NewReader(mounts), nil)
	if err != nil {
		return nil
	}
	var found []hierarchy
	for _, m := range mounted {
		h, ok := parseKind(m.FSType, m.VFSOptions)
		if !ok {
			continue
		}
		h.mount = m.Mountpoint
		place, ok := placeIn(h, places)
		if !ok || strings.HasPrefix(place, "/..") {
			continue // or outside of the namespace of cgroups
		}
		// What is mounted may be a part of the tree only.
		rel, err := filepath.Rel(m.Root, place)
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			continue
		}
		h.own = filepath.Join(h.mount, rel)
		found = append(found, h)
	}
	slices.SortStableFunc(found, func(a, b hierarchy) int { return b.version - a.version })
	return found
}

// parseKind takes the type of a file system and its options, which are the controllers in version 1.
func parseKind(kind, options string) (h hierarchy, ok bool) {
	switch kind {
	case "cgroup2":
		return hierarchy{version: 2}, true
	case "cgroup":
		h.version = 1
		for name := range strings.SplitSeq(options, ",") {
			if slices.Contains([]string{Memory, PIDs, CPU, Freezer}, name) {
				h.controllers = append(h.controllers, name)
			}
		}
		return h, h.controllers != nil
	default:
		return h, false
	}
}

// placeIn returns the path of this program's cgroup from the root of the hierarchy.
func placeIn(h hierarchy, places string) (string, bool) {
	for line := range strings.Lines(places) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) < 3 {
			continue
		}
		if h.version == 2 && parts[0] == "0" || h.version == 1 && slices.Contains(strings.Split(parts[1], ","), h.controllers[0]) {
			return parts[2], true
		}
	}
	return "", false
}
