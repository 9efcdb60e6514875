package access

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// Role is a set of rights.
type Role string

// All roles.
const (
	Operator  Role = "operator"
	Worker    Role = "worker"
	Author    Role = "author"
	Bot       Role = "bot"
	Spectator Role = "spectator"
)

// Roles are in the order in which people read them.
func Roles() []Role { return []Role{Operator, Worker, Author, Bot, Spectator} }

// connections is how many live ones a token can have. One more replaces the oldest.
func (r Role) connections() int {
	if r == Bot {
		return 1
	}
	return 64
}

// Identity is a token: who has the key of that public key.
type Identity struct {
	Key     string    `json:"-"` // public
	Role    Role      `json:"role"`
	Name    string    `json:"name"` // of the bot, without a version, or for people
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
	Revoked time.Time `json:"revoked,omitzero"`
}

// Why a token is not good any more.
var (
	ErrExpired = errors.New("the token has expired")
	ErrRevoked = errors.New("the token was revoked")
)

// Valid says why a token lets nobody in.
func (i Identity) Valid(now time.Time) error {
	switch {
	case !i.Revoked.IsZero():
		return ErrRevoked
	case !i.Expires.IsZero() && !now.Before(i.Expires):
		return ErrExpired
	default:
		return nil
	}
}

// CheckName says why nobody can have that name.
func CheckName(name string) error {
	if ok, err := regexp.MatchString(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$`, name); !ok || err != nil {
		return fmt.Errorf("name %q: use 1 to 32 letters, digits and . _ + -, beginning with a letter or digit", name)
	}
	return nil
}
