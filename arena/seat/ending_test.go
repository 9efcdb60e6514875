package seat

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/fivethreefive/fivethreefive/protocol"
)

func TestEndOfOutput(t *testing.T) {
	tests := []struct {
		name   string
		after  time.Duration // from the end of the output to the end of the process
		fault  protocol.Code
		detail string
	}{
		{"with the process", 0, protocol.Crash, "exit status 3"},
		{"before the process", exitWithin - 1, protocol.Crash, "exit status 3"},
		{"alone", limit, protocol.Disconnect, "it closed its standard output, and was still running"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			converse(t, func(t *testing.T, talk *talk, bot *fake) {
				go func() {
					bot.hear(t)
					time.Sleep(limit / 2)
					_ = bot.stdout.Close()
					select {
					case <-time.After(tt.after):
						bot.exit("exit status 3", false)
					case <-bot.done:
					}
				}()
				want := answer{elapsed: limit / 2, fault: tt.fault, report: protocol.FaultReport{Detail: tt.detail, Stderr: "a\nlog"}}
				assert.Equal(t, want, talk.ask(turnLine(1), 1, limit))
				want.elapsed = 0
				assert.Equal(t, want, talk.ask(turnLine(2), 2, limit), "once and for all")
			})
		})
	}
}

// A process on its way out may be so slow that it is killed, and still ends by itself.
func TestSlowExit(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		bot.kill = func() { bot.exit("exit status 3", false) }
		go func() {
			bot.hear(t)
			_ = bot.stdout.Close()
		}()
		a := talk.ask(turnLine(1), 1, limit)
		assert.Equal(t, protocol.Crash, a.fault)
		assert.Equal(t, "exit status 3", a.report.Detail)
	})
}

// To kill the bot ends its output, which must not become the reason.
func TestEndOfInput(t *testing.T) {
	for range 50 {
		converse(t, func(t *testing.T, talk *talk, bot *fake) {
			_ = bot.stdin.Close()
			a := talk.ask(turnLine(1), 1, limit)
			assert.Equal(t, protocol.Disconnect, a.fault)
			assert.Contains(t, a.report.Detail, "it closed its standard input")
		})
	}
}

func TestEndBetweenTurns(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			bot.think(t, 1, 0)
			bot.say(t, `{"type":"mo`)
			_, _ = bot.stdin.Close(), bot.stdout.Close()
			bot.exit("exit status 5", false)
		}()
		assert.Equal(t, moveLine(1), string(talk.ask(turnLine(1), 1, limit).line))
		talk.tell([]byte(`{"type":"error"}`))
		synctest.Wait()
		assert.Equal(t, answer{fault: protocol.Crash, report: protocol.FaultReport{
			Detail: "exit status 5", Line: `{"type":"mo`, Stderr: "a\nlog",
		}}, talk.ask(turnLine(2), 2, limit))
	})
}

// A child that fled can hold the pipe open, and what its parent has said still counts.
func TestEndOfProcessAlone(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			bot.hear(t)
			bot.exit("exit status 6", false)
			time.Sleep(tailWithin / 2)
			bot.say(t, moveLine(1)+"\n")
		}()
		assert.Equal(t, moveLine(1), string(talk.ask(turnLine(1), 1, limit).line))
		go func() { _, _ = bot.lines.Next() }()
		a := talk.ask(turnLine(2), 2, limit)
		assert.Equal(t, protocol.Crash, a.fault)
		assert.Equal(t, tailWithin/2, a.elapsed)
	})
}

func TestFloodOfPrints(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			bot.hear(t)
			bot.say(t, strings.Repeat("print\n", protocol.MaxStrays))
			bot.say(t, moveLine(1)+"\n")
			bot.hear(t)
			bot.say(t, "one more\n")
		}()
		assert.Empty(t, talk.ask(turnLine(1), 1, limit).fault)
		a := talk.ask(turnLine(2), 2, limit)
		assert.Equal(t, protocol.Flood, a.fault)
		assert.Equal(t, "one more", a.report.Line)
		assert.True(t, bot.killed)
	})
}

func TestLogIsCut(t *testing.T) {
	assert.Equal(t, "b\nc", lastLines("b\nc\n\n"))
	assert.Equal(t, 20, len(strings.Split(lastLines(strings.Repeat("line\n", 100)), "\n")))
	assert.Len(t, lastLines(strings.Repeat("x", 1<<20)), 4<<10)
	assert.Equal(t, "a\ufffdb", lastLines("a\xff\xfeb"))
}

func TestGiveUp(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			bot.hear(t)
			time.Sleep(limit)
			talk.giveUp()
		}()
		a := talk.ask(turnLine(1), 1, time.Hour)
		assert.Equal(t, ownFault, a.fault, "and no fault of the bot's")
		assert.Equal(t, limit, a.elapsed)
		assert.True(t, bot.killed)
	})
}

// After quit a bot has its time, whichever of its pipes it closes first and whatever it says.
func TestDismissed(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		talk.dismiss()
		go talk.tell([]byte(`{"type":"quit"}`))
		assert.Equal(t, `{"type":"quit"}`, bot.hear(t))
		bot.say(t, strings.Repeat("bye\n", 2*protocol.MaxStrays))
		bot.say(t, strings.Repeat("b", 2*protocol.MaxLine))
		_ = bot.stdout.Close()
		time.Sleep(10 * exitWithin)
		assert.False(t, bot.killed)
	})
}

func TestScarce(t *testing.T) {
	assert.True(t, scarce(fmt.Errorf("start: %w", syscall.EMFILE)))
	assert.False(t, scarce(fmt.Errorf("start: %w", syscall.ENOENT)))
	assert.False(t, scarce(errors.New("not found")))
}
