package sandbox

import "slices"

// WithCgroups lets a launcher use the given versions of cgroups only.
func (c Config) WithCgroups(versions ...int) Config {
	c.cgroups = func(version int) bool { return slices.Contains(versions, version) }
	return c
}

// Cgroups are the directories that a launcher has made.
func (l *Launcher) Cgroups() []string { return l.pens.dirs() }
