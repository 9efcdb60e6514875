package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// ServiceName is that under which a desk can be found with any tool for services on NATS.
const ServiceName = "arena-desk"

// A submission is a request to begin, which any desk answers, then parts and a last request to the desk that did. So who submits needs
// no right to a place where others could have something as well. All requests of an author have the author in their subject, and the
// server lets nobody send those of another.
type (
	// beginning is the first request.
	beginning struct {
		Size int64 `json:"size"` // of the package, in bytes
	}
	// begun is the answer.
	begun struct {
		Desk   string `json:"desk"`   // where the rest goes
		Upload string `json:"upload"` // which the rest names
	}
)

// Headers of the requests that follow.
const (
	uploadHeader = "Arena-Upload"
	offsetHeader = "Arena-Offset" // of a part: where its first byte belongs
	digestHeader = "Arena-Digest" // of the last request: the SHA-256 of all
)

// counter is where authors come to a desk.
type counter struct {
	desk    Desk
	log     *slog.Logger
	id      string
	uploads *uploads
	waiting chan submission
}

// submission is whole, and waits for its check. Its author waits for the answer.
type submission struct {
	id      string
	archive io.Reader
	request micro.Request
}

// Serve lets others submit over the connection, until stop is called or the context ends. Bots are checked one at a time.
func (d Desk) Serve(ctx context.Context, nc *nats.Conn, log *slog.Logger) (stop func() error, err error) {
	service, err := micro.AddService(nc, micro.Config{Name: ServiceName, Version: d.Check.Version, Description: "checks bots and takes them in"})
	if err != nil {
		return nil, fmt.Errorf("announce the desk: %w", err)
	}
	dir, err := os.MkdirTemp(d.Check.Scratch, "arena-uploads-") // nobody else may look into it
	if err != nil {
		return nil, errors.Join(err, service.Stop())
	}
	c := &counter{
		desk: d, log: log, id: service.Info().ID, uploads: &uploads{dir: dir, now: d.Now, all: map[string]*upload{}},
		waiting: make(chan submission, mostUploads), // so that there is always room
	}
	ctx, cancel := context.WithCancel(ctx)
	checked := make(chan struct{})
	go func() {
		defer close(checked)
		c.check(ctx)
	}()
	stop = func() error {
		stopped := service.Stop()
		cancel()
		<-checked
		return errors.Join(stopped, c.uploads.close())
	}
	if err = errors.Join(c.serve(service), nc.Flush()); err != nil { // from now on it is found
		return nil, errors.Join(fmt.Errorf("announce the desk: %w", err), stop())
	}
	return stop, nil
}

func (c *counter) serve(service micro.Service) error {
	at := func(verb, desk string, handle func(author string, r micro.Request) error) error {
		subject := bus.SubmitSubject("*", verb, desk)
		return service.AddEndpoint(verb, c.telling(handle), micro.WithEndpointSubject(subject), micro.WithEndpointQueueGroup("desk"))
	}
	return errors.Join(at(bus.Begin, "", c.begin), at(bus.Part, c.id, c.part), at(bus.Finish, c.id, c.finish))
}

// telling answers what a request fails with.
func (c *counter) telling(handle func(author string, r micro.Request) error) micro.Handler {
	return micro.HandlerFunc(func(r micro.Request) {
		if err := handle(bus.SubmitAuthor(r.Subject()), r); err != nil {
			c.fail(r, err)
		}
	})
}

// fail tells an author. What is the arena's own is logged as well.
func (c *counter) fail(r micro.Request, err error) {
	code := codeArena
	if told, ok := errors.AsType[*failure](err); ok {
		code = told.code
	} else {
		c.log.Error("a submitted bot could not be checked", "error", err)
	}
	_ = r.Error(code, err.Error(), nil) // who asked can ask again
}

func (c *counter) begin(author string, r micro.Request) error {
	var b beginning
	if err := json.Unmarshal(r.Data(), &b); err != nil {
		return failf(codeWrong, "the request is not understood: %v", err)
	}
	id, err := c.uploads.begin(author, b.Size)
	if err != nil {
		return err
	}
	return r.RespondJSON(begun{Desk: c.id, Upload: id})
}

func (c *counter) part(author string, r micro.Request) error {
	offset, err := strconv.ParseInt(r.Headers().Get(offsetHeader), 10, 64)
	if err != nil {
		return failf(codeWrong, "the request is not understood: %v", err)
	}
	if err = c.uploads.part(author, r.Headers().Get(uploadHeader), offset, r.Data()); err != nil {
		return err
	}
	return r.Respond(nil)
}

func (c *counter) finish(author string, r micro.Request) error {
	id := r.Headers().Get(uploadHeader)
	archive, err := c.uploads.finish(author, id, r.Headers().Get(digestHeader))
	if err == nil {
		c.waiting <- submission{id, archive, r}
	}
	return err
}

// check takes one submission after the other.
func (c *counter) check(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case s := <-c.waiting:
			c.answer(ctx, s)
		}
	}
	for {
		select {
		case s := <-c.waiting:
			c.fail(s.request, errClosed())
		default:
			return
		}
	}
}

func (c *counter) answer(ctx context.Context, s submission) {
	receipt, err := c.desk.Submit(ctx, s.archive, nil)
	c.uploads.forget(s.id) // before it is told, so that the author can go on at once
	if err != nil && ctx.Err() != nil {
		err = errClosed()
	}
	if err != nil {
		c.fail(s.request, err)
		return
	}
	c.log.Info("a bot was submitted", "bot", receipt.Report.Label(), "passed", receipt.Report.Passed, "known", receipt.Known, "refusal", receipt.Refusal)
	_ = s.request.RespondJSON(receipt) // who asked can ask again
}
