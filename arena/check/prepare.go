package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// manifest reads bot.toml, whose errors say what to write.
func (r *run) manifest(context.Context) (string, error) {
	m, err := registry.ReadSubmission(r.source)
	if err == nil {
		err = r.Resolver.CheckName(m.Name)
	}
	if err == nil {
		bot := registry.Bot{Name: m.Name, Version: m.Version, Needs: m.Limits}
		err = bot.Fits(nil, registry.Limits{MemoryMB: r.Settings.Limits.MemoryMB, MoveMS: r.Settings.Clock.MoveMS, StartupMS: r.Settings.Limits.StartupMS})
	}
	if err != nil {
		return "", manifestVerdict(err)
	}
	r.report.Name, r.report.Version, r.report.Language, r.report.Author = m.Name, m.Version, m.Language, m.Author
	return strings.TrimSuffix(fmt.Sprintf("%s, %s", r.report.Label(), m.Language), ", "), nil
}

// manifestVerdict takes the hint from what the error says to do.
func manifestVerdict(err error) error {
	text := err.Error()
	if errors.Is(err, registry.ErrNoManifest) || errors.Is(err, registry.ErrMissing) {
		return failed("write it as in README.md, A bot in 20 lines: name, version and run are needed", "%s", text)
	}
	for _, sep := range []string{"; ", ": use "} {
		what, hint, ok := cutLast(text, sep)
		quoted, parser := strings.Count(hint, `"`)%2 != 0, strings.HasPrefix(hint, "expected ")
		if ok && !quoted && !parser { // the parser of TOML says what it misses, and not what to do
			return failed(strings.TrimLeft(sep, ":; ")+hint, "%s", what)
		}
	}
	return failed("mend that in "+registry.ManifestName+", which is written in TOML", "%s", text)
}

// pack packs the folder, and unpacks that: what follows sees what others will get.
func (r *run) pack(ctx context.Context) (string, error) {
	file, err := os.Create(r.archive())
	if err != nil {
		return "", err
	}
	contents, err := pack.Pack(ctx, r.source, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", packVerdict(err)
	}
	if err = os.Mkdir(r.dir, 0o755); err != nil { //nolint:gosec // bots may run as other users; the folder around it is closed
		return "", err
	}
	if file, err = os.Open(r.archive()); err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	if _, err = pack.Unpack(ctx, file, r.dir); err != nil {
		return "", packVerdict(err)
	}
	r.report.Package = contents
	if r.bot, err = r.Resolver.Resolve(r.dir); err != nil {
		return "", failed("name read_only paths that are there, and that "+pack.IgnoreName+" does not leave out", "%v", err)
	}
	if r.Allow != nil {
		err = r.Allow(r.bot)
	}
	return contents.String(), err
}

func packVerdict(err error) error {
	if errors.Is(err, pack.ErrRefused) {
		text := err.Error()
		what, hint, ok := strings.Cut(text, "; ")
		if !ok {
			hint = "leave it out, by a line in " + pack.IgnoreName
		}
		return failed(hint, "%s", what)
	}
	if errors.Is(err, fs.ErrPermission) {
		return failed("make the file readable, or name it in "+pack.IgnoreName, "%v", err)
	}
	return err
}

// build runs the build command in the copy.
func (r *run) build(ctx context.Context) (string, error) {
	if len(r.bot.Build) == 0 {
		return "nothing to build", nil
	}
	if r.Builds != nil {
		r.Builds(r.bot)
	}
	err := r.bot.BuildConfined(ctx, r.Launcher, r.Hide, r.Building)
	if err == nil || ctx.Err() != nil {
		return strings.Join(r.bot.Build, " "), err
	}
	text, output, _ := strings.Cut(err.Error(), "\n")
	found := failed(buildHint(err, output), "%s", text)
	found.stderr = strings.TrimSpace(output)
	return "", found
}

func buildHint(err error, output string) string {
	switch {
	case errors.Is(err, registry.ErrBuildTime):
		return "build less, or build before and put the program into the folder; a build must end by itself"
	case errors.Is(err, registry.ErrBuildManifest):
		return "let the build leave " + registry.ManifestName + " as it is, and what it names: that is what was looked at"
	case errors.Is(err, registry.ErrBuildMemory):
		return "build with less memory, as by fewer compilers at once (make -j1)"
	case errors.Is(err, registry.ErrBuildSize), strings.Contains(output, "ile too large"), strings.Contains(err.Error()+output, "ile size limit exceeded"):
		return "let the build leave less behind: remove what is not needed to play at its end"
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "check the word build in bot.toml: its program has to be on this machine, or in the folder of the bot"
	}
	switch hint := hintOf(output); hint {
	case "":
	case writeToTmp:
		return "let the build write to the folder of the bot or to /tmp only"
	default:
		return "build without it: " + hint
	}
	return "mend what the build prints; it runs in the folder of the bot, with the programs of the system and without a network"
}

// left lists what is in the bot's copy now and was not there before it was started.
func (r *run) left() (names []string) {
	for path := range r.files() {
		if name, err := filepath.Rel(r.dir, path); err == nil && !r.packed[path] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (r *run) files() map[string]bool {
	all := map[string]bool{}
	_ = filepath.WalkDir(r.dir, func(path string, _ fs.DirEntry, _ error) error { // it is only for a hint
		all[path] = true
		return nil
	})
	return all
}
