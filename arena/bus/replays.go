package bus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// ReplayStore holds replays on their way from a worker to whoever keeps them. What is there stays as it is until it is deleted, to
// which workers have no right: so none can spoil what another has sent.
type ReplayStore struct {
	js     jetstream.JetStream
	stream jetstream.Stream
}

// ReplayStore makes the store if it could not be made before.
func (b *Bus) ReplayStore(ctx context.Context, js jetstream.JetStream) (*ReplayStore, error) {
	stream, err := js.Stream(ctx, Replays)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if err = b.ensure(ctx, js, placeOf(Replays)); err == nil {
			stream, err = js.Stream(ctx, Replays)
		}
	}
	if err != nil {
		return nil, err
	}
	return &ReplayStore{js, stream}, nil
}

// ErrNoReplays is returned for what is not there.
var ErrNoReplays = errors.New("there are no such replays")

// replayPart is the size of all parts but the last, which is smaller, and may have nothing in it.
const replayPart = 512 << 10

// ReplayName is that of the replays of a match with the digest of their bytes, a SHA-256.
func ReplayName(tournament string, match int, digest []byte) string {
	return fmt.Sprintf("%s/%d/%s", tournament, match, hex.EncodeToString(digest))
}

func partSubject(name string, part int) string {
	return fmt.Sprintf("rpl.%s.%d", strings.ReplaceAll(name, "/", "."), part)
}

// checkReplayName keeps names, which workers choose, from being patterns.
func checkReplayName(name string) error {
	if strings.Count(name, "/") != 2 || strings.ContainsAny(name, ".*> \t\r\n") || strings.Contains("/"+name+"/", "//") {
		return fmt.Errorf("%q: %w", name, ErrNoReplays)
	}
	return nil
}

// Put stores what is read. It can be repeated.
func (s *ReplayStore) Put(ctx context.Context, name string, replays io.Reader) error {
	if err := checkReplayName(name); err != nil {
		return err
	}
	data := make([]byte, replayPart)
	for part := 0; ; part++ {
		n, err := io.ReadFull(replays, data)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		_, err = s.js.Publish(ctx, partSubject(name, part), data[:n], jetstream.WithExpectLastSequencePerSubject(0))
		if err != nil && !known(err) {
			return err
		}
		if n < replayPart {
			return nil
		}
	}
}

// known reports whether what was published was there already.
func known(err error) bool {
	api := &jetstream.APIError{}
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// Get gives replays to be read. Their end is an error where they are not what their name says.
func (s *ReplayStore) Get(ctx context.Context, name string) (io.Reader, error) {
	if err := checkReplayName(name); err != nil {
		return nil, err
	}
	r := &replayReader{ctx: ctx, stream: s.stream, name: name, sum: sha256.New()}
	if err := r.fetch(); err != nil {
		return nil, err
	}
	return r, nil
}

// Delete takes replays away.
func (s *ReplayStore) Delete(ctx context.Context, name string) error {
	if err := checkReplayName(name); err != nil {
		return err
	}
	return s.stream.Purge(ctx, jetstream.WithPurgeSubject("rpl."+strings.ReplaceAll(name, "/", ".")+".*"))
}

// DeleteAll takes those of a tournament away.
func (s *ReplayStore) DeleteAll(ctx context.Context, tournament string) error {
	return s.stream.Purge(ctx, jetstream.WithPurgeSubject("rpl."+tournament+".>"))
}

type replayReader struct {
	ctx    context.Context //nolint:containedctx // a reader has no other way to be given one
	stream jetstream.Stream
	name   string
	sum    hash.Hash
	part   int // the next one
	data   bytes.Reader
	last   bool // the part that is read
}

func (r *replayReader) fetch() error {
	message, err := r.stream.GetLastMsgForSubject(r.ctx, partSubject(r.name, r.part))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		if r.part == 0 {
			return fmt.Errorf("%q: %w", r.name, ErrNoReplays)
		}
		return fmt.Errorf("they are not whole: %w", io.ErrUnexpectedEOF)
	}
	if err != nil {
		return err
	}
	r.sum.Write(message.Data)
	r.data.Reset(message.Data)
	r.last = len(message.Data) < replayPart
	r.part++
	return nil
}

func (r *replayReader) Read(p []byte) (int, error) {
	for r.data.Len() == 0 {
		if r.last {
			if !strings.HasSuffix(r.name, "/"+hex.EncodeToString(r.sum.Sum(nil))) {
				return 0, errors.New("they are not as they were sent")
			}
			return 0, io.EOF
		}
		if err := r.fetch(); err != nil {
			return 0, err
		}
	}
	return r.data.Read(p)
}
