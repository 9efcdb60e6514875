package arena

import (
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Watch is given the lines of games for everybody to see, as [protocol.WatchedLine] writes them, game by game.
//
// The games of a deal set are the same cards with the seats exchanged. The end of a round shows hands, and with them those of
// the same round in games that are still to be played; so nothing of a deal set is told before the last of its games is over.
// Only a game that is alone in its deal set is told as it goes. A match that is played again, since a worker was lost, has
// the same cards again, and what was told of it before cannot be taken back.
type Watch func(match *Match, game string, line []byte)

// watched are the lines of one game. Its nil value tells nobody.
type watched struct {
	seating

	watch Watch
	live  bool
	held  [][]byte
	done  int // entries of the record that are written
}

func (r Referee) watched(s seating, games int) (*watched, error) {
	if r.Watch == nil {
		return nil, nil
	}
	w := &watched{seating: s, watch: r.Watch, live: games == 1}
	return w, w.write(protocol.Watched{
		Game: s.id, Match: s.match.ID, Tournament: s.match.Tournament, Names: s.names(), Rules: s.match.Rules,
	})
}

func (w *watched) write(v any) error {
	line, err := protocol.WatchedLine(v)
	if err != nil {
		return err
	}
	if w.live {
		w.watch(w.match, w.id, line)
		return nil
	}
	w.held = append(w.held, line)
	return nil
}

// events takes what is new in the record.
func (w *watched) events(events protocol.Events) error {
	if w == nil {
		return nil
	}
	for ; w.done < len(events); w.done++ {
		if err := w.write(events[w.done]); err != nil {
			return err
		}
	}
	return nil
}

func (w *watched) result(result protocol.GameResult) error {
	if w == nil {
		return nil
	}
	return w.write(result)
}

// release tells what was held back.
func (w *watched) release() {
	if w == nil {
		return
	}
	for _, line := range w.held {
		w.watch(w.match, w.id, line)
	}
	w.held = nil
}
