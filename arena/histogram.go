package arena

import (
	"fmt"
	"math/bits"
	"time"
)

// Histogram counts times by their size: number of a bucket, count, number, count, ..., by ascending numbers and without
// empty buckets. Microseconds below 8 have a bucket each; beyond, each doubling is split into 8, so that no time is more
// than 1/16 of itself from the middle of its bucket. Nil is empty. Two are added in any order to the same.
type Histogram []int

// buckets are enough for twelve days; what is longer counts as that.
const buckets = 8 * 38

// bucket gives the number of that of a time, in microseconds.
func bucket(micros uint64) int {
	if micros < 8 {
		return int(micros)
	}
	shift := bits.Len64(micros) - 4
	return min(8*shift+int(micros>>shift), buckets-1)
}

// middle of a bucket, in microseconds.
func middle(bucket int) float64 {
	if bucket < 16 {
		return float64(bucket)
	}
	low := uint64(bucket%8+8) << (bucket/8 - 1)
	width := uint64(1) << (bucket/8 - 1)
	return float64(low) + float64(width-1)/2
}

// add counts a time.
func (h *Histogram) add(d time.Duration) {
	h.count(bucket(uint64(max(d.Microseconds(), 0))), 1)
}

// Merge adds the counts of another.
func (h *Histogram) Merge(other Histogram) {
	for i := 0; i < len(other); i += 2 {
		h.count(other[i], other[i+1])
	}
}

func (h *Histogram) count(bucket, times int) {
	at := 0
	for at < len(*h) && (*h)[at] < bucket {
		at += 2
	}
	if at < len(*h) && (*h)[at] == bucket {
		(*h)[at+1] += times
		return
	}
	*h = append(*h, 0, 0)
	copy((*h)[at+2:], (*h)[at:])
	(*h)[at], (*h)[at+1] = bucket, times
}

// Total is how many times were counted.
func (h Histogram) Total() (total int) {
	for i := 1; i < len(h); i += 2 {
		total += h[i]
	}
	return total
}

// Percentile gives the time that so many percent of the times do not exceed, from 1 to 100, in milliseconds: the middle of
// its bucket. It is 0 where there are none.
func (h Histogram) Percentile(percent int) float64 {
	left := (h.Total()*percent + 99) / 100
	for i := 0; i < len(h); i += 2 {
		if left -= h[i+1]; left <= 0 {
			return middle(h[i]) / 1000
		}
	}
	return 0
}

// Check says why it cannot have been counted.
func (h Histogram) Check() error {
	for i := 0; i < len(h); i += 2 {
		if i+1 == len(h) || h[i] < 0 || h[i] >= buckets || i > 0 && h[i] <= h[i-2] || h[i+1] < 1 {
			return fmt.Errorf("the times are damaged at %d of %d numbers", i+1, len(h))
		}
	}
	return nil
}
