package show

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

// Progress shows how many games have been played: a bar on a terminal, else a line for each tenth of them.
type Progress struct {
	mu     sync.Mutex
	out    io.Writer
	bar    *progressbar.ProgressBar // nil without a terminal
	total  int                      // 0 is unknown
	done   int
	faults int
	tenths int
	began  time.Time
}

// NewProgress shows nothing when out is nil.
func NewProgress(out io.Writer, total int, what string) *Progress {
	return newProgress(out, total, progressbar.OptionShowIts(), progressbar.OptionSetItsString(what), progressbar.OptionSetDescription(what))
}

func newProgress(out io.Writer, total int, more ...progressbar.Option) *Progress {
	p := &Progress{out: out, total: total, began: time.Now()}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		most := total
		if most == 0 {
			most = -1 // an activity instead of a part
		}
		p.bar = progressbar.NewOptions(most, append([]progressbar.Option{
			progressbar.OptionSetWriter(out), progressbar.OptionShowCount(), progressbar.OptionSetWidth(24),
			progressbar.OptionThrottle(100 * time.Millisecond), progressbar.OptionClearOnFinish(),
		}, more...)...)
	}
	return p
}

// NewBar shows a bar on a terminal, and elsewhere nothing.
func NewBar(out io.Writer, total int, what string) *Progress {
	p := NewProgress(out, total, what)
	if p.bar == nil {
		p.out = nil
	}
	return p
}

// Drawn reports whether there is a bar.
func (p *Progress) Drawn() bool { return p.bar != nil }

// Played counts a game; it may be called by many goroutines.
func (p *Progress) Played(game arena.Game) {
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
		p.bar.Describe("games, " + Count(p.faults, "fault", "faults"))
		_ = p.bar.Add(1) // a bar that cannot be drawn is no reason to stop
		return
	}
	games := Count(p.done, "game", "games")
	if p.total == 0 {
		if p.done%gamesPerLine != 0 {
			return
		}
	} else {
		tenths := 10 * p.done / p.total
		if tenths <= p.tenths {
			return
		}
		p.tenths = tenths
		games = CountOf(p.done, max(p.total, p.done), "game", "games")
	}
	fmt.Fprintf(p.out, "%s, %.1f games/s, %s\n", games, float64(p.done)/time.Since(p.began).Seconds(), Count(p.faults, "fault", "faults"))
}

// gamesPerLine is how often a line is printed where there is no end to come nearer to.
const gamesPerLine = 500

// Count counts one of whatever the bar is about.
func (p *Progress) Count() {
	if p.bar != nil {
		_ = p.bar.Add(1)
	}
}

// Clear makes room for a line.
func (p *Progress) Clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// End clears the bar.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
