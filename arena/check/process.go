package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func (r *run) spec() sandbox.Spec { return r.bot.Spec(r.Hide, r.Settings.Limits.MemoryMB) }

// start loads the program, which says nothing yet about what it does.
func (r *run) start(context.Context) (string, error) {
	r.packed = r.files()
	process, err := r.Launcher.Start(r.spec())
	if err != nil {
		if lacking(err) {
			return "", err
		}
		text, hint, ok := cutLast(err.Error(), "; ")
		if !ok {
			hint = "check the word run in bot.toml"
		}
		return "", failed(hint, "%s", text)
	}
	return strings.Join(r.bot.Args, " "), process.Kill()
}

// lacking tells that it is the machine that has no more of something.
func lacking(err error) bool {
	for _, lack := range []error{sandbox.ErrClosed, syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, lack) {
			return true
		}
	}
	return false
}

func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

func (r *run) hello() protocol.Hello {
	return protocol.Hello{Protocol: protocol.Version, Arena: "fivethreefive/" + r.Version, Limits: r.Settings.Limits}
}

func (r *run) startLimit() time.Duration {
	return time.Duration(r.Settings.Limits.StartupMS) * time.Millisecond
}

// handshake greets the bot as the referee does.
func (r *run) handshake(ctx context.Context) (string, error) {
	took, err := r.greet(ctx)
	if err != nil {
		return "", err
	}
	return readyIn(took, r.startLimit())
}

func readyIn(took, limit time.Duration) (string, error) {
	text := fmt.Sprintf("ready in %d ms of %d ms", took.Milliseconds(), limit.Milliseconds())
	if float64(took) > mostOfLimit*float64(limit) {
		return "", warned("start faster: a busy machine takes longer, and then the game is lost", "%s, which is more than %.0f %%", text, 100*mostOfLimit)
	}
	return text, nil
}

// mostOfLimit is the part of a limit beyond which a bot is likely to exceed it one day.
const mostOfLimit = 0.7

func (r *run) greet(ctx context.Context) (took time.Duration, err error) {
	seats, _ := r.seats(nil)
	place, err := seats.Open(ctx, arena.Place{Bot: r.bot.Label(), Game: "hello", Seat: 0})
	if err != nil {
		return 0, err
	}
	reply, err := place.Ask(ctx, r.hello(), r.startLimit())
	stderr, closing := place.Close(context.WithoutCancel(ctx))
	if err = errors.Join(err, closing); err != nil {
		return 0, err
	}
	if reply.Fault != "" {
		card := arena.Fault{
			Bot: r.bot.Label(), Code: reply.Fault, Detail: reply.Report.Detail, Line: reply.Report.Line, Stderr: reply.Report.Stderr,
			LimitMS: float64(r.startLimit().Milliseconds()), UsedMS: float64(reply.Elapsed.Microseconds()) / 1000, Forfeit: true,
		}
		if card.Stderr == "" {
			card.Stderr = stderr
		}
		hint := hintFor(card)
		if strings.Contains(card.Detail, "exit status") || strings.Contains(card.Detail, "signal") {
			if hintOf(card.Stderr) == "" {
				hint = "mend what ends it at its start: run it by hand, as in its run line, and see what it prints"
			}
		}
		return 0, &verdict{state: Failed, text: card.Detail, hint: hint, card: &card}
	}
	return reply.Elapsed, nil
}

// restart starts the bot again after a game.
func (r *run) restart(ctx context.Context) (string, error) {
	took, err := r.greet(ctx)
	found, ok := errors.AsType[*verdict](err)
	if !ok {
		return fmt.Sprintf("ready again in %d ms", took.Milliseconds()), err
	}
	found.text = "it does not start again: " + found.text
	found.hint = "do not rely on what an earlier game has left: each game has a process of its own, and several play at once; leave no lock file"
	if names := r.left(); len(names) > 0 {
		found.text += fmt.Sprintf("; it has left %s", strings.Join(names[:min(len(names), 5)], ", "))
	}
	return "", found
}

// endOfInput closes the bot's input without a word.
func (r *run) endOfInput(ctx context.Context) (string, error) {
	silence := func(*sandbox.Process) error { return nil }
	return r.ends(ctx, silence, 2*r.Grace, "end when standard input ends: that is how a bot notices that the arena is gone, and one that does not may stay for ever")
}

// quit ends the bot as after each game.
func (r *run) quit(ctx context.Context) (string, error) {
	return r.ends(ctx, sayQuit, r.Grace, `exit at {"type":"quit"} and when standard input ends: what is still there after a second is killed, and every game waits for that`)
}

// terminate asks the bot to end as an operator does, and then says quit as ever. A bot may heed either.
func (r *run) terminate(ctx context.Context) (string, error) {
	var unsent error
	sigterm := func(process *sandbox.Process) error {
		unsent = process.Terminate()
		_ = sayQuit(process) // there may be nobody any more
		return nil
	}
	text, err := r.ends(ctx, sigterm, r.Grace, "exit at SIGTERM at once, or leave it alone and exit at quit: a handler that takes long is killed like any bot that stays")
	if unsent != nil {
		return "", unsent
	}
	return text, err
}

func sayQuit(process *sandbox.Process) error {
	line, err := protocol.Marshal(protocol.Quit{})
	if err != nil {
		return err
	}
	_, err = process.Stdin().Write(append(line, '\n'))
	return err
}

// tries is how often a bot may show that it ends in time: a busy machine is slow to end what has ended.
const tries = 3

// ends is the best of some tries.
func (r *run) ends(ctx context.Context, ask func(*sandbox.Process) error, within time.Duration, hint string) (text string, err error) {
	for range tries {
		text, err = r.end(ctx, ask, within, hint)
		if _, ok := errors.AsType[*verdict](err); !ok {
			break
		}
	}
	return text, err
}

// end greets a bot, asks it to end, closes its input and waits for its end.
func (r *run) end(ctx context.Context, ask func(*sandbox.Process) error, within time.Duration, hint string) (text string, err error) {
	process, err := r.Launcher.Start(r.spec())
	if err != nil {
		return "", err
	}
	var reading sync.WaitGroup
	defer func() { // also what it prints to the end has to be taken
		err = errors.Join(err, process.Kill())
		reading.Wait()
	}()
	if err := r.becomeReady(process); err != nil {
		return "", err
	}
	reading.Go(func() { _, _ = io.Copy(io.Discard, process.Stdout()) })
	begin := time.Now()
	_ = process.Stdin().SetWriteDeadline(begin.Add(within))
	if err := ask(process); err != nil {
		return "", failed(hint, "it closed its standard input before quit")
	}
	_ = process.Stdin().Close()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-process.Done():
		return fmt.Sprintf("%v after %d ms", process.Exit(), time.Since(begin).Milliseconds()), nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-timer.C:
		found := failed(hint, "still there after %v", within)
		found.stderr = process.Stderr().String()
		return "", found
	}
}

// becomeReady speaks over the bare pipes.
func (r *run) becomeReady(process *sandbox.Process) error {
	line, err := protocol.Marshal(r.hello())
	if err != nil {
		return err
	}
	deadline := time.Now().Add(r.startLimit())
	_ = process.Stdin().SetWriteDeadline(deadline)
	_ = process.Stdout().SetReadDeadline(deadline)
	if _, err := process.Stdin().Write(append(line, '\n')); err != nil {
		return failed("read standard input from the start on", "it does not take hello: %v", err)
	}
	lines := protocol.NewLines(process.Stdout())
	for {
		line, err := lines.Next()
		if err != nil {
			found := failed("start reliably: it was ready before, and this time it was not", "no ready: %v", err)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				found.text = fmt.Sprintf("not ready within %v", r.startLimit())
			}
			found.stderr = process.Stderr().String()
			return found
		}
		if message, err := protocol.ReadBot(line); err == nil {
			if _, ok := message.(protocol.Ready); ok {
				return process.Stdout().SetReadDeadline(time.Time{})
			}
		}
	}
}
