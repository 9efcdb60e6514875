package sandbox

import (
	"fmt"
	"sync"
)

// Tail is the end of a stream.
type Tail struct {
	Bytes   []byte
	Dropped int64 // bytes that came before and were not kept
}

// String marks a cut, so that nobody takes the rest for the whole.
func (t Tail) String() string {
	if t.Dropped == 0 {
		return string(t.Bytes)
	}
	return fmt.Sprintf("[%d bytes dropped]\n%s", t.Dropped, t.Bytes)
}

// ring keeps the last size bytes written to it. It takes memory as it fills, since most
// processes write little.
type ring struct {
	size int

	mu      sync.Mutex
	buf     []byte
	next    int // where the oldest byte is, once buf is full
	dropped int64
}

func (r *ring) write(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if over := len(b) - r.size; over > 0 {
		r.dropped += int64(over)
		b = b[over:]
	}
	n := min(len(b), r.size-len(r.buf))
	r.buf = append(r.buf, b[:n]...)
	b = b[n:]
	r.dropped += int64(len(b))
	for len(b) > 0 {
		n = copy(r.buf[r.next:], b)
		r.next = (r.next + n) % r.size
		b = b[n:]
	}
}

func (r *ring) tail() Tail {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := make([]byte, 0, len(r.buf))
	b = append(b, r.buf[r.next:]...)
	b = append(b, r.buf[:r.next]...)
	return Tail{Bytes: b, Dropped: r.dropped}
}
