// Package check finds out whether a bot is fit to play: it is packed, unpacked, built, started and played against house bots,
// by the same runner, in the same confinement and under the same limits as in ranked play, and the arena's side is made to
// speak in all the ways that the protocol allows.
//
// What is wrong with a bot is a step of the [Report] with one hint that names the fix; an error is the arena's own.
package check
