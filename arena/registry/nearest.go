package registry

import "github.com/fivethreefive/fivethreefive/arena/internal/spelling"

// Nearest is the known word that a slip of the keyboard may have turned into the given one, or empty. One changed letter in
// three is a slip, two at most, and so is leaving out the end.
func Nearest(word string, known []string) string { return spelling.Nearest(word, known) }
