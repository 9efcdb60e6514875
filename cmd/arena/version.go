package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// version of the program, as in Hello and in replays.
const version = "0.1.0"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program, its protocol and its libraries",
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
				return err
			}
			v := versions{
				Schema: show.Schema, Version: version, Protocol: protocol.Version, Replay: protocol.ReplayVersion,
				Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Modules: map[string]string{},
			}
			if c.Bool("json") {
				v.Sandbox = sandboxReport(c)
			}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, module := range info.Deps {
					v.Modules[module.Path] = module.Version
				}
			}
			if c.Bool("json") {
				return show.JSON(c.App.Writer, v)
			}
			fmt.Fprintf(c.App.Writer, "arena %s (protocol %d, replay format %d), %s on %s, NATS server %s\n", v.Version, v.Protocol,
				v.Replay, v.Go, v.Platform, v.Modules["github.com/nats-io/nats-server/v2"])
			return nil
		},
	}
}

type versions struct {
	Schema   string            `json:"schema"`
	Version  string            `json:"version"`
	Protocol int               `json:"protocol"`
	Replay   int               `json:"replay"`
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Modules  map[string]string `json:"modules"`
	Sandbox  sandbox.Report    `json:"sandbox"` // how bots are confined on this machine
}

// sandboxReport says why, where bots cannot be confined.
func sandboxReport(c *cli.Context) sandbox.Report {
	report, err := probe(c)
	if err != nil {
		return sandbox.Report{Parts: []sandbox.Feature{{Name: "confinement", State: err.Error()}}}
	}
	return report
}
