package seat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// strangersReply reads what a remote side has answered. It may claim a fault of its bot's, but never one of the arena's, which
// would stop the match. The time is the caller's.
func strangersReply(request, msg *nats.Msg) arena.Reply {
	for _, header := range []string{protocol.HeaderTurn, protocol.HeaderAttempt} {
		if got, want := msg.Header.Get(header), request.Header.Get(header); got != want {
			return blamed(protocol.Malformed, fmt.Sprintf("its reply has %s %.40q, the request has %q", header, got, want), msg.Data)
		}
	}
	fault := protocol.Code(msg.Header.Get(protocol.HeaderFault))
	switch {
	case len(msg.Data) > protocol.MaxLine:
		return blamed(protocol.Flood, "a line of more than 64 KiB", msg.Data)
	case fault == "":
		return arena.Reply{Line: msg.Data}
	}
	var report protocol.FaultReport
	_ = json.Unmarshal(msg.Data, &report) // the fault is one without a report as well
	reply := arena.Reply{Fault: fault, Report: protocol.FaultReport{
		Detail: excerptOf(report.Detail, maxDetail), Line: excerptOf(report.Line, protocol.MaxOffence), Stderr: lastLines(report.Stderr),
	}}
	switch fault {
	case protocol.StartFault, protocol.Timeout, protocol.Crash, protocol.Memory, protocol.Flood, protocol.Disconnect, protocol.Busy, protocol.Lost:
	default:
		reply.Fault = protocol.Disconnect
		reply.Report.Detail = "its host has failed: " + reply.Report.Detail
	}
	return reply
}

const maxDetail = 500 // bytes

func blamed(code protocol.Code, detail string, line []byte) arena.Reply {
	return arena.Reply{Fault: code, Report: protocol.FaultReport{Detail: detail, Line: excerptOf(string(line), protocol.MaxOffence)}}
}

func excerptOf(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "\ufffd")
}
