package registry

import (
	"fmt"
	"slices"
	"strings"
)

// Fits says why a bot cannot play where tables have these numbers of seats and bots are given these limits; nil if it can.
func (b Bot) Fits(seats []int, given Limits) error {
	for _, n := range seats {
		if len(b.Players) > 0 && !slices.Contains(b.Players, n) {
			return fmt.Errorf("%s plays at %s seats, and here tables may have %d; leave it out, or change players in its %s",
				b.Label(), oneOf(b.Players), n, ManifestName)
		}
	}
	for _, limit := range []struct {
		key          string
		needs, given int64
	}{
		{"memory_mb", int64(b.Needs.MemoryMB), int64(given.MemoryMB)},
		{"move_ms", b.Needs.MoveMS, given.MoveMS},
		{"startup_ms", b.Needs.StartupMS, given.StartupMS},
	} {
		if limit.needs > limit.given {
			return fmt.Errorf("%s needs %s = %d, and here it would get %d; raise that, or lower it under limits in its %s",
				b.Label(), limit.key, limit.needs, limit.given, ManifestName)
		}
	}
	return nil
}

// Seats are the numbers of seats at which the bot can play, the fewest first.
func (b Bot) Seats() []int {
	if len(b.Players) == 0 {
		return []int{2, 3, 4, 5, 6}
	}
	return slices.Sorted(slices.Values(b.Players))
}

// SeatWords are the numbers of seats in words, as in "2 to 6" or "2 or 4".
func (b Bot) SeatWords() string {
	if seats := b.Seats(); len(seats) < 5 {
		return oneOf(seats)
	}
	return "2 to 6"
}

// oneOf is a list as in "2, 3 or 4".
func oneOf(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
