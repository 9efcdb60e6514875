package desk

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// Bounds of what is on its way to a desk, of which each is as large as a package at most.
const (
	mostUploads    = 16
	mostOfAuthor   = 2
	abandonedAfter = 2 * time.Minute // without a part of it
)

// uploads are packages that come in parts, or wait for their check. They are files in a folder of their own.
type uploads struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	all  map[string]*upload // by their ids
	done bool
}

type upload struct {
	author string
	size   int64 // of the whole
	have   int64
	sum    hash.Hash
	file   *os.File
	last   time.Time // of its latest part
	whole  bool      // it waits for its check, and is not abandoned however long that takes
}

// failure is what an author is told.
type failure struct{ code, text string }

func (f *failure) Error() string { return f.text }

func failf(code, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// Codes of failures. Who is told to come later does so.
const (
	codeWrong = "400"
	codeGone  = "404"
	codeLarge = "413"
	codeLater = "429"
	codeArena = "500"
)

// errClosed is told to who comes when the desk has closed.
func errClosed() error { return failf(codeGone, "the arena has ended; submit again when it is there") }

// begin makes room for a package of some size.
func (u *uploads) begin(author string, size int64) (id string, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sweep()
	mine := 0
	for _, up := range u.all {
		if up.author == author {
			mine++
		}
	}
	switch {
	case u.done:
		return "", errClosed()
	case size < 1:
		return "", failf(codeWrong, "a package of %d bytes is none", size)
	case size > pack.MaxPacked:
		return "", failf(codeLarge, "the package has %d bytes; the most is %d", size, pack.MaxPacked)
	case mine >= mostOfAuthor:
		return "", failf(codeLater, "%d of your bots are on their way already, which is the most", mine)
	case len(u.all) >= mostUploads:
		return "", failf(codeLater, "%d bots are on their way already, which is the most", len(u.all))
	}
	id = rand.Text()
	file, err := os.OpenFile(filepath.Join(u.dir, id), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	u.all[id] = &upload{author: author, size: size, sum: sha256.New(), file: file, last: u.now()}
	return id, nil
}

// part takes what follows. What is there already is not taken again, so that who heard no answer can repeat it.
func (u *uploads) part(author, id string, offset int64, data []byte) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sweep()
	up, err := u.find(author, id)
	if err != nil {
		return err
	}
	end := offset + int64(len(data))
	switch {
	case offset < 0, offset > up.have, end > up.size, up.whole:
		return failf(codeWrong, "byte %d comes next, of %d; the part had the bytes %d to %d", up.have, up.size, offset, end)
	case end <= up.have:
		return nil
	}
	data = data[up.have-offset:]
	if _, err := up.file.Write(data); err != nil {
		u.drop(id)
		return fmt.Errorf("keep the package: %w", err)
	}
	up.sum.Write(data)
	up.have, up.last = end, u.now()
	return nil
}

// finish has a package wait for its check if it is whole and as it was sent. From then on the file is the caller's to read, until it
// calls forget.
func (u *uploads) finish(author, id, digest string) (io.Reader, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sweep()
	up, err := u.find(author, id)
	if err != nil {
		return nil, err
	}
	if up.whole {
		return nil, failf(codeWrong, "it waits for its check already")
	}
	if up.have != up.size || hex.EncodeToString(up.sum.Sum(nil)) != digest {
		u.drop(id)
		return nil, failf(codeWrong, "the package did not come as it was sent; submit it again")
	}
	if _, err = up.file.Seek(0, io.SeekStart); err != nil {
		u.drop(id)
		return nil, err
	}
	up.whole = true
	return up.file, nil
}

// find gives an upload to its author alone.
func (u *uploads) find(author, id string) (*upload, error) {
	up := u.all[id]
	if u.done {
		return nil, errClosed()
	}
	if up == nil || up.author != author {
		return nil, failf(codeGone, "that upload is not known here, or was forgotten after %v without a part of it; submit again", abandonedAfter)
	}
	return up, nil
}

func (u *uploads) forget(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop(id)
}

// sweep forgets what was abandoned. It needs the mutex, as drop does.
func (u *uploads) sweep() {
	for id, up := range u.all {
		if !up.whole && u.now().Sub(up.last) > abandonedAfter {
			u.drop(id)
		}
	}
}

func (u *uploads) drop(id string) {
	if up := u.all[id]; up != nil {
		_ = up.file.Close() // it has been read, or is not wanted
		_ = os.Remove(up.file.Name())
		delete(u.all, id)
	}
}

// close forgets all, and takes no more.
func (u *uploads) close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done = true
	for id := range u.all {
		u.drop(id)
	}
	return os.RemoveAll(u.dir)
}
