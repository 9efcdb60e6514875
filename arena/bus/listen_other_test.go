//go:build !linux

package bus_test

import "testing"

// listens has no way to know here.
func listens(*testing.T) bool { return false }
