package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Replays says how many of the games had a replay.
type Replays struct {
	Games   int
	Missing int // also those that cannot be read
	// Damaged are some of those that are there and cannot be read, with the reason.
	Damaged []error
}

const mostDamaged = 5 // that are named

// Decisions visits every move of every game that has a replay. One that is missing or damaged is left out as a whole.
func (s Source) Decisions(ctx context.Context, visit func(DecisionRow) error) (Replays, error) {
	var r Replays
	err := s.each(ctx, func(p played) error {
		for _, set := range p.result.Sets {
			for _, game := range set.Games {
				for _, row := range r.read(s, p, game) {
					if failed := visit(row); failed != nil {
						return failed
					}
				}
			}
		}
		return ctx.Err()
	})
	return r, err
}

// read gives no decisions for a replay that cannot be read, and counts it.
func (r *Replays) read(s Source, p played, game arena.Game) []DecisionRow {
	r.Games++
	path := filepath.Join(s.Replays(p.state.ID), game.ID+".jsonl")
	rows, err := s.decisions(p, game, path)
	if err != nil {
		r.Missing++
		if !errors.Is(err, fs.ErrNotExist) && len(r.Damaged) < mostDamaged {
			r.Damaged = append(r.Damaged, fmt.Errorf("%s: %w", path, err))
		}
		return nil
	}
	return rows
}

// decisions of one game.
func (s Source) decisions(p played, game arena.Game, path string) ([]DecisionRow, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	reader, err := protocol.NewReplayReader(file)
	if err != nil {
		return nil, err
	}
	t := &teller{of: DecisionRow{Tournament: p.state.ID, Match: p.number, Game: game.ID}, noTimes: s.NoTimes}
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = t.take(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", reader.Number(), err)
		}
	}
	if !t.over {
		return nil, errors.New("it ends before its result")
	}
	return t.rows, nil
}

// teller plays a game again beside its replay.
type teller struct {
	of      DecisionRow // what all rows share
	noTimes bool
	header  protocol.Header
	game    *engine.Game
	rows    []DecisionRow
	over    bool
}

func (t *teller) take(line protocol.Line) (err error) {
	switch line := line.(type) {
	case protocol.Header:
		if line.Game != t.of.Game || len(line.Bots) != line.Rules.Players {
			return fmt.Errorf("it is a replay of game %q", line.Game)
		}
		t.header = line
		t.of.Players = line.Rules.Players
		t.game, err = engine.NewGame(line.Rules, line.Seed.Leader(max(1, line.Rules.Players)))
		return err
	case protocol.ReplayPlay:
		return t.play(line)
	case protocol.GameResult:
		t.over = true
	}
	return nil
}

func (t *teller) play(line protocol.ReplayPlay) error {
	if t.game == nil {
		return errors.New("it does not begin with its header")
	}
	if t.game.Phase() == engine.Dealing {
		if err := t.game.Deal(t.header.Seed.Deal(t.header.Rules, t.game.Round()+1)); err != nil {
			return err
		}
	}
	if t.game.Phase() != engine.Playing || t.game.Turn() != line.Seat {
		return fmt.Errorf("it is not the turn of seat %d", line.Seat)
	}
	row, seen := t.of, t.game.Observe(line.Seat)
	row.Step, row.Round, row.Half, row.Seat, row.Bot = len(t.rows)+1, seen.Round, seen.Half, line.Seat, t.header.Bots[line.Seat]
	row.Hand, row.Cards, row.Meld, row.Legal = ranks(seen.Hand), seen.Hand.Len(), ranks(seen.Meld), len(t.game.Legal(nil))
	row.Kind, row.Played = line.Action.Kind().String(), ranks(line.Action.Cards())
	row.By, row.Fault, row.Note = "bot", string(line.Fault), line.Note
	if line.By != "" {
		row.By = line.By
	}
	if !t.noTimes && (line.By == "" || line.Fault != "") {
		row.MS = &line.MS
	}
	t.rows = append(t.rows, row)
	_, err := t.game.Apply(line.Action)
	return err
}

// ranks are those of all cards, ascending.
func ranks(cards engine.Cards) string {
	var texts []string
	for _, rank := range cards.Slice() {
		texts = append(texts, strconv.Itoa(rank))
	}
	return strings.Join(texts, " ")
}
