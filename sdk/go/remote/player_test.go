package remote

import (
	"bytes"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/protocol"
	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

const (
	hello = `{"type":"hello","protocol":1}`
	start = `{"type":"start","game":"g","players":2}`
	turn1 = `{"type":"turn","game":"g","turn":1,"hand":[2],"legal":[{"type":"lead","cards":[2]}]}`
)

// trap is a Player that does something in its turn, or when it is made or told.
type trap struct{ onStart, onAct func() }

func (p trap) Start(bot.Start) { p.onStart() }

func (p trap) Act(bot.Turn) bot.Move {
	p.onAct()
	return bot.Move{}
}

func fine()   {}
func panics() { panic("on purpose") }

func TestPlayer(t *testing.T) {
	for name, tt := range map[string]struct {
		make, onStart, onAct func()

		fault  [2]protocol.Code // at hello, and at the turn
		detail string
	}{
		"plays":               {make: fine, onStart: fine, onAct: fine},
		"panics before hello": {panics, fine, fine, [2]protocol.Code{protocol.StartFault, protocol.Crash}, "panic: on purpose"},
		"panics at the start": {fine, panics, fine, [2]protocol.Code{"", protocol.Crash}, "panic: on purpose"},
		"panics in its turn":  {fine, fine, panics, [2]protocol.Code{"", protocol.Crash}, "panic: on purpose"},
		"goes":                {fine, fine, runtime.Goexit, [2]protocol.Code{"", protocol.Crash}, "it has ended its goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer // is read when the Player has ended
				p := openPlayer(&log, bot.Info{Name: "trap"}, func() bot.Player {
					tt.make()
					return trap{tt.onStart, tt.onAct}
				})
				ready := p.Ask([]byte(hello), 0, time.Second)
				p.Tell([]byte(start))
				move := p.Ask([]byte(turn1), 1, time.Second)
				require.Equal(t, tt.fault, [2]protocol.Code{ready.Fault, move.Fault})
				if move.Fault == "" {
					require.JSONEq(t, `{"type":"ready","name":"trap","protocol":1}`, string(ready.Line))
					require.JSONEq(t, `{"type":"move","turn":1,"action":0}`, string(move.Line))
				}
				require.Equal(t, tt.detail, move.Report.Detail)
				begin := time.Now()
				p.Quit()
				require.Equal(t, begin, time.Now(), "nobody waits for a Player that comes to its end")
				if tt.detail == "panic: on purpose" {
					require.Contains(t, log.String(), "player_test.go")
					require.Contains(t, move.Report.Stderr, "remote.panics")
				}
			})
		})
	}
}

// A Player that does not come to its end holds nobody up.
func TestPlayerHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ever := make(chan struct{})
		p := openPlayer(&bytes.Buffer{}, bot.Info{}, func() bot.Player { return trap{fine, func() { <-ever }} })
		require.Empty(t, p.Ask([]byte(hello), 0, time.Second).Fault)
		p.Tell([]byte(start))
		time.AfterFunc(time.Hour, p.Interrupt)
		begin := time.Now()
		require.Equal(t, protocol.Lost, p.Ask([]byte(turn1), 1, time.Second).Fault)
		require.Equal(t, time.Hour, time.Since(begin))
		p.Quit()
		require.Equal(t, time.Hour+quitGrace, time.Since(begin))
		close(ever) // else it stays behind
		<-p.ended
	})
}
