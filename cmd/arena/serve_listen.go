package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
)

const (
	listenFlag   = "listen"
	wsFlag       = "ws"
	tlsCertFlag  = "tls-cert"
	tlsKeyFlag   = "tls-key"
	tlsSelfFlag  = "tls-self"
	insecureFlag = "insecure-plain"
)

// listenFlags say where others are let in, who need a token.
func listenFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: listenFlag, Usage: "let in who has a token at `HOST:PORT`, as in 127.0.0.1:4222; port 0 is any that is free"},
		&cli.StringFlag{Name: wsFlag, Usage: "let them in over WebSocket at `HOST:PORT` as well"},
		&cli.StringFlag{Name: tlsCertFlag, Usage: "encrypt, and show the certificate in this `FILE`"},
		&cli.StringFlag{Name: tlsKeyFlag, Usage: "the key of that certificate is in this `FILE`"},
		&cli.BoolFlag{Name: tlsSelfFlag, Usage: "encrypt, and make a certificate, which others know by --ca"},
		&cli.BoolFlag{Name: insecureFlag, Usage: "let other machines in without encryption; only in a network that you trust"},
	}
}

// listening reads the flags.
func listening(c *cli.Context, cfg *bus.Config) (err error) {
	cfg.Listen, cfg.ListenWS, cfg.Plain = c.String(listenFlag), c.String(wsFlag), c.Bool(insecureFlag)
	cert, key, self := c.String(tlsCertFlag), c.String(tlsKeyFlag), c.Bool(tlsSelfFlag)
	switch {
	case cfg.Listen == "" && (cfg.ListenWS != "" || cert != "" || key != "" || self || cfg.Plain):
		return usagef("--%s is missing: it says where to listen", listenFlag)
	case (cert == "") != (key == ""):
		return usagef("--%s and --%s belong together", tlsCertFlag, tlsKeyFlag)
	case self && cert != "":
		return usagef("--%s and --%s: there can be one certificate", tlsSelfFlag, tlsCertFlag)
	case cfg.Plain && (self || cert != ""):
		return usagef("--%s contradicts --%s and --%s", insecureFlag, tlsSelfFlag, tlsCertFlag)
	}
	encrypted := self || cert != ""
	for _, at := range []struct{ flag, address string }{{listenFlag, cfg.Listen}, {wsFlag, cfg.ListenWS}} {
		if at.address == "" {
			continue
		}
		if err = bus.CheckListen(at.address, encrypted || cfg.Plain); err != nil {
			return usagef("--%s: %w", at.flag, err)
		}
	}
	switch {
	case cert != "":
		if cfg.TLS, err = bus.ReadTLS(cert, key); err != nil {
			return usagef("--%s: %w", tlsCertFlag, err)
		}
	case self:
		cfg.TLS, err = bus.OwnTLS(filepath.Dir(ownCert(c)), cfg.Listen, cfg.ListenWS)
	}
	return err
}

// ownCert is the certificate of --tls-self.
func ownCert(c *cli.Context) string { return filepath.Join(c.String("data"), "tls", bus.CertName) }

func printListening(c *cli.Context, b *bus.Bus) {
	if c.String(listenFlag) == "" {
		return
	}
	out := c.App.ErrWriter
	if b.URL() == "" {
		fmt.Fprintf(out, "Another arena has the data folder; listening at %s begins when that one ends.\n", c.String(listenFlag))
		return
	}
	ca := ""
	if c.Bool(tlsSelfFlag) {
		ca = " --ca " + bus.CertName
		fmt.Fprintf(out, "The certificate that others need: %s\n", ownCert(c))
	}
	fmt.Fprintf(out, "With a token: arena worker --nats %s --creds FILE%s\n", b.URL(), ca)
	if url := b.WebsocketURL(); url != "" {
		fmt.Fprintf(out, "Over WebSocket: --nats %s\n", url)
	}
	fmt.Fprintf(out, "Tokens are made by: arena token create%s\n", where(c))
	if c.Bool(insecureFlag) {
		fmt.Fprintln(out, "Warning: nothing is encrypted; everybody on the way can read seeds and hands, and change what is said.")
	}
}
