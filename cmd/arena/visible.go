package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// secrets are the folders that no bot may look into, even if they lie in its own: seeds, and replays of deals that are
// still to be played with other seats.
func secrets(c *cli.Context) (dirs []string, err error) {
	data := c.String("data") // the bots of the demo lie beside
	for _, dir := range []string{tournamentDir(c), filepath.Join(data, "replays"), c.String("replays")} {
		if dir == "" {
			continue
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
		dirs = append(dirs, dir, resolved(dir))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

// resolved follows the links in a path that need not be there yet.
func resolved(path string) string {
	if actual, err := filepath.EvalSymlinks(path); err == nil || path == filepath.Dir(path) {
		return actual
	}
	return filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path))
}

const allowRead = "allow-read"

// checkReads holds what the manifests of bots ask to read against what the user allows. Nothing is allowed unsaid: a
// manifest may be a stranger's.
func checkReads(allowed []string, entrants []entrant) error {
	for _, e := range entrants {
		if e.Trusted {
			continue
		}
		for _, path := range e.ReadOnly {
			if !slices.ContainsFunc(allowed, func(dir string) bool { return below(path, dir) }) {
				return usagef("%s asks to read %s; if you agree, add --%s %s", e.label, path, allowRead, shellLine([]string{path}))
			}
		}
	}
	return nil
}

// below reports whether a path lies in a folder, links resolved.
func below(path, dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	path, dir = resolved(path), resolved(dir)
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
}
