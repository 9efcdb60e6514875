package bot

import "math/rand/v2"

// Random gives the numbers that all SDKs give for the same seed: the generator xorshift128 of G. Marsaglia, "Xorshift RNGs",
// Journal of Statistical Software 8(14), 2003. It is a [rand.Source] as well. The zero Random gives nothing but zeros; use
// [NewRandom].
type Random struct{ x, y, z, w uint32 }

// NewRandom takes the low and the high half of the seed as the first two words of the state, fixed numbers as the other two,
// and drops the first 16 numbers, in which the seed still shows.
func NewRandom(seed uint64) *Random {
	r := &Random{x: uint32(seed), y: uint32(seed >> 32), z: 0x9e3779b9, w: 0x7f4a7c15}
	for range 16 {
		r.Next()
	}
	return r
}

// NewRand gives the randomness of a game with all that [rand.Rand] can do. Equal seeds give equal numbers, so that a run can
// be repeated.
func NewRand(start Start) *rand.Rand { return rand.New(NewRandom(start.Seed)) }

// Next gives 32 random bits.
func (r *Random) Next() uint32 {
	t := r.x ^ r.x<<11
	r.x, r.y, r.z = r.y, r.z, r.w
	r.w ^= r.w>>19 ^ t ^ t>>8
	return r.w
}

// Below gives 0 to n-1, each as likely as the others: numbers from the last incomplete stretch of n are dropped. It panics
// unless n is positive.
func (r *Random) Below(n int) int {
	limit := 1<<32 - 1<<32%uint64(n)
	for {
		if x := uint64(r.Next()); x < limit {
			return int(x % uint64(n))
		}
	}
}

// Uint64 puts two numbers together, the first above.
func (r *Random) Uint64() uint64 { return uint64(r.Next())<<32 | uint64(r.Next()) }
