package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/nats-io/nkeys"
	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

const (
	issuerFlag = "issuer"
	configFlag = "config"
)

func tokenCalloutCommand() *cli.Command {
	return &cli.Command{
		Name:  "callout",
		Usage: "decide for a NATS server of its own, or a cluster, who may connect",
		Description: "The embedded server needs no callout. Another one is given what --config prints, and asks the service\n" +
			"by auth callout: as long as none runs, nobody gets in. Run two of them, on different machines.",
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: issuerFlag, Required: true, Usage: "sign answers with the key in this `FILE`, which is made if it is not there yet"},
			&cli.BoolFlag{Name: configFlag, Usage: "print what belongs into the configuration of the server, and end"},
		}, natsFlags("answer the server at this `URL`")),
		Action: callout,
	}
}

func callout(c *cli.Context) error {
	if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
		return err
	}
	if c.String(credsName) == "" {
		return usagef("--%s is missing: the key of the service itself; make one with: arena token key FILE", credsName)
	}
	issuer, err := access.Issuer(c.String(issuerFlag))
	if err != nil {
		return err
	}
	if c.Bool(configFlag) {
		return printConfig(c, issuer)
	}
	if c.String(natsName) == "" {
		return usagef("--%s is missing: the server that asks", natsName)
	}
	b, err := bus.Open(natsConfig(c))
	if err != nil {
		return err
	}
	defer b.Close()
	nc, err := b.Connect("callout")
	if err != nil {
		return err
	}
	tokens, err := access.OpenTokens(c.Context, nc)
	if err != nil {
		return err
	}
	ctx, stop, release := onInterrupt(c.Context, c.App.ErrWriter, "Stopping: nobody is let in any more by this service.")
	defer release()
	ctx, cancel := cancelWhen(ctx, stop)
	defer cancel()
	fmt.Fprintf(c.App.ErrWriter, "Deciding who may connect to %s. Ctrl-C stops.\n", bus.Redacted(c.String(natsName)))
	service := access.Callout{Gate: access.NewGate(nc, tokens, logger(c)), Issuer: issuer}
	if err = service.Serve(ctx); errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}

func printConfig(c *cli.Context, issuer nkeys.KeyPair) error {
	answers, err := access.PublicKey(c.String(credsName))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; make it with: arena token key %s", err, c.String(credsName))
	}
	if err != nil {
		return err
	}
	signs, err := issuer.PublicKey()
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.App.Writer, access.ServerConfig(answers, signs))
	return err
}
