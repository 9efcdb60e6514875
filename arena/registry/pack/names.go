package pack

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inventory is what has been taken into a package so far.
type inventory struct {
	spelled map[string]string // the paths as they are, by their spelling without case
	bytes   int64
}

func newInventory() *inventory { return &inventory{spelled: map[string]string{}} }

// add checks a path, with slashes and relative to the folder, and the size of what it names. Folders have none.
func (v *inventory) add(name string, bytes int64) error {
	if err := checkPath(name); err != nil {
		return err
	}
	if len(v.spelled) == MaxFiles {
		return refusef("there are more than %d files and folders; leave out what the bot does not need to play, by a line in %s", MaxFiles, IgnoreName)
	}
	folded := strings.ToLower(strings.ToUpper(name))
	if twin, ok := v.spelled[folded]; ok {
		return refusef("%q and %q have one name where case does not count; rename one of them", twin, name)
	}
	v.spelled[folded] = name
	if bytes < 0 || bytes > MaxUnpacked || v.bytes+bytes > MaxUnpacked {
		return refusef("with %q (%s) the files come to more than %s; leave out what the bot does not need to play, by a line in %s",
			name, size(bytes), size(MaxUnpacked), IgnoreName)
	}
	v.bytes += bytes
	return nil
}

// checkPath lets through what is a file within the folder on any system.
func checkPath(name string) error {
	shown := name[:min(len(name), MaxPath)]
	switch {
	case !utf8.ValidString(name):
		return refusef("the name %q is not UTF-8; rename it", shown)
	case len(name) > MaxPath:
		return refusef("the path %q... has %d bytes; shorten it to at most %d", shown, len(name), MaxPath)
	case name == "" || path.IsAbs(name) || name != path.Clean(name) || name == "." || name == ".." || strings.HasPrefix(name, "../"):
		return refusef("the path %q leads out of the folder; a package holds paths within its folder only", shown)
	case strings.ContainsAny(name, `\:`):
		return refusef("the name %q has a backslash or a colon, which other systems read in another way; rename it", shown)
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return refusef("the name %q has characters that cannot be printed; rename it", shown)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > MaxName {
			return refusef("the name %q... has %d bytes; shorten it to at most %d", part[:MaxName], len(part), MaxName)
		}
	}
	return nil
}

// Contents says how much is in a package.
type Contents struct {
	Digest string `json:"digest"` // SHA-256 of the files with their names, whatever the compression; hexadecimal
	Files  int    `json:"files"`  // files and folders
	Bytes  int64  `json:"bytes"`  // of all files
	Packed int64  `json:"packed"` // bytes of the package
}

func (c Contents) String() string {
	what := "files"
	if c.Files == 1 {
		what = "file"
	}
	return fmt.Sprintf("%d %s, %s (%s packed), sha256 %.12s", c.Files, what, size(c.Bytes), size(c.Packed), c.Digest)
}
