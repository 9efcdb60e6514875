package bot_test

import (
	"os"
	"strings"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// foxy plays at random, but never an 8 that it can keep.
type foxy struct{ pick func(n int) int }

func (f *foxy) Start(start bot.Start) { f.pick = bot.NewRand(start).IntN }

func (f *foxy) Act(turn bot.Turn) bot.Move {
	var keeps []bot.Action
	for _, action := range turn.Legal {
		if action.Cards().Count(8) == 0 {
			keeps = append(keeps, action)
		}
	}
	if len(keeps) == 0 {
		keeps = turn.Legal
	}
	return bot.Play(keeps[f.pick(len(keeps))])
}

// A bot calls Run; here the lines of the arena come from a text.
func ExampleServe() {
	arena := strings.NewReader(`{"type":"hello","protocol":1}
{"type":"start","game":"G","seat":0,"players":2,"seed":123}
{"type":"turn","game":"G","turn":1,"hand":[2,8],"legal":[{"type":"lead","cards":[2]},{"type":"lead","cards":[8]}]}
{"type":"quit"}
`)
	_ = bot.Serve(arena, os.Stdout, os.Stderr, bot.Info{Name: "foxy", Version: "1"}, &foxy{})
	// Output:
	// {"type":"ready","name":"foxy","version":"1","protocol":1}
	// {"type":"move","turn":1,"action":{"type":"lead","cards":[2]}}
}
