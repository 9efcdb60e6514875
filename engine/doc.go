// Package engine plays the rules of Five Three Five, a climbing card game for two to six players.
//
// [State] is one game as a small value: copying it is a clone, and [State.Legal] with [State.Apply] allocate nothing,
// so a search can use it directly. [Game] adds the public record of what happened. Chance is an argument: a game waits
// in phase [Dealing] until it is given a [Deal], and the engine never draws a card by itself.
//
// The package knows no clock, no bot, no fault and no file. It does not decide what an illegal action costs: Apply
// refuses and changes nothing.
//
// # Deals from a seed
//
// Everything random in a game comes from a 32-byte [Seed] by one derivation:
//
//	child(label, n) = SHA-256("fivethreefive/1" 0x00 label 0x00 seed n)     n as 8 bytes, big-endian
//
// The deal of a round is a shuffle under ChaCha8 (the chacha8rand generator of the C2SP, as in Go's math/rand/v2)
// keyed with child("deal", round), where rounds count from 1:
//
//  1. The deck lies in ascending order of rank, all copies of a rank together.
//  2. For i from the last index down to 1, the cards at i and at uniform(i+1) change places. uniform(n) takes the next
//     64-bit output x, discards it while x >= 2^64 - (2^64 mod n), and gives x mod n.
//  3. Seat 0 gets the first hand_size cards of the deck, seat 1 the next, and so on. With two players both halves come
//     from this one shuffle: seat 0 and seat 1 for half one, then seat 0 and seat 1 for half two. The rest is undealt.
//
// The first leader of a game is uniform(players) under ChaCha8 keyed with child("leader", 0).
package engine
