package registry_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

const good = `
name = "foxy"
version = "3.1-rc.1+x"
language = "python"
author = "Ann & Öle, team 7"
build = ["make", "all"]
run = ["python3", "bot.py"]
`

// folder makes a bot of a manifest.
func folder(t *testing.T, dir, manifest string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, registry.ManifestName), []byte(manifest), 0o600))
	return dir
}

func TestManifest(t *testing.T) {
	m, err := registry.ReadManifest(folder(t, t.TempDir(), good))
	require.NoError(t, err)
	require.Equal(t, registry.Manifest{
		Name: "foxy", Version: "3.1-rc.1+x", Language: "python", Author: "Ann & Öle, team 7", Build: []string{"make", "all"}, Run: []string{"python3", "bot.py"},
	}, m)
	m, err = registry.ReadManifest(folder(t, t.TempDir(), `name="a"`+"\n"+`version="1"`+"\n"+`run=["./a"]`))
	require.NoError(t, err)
	require.Empty(t, m.Build)
	require.Empty(t, m.Language)
}

// TestManifestErrors: each names the file, the setting, and what would be right.
func TestManifestErrors(t *testing.T) {
	for _, test := range []struct{ old, changed, want string }{
		{`name = "foxy"`, ``, "name is missing"},
		{`name = "foxy"`, `name = ""`, "name is missing"},
		{`"foxy"`, `"my bot"`, `name "my bot": use 1 to 32 letters, digits and . _ + -`},
		{`"foxy"`, `"-foxy"`, "beginning with a letter or digit"},
		{`"foxy"`, `"../foxy"`, `name "../foxy": use`},
		{`"foxy"`, `"a@1"`, `name "a@1": use`},
		{`"foxy"`, `"` + strings.Repeat("a", 33) + `"`, "use 1 to 32 letters"},
		{`"foxy"`, `7`, "name"},
		{`version = "3.1-rc.1+x"`, ``, "version is missing"},
		{`"3.1-rc.1+x"`, `"1@2"`, `version "1@2": use`},
		{`"3.1-rc.1+x"`, `3`, "version"},
		{`run = ["python3", "bot.py"]`, ``, "run is missing; it is the command line"},
		{`run = ["python3", "bot.py"]`, `run = []`, `run is empty; it is the command line, as in run = ["python3", "bot.py"]`},
		{`["python3", "bot.py"]`, `["python3", ""]`, "run has an empty word; it is the command line"},
		{`["python3", "bot.py"]`, `"python3 bot.py"`, "run"},
		{`["make", "all"]`, `["make", ""]`, `build has an empty word; it is a command line, as in build = ["make"]`},
		{`build =`, `built =`, `line 6: "built" is no setting of a bot; did you mean build?`},
		{`build =`, "players = []\nbuild =", "players is empty; list the numbers of seats, as in players = [2, 4]"},
		{`build =`, "players = [2, 7]\nbuild =", "players: 7 is outside 2 to 6; list the numbers of seats"},
		{`build =`, "players = [3, 3]\nbuild =", "players: 3 is there twice; list each number of seats once"},
		{`build =`, "players = 3\nbuild =", "players: a list"},
		{`build =`, "limits = {memory_mb = 0}\nbuild =", "limits: memory_mb = 0; write what the bot needs at least, or leave it out"},
		{`build =`, "limits = {move_ms = -1}\nbuild =", "limits: move_ms = -1"},
		{`build =`, "limits = {memory = 1}\nbuild =", `"limits.memory" is no setting of a bot; did you mean memory_mb?`},
		{`build =`, "tags = [\"A b\"]\nbuild =", `tag "A b": use up to 16 different tags`},
		{`build =`, "tags = [\"a\", \"a\"]\nbuild =", `tag "a": use up to 16 different tags`},
		{`build =`, "[more]\nbuild =", `"more" is no setting of a bot`},
		{`"Ann & Öle, team 7"`, `"\u001b[31m"`, "use up to 64 letters, digits, blanks and _ . , ' & @ + -"},
		{`"Ann & Öle, team 7"`, `" Ann"`, `author " Ann": use`},
		{`"Ann & Öle, team 7"`, `"` + strings.Repeat("a", 65) + `"`, "use up to 64 letters"},
		{`language = "python"`, `language = python`, "line 4: "},
		{`language = "python"`, `language`, "line 4: "},
		{`language = "python"`, "name = \"again\"", "line 4: "},
	} {
		dir := folder(t, t.TempDir(), strings.Replace(good, test.old, test.changed, 1))
		_, err := registry.ReadManifest(dir)
		require.ErrorContains(t, err, test.want, test.changed)
		require.ErrorContains(t, err, filepath.Join(dir, registry.ManifestName))
	}
	dir := t.TempDir()
	_, err := registry.ReadManifest(dir)
	require.ErrorContains(t, err, dir+" has no bot.toml; write one with name, version, language and run")
	require.NoError(t, os.Mkdir(filepath.Join(dir, registry.ManifestName), 0o700))
	_, err = registry.ReadManifest(dir)
	require.ErrorContains(t, err, "bot.toml")
}

func resolver() registry.Resolver {
	return registry.Resolver{Self: []string{"/bin/arena", "bot", "exec"}, Builtins: map[string]string{"greedy": "1", "random": "2"}}
}

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dir, err := os.Getwd()
	require.NoError(t, err)
	folder(t, filepath.Join(dir, "bots", "foxy"), good)
	folder(t, filepath.Join(dir, "plain"), good)
	folder(t, filepath.Join(dir, "greedy"), good)
	greedy := registry.Bot{Name: "greedy", Version: "1", Language: "go", Args: []string{"/bin/arena", "bot", "exec", "greedy"}}
	foxy := registry.Bot{
		Name: "foxy", Version: "3.1-rc.1+x", Language: "python", Author: "Ann & Öle, team 7", Args: []string{"python3", "bot.py"}, Build: []string{"make", "all"},
	}
	in := func(bot registry.Bot, folder ...string) registry.Bot {
		bot.Dir = filepath.Join(append([]string{dir}, folder...)...)
		return bot
	}
	command := func(name string, args ...string) registry.Bot {
		return registry.Bot{Name: name, Version: "dev", Trusted: true, Args: args, Dir: dir}
	}
	for word, want := range map[string]registry.Bot{
		"greedy":                           greedy,
		"greedy@1":                         greedy,
		"./greedy":                         in(foxy, "greedy"),
		"bots/foxy":                        in(foxy, "bots", "foxy"),
		"./bots/foxy/":                     in(foxy, "bots", "foxy"),
		filepath.Join(dir, "plain"):        in(foxy, "plain"),
		"plain":                            in(foxy, "plain"),
		"cmd:python3 bot.py":               command("bot", "python3", "bot.py"),
		"cmd:  ./bin/my-bot ":              command("bin-my-bot", "./bin/my-bot"),
		"cmd:java -jar über.jar":           command("ber", "java", "-jar", "über.jar"),
		"cmd:node ...":                     command("bot", "node", "..."),
		"cmd:./" + strings.Repeat("a", 50): command(strings.Repeat("a", 32), "./"+strings.Repeat("a", 50)),
	} {
		got, err := resolver().Resolve(word)
		require.NoError(t, err, word)
		require.Equal(t, want, got, word)
	}
	require.Equal(t, "greedy@1", greedy.Label())
	require.NoError(t, os.WriteFile("file", nil, 0o600))
	require.NoError(t, os.Mkdir("empty", 0o700))
	for word, want := range map[string]string{
		"gredy":       `bot "gredy" is unknown; use a built-in bot (greedy, random), a submitted one, a folder with a bot.toml, or "cmd:python3 bot.py"`,
		"":            `bot "" is unknown`,
		"file":        `bot "file" is unknown`,
		"foxy@3":      `bot "foxy@3" is unknown`,
		"greedy@2":    `bot "greedy@2": this program has version 1 of greedy`,
		"greedy@":     `bot "greedy@": this program has version 1 of greedy`,
		"./nowhere":   `bot "./nowhere": there is no such folder`,
		"empty":       "empty has no bot.toml",
		"cmd:":        "a command line should follow",
		"cmd:   ":     "a command line should follow",
		`cmd:a "b c"`: "quotes and backslashes are not understood; make a folder with a bot.toml",
		`cmd:a 'b'`:   "quotes and backslashes are not understood",
		`cmd:a b\ c`:  "quotes and backslashes are not understood",
	} {
		_, err := resolver().Resolve(word)
		require.ErrorContains(t, err, want, word)
	}
}

// TestResolveShares: what is done to one bot's command line must not show in another's.
func TestResolveShares(t *testing.T) {
	r := resolver()
	r.Self = append(make([]string, 0, 10), r.Self...)
	one, err := r.Resolve("greedy")
	require.NoError(t, err)
	_, err = r.Resolve("random")
	require.NoError(t, err)
	require.Equal(t, "greedy", one.Args[3])
}

func TestDistinct(t *testing.T) {
	a, b := registry.Bot{Name: "a", Version: "1"}, registry.Bot{Name: "b", Version: "1"}
	require.Equal(t, []string{"a@1", "b@1", "a@1#2", "a@1#3", "b@1#2"}, registry.Distinct([]registry.Bot{a, b, a, a, b}))
	require.Empty(t, registry.Distinct(nil))
}

func TestMissing(t *testing.T) {
	const none = "no-such-program-anywhere"
	self, err := os.Executable()
	require.NoError(t, err)
	for _, test := range []struct {
		bot  registry.Bot
		want string
	}{
		{registry.Bot{}, ""},
		{registry.Bot{Args: []string{"go"}}, ""},
		{registry.Bot{Args: []string{self}}, ""},
		{registry.Bot{Args: []string{none, "x"}}, none},
		{registry.Bot{Args: []string{"go"}, Build: []string{none}}, none},
		{registry.Bot{Args: []string{"./made/by/build"}, Build: []string{"go"}}, ""},
		{registry.Bot{Args: []string{"./" + none}, Dir: t.TempDir()}, "./" + none},
		{registry.Bot{Args: []string{"./" + filepath.Base(self)}, Dir: filepath.Dir(self)}, ""},
	} {
		require.Equal(t, test.want, test.bot.Missing(), "%v", test.bot)
	}
}

func TestPrepare(t *testing.T) {
	launcher, err := sandbox.New(sandbox.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, launcher.Close()) })
	bot := registry.Bot{Name: "a", Version: "1", Dir: t.TempDir()}
	require.NoError(t, bot.Prepare(t.Context(), launcher), "there is nothing to build")
	bot.Build = []string{"go", "no-such-command", "x"}
	err = bot.Prepare(t.Context(), launcher)
	require.ErrorContains(t, err, "build of a@1 (go no-such-command x): exit status 2\n")
	require.ErrorContains(t, err, "go no-such-command: unknown command")
	bot.Build = []string{"no-such-program-anywhere"}
	require.ErrorContains(t, bot.Prepare(t.Context(), launcher), "build of a@1: start \"no-such-program-anywhere\": not found in PATH")
	if runtime.GOOS == "windows" {
		return
	}
	script := "#!/bin/sh\npwd > where\n"
	require.NoError(t, os.WriteFile(filepath.Join(bot.Dir, "build.sh"), []byte(script), 0o700))
	bot.Build = []string{"./build.sh"}
	require.NoError(t, bot.Prepare(t.Context(), launcher))
	where, err := os.ReadFile(filepath.Join(bot.Dir, "where"))
	require.NoError(t, err)
	require.Equal(t, filepath.Base(bot.Dir), filepath.Base(strings.TrimSpace(string(where))), "it runs in the folder of the bot")
}

func TestEnvironment(t *testing.T) {
	t.Setenv("PATH", "/my/path")
	t.Setenv("SECRET", "x")
	require.Equal(t, []string{
		"PATH=/my/path", "HOME=/tmp", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1", "PYTHONDONTWRITEBYTECODE=1",
	}, registry.Bot{Dir: "/home/bot"}.Environment())
}

// TestResolveRelativeTo holds that a tournament's file and its bots can lie anywhere.
func TestResolveRelativeTo(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"mybot", "greedy"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
		text := "name = \"" + name + "-folder\"\nversion = \"1\"\nrun = [\"./x\"]\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, registry.ManifestName), []byte(text), 0o600))
	}
	r := registry.Resolver{Builtins: map[string]string{"greedy": "1"}, Dir: dir}
	for word, label := range map[string]string{
		"mybot": "mybot-folder@1", "./mybot": "mybot-folder@1", filepath.Join(dir, "mybot"): "mybot-folder@1",
		"greedy": "greedy@1", "./greedy": "greedy-folder@1",
	} {
		bot, err := r.Resolve(word)
		require.NoError(t, err, word)
		require.Equal(t, label, bot.Label(), word)
	}
	bot, err := r.Resolve("cmd:python3 bot.py")
	require.NoError(t, err)
	require.Equal(t, dir, bot.Dir)
}

// TestPrepareLeavesNothing ends builds that do not end by themselves, with what they started.
func TestPrepareLeavesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	launcher, err := sandbox.New(sandbox.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, launcher.Close()) })
	bot := registry.Bot{Name: "a", Version: "1", Dir: t.TempDir()}
	bot.Build = []string{"sh", "-c", "sleep 1000 & echo $! >pid"}
	require.NoError(t, bot.Prepare(t.Context(), launcher), "a child in the background holds nothing up")
	ctx, cancel := context.WithCancel(t.Context())
	bot.Build = []string{"sh", "-c", "sleep 1000 & mkfifo ready && echo go >ready; wait"}
	go func() {
		for ctx.Err() == nil {
			if file, err := os.Open(filepath.Join(bot.Dir, "ready")); err == nil { // it opens when the build writes
				file.Close()
				cancel()
			}
			runtime.Gosched()
		}
	}()
	require.ErrorIs(t, bot.Prepare(ctx, launcher), context.Canceled)
}

// TestWhoIsWho keeps different bots from sharing a name, under which they would share a rating.
func TestWhoIsWho(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600))
	}
	write("a/bot.py", "")
	write("b/bot.py", "")
	write("impostor/bot.toml", "name = \"greedy\"\nversion = \"1\"\nrun = [\"x\"]\n")
	write("loud/bot.toml", "name = \"a\"\nversion = \"1\"\nlanguage = \"\\u001b[31m\"\nrun = [\"x\"]\n")
	r := registry.Resolver{Builtins: map[string]string{"greedy": "1"}, Dir: dir}
	for word, name := range map[string]string{
		"cmd:python3 a/bot.py": "a-bot", "cmd:python3 b/bot.py --level 2": "b-bot", "cmd:python3 -m mybot": "mybot",
		"cmd:./x/greedy": "x-greedy", "cmd:greedy": "greedy-cmd", "cmd:node": "node",
	} {
		bot, err := r.Resolve(word)
		require.NoError(t, err, word)
		require.Equal(t, name, bot.Name, word)
	}
	_, err := r.Resolve("impostor")
	require.ErrorContains(t, err, `name "greedy" is that of a built-in bot`)
	_, err = r.Resolve("loud")
	require.ErrorContains(t, err, "language")
}

func TestManifestThatNeverEnds(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, registry.ManifestName)))
	_, err := registry.ReadManifest(dir)
	require.ErrorContains(t, err, "is no regular file")
	big := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(big, registry.ManifestName), make([]byte, 2<<20), 0o600))
	_, err = registry.ReadManifest(big)
	require.ErrorContains(t, err, "at most 1048576 bytes are read")
}

func TestFits(t *testing.T) {
	m, err := registry.ReadManifest(folder(t, t.TempDir(), good+"players = [2, 4]\ntags = [\"rules\", \"v-2\"]\n[limits]\nmemory_mb = 300\nmove_ms = 50\nstartup_ms = 900\n"))
	require.NoError(t, err)
	require.Equal(t, []int{2, 4}, m.Players)
	require.Equal(t, []string{"rules", "v-2"}, m.Tags)
	require.Equal(t, registry.Limits{MemoryMB: 300, MoveMS: 50, StartupMS: 900}, m.Limits)
	given := registry.Limits{MemoryMB: 300, MoveMS: 50, StartupMS: 900}
	picky := registry.Bot{Name: "foxy", Version: "1", Players: m.Players, Needs: m.Limits}
	require.NoError(t, picky.Fits([]int{2}, given))
	require.NoError(t, registry.Bot{}.Fits([]int{2, 3, 4, 5, 6}, registry.Limits{}))
	require.EqualError(t, picky.Fits([]int{3, 4}, given),
		"foxy@1 plays at 2 or 4 seats, and here tables may have 3; leave it out, or change players in its bot.toml")
	for change, want := range map[*registry.Limits]string{
		{MemoryMB: 299, MoveMS: 50, StartupMS: 900}: "memory_mb = 300, and here it would get 299",
		{MemoryMB: 300, MoveMS: 49, StartupMS: 900}: "move_ms = 50, and here it would get 49",
		{MemoryMB: 300, MoveMS: 50, StartupMS: 899}: "startup_ms = 900, and here it would get 899",
	} {
		require.ErrorContains(t, picky.Fits([]int{4}, *change), want)
	}
}
