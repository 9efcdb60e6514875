package registry

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadSubmission reads the manifest of a folder that is to be packed. It is ReadManifest, and refuses what would mean something
// else where the package is unpacked: a manifest that is a link, and relative paths that lead out of the folder.
func ReadSubmission(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return Manifest{}, fmt.Errorf("%s is a link, and a package holds files and folders only; put a copy in its place", path)
	}
	m, err := ReadManifest(dir)
	if err != nil {
		return Manifest{}, err
	}
	for _, name := range m.ReadOnly {
		if !filepath.IsAbs(name) && !filepath.IsLocal(name) {
			return Manifest{}, fmt.Errorf("%s: read_only: %q leads out of the folder, which lies elsewhere once it is packed; write an absolute path", path, name)
		}
	}
	return m, nil
}
