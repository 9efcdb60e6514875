package access

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// NewCredentials makes a key, and gives the public one. The secret one is in the file, which must not be there yet, and which
// the standard clients of NATS read as well.
func NewCredentials(path string) (public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	defer pair.Wipe()
	if err = writePair(path, pair); err != nil {
		return "", err
	}
	return pair.PublicKey()
}

// writePair overwrites nothing.
func writePair(path string, pair nkeys.KeyPair) error {
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	text, err := jwt.DecorateSeed(seed)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and is not overwritten; choose another name, or move it away", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Issuer reads the key of a [Callout], which it makes if the file is not there yet.
func Issuer(path string) (nkeys.KeyPair, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		pair, err := nkeys.CreateAccount()
		if err == nil {
			err = writePair(path, pair)
		}
		return pair, err
	}
	pair, err := readPair(path)
	if err != nil {
		return nil, err
	}
	if public, err := pair.PublicKey(); err != nil || !nkeys.IsValidPublicAccountKey(public) {
		return nil, fmt.Errorf("credentials %s: it holds a key, but not one that issues; name a file that is not there yet, and it is made", path)
	}
	return pair, nil
}

// PublicKey gives the public key of a file of [NewCredentials].
func PublicKey(path string) (string, error) {
	pair, err := readPair(path)
	if err != nil {
		return "", err
	}
	return pair.PublicKey()
}

// Credentials reads a file of [NewCredentials], and gives what a connection needs to show it.
func Credentials(path string) ([]nats.Option, error) {
	pair, err := readPair(path)
	if err != nil {
		return nil, err
	}
	public, err := pair.PublicKey()
	if err != nil || !nkeys.IsValidPublicUserKey(public) {
		return nil, fmt.Errorf("credentials %s: it holds a key, but not that of a user; take the file that arena token create has written", path)
	}
	return []nats.Option{nats.Nkey(public, pair.Sign), nats.CustomInboxPrefix(InboxPrefix(public))}, nil
}

// mostText is far more than a key has, with all that is said around it. A device may have no end.
const mostText = 64 << 10

// readPair tells nothing of what is in the file. Only a key must be kept from others: of another file they may know.
func readPair(path string) (nkeys.KeyPair, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, mostText))
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	pair, err := nkeys.ParseDecoratedNKey(text)
	if err != nil {
		return nil, fmt.Errorf("credentials %s: that is no token; take the file that arena token create has written", path)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("credentials %s: others on this machine can read it; do: chmod 600 %s", path, path)
	}
	return pair, nil
}

// CheckKey says why a text is no public key of a user.
func CheckKey(text string) error {
	switch {
	case nkeys.IsValidPublicUserKey(text):
		return nil
	case strings.HasPrefix(text, "S"):
		return errors.New("that is a secret key, which should be shown to nobody: make another one, and give the public one, which begins with U")
	default:
		return errors.New("that is no public key of a user; it begins with U and has 56 characters, as arena token key prints it")
	}
}
