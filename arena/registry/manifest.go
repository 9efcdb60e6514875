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

	"github.com/BurntSushi/toml"

	"github.com/fivethreefive/fivethreefive/arena/internal/handwritten"
	"github.com/fivethreefive/fivethreefive/arena/internal/smallfile"
)

// ManifestName is the file that makes a folder a bot.
const ManifestName = "bot.toml"

// Manifest is what bot.toml says. The second tags are for its JSON Schema.
type Manifest struct {
	Name     string   `toml:"name" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._+-]{0\\,31}$"`
	Version  string   `toml:"version" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._+-]{0\\,31}$,description=to be changed whenever the bot plays differently"`
	Language string   `toml:"language" jsonschema:"pattern=^[\\pL\\pN+#. -]{0\\,32}$"`
	Author   string   `toml:"author" jsonschema:"maxLength=64,description=a person or a team; a tournament can keep bots of one author apart"`
	Build    []string `toml:"build" jsonschema:"minLength=1,description=a command that is run once in the folder before the bot plays"`
	Run      []string `toml:"run" jsonschema:"required,minItems=1,minLength=1,description=the command line of the bot; it is started in the folder"`
	ReadOnly []string `toml:"read_only" jsonschema:"description=further paths that the bot may read; relative to the folder"`
	Players  []int    `toml:"players" jsonschema:"minItems=1,uniqueItems=true,minimum=2,maximum=6,description=the numbers of seats at which the bot can play; left out: all"`
	Limits   Limits   `toml:"limits" jsonschema:"description=the least that the bot needs; it is refused where it would get less"`
	Tags     []string `toml:"tags" jsonschema:"maxItems=16,uniqueItems=true,pattern=^[a-z0-9][a-z0-9-]{0\\,31}$,description=words by which people sort bots"`
}

// Limits are what a bot asks for, or is given. What is zero is not asked for.
type Limits struct {
	MemoryMB  int   `toml:"memory_mb" jsonschema:"minimum=1,description=MiB for the bot with all its processes"`
	MoveMS    int64 `toml:"move_ms" jsonschema:"minimum=1,description=milliseconds for a move"`
	StartupMS int64 `toml:"startup_ms" jsonschema:"minimum=1,description=milliseconds from its start to its ready"`
}

// What is not there at all, for callers that show how a whole manifest looks.
var (
	ErrNoManifest = errors.New("has no " + ManifestName)
	ErrMissing    = errors.New("is missing")
)

// ReadManifest reads the manifest of a folder. Errors name the file and what to write in it. They wrap ErrNoManifest, or
// ErrMissing where a setting is missing that every bot has.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	text, err := smallfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("%s %w; write one with name, version, language and run = [\"python3\", \"bot.py\"]", dir, ErrNoManifest)
	}
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	meta, err := handwritten.Decode(text, &m, "a bot")
	if err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	if err := m.validate(meta); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func (m Manifest) validate(meta toml.MetaData) error {
	if err := checkName("name", m.Name); err != nil {
		return err
	}
	if err := checkName("version", m.Version); err != nil {
		return err
	}
	if m.Version == RemoteVersion {
		return fmt.Errorf("version %q is that of bots that run elsewhere; choose another", m.Version)
	}
	if ok, err := regexp.MatchString(`^[\pL\pN+#. -]{0,32}$`, m.Language); !ok || err != nil {
		return fmt.Errorf("language %q: use up to 32 letters, digits, blanks and + # . -", m.Language)
	}
	if ok, err := regexp.MatchString(`^[\pL\pN]([\pL\pN_.,'&@+ -]{0,62}[\pL\pN.])?$`, m.Author); m.Author != "" && (!ok || err != nil) {
		return fmt.Errorf("author %q: use up to 64 letters, digits, blanks and _ . , ' & @ + -, beginning with a letter or digit", m.Author)
	}
	const runAs = `it is the command line, as in run = ["python3", "bot.py"]`
	switch {
	case !meta.IsDefined("run"):
		return fmt.Errorf("run %w; %s", ErrMissing, runAs)
	case len(m.Run) == 0:
		return errors.New("run is empty; " + runAs)
	case slices.Contains(m.Run, ""):
		return errors.New("run has an empty word; " + runAs)
	}
	if slices.Contains(m.Build, "") {
		return errors.New(`build has an empty word; it is a command line, as in build = ["make"]`)
	}
	return m.validateNeeds(meta)
}

func (m Manifest) validateNeeds(meta toml.MetaData) error {
	if meta.IsDefined("players") && len(m.Players) == 0 {
		return errors.New("players is empty; list the numbers of seats, as in players = [2, 4], or leave it out")
	}
	for i, n := range m.Players {
		if n < 2 || n > 6 {
			return fmt.Errorf("players: %d is outside 2 to 6; list the numbers of seats at which the bot can play", n)
		}
		if slices.Contains(m.Players[:i], n) {
			return fmt.Errorf("players: %d is there twice; list each number of seats once", n)
		}
	}
	for key, value := range map[string]int64{"memory_mb": int64(m.Limits.MemoryMB), "move_ms": m.Limits.MoveMS, "startup_ms": m.Limits.StartupMS} {
		if meta.IsDefined("limits", key) && value < 1 {
			return fmt.Errorf("limits: %s = %d; write what the bot needs at least, or leave it out", key, value)
		}
	}
	word := regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
	for i, tag := range m.Tags {
		if !word.MatchString(tag) || slices.Contains(m.Tags[:i], tag) || i == 16 {
			return fmt.Errorf("tag %q: use up to 16 different tags of 1 to 32 small letters, digits and -", tag)
		}
	}
	return nil
}

// CheckName says what is wrong with the name of a bot.
func CheckName(name string) error { return checkName("name", name) }

// checkName keeps to what can stand in a label name@version and in the name of a file.
func checkName(field, value string) error {
	if value == "" {
		return fmt.Errorf("%s %w", field, ErrMissing)
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
