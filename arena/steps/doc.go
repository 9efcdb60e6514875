// Package steps expands a replay into the list of its positions, as a viewer shows them, so that no viewer needs to know
// the rules. It reads what it is given and does nothing else.
//
// There are three ways to look at a step, each a type of its own with no place for what may not be seen: [Step] is what
// everybody at the table knows, [Seat] adds what one seat knows besides, and [Full] shows everything.
package steps
