//go:build linux || darwin || freebsd

package bus

import "golang.org/x/sys/unix"

// freeSpace is what the disk of a folder has left for this user, in bytes.
func freeSpace(dir string) (uint64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, err
	}
	return uint64(stat.Bavail) * uint64(stat.Bsize), nil //nolint:unconvert // the types differ between systems
}
