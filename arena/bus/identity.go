package bus

import (
	"crypto/x509"
	"errors"
	"io"
	"syscall"

	"github.com/nats-io/nats.go"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// Identity is how a program shows a server elsewhere who it is, by the file of a token, and knows whom it speaks to, by that of a
// certificate. Either may be empty.
func Identity(credentials, ca string) (options []nats.Option, err error) {
	if credentials != "" {
		if options, err = access.Credentials(credentials); err != nil {
			return nil, err
		}
	}
	if ca != "" {
		options = append(options, nats.RootCAs(ca))
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
