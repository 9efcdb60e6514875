package check

import (
	"fmt"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// hintFor names the fix for a fault. What the bot has written to stderr often tells more than how it ended.
func hintFor(card arena.Fault) string {
	if card.Code != protocol.Timeout || card.Stderr != "" {
		if hint := hintOf(card.Stderr); hint != "" && card.Code != protocol.Illegal && card.Code != protocol.Malformed {
			return hint
		}
	}
	switch card.Code {
	case protocol.StartFault:
		return `start faster, on a machine that is not busy, and answer hello with the line {"type":"ready"}, flushed` + aboutPrint(card)
	case protocol.Timeout:
		if stale(card) {
			return `repeat the number of the turn that you answer, as in {"type":"move","turn":7,"action":0}: a move with another number counts as none`
		}
		return fmt.Sprintf("answer each turn with one move within %.0f ms; search less, and flush after each line%s", card.LimitMS, aboutPrint(card))
	case protocol.Illegal:
		return "choose an action of the list legal, best by its index in it, from 0"
	case protocol.Malformed:
		return `print each move as one JSON object on one line, as in {"type":"move","turn":7,"action":0}`
	case protocol.Memory:
		return "use less memory, with all processes together; an organiser can raise the limit by memory_mb, or --memory here"
	case protocol.Flood:
		return "print messages only to standard output, one a line and one for each turn; everything else belongs on standard error"
	case protocol.Disconnect:
		return "keep standard input and output open, and read every line, until quit"
	case protocol.Crash:
		return "mend what ended it; catch errors that can happen, and do not exit before quit"
	default:
		return "see the card"
	}
}

// aboutPrint tells of a last line that was no message, or is empty: it may have been meant as the answer.
func aboutPrint(card arena.Fault) string {
	if card.Line == "" || strings.HasPrefix(card.Line, "{") {
		return ""
	}
	return fmt.Sprintf("; it printed %q, which is no message: write each message as one JSON object, and print everything else to standard error", card.Line)
}

// stale reports whether the bot's last line was a move for another turn.
func stale(card arena.Fault) bool {
	message, err := protocol.ReadBot([]byte(card.Line))
	move, ok := message.(protocol.Move)
	return err == nil && ok && move.Turn != card.Turn
}

const writeToTmp = "write to /tmp only, where there are 16 MiB for the time of a game: a bot's own folder is read-only"

// hintOf reads in what a bot has logged which wall it has run into, or gives nothing.
func hintOf(stderr string) string {
	text := strings.ToLower(stderr)
	for _, wall := range []struct {
		hint  string
		words []string
	}{
		{
			writeToTmp,
			[]string{"read-only file system", "erofs", "readonlyfilesystem"},
		},
		{
			"do without the network, which bots do not have: put what it needs into the folder of the bot",
			[]string{
				"network is unreachable", "enetunreach", "name resolution", "getaddrinfo", "could not resolve", "no such host", "eai_again",
				"socket", "unknownhostexception", "connection refused", "urlopen error",
			},
		},
		{
			"start fewer processes and threads: a bot may have 64 of them at a time",
			[]string{"resource temporarily unavailable", "eagain", "can't start new thread", "cannot fork", "fork: retry", "unable to create native thread"},
		},
		{
			"use less memory, with all processes together; an organiser can raise the limit by memory_mb, or --memory here",
			[]string{"memoryerror", "out of memory", "cannot allocate", "bad_alloc", "outofmemory", "memory exhausted"},
		},
		{
			"put the module that is missing into the folder of the bot, or into its build: of the system it has the standard ones only",
			[]string{"modulenotfounderror", "cannot find module", "no module named", "classnotfoundexception", "could not find or load main class"},
		},
	} {
		for _, word := range wall.words {
			if strings.Contains(text, word) {
				return wall.hint
			}
		}
	}
	return ""
}
