package desk

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// ErrNobody is returned where no desk is served.
var ErrNobody = errors.New("nobody takes bots in there")

const (
	partSize     = 512 << 10        // of which a message of any server has room
	partWithin   = 10 * time.Second // for an answer, and tries of a part
	partTries    = 3
	laterAfter   = 250 * time.Millisecond // a desk is asked again that has too much to do
	answerWithin = 30 * time.Minute       // for a check that has to wait for others before it
)

// Sender submits a package to a desk that is served on the connection.
type Sender struct {
	Conn *nats.Conn
	Told func(Progress) // nil is allowed
}

// Progress is how far a submission has come.
type Progress struct {
	Waits      string // why the desk does not take it yet; it is asked again
	Sent, Size int64  // bytes; when all are sent, the check begins
}

// Send reads the package to its end, which is after a number of bytes.
func (s Sender) Send(ctx context.Context, archive io.Reader, size int64) (receipt Receipt, err error) {
	if s.Told == nil {
		s.Told = func(Progress) {}
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	b, err := s.begin(ctx, size)
	if err != nil {
		return Receipt{}, err
	}
	sum := sha256.New()
	if err = s.upload(ctx, b, io.TeeReader(archive, sum), size); err != nil {
		return Receipt{}, fmt.Errorf("send the package: %w", lost(err))
	}
	m := s.message(bus.Finish, b)
	m.Header.Set(digestHeader, hex.EncodeToString(sum.Sum(nil)))
	answer, err := s.ask(ctx, m)
	if err != nil {
		return Receipt{}, fmt.Errorf("the server could not check it: %w", lost(err))
	}
	return receipt, json.Unmarshal(answer, &receipt)
}

// begin asks until a desk has room.
func (s Sender) begin(ctx context.Context, size int64) (b begun, err error) {
	m := s.message(bus.Begin, b)
	if m.Data, err = json.Marshal(beginning{size}); err != nil {
		return b, err
	}
	for {
		var answer []byte
		answer, err = s.within(ctx, m)
		later, ok := errors.AsType[*failure](err)
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return b, ErrNobody
		case err == nil:
			return b, json.Unmarshal(answer, &b)
		case !ok || later.code != codeLater:
			return b, fmt.Errorf("the server does not take it: %w", err)
		}
		s.Told(Progress{Waits: later.text, Size: size})
		select {
		case <-ctx.Done():
			return b, fmt.Errorf("the server does not take it: %w", err)
		case <-time.After(laterAfter):
		}
	}
}

// upload sends one part after the other, and each again that gets no answer.
func (s Sender) upload(ctx context.Context, b begun, archive io.Reader, size int64) error {
	part := make([]byte, min(partSize, s.Conn.MaxPayload()/2))
	for sent := int64(0); ; {
		s.Told(Progress{Sent: sent, Size: size})
		n, err := io.ReadFull(archive, part)
		if n == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		m := s.message(bus.Part, b)
		m.Header.Set(offsetHeader, strconv.FormatInt(sent, 10))
		m.Data = part[:n]
		for tries := 1; ; tries++ {
			if _, err = s.within(ctx, m); !errors.Is(err, context.DeadlineExceeded) || tries == partTries || ctx.Err() != nil {
				break
			}
		}
		if err != nil {
			return err
		}
		sent += int64(n)
	}
}

// lost says what to do where the desk has gone.
func lost(err error) error {
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w; the arena that took it has ended, or cannot be reached: submit again", err)
	}
	return err
}

// message is one of an author, who is known by the key of the connection.
func (s Sender) message(verb string, b begun) *nats.Msg {
	m := nats.NewMsg(bus.SubmitSubject(cmp.Or(s.Conn.Opts.Nkey, "local"), verb, b.Desk))
	m.Header.Set(uploadHeader, b.Upload)
	return m
}

// within asks for what is answered at once.
func (s Sender) within(ctx context.Context, m *nats.Msg) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, partWithin)
	defer cancel()
	return s.ask(ctx, m)
}

func (s Sender) ask(ctx context.Context, m *nats.Msg) ([]byte, error) {
	answer, err := s.Conn.RequestMsgWithContext(ctx, m)
	if err != nil {
		return nil, err
	}
	if text := answer.Header.Get(micro.ErrorHeader); text != "" {
		return nil, &failure{answer.Header.Get(micro.ErrorCodeHeader), text}
	}
	return answer.Data, nil
}
