package seat

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/fivethreefive/fivethreefive/protocol"
)

const limit = time.Second

func turnLine(turn int64) []byte { return fmt.Appendf(nil, `{"type":"turn","turn":%d}`, turn) }

func moveLine(turn int64) string { return fmt.Sprintf(`{"type":"move","turn":%d,"action":0}`, turn) }

// think answers the next turn after a while.
func (f *fake) think(t *testing.T, turn int64, while time.Duration) {
	t.Helper()
	assert.Equal(t, string(turnLine(turn)), f.hear(t))
	time.Sleep(while)
	f.say(t, moveLine(turn)+"\n")
}

func TestAnswer(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		for turn := int64(1); turn <= 3; turn++ {
			go bot.think(t, turn, limit-1)
			assert.Equal(t, answer{line: []byte(moveLine(turn)), elapsed: limit - 1}, talk.ask(turnLine(turn), turn, limit))
		}
	})
}

func TestTimeoutAtLimit(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go bot.hear(t)
		begin := time.Now()
		a := talk.ask(turnLine(1), 1, limit)
		assert.Equal(t, limit, time.Since(begin))
		assert.Equal(t, answer{elapsed: limit, fault: protocol.Timeout, report: protocol.FaultReport{
			Detail: "no answer within 1s", Stderr: "a\nlog",
		}}, a)
	})
}

// The talk gives one verdict, and an answer that does not count is stale.
func TestAnswerAtLimit(t *testing.T) {
	for range 100 {
		converse(t, func(t *testing.T, talk *talk, bot *fake) {
			go bot.think(t, 1, limit)
			first := talk.ask(turnLine(1), 1, limit)
			assert.Equal(t, limit, first.elapsed)
			assert.True(t, first.fault == protocol.Timeout || string(first.line) == moveLine(1))
			synctest.Wait()
			go func() {
				if first.fault == protocol.Timeout {
					assert.Contains(t, bot.hear(t), `"turn":1,"code":"stale"`)
				}
				bot.think(t, 2, 0)
			}()
			assert.Equal(t, moveLine(2), string(talk.ask(turnLine(2), 2, limit).line))
		})
	}
}

func TestLateAnswer(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go bot.think(t, 1, limit+1)
		assert.Equal(t, protocol.Timeout, talk.ask(turnLine(1), 1, limit).fault)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		go func() {
			assert.Contains(t, bot.hear(t), `"turn":1,"code":"stale"`)
			bot.think(t, 2, 5)
		}()
		assert.Equal(t, answer{line: []byte(moveLine(2)), elapsed: 5}, talk.ask(turnLine(2), 2, limit))
	})
}

func TestClockRunsFromLastByte(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			_, _ = bot.stdin.Read(make([]byte, 1))
			time.Sleep(limit / 2)
			bot.hear(t)
			time.Sleep(limit * 3 / 4)
			bot.say(t, moveLine(1)+"\n")
		}()
		a := talk.ask(turnLine(1), 1, limit)
		assert.Equal(t, answer{line: []byte(moveLine(1)), elapsed: limit * 3 / 4}, a)
	})
}

func TestClockRunsToNewline(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			bot.hear(t)
			bot.say(t, moveLine(1))
			time.Sleep(limit / 4)
			bot.say(t, "\n")
		}()
		assert.Equal(t, limit/4, talk.ask(turnLine(1), 1, limit).elapsed)
	})
}

func TestUnreadGoesFirst(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() { _, _ = bot.stdin.Read(make([]byte, 3)) }()
		begin := time.Now()
		a := talk.ask(turnLine(1), 1, limit)
		assert.Equal(t, limit, time.Since(begin))
		assert.Equal(t, limit, a.elapsed)
		assert.Equal(t, protocol.Timeout, a.fault)
		assert.Contains(t, a.report.Detail, "it does not read its standard input")

		begin = time.Now()
		talk.tell([]byte(`{"type":"error"}`))
		assert.Equal(t, tellWithin, time.Since(begin))

		go func() {
			assert.Equal(t, string(turnLine(1))[3:], bot.hear(t))
			assert.Equal(t, `{"type":"error"}`, bot.hear(t))
			bot.think(t, 2, 0)
		}()
		assert.Equal(t, moveLine(2), string(talk.ask(turnLine(2), 2, limit).line))
	})
}

func TestNeverReads(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, _ *fake) {
		for range 2 * maxUnsent / protocol.MaxLine {
			talk.tell(make([]byte, protocol.MaxLine))
		}
		assert.LessOrEqual(t, len(talk.unsent), maxUnsent)
		a := talk.ask(make([]byte, protocol.MaxLine), 1, limit)
		assert.Equal(t, protocol.Disconnect, a.fault)
		assert.Contains(t, a.report.Detail, "it does not read its standard input")
	})
}

func TestStaleWhileAsked(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		go func() {
			assert.Equal(t, string(turnLine(7)), bot.hear(t))
			for range 3 {
				bot.say(t, moveLine(6)+"\n")
				assert.Contains(t, bot.hear(t), `"turn":6,"code":"stale"`)
			}
			bot.say(t, moveLine(7)+"\n")
		}()
		assert.Equal(t, moveLine(7), string(talk.ask(turnLine(7), 7, limit).line))
	})
}

// Whatever is stale is told, also when the answer comes in the same breath.
func TestStaleAroundAnswer(t *testing.T) {
	for range 20 {
		converse(t, func(t *testing.T, talk *talk, bot *fake) {
			go func() {
				bot.hear(t)
				bot.say(t, moveLine(6)+"\n"+moveLine(7)+"\n"+moveLine(7)+"\n")
			}()
			assert.Equal(t, moveLine(7), string(talk.ask(turnLine(7), 7, limit).line))
			synctest.Wait()
			go talk.tell([]byte(`{"type":"end"}`))
			assert.Contains(t, bot.hear(t), `"turn":6,"code":"stale"`)
			assert.Contains(t, bot.hear(t), `"turn":7,"code":"stale"`)
			assert.Equal(t, `{"type":"end"}`, bot.hear(t))
		})
	}
}

func TestStaleIsBounded(t *testing.T) {
	converse(t, func(t *testing.T, talk *talk, bot *fake) {
		bot.say(t, strings.Repeat(moveLine(9)+"\n", 5000))
		synctest.Wait()
		assert.LessOrEqual(t, len(talk.late), maxLate)
		go bot.say(t, strings.Repeat(moveLine(9)+"\n", 5001))
		a := talk.ask(turnLine(1), 1, limit)
		assert.Equal(t, protocol.Flood, a.fault)
		assert.Equal(t, moveLine(9), a.report.Line)
	})
}

func TestHello(t *testing.T) {
	tests := []struct {
		says  string
		fault protocol.Code
	}{
		{`{"type":"ready"}`, ""},
		{`{"type":"ready","protocol":1}`, ""},
		{"print\n{oops\n{\"type\":\"info\"}\n{\"type\":\"ready\"}", ""},
		{`{"type":"ready","protocol":2}`, protocol.StartFault},
		{`{"type":"move","turn":0,"action":0}`, protocol.Timeout},
	}
	for _, tt := range tests {
		t.Run(tt.says, func(t *testing.T) {
			converse(t, func(t *testing.T, talk *talk, bot *fake) {
				go func() {
					bot.hear(t)
					bot.say(t, tt.says+"\n")
					_, _ = bot.lines.Next()
				}()
				assert.Equal(t, tt.fault, talk.ask([]byte(`{"type":"hello"}`), 0, limit).fault)
			})
		})
	}
}
