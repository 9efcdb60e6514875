package bus

import (
	"crypto/x509"
	"errors"
	"io"
	"syscall"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// identity is how a program shows who it is, and knows whom it speaks to.
func (c Config) identity() (options []nats.Option, err error) {
	if c.URL == "" {
		return nil, nil
	}
	if c.Credentials != "" {
		if options, err = access.Credentials(c.Credentials); err != nil {
			return nil, err
		}
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	return options, nil
}

// cutTries is how often a connection is tried again that was cut off while it showed who it is: a server that refuses somebody says so
// and hangs up, and who is still sending then does not always get to read it.
const cutTries = 3

// cut reports whether the other side hung up.
func cut(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)
}

// hint says what to do about a connection that did not come about.
func (c Config) hint(err error) string {
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	switch {
	case errors.Is(err, nats.ErrAuthorization) && c.Credentials == "":
		return "it lets in only who has a token; its operator makes one with arena token create, and you give its file by --creds"
	case errors.Is(err, nats.ErrAuthorization):
		return "the token of " + c.Credentials + " is not known there, has expired, or was revoked; its operator sees that by arena token list"
	case cut(err):
		return "it hangs up without a reason: look whether it is a NATS server, whether it wants tls:// or wss://, and whether it knows your token"
	case unknown:
		return "if its certificate is one of its own, get the file of the certificate from its operator, and give it by --ca"
	default:
		return "check the URL, and whether a server listens there"
	}
}

// Seats gives a connection on which remote bots are reached: seats are the only subjects that the account of the arena shares
// with that of the bots.
func (b *Bus) Seats() (*nats.Conn, error) { return b.Connect("seats") }
