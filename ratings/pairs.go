package ratings

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
)

const (
	maxSeats = 6
	// gameUnits is the weight of a game for each of its bots, spread evenly over its n-1 opponents: the least number for
	// which the half that a shared rank counts is whole at 2 to 6 seats. All sums are integers, in whatever order they come.
	gameUnits = 120
)

// Pairs collects who finished before whom: all that the official ratings depend on. The order of the deal sets, of the
// bots and of the games does not matter, down to the last bit. A game of n bots counts as a comparison of every two of
// them with weight 1/(n-1), so that it weighs 1 for each bot at any size of table.
//
// The zero value is ready and does not tell seats apart. Pairs are not safe for concurrent use.
type Pairs struct {
	seats bool
	bots  bots
	sets  []pairSet
	cells []cell
	sums  *pairSums // of all above; nil after Add
}

// NewSeatPairs returns empty Pairs that keep the seats, for fields in which not every bot holds every seat as often. All
// deal sets must be of tables of one size.
func NewSeatPairs() *Pairs {
	return &Pairs{seats: true}
}

// pairSet says where the cells of a deal set are.
type pairSet struct {
	deal     dealKey
	from, to int
}

// dealKey is the front of the SHA-256 of the name of a deal: it sorts deals and seeds what is drawn for them.
type dealKey struct{ hi, lo uint64 }

func newDealKey(deal string) dealKey {
	sum := sha256.Sum256([]byte(deal))
	return dealKey{binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])}
}

func (k dealKey) compare(other dealKey) int {
	return cmp.Or(cmp.Compare(k.hi, other.hi), cmp.Compare(k.lo, other.lo))
}

// cell is the outcome of some comparisons of two bots, in units.
type cell struct {
	pair
	score, weight int32 // score is that of a; b has the rest of the weight
}

// pair are two bots by number, and their seats where those are told apart.
type pair struct {
	a, b         int32
	seatA, seatB uint8
}

func (p pair) compare(other pair) int {
	return cmp.Or(cmp.Compare(p.a, other.a), cmp.Compare(p.b, other.b),
		cmp.Compare(p.seatA, other.seatA), cmp.Compare(p.seatB, other.seatB))
}

// turned exchanges the two bots.
func (c cell) turned() cell {
	return cell{pair{c.b, c.a, c.seatB, c.seatA}, c.weight - c.score, c.weight}
}

// Add takes a deal set of 2 to 6 bots with a named deal. One of bad shape is an error and changes nothing. A deal set that
// is added twice counts twice.
func (p *Pairs) Add(set DealSet) error {
	if err := set.checkDeal(); err != nil {
		return err
	}
	if p.seats {
		if err := set.checkSeats(); err != nil {
			return err
		}
	}
	from := len(p.cells)
	weight := int32(gameUnits / (len(set.Bots) - 1))
	for i := range set.Bots {
		for j := range i {
			key := pair{a: p.bots.number(set.Bots[i]), b: p.bots.number(set.Bots[j])}
			begin := len(p.cells)
			for game := range set.Ranks {
				if p.seats {
					key.seatA, key.seatB = uint8(set.Seats[game][i]), uint8(set.Seats[game][j])
				}
				at := p.cell(begin, key)
				at.weight += weight
				at.score += weight / 2 * int32(set.halves(game, i, j))
			}
		}
	}
	p.sets = append(p.sets, pairSet{newDealKey(set.Deal), from, len(p.cells)})
	p.sums = nil
	return nil
}

// cell returns the cell of the pair, a new one if there is none from begin on.
func (p *Pairs) cell(begin int, key pair) *cell {
	for i := begin; i < len(p.cells); i++ {
		if p.cells[i].pair == key {
			return &p.cells[i]
		}
	}
	p.cells = append(p.cells, cell{pair: key})
	return &p.cells[len(p.cells)-1]
}

// bots numbers names in the order in which they come.
type bots struct {
	names   []string
	numbers map[string]int32
}

func (b *bots) number(name string) int32 {
	number, ok := b.numbers[name]
	if !ok {
		if b.numbers == nil {
			b.numbers = make(map[string]int32)
		}
		number = int32(len(b.names))
		b.numbers[name] = number
		b.names = append(b.names, name)
	}
	return number
}
