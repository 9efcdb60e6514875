package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// BuildWithin is the time that [Bot.Prepare] gives a build.
const BuildWithin = 5 * time.Minute

const buildOutput = 4 << 10 // bytes of what a build prints that are shown

// Prepare runs the bot's build command, if it has one, in the bot's folder and in the
// environment of this program, since compilers need their caches. It ends with the context, and nothing of it is
// left in any case. The error has the end of what the command printed.
func (b Bot) Prepare(ctx context.Context, launcher *sandbox.Launcher) error {
	if len(b.Build) == 0 {
		return nil
	}
	return b.build(ctx, launcher, sandbox.Spec{Args: b.Build, Dir: b.Dir, Env: os.Environ()}, BuildWithin, nil)
}

// build also ends when something is sent on tooMuch.
func (b Bot) build(ctx context.Context, launcher *sandbox.Launcher, spec sandbox.Spec, within time.Duration, tooMuch <-chan error) error {
	process, err := launcher.Start(spec)
	if err != nil {
		return fmt.Errorf("build of %s: %w", b.Label(), err)
	}
	printed := make(chan string, 1)
	go func() { printed <- tail(process.Stdout()) }()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-process.Done():
	case <-ctx.Done():
		err = ctx.Err()
	case err = <-tooMuch:
	case <-timer.C:
		err = fmt.Errorf("%w within %v", ErrBuildTime, within)
	}
	err = errors.Join(err, process.Kill())
	output := <-printed + process.Stderr().String()
	if exit := process.Exit(); err == nil && (exit.Code != 0 || exit.Signal != 0) {
		err = errors.New(exit.String())
		if exit.OutOfMemory {
			err = ErrBuildMemory
		}
	}
	if err != nil {
		return fmt.Errorf("build of %s (%s): %w\n%s", b.Label(), strings.ReplaceAll(strings.Join(b.Build, " "), "\n", `\n`), err, output[max(0, len(output)-buildOutput):])
	}
	return nil
}

// tail reads to the end and keeps the last part.
func tail(r io.Reader) string {
	var kept []byte
	buffer := make([]byte, buildOutput)
	for {
		n, err := r.Read(buffer)
		kept = append(kept, buffer[:n]...)
		kept = kept[max(0, len(kept)-buildOutput):]
		if err != nil {
			return string(kept)
		}
	}
}
