//go:build !linux && !darwin && !freebsd

package bus

import "errors"

// freeSpace has no way to know here.
func freeSpace(string) (uint64, error) { return 0, errors.ErrUnsupported }
