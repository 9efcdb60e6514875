package bus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
)

// Names within the folder.
const (
	storeDir   = "store"
	lockName   = "lock"
	socketName = "sock"
)

// ErrClosed is returned by connections of a bus that was closed.
var ErrClosed = errors.New("the bus is closed")

// ErrNoOwner is wrapped by the error of a guest of a folder for which nobody runs a server.
var ErrNoOwner = errors.New("no arena serves the data folder")

// owner holds the folder while this process runs its server, and lets other processes of the user in through a socket
// that lies in the folder, so that the rights of the folder are those of the server.
type owner struct {
	lock     *flock.Flock
	listener net.Listener // nil where there can be none: others must then wait
	guests   sync.WaitGroup

	mu   sync.Mutex
	open map[net.Conn]bool
}

// guestWithin is how long a guest waits for a server: who begins without one can begin again.
const guestWithin = 3 * time.Second

var errBusy = errors.New("it is in use by another arena that cannot be reached; wait for its end, or choose another folder")

// InProcessConn gives a connection to the server: in this process, or in that of the owner of the folder. Where the owner
// has ended, this process takes over. It is called by the client whenever it connects.
func (b *Bus) InProcessConn() (net.Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dial()
}

// dial needs the mutex.
func (b *Bus) dial() (net.Conn, error) {
	if b.closed {
		return nil, ErrClosed
	}
	if b.server != nil {
		return b.server.InProcessConn()
	}
	if b.cfg.Dir == "" || b.owner != nil {
		return nil, errors.New("the embedded server is down")
	}
	if conn, err := net.Dial("unix", socketPath(b.cfg.Dir)); err == nil { //nolint:noctx // a local socket answers at once
		return conn, nil
	}
	if b.cfg.Guest {
		return nil, ErrNoOwner
	}
	if err := b.takeOver(); err != nil {
		return nil, err
	}
	return b.server.InProcessConn()
}

// takeOver starts the server in this process if nobody else runs it.
func (b *Bus) takeOver() error {
	lock := flock.New(filepath.Join(b.cfg.Dir, lockName), flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock of %s: %w", b.cfg.Dir, err)
	}
	if !got {
		return fmt.Errorf("data folder %s: %w", b.cfg.Dir, errBusy)
	}
	var s *server.Server
	if err = adopt(b.cfg.Dir); err == nil {
		err = b.mend()
	}
	if err == nil {
		s, err = b.start()
	}
	if err != nil {
		return errors.Join(err, lock.Unlock())
	}
	b.server = s
	b.owner = &owner{lock: lock, open: map[net.Conn]bool{}}
	if err := b.owner.listen(b.cfg.Dir, b.InProcessConn); err != nil {
		b.log.Warn("other programs cannot use this data folder at the same time", "folder", b.cfg.Dir, "error", err)
	}
	return nil
}

// adopt gives the streams of a store that was made before there were accounts to that of the arena.
func adopt(dir string) error {
	ours, before := filepath.Dir(streamsPath(dir)), filepath.Join(dir, storeDir, "jetstream", "$G")
	if isThere(ours) || !isThere(before) {
		return nil
	}
	return os.Rename(before, ours)
}

// socketPath is relative where that is shorter: the path of a socket has about 100 bytes.
func socketPath(dir string) string {
	path := filepath.Join(dir, socketName)
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// listen lets guests in.
func (o *owner) listen(dir string, connect func() (net.Conn, error)) error {
	path := socketPath(dir)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // what an owner left that was killed
	}
	listener, err := net.Listen("unix", path) //nolint:noctx // it ends with the owner
	if err != nil {
		return err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(err, listener.Close())
	}
	o.listener = listener
	o.guests.Go(func() {
		for {
			guest, err := listener.Accept()
			if err != nil {
				return // it was closed
			}
			inside, err := connect()
			if err != nil {
				_ = guest.Close() // who tries again
				continue
			}
			o.relay(guest, inside)
		}
	})
	return nil
}

// relay copies both ways until one side ends.
func (o *owner) relay(guest, inside net.Conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		_, _ = guest.Close(), inside.Close()
		return
	}
	o.open[guest] = true
	shut := func() {
		_, _ = guest.Close(), inside.Close() // either may have been closed by the other side
	}
	o.guests.Go(func() {
		defer shut()
		_, _ = io.Copy(inside, guest)
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.open, guest)
	})
	o.guests.Go(func() {
		defer shut()
		_, _ = io.Copy(guest, inside)
	})
}

// closeDoor lets no more guests in.
func (o *owner) closeDoor() {
	if o != nil && o.listener != nil {
		_ = o.listener.Close() // and the socket is removed
	}
}

// release gives the folder up. The server has ended.
func (o *owner) release() {
	if o == nil {
		return
	}
	o.mu.Lock()
	for guest := range o.open {
		_ = guest.Close()
	}
	o.open = nil
	o.mu.Unlock()
	o.guests.Wait()
	_ = o.lock.Unlock() // the end of the program unlocks as well
}
