package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"
)

// wire is the way between two networks, and as bad as it is told to be.
type wire struct {
	mu    sync.Mutex
	bad   badness
	count [2]fates // of the packets to one network, and to the other
}

// badness is what becomes of packets. The shares are from 0 to 1; the zero value carries all of them.
type badness struct {
	lose   float64
	hold   float64 // back, until the next has passed
	double float64
	jitter time.Duration // each takes up to that long
	cut    bool          // all are lost
}

// fates is how many packets had which.
type fates struct{ arrived, lost, overtaken, doubled int }

// lay runs a wire until the end of the test.
func lay(t *testing.T, seed uint64, near, far network, nearAddress, farAddress [4]byte) *wire {
	t.Helper()
	w := &wire{}
	name := fmt.Sprintf("wire%d", seed)
	ends := [2]*os.File{near.plug(t, name, nearAddress, farAddress), far.plug(t, name, farAddress, nearAddress)}
	var carrying sync.WaitGroup
	for way := range ends {
		carrying.Go(func() { w.carry(way, ends[1-way], ends[way], rand.New(rand.NewPCG(seed, uint64(way)))) })
	}
	t.Cleanup(func() {
		_, _ = ends[0].Close(), ends[1].Close()
		carrying.Wait()
	})
	return w
}

// carry takes one packet after the other in one direction, until an end is closed.
func (w *wire) carry(way int, from, to *os.File, random *rand.Rand) {
	var behind []byte         // is to follow the next packet
	buf := make([]byte, 1500) // what a packet holds at most
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if buf[0]>>4 != 4 {
			continue // the kernel looks for neighbours by IPv6
		}
		arriving, delay := w.decide(way, buf[:n], &behind, random)
		time.Sleep(delay)
		for _, packet := range arriving {
			_, _ = to.Write(packet) // if the other end is closed, so is this one
		}
	}
}

// decide gives what is to arrive now.
func (w *wire) decide(way int, packet []byte, behind *[]byte, random *rand.Rand) (arriving [][]byte, delay time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	count := &w.count[way]
	switch {
	case w.bad.cut, random.Float64() < w.bad.lose:
		count.lost++
		return nil, 0
	case *behind == nil && random.Float64() < w.bad.hold:
		*behind = bytes.Clone(packet)
		return nil, 0
	}
	arriving = append(arriving, packet)
	if random.Float64() < w.bad.double {
		count.doubled++
		arriving = append(arriving, packet)
	}
	if *behind != nil {
		count.overtaken++
		arriving, *behind = append(arriving, *behind), nil
	}
	count.arrived += len(arriving)
	return arriving, time.Duration(random.Float64() * float64(w.bad.jitter))
}

// become changes what becomes of the packets that come from now on.
func (w *wire) become(bad badness) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = bad
}

func (w *wire) counted() [2]fates {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}
