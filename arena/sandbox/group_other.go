//go:build !linux

package sandbox

import "os"

// wait returns when the main process has ended and the rest of the group is killed. In
// between, the number of the group is for a moment not certain to be its own.
func (g *group) wait(reaping func()) *os.ProcessState {
	state, _ := g.proc.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	killGroup(g.proc.Pid)
	reaping()
	g.reaped = true
	return state
}

func (g *group) settle() {}

// hunt finds nothing without a /proc.
func hunt(string) error { return nil }

func keepFiles() {}

func maxRSS(*os.ProcessState) int64 { return 0 }
