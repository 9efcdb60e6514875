package desk

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// Bounds of what is on its way to a desk, of which each is as large as a package at most.
const (
	mostUploads    = 16
	mostOfAuthor   = 2
	abandonedAfter = time.Minute // without a word of its author
)

// uploads are packages that come in parts, wait for their check, or are in it; and the answers that their authors are still to hear.
// They are files in a folder of their own.
type uploads struct {
	dir string
	now func() time.Time

	more chan struct{} // room for one, which is there where something waits for its check

	mu      sync.Mutex
	all     map[string]*upload // by their ids
	waiting []string           // those of them that wait, in their order
	done    bool
}

func newUploads(dir string, now func() time.Time) *uploads {
	return &uploads{dir: dir, now: now, more: make(chan struct{}, 1), all: map[string]*upload{}}
}

type upload struct {
	author string
	size   int64 // of the whole
	have   int64
	sum    hash.Hash
	file   *os.File
	last   time.Time // that its author spoke of it
	whole  bool
	cancel func()   // ends its check; nil before that
	answer *outcome // of the check; nil before that
}

// outcome is what a check came to. An error is the arena's own.
type outcome struct {
	receipt Receipt
	err     error
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
	mine, all := 0, 0
	for _, up := range u.all {
		if up.answer == nil {
			all++
			if up.author == author {
				mine++
			}
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
	case all >= mostUploads:
		return "", failf(codeLater, "%d bots are on their way already, which is the most", all)
	}
	id = rand.Text()
	file, err := os.OpenFile(filepath.Join(u.dir, id), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_ = os.Remove(file.Name()) // so that nothing stays of it, whatever ends the arena; where that cannot be, drop does it
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

// finish has the package checked, if it is whole and as it was sent. When it is asked for again, it gives the outcome of that check,
// or nothing as long as there is none.
func (u *uploads) finish(author, id, digest string) (*outcome, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sweep()
	up, err := u.find(author, id)
	if err != nil {
		return nil, err
	}
	up.last = u.now()
	if up.whole {
		return up.answer, nil
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
	u.waiting = append(u.waiting, id)
	select {
	case u.more <- struct{}{}:
	default:
	}
	return nil, nil //nolint:nilnil // that is the answer
}

// next gives the first of those that wait for their check, or nil. Cancel is called when its check is no longer wanted.
func (u *uploads) next(cancel func()) (id string, up *upload) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) == 0 {
		return "", nil
	}
	id, u.waiting = u.waiting[0], u.waiting[1:]
	up = u.all[id]
	up.cancel = cancel
	return id, up
}

// settle keeps what a check came to until its author has had the time to hear it.
func (u *uploads) settle(id string, done outcome) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if up := u.all[id]; up != nil {
		up.close()
		up.answer, up.last = &done, u.now()
	}
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

// forget is for an author who has given up.
func (u *uploads) forget(author, id string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, err := u.find(author, id)
	if err == nil {
		u.drop(id)
	}
	return err
}

// abandon forgets what nobody has asked about for long, again and again.
func (u *uploads) abandon(ctx context.Context) {
	ticker := time.NewTicker(abandonedAfter / 10)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			u.mu.Lock()
			u.sweep()
			u.mu.Unlock()
		}
	}
}

// sweep needs the mutex, as drop does.
func (u *uploads) sweep() {
	for id, up := range u.all {
		if u.now().Sub(up.last) > abandonedAfter {
			u.drop(id)
		}
	}
}

func (u *uploads) drop(id string) {
	if up := u.all[id]; up != nil {
		if up.cancel != nil {
			up.cancel()
		}
		up.close()
		delete(u.all, id)
		u.waiting = slices.DeleteFunc(u.waiting, func(other string) bool { return other == id })
	}
}

// close is for a package that has been read, or is not wanted.
func (up *upload) close() {
	_ = up.file.Close()
	_ = os.Remove(up.file.Name())
}

// close forgets all, and takes no more.
func (u *uploads) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done = true
	for id := range u.all {
		u.drop(id)
	}
}
