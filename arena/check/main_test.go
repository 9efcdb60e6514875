//go:build linux

package check_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
	"github.com/fivethreefive/fivethreefive/engine"
)

func TestMain(m *testing.M) {
	os.Setenv("PATH", "/usr/bin:/bin:"+os.Getenv("PATH")) // before what stands in for the programs of the system
	sandboxtest.Main(m)
}

// ground makes the ground for checks of one game, with limits that no machine is too slow for.
func ground(t *testing.T, confine bool) check.Config {
	t.Helper()
	b, err := bus.Open(bus.Config{})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	launcher, err := sandbox.New(sandboxtest.Config(confine))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, launcher.Close()) })
	rules, err := engine.NewRules(engine.Rulebook, 2)
	require.NoError(t, err)
	rules.Target = 0 // a round is enough
	cfg := check.Config{
		Launcher: launcher, Settings: arena.DefaultSettings(rules), Building: registry.DefaultBuildLimits(), Version: "test", Games: 1, Jobs: 2,
		Resolver: registry.Resolver{Self: []string{os.Args[0]}, Builtins: map[string]string{"greedy": "1", "random": "1"}},
		Grace:    time.Minute, Scratch: t.TempDir(),
	}
	cfg.Settings.Clock.MoveMS, cfg.Settings.Limits.StartupMS, cfg.Settings.Freeze = 60_000, 60_000, confine
	for _, name := range []string{"ann", "bob"} { // who start faster than the built-in ones
		cfg.House = append(cfg.House, registry.Bot{Name: name, Version: "1", Args: []string{"/bin/sh", "-c", parts{}.script()}})
	}
	cfg.Referees, err = b.Connect("referee")
	require.NoError(t, err)
	cfg.Hosts, err = b.Connect("hosts")
	require.NoError(t, err)
	return cfg
}

// parts of a bot in the language of the shell; what is empty is done well.
type parts struct{ begin, hello, start, turn, quit, other, end string }

// script puts the parts together. A turn has its number in t and the whole message in m.
func (p parts) script() string {
	def := func(text, standard string) string {
		if text == "" {
			return standard
		}
		return text
	}
	return def(p.begin, ":") + `
while read -r m; do
case $m in
'{"type":"hello"'*) ` + def(p.hello, `echo '{"type":"ready"}'`) + ` ;;
'{"type":"start"'*) ` + def(p.start, ":") + ` ;;
'{"type":"turn"'*) t=${m#*'"turn":'}; t=${t%%,*}; ` + def(p.turn, answer) + ` ;;
'{"type":"quit"'*) ` + def(p.quit, "exit 0") + ` ;;
'{"type":"error"'*|'{"type":"end"'*) ;;
*) ` + def(p.other, ":") + ` ;;
esac
done
` + p.end + "\n"
}

const answer = `echo '{"type":"move","turn":'"$t"',"action":0}'`

// write makes the folder of a bot. What the manifest has more comes after the rest of it.
func write(t *testing.T, files map[string]string, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if manifest != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, registry.ManifestName), []byte(manifest), 0o600))
	}
	return dir
}

const (
	shell  = "name = \"patient\"\nversion = \"1\"\nlanguage = \"sh\"\nrun = [\"sh\", \"bot.sh\"]\n"
	python = "name = \"patient\"\nversion = \"1\"\nlanguage = \"python\"\nrun = [\"python3\", \"bot.py\"]\n"
)

// loop is a bot in Python; turn is what it does at a turn, and sets action.
func loop(turn string) string {
	return `import json, os, random, socket, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif m["type"] == "turn":
        action = 0
        ` + turn + `
        print(json.dumps({"type": "move", "turn": m["turn"], "action": action}), flush=True)
    elif m["type"] == "quit":
        break
`
}
