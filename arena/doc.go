// Package arena referees matches of Five Three Five between bots.
//
// A [Match] is a table of bots that plays one or more deal sets: a deal set is one seed played under a set of seat orders,
// so that every bot holds every hand. The first lead belongs to a hand, not to a bot, so it goes round the bots with the
// seat orders. A [Referee] plays a match over a [Seat] for each place and gives a [Result].
//
// A bot's fault is a value in the result and never stops a match; an error of Play is the arena's own and never a result:
// the match is to be played again. The referee counts strikes and decides penalties; starting a bot, its pipes and its
// deadlines are the business of what stands behind the Seat.
package arena
