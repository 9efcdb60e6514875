package engine

import (
	"embed"
	"io/fs"
)

//go:embed *.go
var source embed.FS

// Source are the files of this package, tests included, for bots that are to be built away from this module.
func Source() fs.FS { return source }
