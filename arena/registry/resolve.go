package registry

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/internal/spelling"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// Bot is a bot that can be started.
type Bot struct {
	Name     string
	Version  string
	Language string
	Author   string   // empty where nobody says
	Args     []string // the command line
	Dir      string   // where it is started; empty is anywhere
	ReadOnly []string // further paths that it asks to read, none of them in Dir
	Trusted  bool     // whether the command line is the user's own, so that all it names may be seen
	Build    []string // to be run in Dir before the first start; empty for none
	Players  []int    // the numbers of seats at which it can play; empty for all
	Needs    Limits   // the least that it has to be given
	Tags     []string
	Package  string // the digest of the package that Dir was made of; empty for a bot that was not submitted
	Remote   bool   // whether it runs elsewhere, where nobody here can start it
}

// Label is name@version, by which results know the bot.
func (b Bot) Label() string { return b.Name + "@" + b.Version }

// Resolver turns words of the command line into bots.
type Resolver struct {
	// Self is the command line that runs a built-in bot when its name is added.
	Self []string
	// Builtins are the names of the built-in bots with their versions.
	Builtins map[string]string
	// Dir is where folders and command lines are relative to; empty is the current folder.
	Dir string
	// Submitted finds a bot that was submitted; no version is the active one. It wraps ErrNotSubmitted where there is none of
	// that name. Nil knows none.
	Submitted func(name, version string) (Bot, error)
}

// ErrNotSubmitted is wrapped by the errors about names that nobody has submitted a bot under.
var ErrNotSubmitted = errors.New("no such bot was submitted")

// RemotePrefix begins the word for a bot that runs elsewhere, and RemoteVersion is its version here.
const (
	RemotePrefix  = "remote:"
	RemoteVersion = "remote"
)

// Resolve takes the name of a built-in bot, name@version or the name of a submitted one, a folder with a manifest, cmd: and a command
// line, or remote: and the name of a bot that runs elsewhere. A folder without a slash in its name is found too, unless one of those
// before it has that name.
func (r Resolver) Resolve(word string) (Bot, error) {
	if command, ok := strings.CutPrefix(word, "cmd:"); ok {
		return r.commandBot(command)
	}
	if remote, ok := strings.CutPrefix(word, RemotePrefix); ok {
		return Bot{Name: remote, Version: RemoteVersion, Remote: true}, checkName("remote bot", remote)
	}
	name, version, versioned := strings.Cut(word, "@")
	if known, ok := r.Builtins[name]; ok {
		if versioned && version != known {
			return Bot{}, fmt.Errorf("bot %q: this program has version %s of %s", word, known, name)
		}
		return Bot{Name: name, Version: known, Language: "go", Args: append(slices.Clone(r.Self), name)}, nil
	}
	if versioned {
		if bot, err := r.submitted(name, version); err == nil || !errors.Is(err, ErrNotSubmitted) {
			return bot, err
		}
	}
	if !versioned && !strings.ContainsAny(word, `/\`) {
		if bot, err := r.submitted(name, ""); err == nil || !errors.Is(err, ErrNotSubmitted) {
			return bot, err
		}
	}
	if info, err := os.Stat(r.path(word)); err == nil && info.IsDir() {
		return r.folderBot(r.path(word))
	}
	return Bot{}, r.unknown(word)
}

// submitted asks nobody about what can be no name.
func (r Resolver) submitted(name, version string) (Bot, error) {
	if r.Submitted == nil || checkName("name", name) != nil || version != "" && checkName("version", version) != nil {
		return Bot{}, ErrNotSubmitted
	}
	return r.Submitted(name, version)
}

func (r Resolver) path(word string) string {
	if filepath.IsAbs(word) {
		return word
	}
	return filepath.Join(r.Dir, word)
}

func (r Resolver) unknown(word string) error {
	if word == "human" {
		return errors.New(`bot "human": a person takes a seat by arena play BOT..., as in: arena play greedy heuristic`)
	}
	if strings.ContainsRune(word, filepath.Separator) {
		return fmt.Errorf("bot %q: there is no such folder", word)
	}
	return fmt.Errorf("bot %q is unknown; use a built-in bot (%s), a submitted one, a folder with a %s, or \"cmd:python3 bot.py\"%s",
		word, strings.Join(r.names(), ", "), ManifestName, spelling.Suggestion(word, r.names()))
}

func (r Resolver) names() []string {
	var names []string
	for name := range r.Builtins {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// CheckName refuses the names of built-in bots.
func (r Resolver) CheckName(name string) error {
	if _, taken := r.Builtins[name]; taken {
		return fmt.Errorf("name %q is that of a built-in bot; choose another", name)
	}
	return nil
}

func (r Resolver) folderBot(dir string) (Bot, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return Bot{}, err
	}
	if err = r.CheckName(m.Name); err != nil {
		return Bot{}, fmt.Errorf("%s: %w", filepath.Join(dir, ManifestName), err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Bot{}, err
	}
	bot := Bot{Name: m.Name, Version: m.Version, Language: m.Language, Author: m.Author, Args: m.Run, Dir: abs, Build: m.Build, Players: m.Players, Needs: m.Limits, Tags: m.Tags}
	for _, path := range m.ReadOnly {
		actual, err := leadsTo(abs, path) // what is allowed is what is shown, whatever becomes of a link
		if err != nil {
			return Bot{}, fmt.Errorf("%s: read_only: %w", filepath.Join(dir, ManifestName), err)
		}
		if !within(actual, abs) { // its own folder is shown unasked
			bot.ReadOnly = append(bot.ReadOnly, actual)
		}
	}
	return bot, nil
}

// leadsTo is what an entry of read_only in the manifest of a folder means, without links.
func leadsTo(dir, name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return filepath.EvalSymlinks(name)
}

// within tells whether a path without links lies in a folder.
func within(path, dir string) bool {
	actual, err := filepath.EvalSymlinks(dir)
	return err == nil && (path == actual || strings.HasPrefix(path, actual+string(filepath.Separator)))
}

// commandBot splits at blanks; a bot that needs more is given a folder and a manifest.
func (r Resolver) commandBot(command string) (Bot, error) {
	args := strings.Fields(command)
	if len(args) == 0 {
		return Bot{}, errors.New(`bot "cmd:": a command line should follow, as in "cmd:python3 bot.py"`)
	}
	if strings.ContainsAny(command, `"'\`) {
		return Bot{}, fmt.Errorf("bot %q: quotes and backslashes are not understood; make a folder with a %s", "cmd:"+command, ManifestName)
	}
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return Bot{}, err
	}
	name := sanitize(r.script(args))
	if _, taken := r.Builtins[name]; taken {
		name += "-cmd"
	}
	files := r.outside(dir, args)
	return Bot{Name: name, Version: "dev", Args: args, Dir: dir, ReadOnly: files, Trusted: true}, nil
}

// outside are the files that a command line names beyond the folder in which it is started. It names them without links from
// here on: that is how the bot will see them.
func (r Resolver) outside(dir string, args []string) (files []string) {
	for i, arg := range args[1:] {
		path, err := filepath.Abs(r.path(arg))
		if err != nil {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(path, dir+string(filepath.Separator)) {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			continue
		}
		args[i+1] = path
		files = append(files, path)
	}
	return files
}

// script is what a command line is about: the first file among its arguments, with its folders, or else the first that is
// no option, or else the program.
func (r Resolver) script(args []string) string {
	subject := args[0]
	for _, arg := range args[1:] {
		if subject == args[0] && !strings.HasPrefix(arg, "-") {
			subject = arg
		}
		if info, err := os.Stat(r.path(arg)); err == nil && info.Mode().IsRegular() {
			subject = arg
			break
		}
	}
	if filepath.IsAbs(subject) {
		subject = filepath.Base(subject)
	}
	return strings.TrimSuffix(filepath.Clean(subject), filepath.Ext(subject))
}

// Missing names the program of the command lines that is not on this machine, or is empty. What a build makes may be missing
// yet.
func (b Bot) Missing() string {
	for _, args := range [][]string{b.Build, b.Args} {
		if len(args) == 0 {
			continue
		}
		if strings.ContainsRune(args[0], filepath.Separator) {
			path := args[0]
			if !filepath.IsAbs(path) {
				path = filepath.Join(b.Dir, path)
			}
			if _, err := os.Stat(path); err != nil && len(b.Build) == 0 {
				return args[0]
			}
			continue
		}
		if _, err := exec.LookPath(args[0]); err != nil {
			return args[0]
		}
	}
	return ""
}

// Environment is all that a bot's process is given besides its pipes.
func (b Bot) Environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=/tmp", // the one folder that a confined bot can write
		"LANG=C.UTF-8",
		"PYTHONUNBUFFERED=1", // a forgotten flush is the commonest way to time out
		"PYTHONDONTWRITEBYTECODE=1",
	}
}

// Spec is how the bot is started under a limit on its memory. It sees the folders in hide empty.
func (b Bot) Spec(hide []string, memoryMB int) sandbox.Spec {
	return sandbox.Spec{
		Args: b.Args, Dir: b.Dir, Env: b.Environment(), ReadOnly: b.ReadOnly, Trusted: b.Trusted, Hide: hide,
		Limits: sandbox.Limits{Memory: int64(memoryMB) << 20},
	}
}

// Distinct gives bots of equal label labels of their own, by numbers from 2 on: greedy@1, greedy@1#2.
func Distinct(bots []Bot) []string {
	labels := make([]string, len(bots))
	for i, bot := range bots {
		labels[i] = bot.Label()
		for n := 2; slices.Contains(labels[:i], labels[i]); n++ {
			labels[i] = fmt.Sprintf("%s#%d", bot.Label(), n)
		}
	}
	return labels
}
