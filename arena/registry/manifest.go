// Package registry knows bots: what a name on the command line means, and what a bot's manifest says.
//
// It starts nothing but a bot's build command.
package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/internal/handwritten"
	"github.com/fivethreefive/fivethreefive/arena/internal/smallfile"
)

// ManifestName is the file that makes a folder a bot.
const ManifestName = "bot.toml"

// Manifest is what bot.toml says.
type Manifest struct {
	Name     string   `toml:"name"`
	Version  string   `toml:"version"`
	Language string   `toml:"language"`
	Author   string   `toml:"author"`    // a person or a team; a tournament can keep bots of one author apart
	Build    []string `toml:"build"`     // run once in the folder before the bot plays; may be left out
	Run      []string `toml:"run"`       // the command line of the bot, started in the folder
	ReadOnly []string `toml:"read_only"` // further paths that the bot may read, relative to the folder
}

// ReadManifest reads the manifest of a folder. Errors name the file and what to write in it.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	text, err := smallfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("%s has no %s; write one with name, version, language and run = [\"python3\", \"bot.py\"]", dir, ManifestName)
	}
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	if _, err := handwritten.Decode(text, &m, "a bot"); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	if err := m.validate(); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func (m Manifest) validate() error {
	if err := checkName("name", m.Name); err != nil {
		return err
	}
	if err := checkName("version", m.Version); err != nil {
		return err
	}
	if ok, err := regexp.MatchString(`^[\pL\pN+#. -]{0,32}$`, m.Language); !ok || err != nil {
		return fmt.Errorf("language %q: use up to 32 letters, digits, blanks and + # . -", m.Language)
	}
	if ok, err := regexp.MatchString(`^[\pL\pN]([\pL\pN_.,'&@+ -]{0,62}[\pL\pN.])?$`, m.Author); m.Author != "" && (!ok || err != nil) {
		return fmt.Errorf("author %q: use up to 64 letters, digits, blanks and _ . , ' & @ + -, beginning with a letter or digit", m.Author)
	}
	if len(m.Run) == 0 || slices.Contains(m.Run, "") {
		return errors.New(`run is missing or has an empty word; it is the command line, as in run = ["python3", "bot.py"]`)
	}
	if slices.Contains(m.Build, "") {
		return errors.New(`build has an empty word; it is a command line, as in build = ["make"]`)
	}
	return nil
}

// CheckName says what is wrong with the name of a bot.
func CheckName(name string) error { return checkName("name", name) }

// checkName keeps to what can stand in a label name@version and in the name of a file.
func checkName(field, value string) error {
	if value == "" {
		return fmt.Errorf("%s is missing", field)
	}
	if ok, err := regexp.MatchString(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$`, value); !ok || err != nil {
		return fmt.Errorf("%s %q: use 1 to 32 letters, digits and . _ + -, beginning with a letter or digit", field, value)
	}
	return nil
}

// sanitize makes a name of any text.
func sanitize(text string) string {
	name := regexp.MustCompile(`[^A-Za-z0-9._+-]+`).ReplaceAllString(text, "-")
	name = strings.TrimLeft(name, "-._+")
	if name == "" {
		return "bot"
	}
	return name[:min(len(name), 32)]
}
