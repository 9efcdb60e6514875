package check

// TableOf is the number of players and the seat of a game.
func TableOf(number int) (players, seat int) {
	t := tableOf(number)
	return t.players, t.seat
}
