// Command arena runs bots against each other at Five Three Five.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(process()) }

// process is not ended by a reader that goes away: the write fails, as on any other file.
func process() int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // to ignore it would be handed on to bots
	return run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}
