package sandbox

import (
	"errors"
	"fmt"
)

// Freeze stops all processes of a confined bot where they are, and returns when none of them runs any more: until Thaw they
// take no processor time. It returns os.ErrProcessDone for a bot that has ended. Any other error says that the bot could not
// be frozen and runs on; errors.ErrUnsupported is in it where bots are not confined.
//
// A frozen bot can be stopped and killed like any other, only that Stop waits for its grace in vain.
// Calls may be repeated and overlap.
func (p *Process) Freeze() error {
	if err := p.pen.freeze(p); err != nil {
		return fmt.Errorf("freeze process %d: %w", p.Pid(), err)
	}
	return nil
}

// Thaw undoes Freeze. It continues every process that Freeze stopped, also one that the bot itself had stopped before.
func (p *Process) Thaw() error {
	if err := p.pen.thaw(p); err != nil {
		return fmt.Errorf("thaw process %d: %w", p.Pid(), err)
	}
	return nil
}

var errNotPenned = fmt.Errorf("%w for a process that is not confined", errors.ErrUnsupported)

// over tells whether the main process has ended or is about to be killed.
func (p *Process) over() bool {
	select {
	case <-p.ending:
		return true
	case <-p.done:
		return true
	default:
		return false
	}
}
