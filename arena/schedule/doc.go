// Package schedule says which bots meet at which table, and in which seat orders a table plays its deals.
//
// A [Format] makes the next stage of a tournament from its [History]: who there is, who must not meet and what was played
// with which points. It works on entrant indices 0..n-1: it knows no names and no games, keeps no state and draws no chance
// from outside. The same arguments give the same schedule on every machine, so the place of a table in the schedule can serve
// as its id. It does not number, play or resume anything, and makes no standings.
package schedule
