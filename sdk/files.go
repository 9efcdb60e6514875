// Package sdk holds the files of the SDKs in all languages, to be copied into the folders of bots. Each is whole by itself, but for
// that of Go, which uses the packages engine and protocol.
package sdk

import (
	"embed"
	"io/fs"
)

//go:embed go/bot.go go/random.go python/fivethreefive.py javascript/fivethreefive.mjs javascript/fivethreefive.d.mts
//go:embed rust/fivethreefive.rs java/fivethreefive/FiveThreeFive.java cpp/fivethreefive.hpp
var files embed.FS

// Files has a folder for each language, with the files that a bot needs.
func Files() fs.FS { return files }
