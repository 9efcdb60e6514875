package cage

import "github.com/landlock-lsm/go-landlock/landlock"

// restrictFiles allows reading and running below the root, and writing below the scratch folders and to the devices. It is
// a second wall behind the mounts, so a kernel that knows less of it, or nothing, is no error.
func restrictFiles(Cage) error {
	return landlock.V6.BestEffort().RestrictPaths(
		landlock.RODirs("/"),
		landlock.RWDirs("/tmp", "/dev/shm").WithRefer(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full"),
	)
}
