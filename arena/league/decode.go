package league

import (
	"bytes"
	"encoding/json"
)

// UnmarshalJSON has a short way for matches that were played, which are nearly all of a long log. Whatever is not written
// exactly as this package writes it is left to encoding/json.
func (e *Event) UnmarshalJSON(data []byte) error {
	if n, played, ok := decodePlayed(data); ok {
		*e = Event{N: n, Played: &played}
		return nil
	}
	type plain Event
	return json.Unmarshal(data, (*plain)(e))
}

func decodePlayed(data []byte) (n int, p Played, ok bool) {
	d := decoder{rest: data, ok: true}
	d.text(`{"n":`)
	n = int(d.number())
	d.text(`,"played":{"match":`)
	p.Match = int(d.number())
	if d.try(`,"seq":`) {
		p.Seq = uint64(d.number())
	}
	d.text(`,"games":`)
	if !d.ok { // all other events end here
		return 0, Played{}, false
	}
	p.Games = d.games()
	d.text(`,"bots":[`)
	p.Bots = d.bots()
	d.text(`}}`)
	return n, p, d.ok && len(d.rest) == 0
}

// decoder reads what it expects, and remembers whether it was there.
type decoder struct {
	rest []byte
	ok   bool
}

func (d *decoder) try(text string) bool {
	if !d.ok || len(d.rest) < len(text) || string(d.rest[:len(text)]) != text {
		return false
	}
	d.rest = d.rest[len(text):]
	return true
}

func (d *decoder) text(text string) { d.ok = d.try(text) }

// number reads a whole number from 0 up to what has 18 digits.
func (d *decoder) number() (n int64) {
	digits := 0
	for digits < len(d.rest) && d.rest[digits] >= '0' && d.rest[digits] <= '9' {
		n = 10*n + int64(d.rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits > 18 || digits > 1 && d.rest[0] == '0' {
		d.ok = false
		return 0
	}
	d.rest = d.rest[digits:]
	return n
}

// more reads a comma, or the end of an array.
func (d *decoder) more() bool {
	if len(d.rest) == 0 || d.rest[0] != ',' && d.rest[0] != ']' {
		d.ok = false
	}
	if !d.ok {
		return false
	}
	comma := d.rest[0] == ','
	d.rest = d.rest[1:]
	return comma
}

func (d *decoder) games() (games Games) {
	end := bytes.Index(d.rest, []byte("]]"))
	if end < 0 || games.UnmarshalJSON(d.rest[:end+2]) != nil {
		d.ok = false
		return nil
	}
	d.rest = d.rest[end+2:]
	return games
}

func (d *decoder) bots() (bots []Behaviour) {
	for more := true; more; more = d.more() {
		var b Behaviour
		d.text(`[`)
		for i := range b {
			b[i] = d.number()
			if last := i == len(b)-1; d.more() == last {
				d.ok = false
			}
		}
		bots = append(bots, b)
	}
	return bots
}
