package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/fivethreefive/fivethreefive/arena"
)

// progress shows how many games have been played: a bar on a terminal, else a line for each tenth.
type progress struct {
	mu     sync.Mutex
	out    io.Writer
	bar    *progressbar.ProgressBar // nil without a terminal
	total  int
	done   int
	faults int
	tenths int
	began  time.Time
}

// newProgress shows nothing when out is nil.
func newProgress(out io.Writer, total int, what string) *progress {
	p := &progress{out: out, total: total, began: time.Now()}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(out), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(what), progressbar.OptionSetWidth(24), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish())
	}
	return p
}

// played counts a game; it may be called by many goroutines.
func (p *progress) played(game arena.Game) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	for _, fault := range game.Faults {
		p.faults += fault.Count
	}
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("games, %d faults", p.faults))
		_ = p.bar.Add(1) // a bar that cannot be drawn is no reason to stop
		return
	}
	if tenths := 10 * p.done / p.total; tenths > p.tenths {
		p.tenths = tenths
		fmt.Fprintf(p.out, "%d of %d games, %.1f games/s, %d faults\n", p.done, p.total,
			float64(p.done)/time.Since(p.began).Seconds(), p.faults)
	}
}

// count counts one of whatever the bar is about.
func (p *progress) count() {
	if p.bar != nil {
		_ = p.bar.Add(1)
	}
}

// clear makes room for a line.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// end clears the bar.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
