package bus_test

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// TestCheckListen lets nobody in from outside of the machine without encryption.
func TestCheckListen(t *testing.T) {
	for address, want := range map[string]struct{ plain, encrypted string }{
		"127.0.0.1:4222":     {},
		"localhost:4222":     {},
		"[::1]:0":            {},
		"127.8.9.10:1":       {},
		"4222":               {"write host:port", "write host:port"},
		":4222":              {"write the host as a number", "write the host as a number"},
		"0.0.0.0:4222":       {"let other machines in through a tunnel", ""},
		"[::]:4222":          {"let other machines in through a tunnel", ""},
		"192.168.0.1:4222":   {"everybody could read what is said; give it a certificate by --tls-cert", ""},
		"example.org:4222":   {"write the host as a number", "write the host as a number"},
		"127.0.0.1:nats":     {"is no port", "is no port"},
		"127.0.0.1:-1":       {"is no port", "is no port"},
		"127.0.0.1:65536":    {"is no port", "is no port"},
		"127.0.0.1.:4222":    {"write the host as a number", "write the host as a number"},
		"[::ffff:1.2.3.4]:1": {"let other machines in through a tunnel", ""},
	} {
		for encrypted, want := range map[bool]string{false: want.plain, true: want.encrypted} {
			err := bus.CheckListen(address, encrypted)
			if want == "" {
				require.NoError(t, err, address)
				continue
			}
			require.ErrorContains(t, err, want, address)
		}
	}
}

// TestListen has programs come in through the door and through the folder, and meet.
func TestListen(t *testing.T) {
	dir := t.TempDir()
	b := open(t, bus.Config{Dir: dir, Listen: "127.0.0.1:0"})
	require.True(t, b.Owns())
	address := b.URL()
	require.NotEmpty(t, address)
	_, err := bus.Open(bus.Config{URL: address, Guest: true})
	require.ErrorContains(t, err, "Authorization Violation; it lets in only who has a token; its operator makes one with arena token create")
	far, err := bus.Open(bus.Config{URL: address, Guest: true, Credentials: token(t, b, access.Identity{Role: access.Operator, Name: "far"})})
	require.NoError(t, err)
	defer far.Close()
	require.False(t, far.Owns())
	require.Empty(t, far.URL())
	talk(t, far)
	setup(t, far)
	store(t, setup(t, b), 1)
	requireStored(t, setup(t, far), 1)

	_, err = bus.Open(bus.Config{Dir: t.TempDir(), Listen: address[len("nats://"):]})
	require.ErrorContains(t, err, "choose another port, or end the program that has it")
	_, err = bus.Open(bus.Config{Dir: t.TempDir(), Listen: "0.0.0.0:0", Patience: time.Millisecond})
	require.ErrorContains(t, err, "address 0.0.0.0:0: on the way there everybody could read what is said")
	_, err = bus.Open(bus.Config{Listen: "127.0.0.1:0"})
	require.ErrorContains(t, err, "a server needs a data folder, for the tokens")
	require.Empty(t, open(t, bus.Config{}).URL())
}

// TestListenLater: who cannot be the first listens when the first has ended, at the port that was asked for.
func TestListenLater(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	dir := t.TempDir()
	first, err := bus.Open(bus.Config{Dir: dir})
	require.NoError(t, err)
	second := open(t, bus.Config{Dir: dir, Listen: address})
	connect(t, second, "stays")
	require.False(t, second.Owns())
	require.Empty(t, second.URL())
	first.Close()
	require.Eventually(t, second.Owns, within, time.Millisecond)
	require.Equal(t, "nats://"+address, second.URL())
	_, err = nats.Connect(second.URL())
	require.ErrorIs(t, err, nats.ErrAuthorization)
}

// TestGuest never runs a server, and leaves no trace of a folder that nobody serves.
func TestGuest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	_, err := bus.Open(bus.Config{Dir: dir, Guest: true})
	require.ErrorIs(t, err, bus.ErrNoOwner)
	require.NoDirExists(t, dir)

	first, err := bus.Open(bus.Config{Dir: dir})
	require.NoError(t, err)
	guest := open(t, bus.Config{Dir: dir, Guest: true})
	nc := connect(t, guest, "guest")
	store(t, setup(t, guest), 1)
	first.Close()
	require.Eventually(t, func() bool { return !nc.IsConnected() }, within, time.Millisecond)
	require.False(t, guest.Owns())
	again := open(t, bus.Config{Dir: dir})
	require.True(t, again.Owns())
	require.Eventually(t, nc.IsConnected, within, time.Millisecond)
	requireStored(t, setup(t, guest), 1)
}
