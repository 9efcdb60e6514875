package arena

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/files"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// replay writes one game down. Its nil value writes nothing.
type replay struct {
	file   ReplayFile
	writer *protocol.ReplayWriter
	done   int // entries of the record that are written
}

// openReplay writes the header.
func (r Referee) openReplay(t *table) (*replay, error) {
	if r.Replays == nil {
		return nil, nil
	}
	header := t.header(r.Version)
	header.Confinement = r.Confinement
	file, err := r.Replays(header)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	p := &replay{file: file, writer: protocol.NewReplayWriter(file)}
	if err := p.write(header); err != nil {
		return nil, errors.Join(err, p.close(false))
	}
	return p, nil
}

func (s seating) header(version string) protocol.Header {
	return protocol.Header{
		Version: protocol.ReplayVersion, Game: s.id, Match: s.match.ID, Tournament: s.match.Tournament, Arena: version,
		Rules: s.match.Rules, Bots: s.names(), Seed: s.seed, Clock: s.match.Clock, AskForced: s.match.AskForced,
		NetworkMS: s.match.NetworkMS, Faults: s.match.Faults, Limits: s.match.Limits, Started: time.Now().UTC().Truncate(time.Millisecond),
	}
}

func (p *replay) write(line protocol.Line) error {
	if err := p.writer.Write(line); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	return nil
}

// events writes what is new in the record. The choice belongs to its play.
func (p *replay) events(game *engine.Game, events protocol.Events, choice decision) error {
	if p == nil {
		return nil
	}
	for ; p.done < len(events); p.done++ {
		if err := p.write(replayLine(game, events[p.done], choice)); err != nil {
			return err
		}
	}
	return nil
}

// replayLine turns an event of the public record into its line, with all hands in a deal.
func replayLine(game *engine.Game, event engine.Event, choice decision) protocol.Line {
	switch e := event.(type) {
	case engine.Dealt:
		return dealLine(game.DealOf(e.Round), e)
	case protocol.Play:
		return protocol.ReplayPlay{Play: e, MS: milliseconds(choice.took), Note: choice.note}
	default:
		return event
	}
}

func dealLine(deal engine.Deal, e engine.Dealt) protocol.ReplayDeal {
	players := len(e.Counts)
	line := protocol.ReplayDeal{Round: e.Round, Half: e.Half, Leader: e.Leader, Undealt: deal.Undealt, Hands: deal.Hands[:players]}
	switch e.Half {
	case 1:
		line.Hands2 = deal.Hands2[:]
	case 2:
		line.Hands = deal.Hands2[:]
	}
	return line
}

func (p *replay) result(result protocol.GameResult) error {
	if p == nil {
		return nil
	}
	return p.write(result)
}

func (p *replay) close(finished bool) error {
	if p == nil {
		return nil
	}
	if !finished {
		p.file.Abort()
	}
	return p.file.Close()
}

// ReplayDir keeps replays as files of a folder, one a game, named after the game.
type ReplayDir string

// Create makes the folder if need be. The file gets its name when it is closed, so that a replay in the folder is always
// a whole one. What a killed arena left is replaced when the game is played again: until it is whole, the replay of a game
// has one name. Only the user may read it: the game's seed, which is in it, is secret as long as other seat orders of the
// same deal set are still to be played.
func (d ReplayDir) Create(header protocol.Header) (ReplayFile, error) {
	if err := os.MkdirAll(string(d), 0o750); err != nil {
		return nil, err
	}
	file, err := files.Create(filepath.Join(string(d), header.Game+".jsonl"), 0o600)
	if err != nil {
		return nil, err
	}
	return &replayFile{Writer: bufio.NewWriter(file), file: file}, nil
}

type replayFile struct {
	*bufio.Writer

	file    *files.File
	aborted bool
}

func (f *replayFile) Abort() { f.aborted = true }

func (f *replayFile) Close() error {
	err := f.Flush()
	if f.aborted {
		return errors.Join(err, f.file.Discard())
	}
	return f.file.Commit(err)
}
