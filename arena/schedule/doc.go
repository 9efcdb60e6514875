// Package schedule says which bots meet at which table, and in which seat orders a table plays its deals.
//
// It works on entrant indices 0..n-1 and on nothing else: it knows no names, no results and no games, keeps no state and
// draws no chance from outside. The same arguments give the same schedule on every machine, so the place of a table in the
// schedule can serve as its id. It does not number, play, score or resume anything.
package schedule
