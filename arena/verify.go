package arena

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Verified tells about a replay that is right.
type Verified struct {
	Header protocol.Header
	Result protocol.GameResult
	Lines  int
	Sealed bool   // whether sums protect every byte; without them times, notes and names are taken on trust
	Hash   string // SHA-256 over all but times, notes and sums: equal for two runs with the same answers
}

// VerifyReplay plays the game again from its seed and compares every line. The error names the first line that is wrong
// and what it should be.
func VerifyReplay(r io.Reader) (Verified, error) {
	return WatchReplay(r, func(protocol.Line, *engine.Game) {})
}

// WatchReplay is VerifyReplay with an onlooker: it is shown each line after the header that is right, with the game as it
// stands after that. The engine goes ahead of the lines: after the play that ends a half, the next one has been dealt.
func WatchReplay(r io.Reader, see func(protocol.Line, *engine.Game)) (Verified, error) {
	reader, err := protocol.NewReplayReader(r)
	if err != nil {
		return Verified{}, err
	}
	v := &verifier{hash: sha256.New()}
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Verified{}, err
		}
		v.sealed = reader.Sealed()
		if err := v.check(line); err != nil {
			return Verified{}, fmt.Errorf("line %d: %w", reader.Number(), err)
		}
		if _, header := line.(protocol.Header); !header {
			see(line, v.game)
		}
	}
	if !v.over {
		return Verified{}, fmt.Errorf("line %d: the replay ends before its result", reader.Number()+1)
	}
	return Verified{
		Header: v.header, Result: v.result, Lines: reader.Number(), Sealed: reader.Sealed(),
		Hash: hex.EncodeToString(v.hash.Sum(nil)),
	}, nil
}

// verifier repeats a game beside its replay.
type verifier struct {
	sealed  bool // written by an arena, and so with all that other programs may leave out
	header  protocol.Header
	result  protocol.GameResult
	game    *engine.Game
	strikes *strikes
	chose   []bool // seats that have made a choice of their own
	absent  []bool // seats that the arena has played for without a fault on the way: they never started
	next    int    // entry of the record that the next line must show
	over    bool
	hash    hash.Hash
}

func (v *verifier) check(line protocol.Line) error {
	if unknown, ok := line.(protocol.Unknown); ok {
		return fmt.Errorf("type: %q is unknown", unknown.Type)
	}
	if header, ok := line.(protocol.Header); ok != (v.game == nil) {
		return errors.New("a replay has one header, its first line")
	} else if ok {
		return v.begin(header)
	}
	if v.over {
		return errors.New("nothing stands after the result")
	}
	if err := v.advance(line); err != nil {
		return err
	}
	want, err := v.expected(line)
	if err != nil {
		return err
	}
	return v.compare(line, want)
}

func (v *verifier) begin(header protocol.Header) error {
	if header.Version != protocol.ReplayVersion {
		return fmt.Errorf("replay version %d, this program reads version %d", header.Version, protocol.ReplayVersion)
	}
	game, err := engine.NewGame(header.Rules, header.Seed.Leader(max(1, header.Rules.Players)))
	if err != nil {
		return err
	}
	if err := v.checkSettings(header); err != nil {
		return err
	}
	if len(header.Bots) != header.Rules.Players {
		return fmt.Errorf("%d bots for %d seats", len(header.Bots), header.Rules.Players)
	}
	policy := header.Faults
	policy.Penalty = cmp.Or(policy.Penalty, protocol.RankLast) // other programs may leave it out
	if err := checkPolicy(policy); err != nil {
		return err
	}
	v.header, v.game = header, game
	v.strikes = newStrikes(policy, header.Rules.Players)
	v.chose = make([]bool, header.Rules.Players)
	v.absent = make([]bool, header.Rules.Players)
	header.Started, header.Confinement = time.Time{}, nil // the machine's
	return v.digest(header)
}

// checkSettings refuses what the engine takes, but no arena writes.
func (v *verifier) checkSettings(header protocol.Header) error {
	preset, clock := header.Rules.Preset, header.Clock
	if !slices.Contains(engine.Presets(), preset) && (v.sealed || preset != "") {
		return fmt.Errorf("preset: %q is unknown", string(preset))
	}
	switch {
	case clock.MoveMS < 0 || v.sealed && clock.MoveMS == 0:
		return fmt.Errorf("move_ms: %d, a move needs at least 1 ms", clock.MoveMS)
	case clock.BankMS < 0:
		return fmt.Errorf("bank_ms: %d, it cannot be negative", clock.BankMS)
	case clock.IncrementMS < 0:
		return fmt.Errorf("increment_ms: %d, it cannot be negative", clock.IncrementMS)
	default:
		return nil
	}
}

// advance moves the game on when all that has happened has been shown.
func (v *verifier) advance(line protocol.Line) error {
	if v.next < len(v.game.Record(0)) {
		return nil
	}
	switch v.game.Phase() {
	case engine.Dealing:
		return v.game.Deal(v.header.Seed.Deal(v.header.Rules, v.game.Round()+1))
	case engine.Playing:
		play, ok := line.(protocol.ReplayPlay)
		if !ok {
			return fmt.Errorf("a play of seat %d should stand here", v.game.Turn())
		}
		if err := v.judge(play); err != nil {
			return err
		}
		if err := v.checkTime(play); err != nil {
			return err
		}
		_, err := v.game.Apply(play.Action)
		return err
	default:
		return nil
	}
}

// judge holds a play against who may have chosen it.
func (v *verifier) judge(play protocol.ReplayPlay) error {
	seat, legal := v.game.Turn(), v.game.Legal(nil)
	asked := !v.strikes.forfeited(seat) && (len(legal) > 1 || v.header.AskForced)
	switch {
	case play.By != "" && play.By != protocol.ByArena:
		return fmt.Errorf("by is %q, it can only be %q", play.By, protocol.ByArena)
	case play.Fault != "" && (play.By == "" || !asked || v.absent[seat]):
		return fmt.Errorf("seat %d was not asked, so %s cannot have happened", seat, play.Fault)
	case play.By == "" && (!asked || v.absent[seat]):
		return fmt.Errorf("seat %d was not asked: the arena played for it", seat)
	case play.By == "":
		v.chose[seat] = true
		return nil
	case play.Fault != "":
		if !ofTurn(play.Fault) {
			return fmt.Errorf("%q is no fault of a turn", play.Fault)
		}
		v.strikes.add(seat, play.Fault)
	case asked:
		if v.chose[seat] || len(v.strikes.seats[seat].faults) > 0 {
			return fmt.Errorf("seat %d was asked, and no fault explains why the arena played for it", seat)
		}
		v.absent[seat] = true
	}
	want := substitute(legal)
	if play.Action != want {
		return fmt.Errorf("the arena plays %v, not %v", want, play.Action)
	}
	return nil
}

// checkTime needs a play that has been judged: what the arena played without a fault, no bot was asked for.
func (v *verifier) checkTime(play protocol.ReplayPlay) error {
	switch {
	case play.MS < 0:
		return fmt.Errorf("ms: %v, it cannot be negative", play.MS)
	case v.sealed && play.MS > 0 && play.By != "" && play.Fault == "":
		return fmt.Errorf("ms: %v, it is 0 where the bot was not asked", play.MS)
	default:
		return nil
	}
}

// expected is what the line must be, given the free fields that it has.
func (v *verifier) expected(line protocol.Line) (protocol.Line, error) {
	record := v.game.Record(0)
	if v.next < len(record) {
		event := record[v.next]
		v.next++
		if played, ok := event.(engine.Played); ok {
			play, _ := line.(protocol.ReplayPlay)
			play.Played = played
			return play, nil
		}
		return replayLine(v.game, event, decision{}), nil
	}
	result, ok := line.(protocol.GameResult)
	if !ok {
		return nil, errors.New("the game is over, the result should stand here")
	}
	v.over = true
	v.result = result
	return v.expectedResult(result)
}

// expectedResult takes from the line only which seats never started, as far as the plays allow it.
func (v *verifier) expectedResult(result protocol.GameResult) (protocol.Line, error) {
	for _, fault := range result.Faults {
		if fault.Code != protocol.StartFault {
			continue
		}
		if fault.Seat < 0 || fault.Seat >= len(v.chose) || v.chose[fault.Seat] || len(v.strikes.seats[fault.Seat].faults) > 0 {
			return nil, fmt.Errorf("seat %d played, so it had started", fault.Seat)
		}
		v.strikes.add(fault.Seat, fault.Code)
		v.absent[fault.Seat] = false
	}
	for seat, absent := range v.absent {
		if absent {
			return nil, fmt.Errorf("seat %d was played by the arena, its start fault is missing", seat)
		}
	}
	ranks := v.strikes.ranks(v.game.Ranks())
	return protocol.GameResult{
		Reason: protocol.Finished, Scores: v.game.Scores(), Ranks: ranks, Winners: v.strikes.winners(ranks),
		Faults: v.strikes.faults(),
	}, nil
}

func (v *verifier) compare(got, want protocol.Line) error {
	gotJSON, err := json.Marshal(got)
	if err != nil {
		return err
	}
	wantJSON, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) || !bytes.Equal(gotJSON, wantJSON) {
		return fmt.Errorf("it is %s, the game gives %s", gotJSON, wantJSON)
	}
	if play, ok := got.(protocol.ReplayPlay); ok {
		play.MS, play.Note = 0, ""
		got = play
	}
	return v.digest(got)
}

func (v *verifier) digest(line protocol.Line) error {
	return json.NewEncoder(v.hash).Encode(line)
}
