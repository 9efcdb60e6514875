// Package standings ranks the entrants of a tournament by its results: points, and tie-breaks in a settable order.
//
// It works on entrant indices and whole numbers, keeps no state, and computes every value as an exact fraction: the order in
// which tables are given changes nothing. It pairs nobody, estimates no strength (a rating is an input here) and knows no
// names. What no tie-break parts stays level: such entrants share a rank.
package standings
