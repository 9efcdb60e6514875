package bus

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"

	"github.com/nats-io/nats-server/v2/server"
)

// ErrOpenDoor is wrapped by the error for an address that other machines can reach.
var ErrOpenDoor = errors.New("whoever reaches it could read seeds and write results, since the server asks nobody for a name; " +
	"listen at 127.0.0.1, and let other machines in through a tunnel, such as ssh -L")

// listenError is an address at which this process cannot listen. Another try does not help.
type listenError struct {
	address string
	err     error
}

func (e *listenError) Error() string {
	if errors.Is(e.err, syscall.EADDRINUSE) {
		return "address " + e.address + " is taken; choose another port, or end the program that has it"
	}
	return "cannot listen at " + e.address + ": " + e.err.Error() + "; choose another port"
}

func (e *listenError) Unwrap() error { return e.err }

// listenAddress takes host:port apart, with port 0 for any that is free. Only the machine itself may be let in.
func listenAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: write host:port, as in 127.0.0.1:4222", address)
	}
	number, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: %q is no port; they are numbers from 1 to 65535, or 0 for any that is free", address, text)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: write the host as a number, as in 127.0.0.1:%d", address, number)
	}
	if !ip.IsLoopback() {
		return "", 0, fmt.Errorf("address %s: %w", address, ErrOpenDoor)
	}
	return host, int(number), nil
}

// CheckListen says why the embedded server may not listen at an address.
func CheckListen(address string) error {
	_, _, err := listenAddress(address)
	return err
}

// listenAt lets programs in from outside of this process.
func listenAt(o *server.Options, address string) error {
	host, port, err := listenAddress(address)
	if err != nil {
		return err
	}
	// The server would only log that it cannot.
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port))) //nolint:noctx // it is closed at once
	if err != nil {
		return &listenError{net.JoinHostPort(host, strconv.Itoa(port)), err}
	}
	actual, _ := listener.Addr().(*net.TCPAddr)
	o.DontListen, o.Host, o.Port = false, host, actual.Port
	return listener.Close()
}

// start starts the server of this process. Where it listens it does so at the same port again after a restart.
func (b *Bus) start() (*server.Server, error) {
	o := serverOptions(b.cfg)
	if b.cfg.Listen != "" {
		if err := listenAt(o, b.cfg.Listen); err != nil {
			return nil, err
		}
		b.cfg.Listen = net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
	}
	return startServer(o, b.log)
}

// URL is that under which other programs reach the server that this process runs, or empty.
func (b *Bus) URL() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil || b.cfg.Listen == "" {
		return ""
	}
	return b.server.ClientURL()
}

// Owns reports whether this process runs the server.
func (b *Bus) Owns() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.server != nil
}
