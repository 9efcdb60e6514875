package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// output is stdout or stderr. It remembers that something could not be written, since no caller of Fprintf looks.
type output struct {
	io.Writer

	unread func() // called when whoever read it has gone

	mu  sync.Mutex
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		o.unread()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = cmp.Or(o.err, err)
	return n, err
}

func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// isTerminal looks behind an output.
func isTerminal(w io.Writer) (file *os.File, ok bool) {
	if out, is := w.(*output); is {
		w = out.Writer
	}
	file, ok = w.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}
