package arena

import (
	"context"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// Repeat plays the game of a replay once more: the same deals, clock, names, and seeds of the bots. Who sits at the seats
// is the opener's business; with bots that answer as they did it gives the same replay. The header must be that of a
// replay that has been verified.
func (r Referee) Repeat(ctx context.Context, header protocol.Header) (Game, error) {
	s, err := seatingOf(header)
	if err != nil {
		return Game{}, err
	}
	return r.game(ctx, s, nil)
}

func seatingOf(header protocol.Header) (seating, error) {
	match := &Match{
		Settings: Settings{
			Rules: header.Rules, DealSets: 1, Clock: header.Clock, Limits: header.Limits, Faults: header.Faults, AskForced: header.AskForced,
		},
		ID: header.Match, Tournament: header.Tournament, Bots: header.Bots, Seed: header.Seed,
	}
	// What the replays of other programs may leave out.
	usual := DefaultSettings(header.Rules)
	if match.Limits.LineBytes == 0 {
		match.Limits = usual.Limits
	}
	if match.Clock.MoveMS == 0 {
		match.Clock.MoveMS = usual.Clock.MoveMS
	}
	if match.Faults.Penalty == "" {
		match.Faults.Penalty = usual.Faults.Penalty
	}
	if err := match.Settings.Validate(); err != nil {
		return seating{}, err
	}
	s := seating{match: match, id: header.Game, row: rowOf(header.Game), seed: header.Seed}
	for bot := range header.Bots {
		s.order = append(s.order, bot)
	}
	return s, nil
}

// rowOf finds the seat order in the id of a game, as [Match.seating] makes it. The id of another program's game gives the
// first.
func rowOf(game string) int {
	row, err := strconv.Atoi(game[strings.LastIndexByte(game, '-')+1:])
	if err != nil || row < 1 {
		return 0
	}
	return row - 1
}
