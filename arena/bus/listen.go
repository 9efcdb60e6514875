package bus

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// errPlain is about an address that other machines can reach.
var errPlain = errors.New("on the way there everybody could read what is said; give it a certificate by --tls-cert and --tls-key, or " +
	"--tls-self for one of its own, or listen at 127.0.0.1 and let other machines in through a tunnel, such as ssh -L")

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

// listenAddress takes host:port apart, with port 0 for any that is free.
func listenAddress(address string) (at netip.AddrPort, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return at, fmt.Errorf("address %q: write host:port, as in 127.0.0.1:4222", address)
	}
	number, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return at, fmt.Errorf("address %q: %q is no port; they are numbers from 1 to 65535, or 0 for any that is free", address, text)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return at, fmt.Errorf("address %q: write the host as a number, as in 127.0.0.1:%d", address, number)
	}
	return netip.AddrPortFrom(ip, uint16(number)), nil
}

// CheckListen says why the embedded server may not listen at an address. Without encryption, only the machine itself may
// reach it.
func CheckListen(address string, encrypted bool) error {
	at, err := listenAddress(address)
	if err == nil && !encrypted && !at.Addr().IsLoopback() {
		err = fmt.Errorf("address %s: %w", address, errPlain)
	}
	return err
}

// listenAt lets in whoever has a token, from outside of this process.
func listenAt(o *server.Options, cfg *Config) (err error) {
	if cfg.Dir == "" {
		return errors.New("to listen, a server needs a data folder, for the tokens of those who may come in")
	}
	o.DontListen, o.TLS, o.TLSConfig = false, cfg.TLS != nil, cfg.TLS
	if o.Host, o.Port, err = cfg.reserve(&cfg.Listen); err != nil || cfg.ListenWS == "" {
		return err
	}
	o.Websocket = server.WebsocketOpts{TLSConfig: cfg.TLS, NoTLS: cfg.TLS == nil, HandshakeTimeout: handshakeWithin}
	o.Websocket.Host, o.Websocket.Port, err = cfg.reserve(&cfg.ListenWS)
	return err
}

// reserve finds out whether somebody can listen at an address, which the server would only log, and which port is free. It
// writes that port into the address, so that it is the same one after a restart.
func (c *Config) reserve(address *string) (host string, port int, err error) {
	if err = CheckListen(*address, c.TLS != nil || c.Plain); err != nil {
		return "", 0, err
	}
	at, err := listenAddress(*address)
	if err != nil {
		return "", 0, err
	}
	listener, err := net.Listen("tcp", at.String()) //nolint:noctx // it is closed at once
	if err != nil {
		return "", 0, &listenError{at.String(), err}
	}
	actual, _ := listener.Addr().(*net.TCPAddr)
	*address = net.JoinHostPort(at.Addr().String(), strconv.Itoa(actual.Port))
	return at.Addr().String(), actual.Port, listener.Close()
}

// start starts the server of this process. Where it listens it does so at the same port again after a restart.
func (b *Bus) start() (*server.Server, error) {
	b.keeper.leave()
	b.keeper = nil
	o := serverOptions(b.cfg)
	if b.cfg.Listen != "" {
		if err := listenAt(o, &b.cfg); err != nil {
			return nil, err
		}
	}
	if b.cfg.Dir == "" {
		return startServer(o, b.log, func(*server.Server) error { return nil })
	}
	door, err := access.NewDoor(o)
	if err != nil {
		return nil, err
	}
	if b.cfg.AnswerWithin != 0 {
		door.AnswerWithin = b.cfg.AnswerWithin
	}
	s, err := startServer(o, b.log, door.Hang)
	if err != nil || b.cfg.Listen == "" {
		return s, err
	}
	if b.keeper, err = newDoorkeeper(s, door, b.log); err != nil {
		stopServer(s)
		return nil, err
	}
	return s, nil
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

// WebsocketURL is the same for WebSocket.
func (b *Bus) WebsocketURL() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil || b.cfg.ListenWS == "" {
		return ""
	}
	return b.server.WebsocketURL()
}

// Owns reports whether this process runs the server.
func (b *Bus) Owns() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.server != nil
}
