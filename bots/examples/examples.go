// Package examples holds the smallest bot in each of several languages, as files to copy from. They are programs of their
// own and use nothing of this module.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed */bot.*
var files embed.FS

// FS has a folder for each language, with a bot.toml and the one source file of the bot, and for C# a project file.
func FS() fs.FS { return files }

// Tested lists those of [Languages] that are tested before every change, and so are fit for a demonstration.
func Tested() []string { return []string{"bash", "c", "javascript", "perl", "python"} }

// Languages lists the folders of [FS] in alphabetical order.
func Languages() []string {
	return []string{"bash", "c", "csharp", "javascript", "kotlin", "lua", "perl", "php", "python", "ruby"}
}
