// Package ratings turns finishing ranks into ratings: numbers in, numbers out.
//
// It holds the live Elo, a fold over deal sets in the order in which they were played. It knows nothing of games, seats,
// points or stored logs, and it does not say how sure a rating is.
package ratings
