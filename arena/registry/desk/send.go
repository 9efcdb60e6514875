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
	partSize   = 512 << 10        // of which a message of any server has room
	within     = 10 * time.Second // for an answer, and tries of what can be asked again
	tries      = 3
	laterAfter = 250 * time.Millisecond // a desk is asked again that has too much to do
	askAgain   = 250 * time.Millisecond // whether the check is over
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
	b, err := s.begin(ctx, size)
	if err != nil {
		return Receipt{}, err
	}
	defer func() {
		if ctx.Err() != nil { // the desk need not wait for us
			_ = errors.Join(s.Conn.PublishMsg(s.message(bus.Cancel, b)), s.Conn.FlushTimeout(time.Second))
		}
	}()
	sum := sha256.New()
	if err = s.upload(ctx, b, io.TeeReader(archive, sum), size); err != nil {
		return Receipt{}, fmt.Errorf("send the package: %w", lost(err))
	}
	answer, err := s.outcome(ctx, b, hex.EncodeToString(sum.Sum(nil)))
	if err != nil {
		return Receipt{}, fmt.Errorf("the server could not check it: %w", lost(err))
	}
	return receipt, json.Unmarshal(answer, &receipt)
}

// outcome asks until the check is over.
func (s Sender) outcome(ctx context.Context, b begun, digest string) ([]byte, error) {
	m := s.message(bus.Finish, b)
	m.Header.Set(digestHeader, digest)
	for {
		answer, err := s.persist(ctx, m)
		if err != nil || len(answer) > 0 {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(askAgain):
		}
	}
}

// begin asks until a desk has room.
func (s Sender) begin(ctx context.Context, size int64) (b begun, err error) {
	m := s.message(bus.Begin, b)
	if m.Data, err = json.Marshal(beginning{size}); err != nil {
		return b, err
	}
	for {
		var answer []byte
		answer, err = s.soon(ctx, m)
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
		if _, err = s.persist(ctx, m); err != nil {
			return err
		}
		sent += int64(n)
	}
}

// lost says what to do where the desk has gone.
func lost(err error) error {
	if errors.Is(err, nats.ErrConnectionClosed) {
		return fmt.Errorf("%w by the arena; the token may have been revoked or have expired: ask its organiser", err)
	}
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, context.DeadlineExceeded) {
		return errors.New("the arena that took it has ended, or cannot be reached; submit again") // not that it is busy
	}
	return err
}

// message is one of an author, who is known by the key of the connection.
func (s Sender) message(verb string, b begun) *nats.Msg {
	m := nats.NewMsg(bus.SubmitSubject(cmp.Or(s.Conn.Opts.Nkey, Owner), verb, b.Desk))
	m.Header.Set(uploadHeader, b.Upload)
	return m
}

// persist asks again where there is no answer.
func (s Sender) persist(ctx context.Context, m *nats.Msg) (answer []byte, err error) {
	for range tries {
		if answer, err = s.soon(ctx, m); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			break
		}
	}
	return answer, err
}

// soon asks for what is answered at once.
func (s Sender) soon(ctx context.Context, m *nats.Msg) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
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
