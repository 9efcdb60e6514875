package desk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
)

// ServiceName is that under which a desk can be found with any tool for services on NATS.
const ServiceName = "arena-desk"

// request says where the package lies.
type request struct {
	Ticket string `json:"ticket"`
}

// Serve lets others submit over the connection, one at a time, until stop is called or the context ends.
func (d Desk) Serve(ctx context.Context, nc *nats.Conn, log *slog.Logger) (stop func() error, err error) {
	service, err := micro.AddService(nc, micro.Config{Name: ServiceName, Version: d.Check.Version, Description: "checks bots and takes them in"})
	if err != nil {
		return nil, fmt.Errorf("announce the desk: %w", err)
	}
	handle := micro.HandlerFunc(func(r micro.Request) {
		receipt, failure := d.serve(ctx, r.Data())
		if failure != nil {
			log.Error("a submitted bot could not be checked", "error", failure)
			_ = r.Error("500", failure.Error(), nil) // who asked can ask again
			return
		}
		log.Info("a bot was submitted", "bot", receipt.Report.Label(), "passed", receipt.Report.Passed, "known", receipt.Known, "refusal", receipt.Refusal)
		_ = r.RespondJSON(receipt)
	})
	err = service.AddEndpoint("submit", handle, micro.WithEndpointSubject(bus.SubmitSubject), micro.WithEndpointQueueGroup("desk"))
	if err == nil {
		err = nc.Flush() // from now on it is found
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("announce the desk: %w", err), service.Stop())
	}
	return service.Stop, nil
}

func (d Desk) serve(ctx context.Context, data []byte) (receipt Receipt, err error) {
	var r request
	if err = json.Unmarshal(data, &r); err != nil {
		return Receipt{}, fmt.Errorf("the request is not understood: %w", err)
	}
	defer func() { err = errors.Join(err, d.Catalog.Forget(context.WithoutCancel(ctx), r.Ticket)) }()
	archive, err := d.Catalog.Delivered(ctx, r.Ticket)
	if err != nil {
		return Receipt{}, err
	}
	return d.Submit(ctx, archive, nil)
}

// ErrNobody is returned where no desk is served.
var ErrNobody = errors.New("nobody takes bots in there")

// answerWithin is for a check that has to wait for others before it.
const answerWithin = 30 * time.Minute

// Send submits a package to the desk that is served on the connection. The desk clears away what was sent; an author could not.
func Send(ctx context.Context, c *catalog.Catalog, nc *nats.Conn, archive io.Reader) (receipt Receipt, err error) {
	ticket := rand.Text()
	text, err := json.Marshal(request{ticket})
	if err != nil {
		return Receipt{}, err
	}
	if err = anybody(ctx, nc); err != nil {
		return Receipt{}, err
	}
	if err = c.Deliver(ctx, ticket, archive); err != nil {
		return Receipt{}, err
	}
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answer, err := nc.RequestWithContext(within, bus.SubmitSubject, text)
	if errors.Is(err, nats.ErrNoResponders) {
		return Receipt{}, ErrNobody
	}
	if err != nil {
		return Receipt{}, fmt.Errorf("submit: %w", err)
	}
	if failure := answer.Header.Get(micro.ErrorHeader); failure != "" {
		return Receipt{}, fmt.Errorf("the server could not check it: %s", failure)
	}
	return receipt, json.Unmarshal(answer.Data, &receipt)
}

// anybody asks whether a desk is there, before anything is sent.
func anybody(ctx context.Context, nc *nats.Conn) error {
	within, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	subject, err := micro.ControlSubject(micro.PingVerb, ServiceName, "")
	if err != nil {
		return err
	}
	_, err = nc.RequestWithContext(within, subject, nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return ErrNobody
	}
	return err
}
