package seat

import (
	"io"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// Wrap puts somebody between the arena and the standard streams of a bot, who passes its bytes on and may look at them or
// change how they come. It is called once for each process. The writer must report the bytes that it was given, not those
// that it wrote, and both must return the errors of deadlines as they are.
type Wrap func(in io.Writer, out io.Reader) (io.Writer, io.Reader)

// pipes are those of a process. A nil Wrap leaves them alone.
func (w Wrap) pipes(p *sandbox.Process) filePipes {
	f := filePipes{Writer: p.Stdin(), Reader: p.Stdout(), process: p}
	if w != nil {
		f.Writer, f.Reader = w(f.Writer, f.Reader)
	}
	return f
}

type filePipes struct {
	io.Writer
	io.Reader

	process *sandbox.Process
}

func (f filePipes) SetReadDeadline(t time.Time) error { return f.process.Stdout().SetReadDeadline(t) }

func (f filePipes) SetWriteDeadline(t time.Time) error { return f.process.Stdin().SetWriteDeadline(t) }
