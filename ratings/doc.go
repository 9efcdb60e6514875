// Package ratings turns finishing ranks into ratings: numbers in, numbers out.
//
// Pairs hold the official ratings, the maximum of likelihood over all results in any order, with intervals that take the
// deals for what they are: one observation each, however many games and tables share them. Margins say the same of penalty
// points. Elo is the live rating, a fold over deal sets in the order in which they were played. Sequential says after each
// deal set whether a candidate is better yet. WengLin and Orders are second views, for pairing and for diagnosis.
//
// It knows nothing of games, points or stored logs, and it does not say which results count. The same input gives the same
// bits on the same kind of processor.
package ratings
