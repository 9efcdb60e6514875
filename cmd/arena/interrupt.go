package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// onInterrupt tells a first Ctrl-C from a second: the first closes stop, the second ends the context. Release gives the
// signals back.
func onInterrupt(parent context.Context, errOut io.Writer, first string) (ctx context.Context, stop <-chan struct{}, release func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	stopping := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range 2 {
			select {
			case <-ctx.Done():
				return
			case <-signals:
			}
			if n == 0 {
				fmt.Fprintf(errOut, "\n%s\n", first)
				close(stopping)
			} else {
				cancel()
			}
		}
	}()
	return ctx, stopping, func() {
		signal.Stop(signals)
		cancel()
		<-done
	}
}

// cancelWhen ends the context when stop is closed.
func cancelWhen(parent context.Context, stop <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// interrupted marks the error of a run that ended because its context did.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errInterrupted
	}
	return err
}
