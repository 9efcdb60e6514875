package seat

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// TestRefused has the last words of programs that a confinement stopped, as they print them.
func TestRefused(t *testing.T) {
	for stderr, want := range map[string]string{
		"OSError: [Errno 30] Read-only file system: 'log.txt'":                                                    "file",
		"Error: EROFS: read-only file system, open 'log.txt'":                                                     "file",
		"panic: open log.txt: read-only file system":                                                              "file",
		"fopen: Read-only file system":                                                                            "file",
		"./bot.sh: line 3: /etc/x: Permission denied":                                                             "file",
		"PermissionError: [Errno 13] Permission denied: '/etc/x'":                                                 "file",
		"OSError: [Errno 101] Network is unreachable":                                                             "network",
		"urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>":                  "network",
		"[cause]: Error: getaddrinfo EAI_AGAIN example.com":                                                       "network",
		"Error: connect ENETUNREACH 1.1.1.1:80":                                                                   "network",
		`Get "http://example.com": dial tcp: lookup example.com: no such host`:                                    "network",
		"connect: Network is unreachable":                                                                         "network",
		"BlockingIOError: [Errno 11] Resource temporarily unavailable":                                            "processes",
		"RuntimeError: can't start new thread":                                                                    "processes",
		"Error: spawn sleep EAGAIN":                                                                               "processes",
		"runtime: failed to create new OS thread (have 9 already; errno=11)":                                      "processes",
		"fork/exec /bin/true: resource temporarily unavailable":                                                   "processes",
		"./bot.sh: fork: retry: Resource temporarily unavailable":                                                 "processes",
		"java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process limits":    "processes",
		"Traceback (most recent call last):\n  File \"bot.py\", line 1\nNameError: name 'network' is not defined": "",
		"": "",
	} {
		got := refused(stderr)
		if want == "" {
			assert.Empty(t, got, stderr)
			continue
		}
		assert.Contains(t, got, "; its stderr tells of ", stderr)
		assert.Contains(t, got, want, stderr)
		assert.NotContains(t, got, "\n")
	}
}

// TestRefusedCards: the hint is on the card of a bot that is confined, however it failed, and on no other.
func TestRefusedCards(t *testing.T) {
	for _, memory := range []int64{0, 512 << 20} {
		converse(t, func(t *testing.T, talk *talk, bot *fake) {
			bot.memory, bot.stderr = memory, "fopen: Read-only file system\n"
			go func() {
				bot.hear(t)
				_ = bot.stdout.Close()
				bot.exit("exit status 2", false)
			}()
			detail := talk.ask(turnLine(1), 1, time.Second).report.Detail
			assert.True(t, strings.HasPrefix(detail, "exit status 2"), detail)
			assert.Equal(t, memory > 0, strings.Contains(detail, "writes in /tmp only"), detail)
		})
	}
	late := answer{fault: protocol.Timeout, report: protocol.FaultReport{Stderr: "RuntimeError: can't start new thread"}}
	assert.Contains(t, unready(late, time.Second, 512<<20).report.Detail, "and flush; its stderr tells of too many processes")
	assert.NotContains(t, unready(late, time.Second, 0).report.Detail, "processes")
}
