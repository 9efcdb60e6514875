// Package kit lays out the folder of a new bot: its source, a test, the file of the SDK, bot.toml and a README. Nothing that it
// writes has to be downloaded.
package kit

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
	"github.com/fivethreefive/fivethreefive/bots/examples"
)

// The files of the templates have the names and the content that they get in the folder of a bot, but for two that would mean
// something here: go.mod.txt and gitignore.
//
//go:embed templates
var templates embed.FS

// Language is one that a bot can be made for.
type Language struct {
	Name  string
	About string // of the reader who chooses
	Test  string // the command that tests the bot; empty where there is no SDK

	source string                        // the file to be edited
	files  func(map[string]string) error // adds the files of the bot, by path
}

// Languages are those with an SDK, and then those of the examples, whose bots speak the protocol by themselves.
func Languages() []Language {
	all := withSDK()
	for _, name := range examples.Languages() {
		if _, ok := find(all, name); !ok {
			add := func(to map[string]string) error { return addFolder(to, "", examples.FS(), name) }
			all = append(all, Language{Name: name, About: "one file, without an SDK", source: exampleSource(name), files: add})
		}
	}
	return all
}

// Source is the file to be edited, in the folder of a bot.
func (l Language) Source(dir string) string { return filepath.Join(dir, filepath.FromSlash(l.source)) }

// exampleSource is the file of an example that is not its manifest.
func exampleSource(language string) string {
	ends := map[string]string{"bash": "sh", "csharp": "cs", "kotlin": "kt", "perl": "pl", "ruby": "rb"}
	if end, ok := ends[language]; ok {
		return "bot." + end
	}
	return "bot." + language // c, lua, php
}

func find(all []Language, name string) (Language, bool) {
	for _, l := range all {
		if l.Name == name {
			return l, true
		}
	}
	return Language{}, false
}

// Find takes the name of a language, or one that is usual for it, such as js or c++. The error for an unknown one lists all.
func Find(name string) (Language, error) {
	name = strings.ToLower(name)
	short := map[string]string{
		"py": "python", "python3": "python", "js": "javascript", "node": "javascript", "ts": "typescript", "golang": "go", "rs": "rust",
		"c++": "cpp", "cxx": "cpp", "c#": "csharp", "cs": "csharp", "rb": "ruby", "sh": "bash", "kt": "kotlin", "pl": "perl",
	}
	if long, ok := short[name]; ok {
		name = long
	}
	all := Languages()
	if l, ok := find(all, name); ok {
		return l, nil
	}
	names := make([]string, len(all))
	for i, l := range all {
		names[i] = l.Name
	}
	return Language{}, fmt.Errorf("language %q has no template; there are %s%s", name, strings.Join(names, ", "), spelling.Suggestion(name, names))
}

// Check says why no bot can be made in a folder: it must be empty or not there, and its name is that of the bot.
func Check(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err = registry.CheckName(filepath.Base(abs)); err != nil {
		return fmt.Errorf("the bot is named like its folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w; choose another name", err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty, and nothing in it is overwritten; choose another name", dir)
	}
	return nil
}

// Write lays out a bot in a folder that passes [Check]. The bot gets the name of the folder. If something cannot be written, what
// was is left.
func (l Language) Write(dir string) error {
	if err := Check(dir); err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	files := map[string]string{"README.md": l.readme()}
	if err := l.files(files); err != nil {
		return err
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		target := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil { //nolint:gosec // bots may run as other users
			return fmt.Errorf("write the bot: %w", err)
		}
		if err := os.WriteFile(target, []byte(named(files[file], filepath.Base(abs))), 0o644); err != nil { //nolint:gosec // bots may run as other users
			return fmt.Errorf("write the bot: %w", err)
		}
	}
	return nil
}

// addFolder adds the files of a folder to those of a bot, below another folder of it.
func addFolder(to map[string]string, below string, from fs.FS, folder string) error {
	return fs.WalkDir(from, folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, at)
		relative := strings.TrimPrefix(at, folder+"/")
		if relative == "gitignore" {
			relative = ".gitignore"
			if made := made(string(text)); made != "" {
				to[path.Join(below, pack.IgnoreName)] = made
			}
		}
		to[path.Join(below, strings.TrimSuffix(relative, ".txt"))] = string(text)
		return err
	})
}

// made leaves of what git ignores that which a build makes anew. What else was fetched may be needed to play.
func made(ignored string) string { return strings.ReplaceAll(ignored, "node_modules/\n", "") }

// named puts the name of the bot in the place of that of the template.
func named(text, name string) string {
	for _, l := range examples.Languages() {
		text = strings.ReplaceAll(text, `"`+l+`-example"`, `"`+name+`"`)
	}
	return strings.ReplaceAll(text, "mybot", name)
}
