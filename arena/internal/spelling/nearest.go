// Package spelling finds what somebody may have meant.
package spelling

import (
	"strings"

	"github.com/xrash/smetrics"
)

// Nearest is the known word that a slip of the keyboard may have turned into the given one, or empty. One changed letter in
// three is a slip, two at most, and so is leaving out the end.
func Nearest(word string, known []string) string {
	tolerated := min(2, (len(word)+1)/3)
	best, least := "", tolerated+1
	word = strings.ToLower(word)
	for _, candidate := range known {
		if len(word) >= 3 && strings.HasPrefix(candidate, word) {
			return candidate
		}
		if d := smetrics.WagnerFischer(word, candidate, 1, 1, 1); d < least && d < len(candidate) {
			best, least = candidate, d
		}
	}
	return best
}

// Suggestion continues a message about an unknown word, or is empty.
func Suggestion(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
