package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

// object reads a package, one piece after the other, each by a request of its own. The client of the store would
// make a consumer, to which workers have no right. Whoever reads checks the digest of what is packed in it.
type object struct {
	ctx    context.Context //nolint:containedctx // a reader has no other way to be given one
	stream jetstream.Stream
	pieces string // their subject
	next   uint64 // the sequence from which on the next piece lies
	left   uint32 // pieces
	piece  []byte // what is not read of the last one
}

func (c *Catalog) open(ctx context.Context, info *jetstream.ObjectInfo) (*object, error) {
	stream, err := c.js.Stream(ctx, "OBJ_"+bus.Packages)
	if err != nil {
		return nil, err
	}
	return &object{ctx: ctx, stream: stream, pieces: "$O." + bus.Packages + ".C." + info.NUID, next: 1, left: info.Chunks}, nil
}

func (o *object) Read(p []byte) (int, error) {
	for len(o.piece) == 0 {
		if o.left == 0 {
			return 0, io.EOF
		}
		message, err := o.stream.GetMsg(o.ctx, o.next, jetstream.WithGetMsgSubject(o.pieces))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return 0, fmt.Errorf("it is not whole: %w", io.ErrUnexpectedEOF)
		}
		if err != nil {
			return 0, err
		}
		o.piece, o.next = message.Data, message.Sequence+1
		o.left--
	}
	n := copy(p, o.piece)
	o.piece = o.piece[n:]
	return n, nil
}
