// A bot that plays at random from its own program, for an arena at the URL, with the token in the file, under the name. In the
// second turn of a game it says so by a file asked, and waits while there is a file hold. While there is a file broken, it panics.
package main

import (
	"context"
	"log"
	"os"
	"time"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
	"github.com/fivethreefive/fivethreefive/sdk/go/remote"
)

type random struct {
	draw  *bot.Random
	drawn int
	plays int // own ones, as the events tell
	turns int
}

func (r *random) Start(start bot.Start) { r.draw = bot.NewRandom(start.Seed) }

func (r *random) Act(turn bot.Turn) bot.Move {
	if exists("broken") {
		panic("broken on purpose")
	}
	if r.turns++; r.turns == 2 {
		hold()
	}
	for _, event := range turn.Events {
		if play, ok := event.(bot.Played); ok && play.Seat == turn.Seat && play.By == "" {
			r.plays++
		}
	}
	for ; r.drawn < r.plays; r.drawn++ { // in a game that is begun anew
		r.draw.Next()
	}
	r.drawn++
	return bot.Play(turn.Legal[r.draw.Below(len(turn.Legal))])
}

func hold() {
	if !exists("hold") {
		return
	}
	if err := os.WriteFile("asked", nil, 0o600); err != nil {
		log.Fatal(err)
	}
	for exists("hold") {
		time.Sleep(5 * time.Millisecond)
	}
	_ = os.Remove("asked")
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func main() {
	o := remote.Options{Server: os.Args[1], Credentials: os.Args[2], Name: os.Args[3]}
	err := remote.Run(context.Background(), o, bot.Info{Name: "random", Version: "1"}, func() bot.Player { return &random{} })
	if err != nil {
		log.Fatal(err)
	}
}
