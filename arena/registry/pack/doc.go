// Package pack makes a file of a bot's folder, and a folder of such a file.
//
// The same folder always gives the same bytes: names are sorted, and times, owners and all rights but to execute are left
// out. A folder or a file may be a stranger's, so both ways are bounded and refuse what could harm whoever unpacks it; nothing
// is written outside of the folder that is to be filled.
package pack

import (
	"errors"
	"fmt"
)

// Bounds of a package. A bot that needs more reads it from a folder that the arena's operator allows.
const (
	MaxPacked   = 64 << 20  // bytes of the file
	MaxUnpacked = 256 << 20 // bytes of all files in it
	MaxFiles    = 10_000    // files and folders
	MaxPath     = 240       // bytes of a path within the folder
	MaxName     = 120       // bytes of each of its parts
)

// ErrRefused is wrapped by the errors about what is in a folder or a package, which its author has to mend. All others are
// of this machine.
var ErrRefused = errors.New("refused")

// refusal says what is wrong with a package, and what to do.
type refusal string

func (r refusal) Error() string { return string(r) }

// Is makes it an ErrRefused.
func (refusal) Is(target error) bool { return target == ErrRefused }

func refusef(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// size writes bytes as people do.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	default:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
}
