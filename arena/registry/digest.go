package registry

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Digest tells bots of one label apart: it is over the files of the bot's folder, or over the command line and the files
// that it names, and equal on all machines that have the same. A bot of the program itself has none, and a submitted one that of its package.
//
// What running or building a bot leaves behind does not count: hidden files, the caches of interpreters, and for a bot with
// a build command what compilers write, which are programs, libraries and the usual folders for them.
func (b Bot) Digest() (string, error) {
	if b.Dir == "" || b.Package != "" {
		return b.Package, nil
	}
	sum := sha256.New()
	var err error
	if b.Trusted {
		err = b.addCommand(sum)
	} else {
		err = b.addFolder(sum)
	}
	if err != nil {
		return "", fmt.Errorf("bot %s: %w", b.Label(), err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (b Bot) addCommand(sum hash.Hash) error {
	for _, arg := range b.Args {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(b.Dir, path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			fmt.Fprintf(sum, "word %q\n", arg)
			continue
		}
		if err := addFile(sum, filepath.Base(path), path, false); err != nil { // which may lie elsewhere on another machine
			return err
		}
	}
	return nil
}

func (b Bot) addFolder(sum hash.Hash) error {
	builds := len(b.Build) > 0
	leftovers := []string{"__pycache__", "node_modules"}
	if builds {
		leftovers = append(leftovers, "target", "build", "dist", "out", "bin", "obj")
	}
	return filepath.WalkDir(b.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == b.Dir {
			return err
		}
		name := entry.Name()
		skipped := strings.HasPrefix(name, ".") || entry.IsDir() && slices.Contains(leftovers, name)
		switch {
		case skipped && entry.IsDir():
			return fs.SkipDir
		case skipped, entry.IsDir():
			return nil
		}
		relative, err := filepath.Rel(b.Dir, path)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if entry.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			fmt.Fprintf(sum, "link %q %q\n", relative, target)
			return err
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		return addFile(sum, relative, path, builds)
	})
}

// addFile adds name and content, each with its length, so that no two folders look the same.
func addFile(sum hash.Hash, name, path string, skipPrograms bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	buffered := bufio.NewReader(file)
	if begin, _ := buffered.Peek(8); skipPrograms && isProgram(begin) { // an error comes again
		return nil
	}
	content := sha256.New()
	if _, err := io.Copy(content, buffered); err != nil {
		return err
	}
	fmt.Fprintf(sum, "file %q %x\n", name, content.Sum(nil))
	return nil
}

// isProgram knows programs, libraries and objects of the usual compilers by how they begin.
func isProgram(begin []byte) bool {
	for _, magic := range []string{
		"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm", "!<arch>", "PK\x03\x04",
	} {
		if bytes.HasPrefix(begin, []byte(magic)) {
			return true
		}
	}
	return false
}
