package cage

import "github.com/landlock-lsm/go-landlock/landlock"

// restrictFiles allows reading and running below the root, and writing below the scratch folders and what is writable, and to
// the devices. It is a second wall behind the mounts, so a kernel that knows less of it, or nothing, is no error.
func restrictFiles(c Cage) error {
	writable := []string{"/tmp", "/dev/shm"}
	for _, v := range c.Views {
		if v.Kind == Writable {
			writable = append(writable, v.Path)
		}
	}
	return landlock.V6.BestEffort().RestrictPaths(
		landlock.RODirs("/"),
		landlock.RWDirs(writable...).WithRefer(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full"),
	)
}
