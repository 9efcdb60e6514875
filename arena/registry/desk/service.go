package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// ServiceName is that under which a desk can be found with any tool for services on NATS.
const ServiceName = "arena-desk"

// A submission is a request to begin, which any desk answers, then parts, and a last request to the desk that did, which is sent again
// and again until its answer is a receipt and not empty: who no longer asks has given up. So who submits needs no right to a place
// where others could have something as well. All requests of an author have the author in their subject, and the server lets nobody
// send those of another.
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
}

// Serve lets others submit over the connection, until stop is called or the context ends. Bots are checked one at a time.
func (d Desk) Serve(ctx context.Context, nc *nats.Conn, log *slog.Logger) (stop func() error, err error) {
	service, err := micro.AddService(nc, micro.Config{Name: ServiceName, Version: d.Check.Version, Description: "checks bots and takes them in"})
	if err != nil {
		return nil, fmt.Errorf("announce the desk: %w", err)
	}
	dir, remove, err := d.Check.Launcher.TempDir(d.Check.Scratch, "arena-uploads-") // nobody else may look into it
	if err != nil {
		return nil, errors.Join(err, service.Stop())
	}
	c := &counter{desk: d, log: log, id: service.Info().ID, uploads: newUploads(dir, d.Now)}
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() { c.check(ctx) })
	working.Go(func() { c.uploads.abandon(ctx) })
	stop = func() error {
		stopped := service.Stop()
		cancel()
		working.Wait()
		c.uploads.close()
		return errors.Join(stopped, remove())
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
	return errors.Join(at(bus.Begin, "", c.begin), at(bus.Part, c.id, c.part), at(bus.Finish, c.id, c.finish), at(bus.Cancel, c.id, c.cancel))
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
	done, err := c.uploads.finish(author, r.Headers().Get(uploadHeader), r.Headers().Get(digestHeader))
	switch {
	case err != nil:
		return err
	case done != nil && done.err != nil:
		return done.err
	case done != nil:
		return r.RespondJSON(done.receipt)
	default:
		return r.Respond(nil)
	}
}

// cancel has no answer: nobody waits for it.
func (c *counter) cancel(author string, r micro.Request) error {
	return c.uploads.forget(author, r.Headers().Get(uploadHeader))
}

// check takes one submission after the other.
func (c *counter) check(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.uploads.more:
			for c.answer(ctx) {
			}
		}
	}
}

// answer checks the first that waits, if there is one.
func (c *counter) answer(ctx context.Context) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	id, up := c.uploads.next(cancel)
	if up == nil {
		return false
	}
	receipt, err := c.desk.Submit(ctx, up.author, up.file, nil)
	if ctx.Err() != nil {
		return true // it was given up, or the desk closes, which whoever asks is told
	}
	if err == nil {
		c.log.Info("a bot was submitted", "bot", receipt.Report.Label(), "by", up.author, "passed", receipt.Report.Passed,
			"known", receipt.Known, "refusal", receipt.Refusal)
	}
	c.uploads.settle(id, outcome{receipt, err})
	return true
}
