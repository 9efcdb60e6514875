package pack

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/internal/smallfile"
)

// IgnoreName is a file beside the manifest that says what is not packed: a pattern a line, as of [path.Match]. One without
// a slash is for names in all folders, one with a slash for paths from the bot's folder on. Lines that begin with # are comments.
const IgnoreName = ".arenaignore"

// ignored is what no package needs, and the patterns of the folder.
type ignored struct{ names, paths []string }

func readIgnored(dir string) (ignored, error) {
	all := ignored{names: []string{".git", ".hg", ".svn", ".arena", "__pycache__", ".DS_Store"}}
	text, err := smallfile.Read(filepath.Join(dir, IgnoreName))
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, os.ErrDeadlineExceeded) {
		return all, err
	}
	if err != nil {
		return all, refusef("%s: %v", IgnoreName, err)
	}
	for line := range strings.Lines(string(text)) {
		pattern := strings.TrimSuffix(strings.TrimSpace(line), "/")
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if strings.HasPrefix(pattern, "!") || strings.Contains(pattern, "**") {
			return all, refusef("%s: %q: there is neither ! nor **; write names like *.log, or paths like /data/big.bin", IgnoreName, pattern)
		}
		if _, err := path.Match(pattern, ""); err != nil {
			return all, refusef("%s: %q is no pattern; write names like *.log, or paths like /data/big.bin", IgnoreName, pattern)
		}
		if strings.Contains(pattern, "/") {
			all.paths = append(all.paths, strings.TrimPrefix(pattern, "/"))
		} else {
			all.names = append(all.names, pattern)
		}
	}
	return all, nil
}

func (i ignored) has(name string) bool {
	return matches(i.names, path.Base(name)) || matches(i.paths, name)
}

func matches(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// isCache reports whether a folder says of itself that all in it can be made again, as cargo's target does: it has a file
// CACHEDIR.TAG, as of https://bford.info/cachedir. No times are packed, so a build would take what was made of an earlier
// source for up to date.
func isCache(root *os.Root, dir string) bool {
	const signature = "Signature: 8a477f597d28d172789f06886806bc55"
	tag := path.Join(dir, "CACHEDIR.TAG")
	if info, err := root.Lstat(tag); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := root.Open(tag)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read
	begin := make([]byte, len(signature))
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == signature
}
