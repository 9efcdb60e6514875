package check

import "time"

// TableOf is the number of players and the seat of a game.
func TableOf(number int, sizes []int) (players, seat int) {
	t := tableOf(number, sizes)
	return t.players, t.seat
}

// ReadyIn is what the handshake says of a bot that was ready in time.
func ReadyIn(took, limit time.Duration) (state State, text, hint string) {
	return judged(readyIn(took, limit))
}

// Judge is what the timing step says of the moves of all games.
func Judge(took []time.Duration, limit time.Duration) (t Timing, state State, text, hint string) {
	t = timingOf(took, limit)
	state, text, hint = judged(t.judge())
	return t, state, text, hint
}

func judged(text string, err error) (State, string, string) {
	if found, ok := err.(*verdict); ok { //nolint:errorlint // it is never wrapped
		return found.state, found.text, found.hint
	}
	return OK, text, ""
}
