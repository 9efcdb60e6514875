package seat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Client is the referee's side of a seat: it asks and tells by its subject.
type Client struct {
	nc      *nats.Conn
	subject string
}

// NewClient speaks to whoever answers the subject.
func NewClient(nc *nats.Conn, subject string) *Client { return &Client{nc: nc, subject: subject} }

// hostWithin is what a request may take longer than the bot may before the host has failed: the start of the process, and
// its end where that is the answer. The bot may take the limit twice, for reading and for answering.
const hostWithin = 10 * time.Second

// Ask implements [arena.Seat]. The limit goes along in a header: the host keeps it, since only there it is measured
// without the way.
func (c *Client) Ask(ctx context.Context, m protocol.Message, limit time.Duration) (arena.Reply, error) {
	msg, err := c.message(m)
	if err != nil {
		return arena.Reply{}, err
	}
	msg.Header.Set(protocol.HeaderLimit, strconv.FormatInt(limit.Nanoseconds(), 10))
	if turn, ok := m.(protocol.Turn); ok {
		msg.Header.Set(protocol.HeaderTurn, strconv.FormatInt(turn.Turn, 10))
	}
	wait, cancel := context.WithTimeout(ctx, 2*limit+hostWithin)
	defer cancel()
	reply, err := c.nc.RequestMsgWithContext(wait, msg)
	switch {
	case ctx.Err() != nil:
		return arena.Reply{}, ctx.Err()
	case errors.Is(err, nats.ErrNoResponders):
		return arena.Reply{}, fmt.Errorf("nobody serves %s: %w", c.subject, err)
	case err != nil:
		return arena.Reply{}, fmt.Errorf("request to %s: %w", c.subject, err)
	}
	return readReply(reply)
}

func readReply(msg *nats.Msg) (arena.Reply, error) {
	elapsed, err := strconv.ParseInt(msg.Header.Get(protocol.HeaderElapsed), 10, 64)
	if err != nil {
		return arena.Reply{}, fmt.Errorf("reply from %s without a time: %w", msg.Subject, err)
	}
	reply := arena.Reply{Elapsed: time.Duration(elapsed), Fault: protocol.Code(msg.Header.Get(protocol.HeaderFault))}
	if reply.Fault == "" {
		reply.Line = msg.Data
		return reply, nil
	}
	if err := json.Unmarshal(msg.Data, &reply.Report); err != nil {
		return arena.Reply{}, fmt.Errorf("fault report from %s: %w", msg.Subject, err)
	}
	if reply.Fault == ownFault {
		return arena.Reply{}, errors.New(reply.Report.Detail)
	}
	return reply, nil
}

// Tell implements [arena.Seat].
func (c *Client) Tell(_ context.Context, m protocol.Message) error {
	msg, err := c.message(m)
	if err != nil {
		return err
	}
	if err := c.nc.PublishMsg(msg); err != nil {
		return fmt.Errorf("publish to %s: %w", c.subject, err)
	}
	return nil
}

func (c *Client) message(m protocol.Message) (*nats.Msg, error) {
	line, err := protocol.Marshal(m)
	if err != nil {
		return nil, err
	}
	if len(line) > protocol.MaxLine {
		return nil, fmt.Errorf("message of %d bytes for %s, a line has at most %d", len(line), c.subject, protocol.MaxLine)
	}
	msg := nats.NewMsg(c.subject)
	msg.Data = line
	return msg, nil
}
