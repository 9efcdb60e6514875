package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/urfave/cli/v2"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/show"
)

var errUnconfined = errors.New("bots cannot be confined on this machine as it is; mend it, or run bots that you trust with --" + unsafeFlag)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say how well bots can be confined on this machine, and what is missing",
		Description: "Each part of the confinement is a line, with what would mend it where it does not hold.\n\n" +
			"Exit codes: 0 bots are confined, if with parts missing; 1 they cannot be, and no command\nruns any without --" + unsafeFlag + ".",
		Flags: []cli.Flag{jsonFlag(), &cli.BoolFlag{Name: unsafeFlag, Hidden: true}},
		Action: func(c *cli.Context) error {
			if err := wantArgs(c, 0, 0, "no arguments"); err != nil {
				return err
			}
			report, err := probe(c)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				err = show.JSON(c.App.Writer, struct {
					Schema string         `json:"schema"`
					Report sandbox.Report `json:"sandbox"`
				}{show.Schema, report})
			} else {
				printReport(c.App.Writer, report)
			}
			if err == nil && !report.Confined {
				return errUnconfined
			}
			return err
		},
	}
}

func printReport(out io.Writer, report sandbox.Report) {
	for _, part := range report.Parts {
		mark := "ok     "
		if !part.Active {
			mark = "MISSING"
		}
		fmt.Fprintf(out, "%s  %-13s %s\n", mark, part.Name, part.State)
		if part.Remedy != "" {
			fmt.Fprintf(out, "         to mend it:   %s\n", part.Remedy)
		}
	}
}

// probe starts a launcher just to ask it. That nothing can be confined is an answer and no error.
func probe(c *cli.Context) (sandbox.Report, error) {
	launcher, err := openLauncher(slog.New(slog.DiscardHandler), !c.Bool(unsafeFlag))
	if refusal, ok := errors.AsType[*sandbox.NotConfinedError](err); ok {
		return refused(refusal), nil
	}
	if err != nil {
		return sandbox.Report{}, err
	}
	return launcher.Probe(), launcher.Close()
}

// refused is the report of a machine on which the trial of all parts failed, at the first one that is missing. Without its
// namespaces a process does not even start.
func refused(refusal *sandbox.NotConfinedError) sandbox.Report {
	missing := sandbox.Feature{Name: "confinement", State: "its trial failed: " + refusal.Cause.Error(), Remedy: refusal.Remedy}
	if start, ok := errors.AsType[*fs.PathError](refusal.Cause); ok && start.Op == "fork/exec" {
		missing.Name = "namespaces"
	}
	return sandbox.Report{Parts: []sandbox.Feature{missing}}
}
