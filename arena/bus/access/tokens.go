package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Tokens are kept in the account of the arena: public keys, and what they are for. No secret is among them.
type Tokens struct{ kv jetstream.KeyValue }

// Bucket is the key-value store of the tokens, and BucketSize its bound in bytes.
const (
	Bucket     = "tokens"
	BucketSize = 16 << 20
)

const answerWithin = 5 * time.Second // of the store

// ErrNoToken is wrapped by the error for a token that is not there.
var ErrNoToken = errors.New("there is no such token")

// OpenTokens makes their place if it is not there yet.
func OpenTokens(ctx context.Context, nc *nats.Conn) (*Tokens, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	kv, err := js.KeyValue(ctx, Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: Bucket, Description: "who may connect", History: 1, MaxBytes: BucketSize, Storage: jetstream.FileStorage, Replicas: 1,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return &Tokens{kv}, nil
}

// Add keeps a new token.
func (t *Tokens) Add(ctx context.Context, id Identity) error {
	text, err := json.Marshal(id)
	if err != nil {
		return err
	}
	if _, err = t.kv.Create(ctx, id.Key, text); errors.Is(err, jetstream.ErrKeyExists) {
		return fmt.Errorf("the key %s has a token already; make another key", id.Key)
	}
	return err
}

// All lists the tokens by role, name and age.
func (t *Tokens) All(ctx context.Context) (all []Identity, err error) {
	lister, err := t.kv.ListKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the tokens: %w", err)
	}
	var keys []string
	for key := range lister.Keys() {
		keys = append(keys, key)
	}
	for _, key := range keys {
		id, err := t.get(ctx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	slices.SortFunc(all, func(x, y Identity) int {
		rank := func(i Identity) int { return slices.Index(Roles(), i.Role) }
		if d := rank(x) - rank(y); d != 0 {
			return d
		}
		if d := strings.Compare(x.Name, y.Name); d != 0 {
			return d
		}
		return x.Created.Compare(y.Created)
	})
	return all, nil
}

// Live gives the token of a key, or an error that wraps [ErrNoToken], [ErrRevoked] or [ErrExpired].
func (t *Tokens) Live(ctx context.Context, key string, now time.Time) (id Identity, err error) {
	if id, err = t.get(ctx, key); err == nil {
		err = id.Valid(now)
	}
	return id, err
}

func (t *Tokens) get(ctx context.Context, key string) (id Identity, err error) {
	entry, err := t.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		err = fmt.Errorf("key %q: %w", key, ErrNoToken)
	}
	if err != nil {
		return id, err
	}
	return read(entry)
}

func read(entry jetstream.KeyValueEntry) (id Identity, err error) {
	if err = json.Unmarshal(entry.Value(), &id); err != nil {
		err = fmt.Errorf("the token %s is damaged: %w", entry.Key(), err)
	}
	id.Key = entry.Key()
	return id, err
}

// Revoke ends a token for ever. Its connections end within a second. There is no other change to a token, so this one overwrites
// whatever is there.
func (t *Tokens) Revoke(ctx context.Context, key string, now time.Time) error {
	id, err := t.get(ctx, key)
	if err != nil || !id.Revoked.IsZero() {
		return err
	}
	id.Revoked = now
	text, err := json.Marshal(id)
	if err != nil {
		return err
	}
	_, err = t.kv.Put(ctx, key, text)
	return err
}
