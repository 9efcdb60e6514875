package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// health is what the last look at the store has found.
type health struct {
	mu    sync.Mutex
	err   error
	asked bool // somebody wants to know
	told  bool
}

// Health says why nothing should be begun at the moment: the disk of the folder is full, or nearly. It is nil where
// somebody else runs the server, who will tell.
func (b *Bus) Health() error {
	b.health.mu.Lock()
	defer b.health.mu.Unlock()
	b.health.asked = true
	b.health.tell(b)
	return b.health.err
}

// tell logs what has changed, for those who begin things. It needs the mutex.
func (h *health) tell(b *Bus) {
	switch {
	case !h.asked || h.told == (h.err != nil):
	case h.err != nil:
		b.log.Error("play pauses: " + h.err.Error() + "; make room, and play goes on by itself")
	default:
		b.log.Info("there is room again, play goes on", "folder", b.cfg.Dir)
	}
	h.told = h.asked && h.err != nil
}

var errNoStreams = errors.New("is there room, and may you write there?")

// LacksRoom reports whether an error may come of a disk that is full.
func LacksRoom(err error) bool {
	api := &jetstream.APIError{}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, errNoStreams) ||
		errors.As(err, &api) && api.Code >= http.StatusInternalServerError ||
		err != nil && strings.Contains(err.Error(), syscall.ENOSPC.Error()) // of the server, through a client that passes on the text only
}

const healthEvery = time.Second

// watch looks at the store until the bus is closed. A server whose disk was full answers no publisher, and refuses every
// write until it is started again: watch does that when there is room.
func (b *Bus) watch() {
	ticker := time.NewTicker(healthEvery)
	defer ticker.Stop()
	for {
		err := b.look()
		b.health.mu.Lock()
		b.health.err = err
		b.health.tell(b)
		b.health.mu.Unlock()
		select {
		case <-b.ended:
			return
		case <-ticker.C:
		}
	}
}

func (b *Bus) look() error {
	if err := b.cfg.Room(); err != nil {
		return err
	}
	if b.broken() == nil {
		return nil
	}
	if err := b.tryWrite(); err != nil {
		return fmt.Errorf("nothing can be written to %s: %w", b.cfg.Dir, err)
	}
	return b.restart()
}

// Room says how much the disk of the folder lacks.
func (c Config) Room() error {
	reserve := c.Reserve
	if reserve == 0 {
		reserve = 256 << 20
	}
	free, err := freeSpace(c.Dir)
	if err != nil || reserve < 0 || free >= uint64(reserve) {
		return nil //nolint:nilerr // where the system does not tell, the store will
	}
	return fmt.Errorf("the disk of %s has %s left, and %s must stay free: %s are missing", c.Dir, Bytes(int64(free)), Bytes(reserve),
		Bytes(reserve-int64(free)))
}

// Room says how much the disk of the folder lacks. It is nil where the folder is not known.
func (b *Bus) Room() error {
	if b.cfg.Dir == "" || b.cfg.URL != "" {
		return nil
	}
	return b.cfg.Room()
}

// broken asks the server whether its streams can still be written.
func (b *Bus) broken() error {
	b.mu.Lock()
	s, owner := b.server, b.owner
	b.mu.Unlock()
	switch {
	case owner == nil:
		return nil // that is for the process to see that runs it
	case s == nil:
		return errors.New("the embedded server is down")
	}
	answer := httptest.NewRecorder()
	request, err := http.NewRequest(http.MethodGet, "/healthz", nil) //nolint:noctx // it stays in this process
	if err != nil {
		return err
	}
	s.HandleHealthz(answer, request)
	var status struct{ Error string }
	if err := json.Unmarshal(answer.Body.Bytes(), &status); err != nil {
		return err
	}
	// A stream that is just being made does not look healthy either, and must be left alone.
	if s.JetStreamEnabled() && !strings.Contains(status.Error, "write error") {
		return nil
	}
	return errors.New(status.Error)
}

// tryWrite finds out whether the disk takes anything.
func (b *Bus) tryWrite() error {
	path := filepath.Join(b.cfg.Dir, "room")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, 1<<20))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(path))
}

// restart starts the embedded server again. Connections come back by themselves.
func (b *Bus) restart() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	stopServer(b.server)
	var err error
	b.server, err = b.start()
	return err
}
