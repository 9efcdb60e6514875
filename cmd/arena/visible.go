package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

// secrets are the folders that no bot may look into, even if they lie in its own: seeds, and replays of deals that are
// still to be played with other seats. It makes those that are not there, since another arena may put something into them
// while bots run.
func secrets(c *cli.Context) (dirs []string, err error) {
	for _, dir := range []string{tournamentDir(c), allReplays(c), c.String("replays")} { // the bots of the demo lie beside
		if dir == "" {
			continue
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
		if err = os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("folder for what bots may not see: %w; choose another --data or --replays", err)
		}
		dirs = append(dirs, dir)
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
	for _, dir := range allowed {
		if dir == "" || filepath.Clean(dir) == "/" {
			return usagef("--%s %q: name a folder or a file, and not all there is", allowRead, dir)
		}
	}
	for _, e := range entrants {
		if e.Trusted {
			continue
		}
		for _, path := range e.ReadOnly {
			if !slices.ContainsFunc(allowed, func(dir string) bool { return below(path, dir) }) {
				return usagef("%s asks to read %s; if you agree, add --%s %s", e.label, path, allowRead, show.ShellLine([]string{path}))
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
