// Package table draws a position of the game as lines of text for a terminal of any size. It knows nothing of where the
// position comes from, and shows only what it is given: a hand that is not to be seen is not there.
package table
