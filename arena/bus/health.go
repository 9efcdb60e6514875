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
	"time"
)

// health is what the last look at the store has found.
type health struct {
	mu  sync.Mutex
	err error
}

// Health says why nothing should be begun at the moment: the disk of the folder is full, or nearly. It is nil where
// somebody else runs the server, who will tell.
func (b *Bus) Health() error {
	b.health.mu.Lock()
	defer b.health.mu.Unlock()
	return b.health.err
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
		before := b.health.err
		b.health.err = err
		b.health.mu.Unlock()
		switch {
		case err != nil && before == nil:
			b.log.Error("play pauses: " + err.Error() + "; make room, and play goes on by itself")
		case err == nil && before != nil:
			b.log.Info("there is room again, play goes on", "folder", b.cfg.Dir)
		}
		select {
		case <-b.ended:
			return
		case <-ticker.C:
		}
	}
}

func (b *Bus) look() error {
	if err := b.room(); err != nil {
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

// room compares the free space with the reserve.
func (b *Bus) room() error {
	reserve := b.cfg.Reserve
	if reserve == 0 {
		reserve = 256 << 20
	}
	free, err := freeSpace(b.cfg.Dir)
	if err != nil || reserve < 0 || free >= uint64(reserve) {
		return nil //nolint:nilerr // where the system does not tell, the store will
	}
	return fmt.Errorf("the disk of %s has %d MiB left, %d MiB must stay free", b.cfg.Dir, free>>20, reserve>>20)
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
