package remote

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// Answer is what came of a question: the line of the bot, or a fault with what is known of it.
type Answer struct {
	Line    []byte
	Elapsed time.Duration
	Fault   protocol.Code // also [protocol.Busy] and [protocol.Lost], which are none
	Report  protocol.FaultReport
}

// Send replies to the question. A connection that is lost shows at the arena, which asks again.
func (a Answer) Send(question *nats.Msg) {
	reply := nats.NewMsg(question.Reply)
	reply.Header.Set(protocol.HeaderTurn, question.Header.Get(protocol.HeaderTurn))
	if attempt := question.Header.Get(protocol.HeaderAttempt); attempt != "" {
		reply.Header.Set(protocol.HeaderAttempt, attempt)
	}
	reply.Header.Set(protocol.HeaderElapsed, strconv.FormatInt(a.Elapsed.Nanoseconds(), 10))
	reply.Data = a.Line
	if a.Fault != "" {
		reply.Header.Set(protocol.HeaderFault, string(a.Fault))
		reply.Data = encode(a.Report)
	}
	_ = question.RespondMsg(reply)
}

// encode never fails: a report is made of texts.
func encode(report protocol.FaultReport) []byte {
	data, err := json.Marshal(report)
	if err != nil {
		return []byte("{}")
	}
	return data
}
