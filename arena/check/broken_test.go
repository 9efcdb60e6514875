//go:build linux

package check_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
)

// sick is a bot with one thing wrong.
type sick struct {
	name     string
	files    map[string]string
	manifest string
	under    func(*check.Config)
	step     string // where it shows, and nowhere else
	state    check.State
	text     string // part of what is found
	hint     string // part of the fix
	said     string // part of what the bot said, in the card or beside it
}

func sh(p parts) map[string]string { return map[string]string{"bot.sh": p.script()} }

func py(turn string) map[string]string { return map[string]string{"bot.py": loop(turn)} }

func moveTime(ms int64) func(*check.Config) {
	return func(cfg *check.Config) { cfg.Settings.Clock.MoveMS = ms }
}

func startTime(ms int64) func(*check.Config) {
	return func(cfg *check.Config) { cfg.Settings.Limits.StartupMS = ms }
}

func building(limits registry.BuildLimits) func(*check.Config) {
	return func(cfg *check.Config) { cfg.Building = limits }
}

func soon(cfg *check.Config) { cfg.Grace = 200 * time.Millisecond }

func built(command string) string { return shell + "build = [\"sh\", \"-c\", '''" + command + "''']\n" }

func beforePlay() []sick {
	roomy := registry.BuildLimits{Time: time.Minute, Memory: 1 << 30, Output: 64 << 20, Files: 1000}
	with := func(change func(*registry.BuildLimits)) func(*check.Config) {
		limits := roomy
		change(&limits)
		return building(limits)
	}
	return []sick{
		{name: "no manifest", step: "manifest", text: "has no bot.toml", hint: "name, version and run are needed"},
		{name: "no run line", manifest: "name = \"p\"\nversion = \"1\"\n", step: "manifest", text: "run is missing", hint: "name, version and run are needed"},
		{name: "broken manifest", manifest: "name = ", step: "manifest", text: "line 1", hint: "mend that in bot.toml"},
		{name: "bad name", manifest: "name = \"my; bot\"\nversion = \"1\"\nrun = [\"sh\"]\n", step: "manifest", text: `name "my; bot"`, hint: "use 1 to 32 letters"},
		{name: "unknown setting", manifest: shell + "builds = [\"make\"]\n", step: "manifest", text: `"builds" is no setting of a bot`, hint: "did you mean build?"},
		{name: "needs much memory", manifest: shell + "limits = {memory_mb = 9999999}\n", step: "manifest", text: "needs memory_mb = 9999999, and here it would get 512", hint: "lower it under limits in its bot.toml"},
		{name: "needs much time", manifest: shell + "limits = {move_ms = 60001}\n", step: "manifest", text: "and here it would get 60000", hint: "lower it under limits"},
		{name: "taken name", manifest: "name = \"greedy\"\nversion = \"1\"\nrun = [\"sh\"]\n", step: "manifest", text: "that of a built-in bot", hint: "choose another"},
		{name: "far files", manifest: shell + "read_only = [\"../book\"]\n", step: "manifest", text: `read_only: "../book" leads out of the folder`, hint: "write an absolute path"},
		{name: "absent files", manifest: shell + "read_only = [\"/no/such/book\"]\n", step: "package", text: "read_only", hint: "paths that are there"},
		{name: "unknown program", manifest: "name = \"p\"\nversion = \"1\"\nrun = [\"no-such-program\"]\n", step: "start", text: "not found in PATH", hint: "check the run line"},
		{name: "not built", manifest: "name = \"p\"\nversion = \"1\"\nrun = [\"./bot\"]\n", step: "start", text: "does not exist", hint: "whether the bot is built"},
		{name: "not executable", files: map[string]string{"bot": "x"}, manifest: "name = \"p\"\nversion = \"1\"\nrun = [\"./bot\"]\n", step: "start", text: "permission denied", hint: "chmod +x"},

		{name: "build fails", manifest: built("echo no such header >&2; exit 4"), step: "build", text: "exit status 4", hint: "mend what the build prints", said: "no such header"},
		{name: "build program missing", manifest: shell + "build = [\"no-such-make\"]\n", step: "build", text: "no-such-make", hint: "check the word build"},
		{name: "build hangs", manifest: built("sleep 600"), under: with(func(l *registry.BuildLimits) { l.Time = 300 * time.Millisecond }), step: "build", text: "not done within", hint: "must end by itself"},
		{name: "build writes much", manifest: built("for i in 1 2 3 4 5 6; do head -c 1000000 /dev/zero > $i; done"), under: with(func(l *registry.BuildLimits) { l.Output = 4 << 20 }), step: "build", text: "more than 4 MiB", hint: "leave less behind"},
		{name: "build writes a large file", manifest: built("head -c 9000000 /dev/zero > big"), under: with(func(l *registry.BuildLimits) { l.Output = 4 << 20 }), step: "build", hint: "leave less behind"},
		{name: "build writes many files", manifest: built("i=0; while [ $i -lt 200 ]; do : > f$i; i=$((i+1)); done; sleep 600"), under: with(func(l *registry.BuildLimits) { l.Files = 100 }), step: "build", text: "more than 100 files", hint: "leave less behind"},
		{name: "build takes much memory", manifest: built("tail /dev/zero"), under: with(func(l *registry.BuildLimits) { l.Memory = 32 << 20 }), step: "build", hint: "less memory"},
		{name: "build writes elsewhere", manifest: built("echo x > /etc/pwned"), step: "build", hint: "let the build write to the folder of the bot"},
		{name: "build changes the manifest", manifest: built("sed -i s,patient,greedy2, bot.toml"), step: "build", text: "it changed bot.toml", hint: "leave bot.toml as it is"},
		{name: "build replaces the manifest", manifest: built("mv bot.toml other && ln -s other bot.toml"), step: "build", text: "it changed bot.toml", hint: "leave bot.toml as it is"},
		{name: "build leads elsewhere", files: map[string]string{"bot.sh": parts{}.script(), "book": "x"}, manifest: built("ln -sf /etc/passwd book") + "read_only = [\"book\"]\n", step: "build", text: "what read_only in it leads to", hint: "and what it names"},
		{name: "build wants the network", files: map[string]string{"get.py": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')\n"}, manifest: built("python3 get.py"), step: "build", hint: "do without the network"},

		{name: "never ready", files: sh(parts{hello: ":"}), manifest: shell, under: startTime(700), step: "handshake", text: "not ready within 700ms", hint: `{"type":"ready"}`},
		{name: "ready late", files: sh(parts{hello: `sleep 600; echo '{"type":"ready"}'`}), manifest: shell, under: startTime(700), step: "handshake", text: "not ready within", hint: "start faster"},
		{name: "crash at start", files: sh(parts{begin: "echo no book >&2; exit 3"}), manifest: shell, step: "handshake", text: "exit status 3", hint: "run it by hand", said: "no book"},
		{name: "missing module", files: map[string]string{"bot.py": "import no_such_module\n"}, manifest: python, step: "handshake", hint: "put the module that is missing", said: "ModuleNotFoundError"},
	}
}

func inPlay() []sick {
	return []sick{
		{name: "crash at a turn", files: sh(parts{turn: `[ "$t" = 3 ] && { echo out of ideas >&2; exit 5; }; ` + answer}), manifest: shell, step: "first game", text: "crash in a game of 2 at turn 3", hint: "mend what ended it", said: "out of ideas"},
		{name: "malformed", files: sh(parts{turn: `echo '{"type":"move",oops'`}), manifest: shell, step: "first game", text: "malformed", hint: "one JSON object on one line", said: "oops"},
		{name: "illegal", files: sh(parts{turn: `echo '{"type":"move","turn":'"$t"',"action":99}'`}), manifest: shell, step: "first game", text: "index 99", hint: "of the list legal"},
		{name: "wrong turn", files: sh(parts{turn: `echo '{"type":"move","turn":'"$((t-1))"',"action":0}'`}), manifest: shell, under: moveTime(700), step: "first game", text: "timeout", hint: "repeat the number of the turn"},
		{name: "timeout", files: sh(parts{turn: "sleep 600"}), manifest: shell, under: moveTime(700), step: "first game", text: "no answer within 700ms", hint: "search less"},
		{name: "garbage", files: sh(parts{turn: "echo my move is 0"}), manifest: shell, under: moveTime(700), step: "first game", text: "no answer within 700ms", hint: `it printed "my move is 0", which is no message`, said: "my move"},
		{name: "flood", files: sh(parts{turn: "yes"}), manifest: shell, step: "first game", text: "flood", hint: "everything else belongs on standard error"},
		{name: "memory", files: py("x = bytearray(1 << 30)"), manifest: python, step: "first game", hint: "use less memory", said: "MemoryError"},
		{name: "forks", files: py("[os.fork() or __import__('time').sleep(600) for _ in range(200)]"), manifest: python, step: "first game", hint: "64 of them"},
		{name: "writes to its folder", files: sh(parts{turn: `echo "$t" > log || exit 6; ` + answer}), manifest: shell, step: "first game", hint: "write to /tmp only", said: "Read-only file system"},
		{name: "wants the network", files: py("socket.create_connection(('127.0.0.1', 9))"), manifest: python, step: "first game", hint: "do without the network"},
		{name: "knows all messages", files: sh(parts{other: "echo what is $m >&2; exit 7"}), manifest: shell, step: "unknown messages", hint: "ignore message types and fields", said: "weather"},
		{name: "knows all fields", files: py("assert 'season' not in m, m.keys()"), manifest: python, step: "unknown messages", hint: "ignore message types and fields", said: "season"},
		{name: "reads blocks", files: map[string]string{"bot.py": blocks}, manifest: python, step: "slow lines", hint: "up to the end of a line"},
		{name: "takes no carriage return", files: sh(parts{turn: `case $m in *'}') ` + answer + ` ;; *) exit 8 ;; esac`}), manifest: shell, step: "line ends", state: check.Warning, text: "crash", hint: "cutting off white space"},
		{name: "stays after its input", files: sh(parts{end: "sleep 600"}), manifest: shell, under: soon, step: "end of input", text: "still there", hint: "end when standard input ends"},
		{name: "does not quit", files: sh(parts{quit: "sleep 600"}), manifest: shell, under: soon, step: "quit", text: "still there", hint: `exit at {"type":"quit"}`},
		{name: "stays at SIGTERM", files: map[string]string{"bot.py": "import signal, time\nsignal.signal(signal.SIGTERM, lambda *_: time.sleep(600))\n" + loop("")}, manifest: python, under: soon, step: "SIGTERM", text: "still there", hint: "exit at SIGTERM at once"},
		{name: "prints", files: sh(parts{turn: "echo thinking; " + answer}), manifest: shell, step: "games", state: check.Warning, text: `the first: "thinking"`, hint: "standard error"},
		{name: "crash at large tables", files: py("assert len(m['counts']) < 5, 'a large table'"), manifest: python, under: func(cfg *check.Config) { cfg.Games = 4 }, step: "games", text: "in a game of 5", hint: "mend what ended it", said: "a large table"},
		{name: "by chance", files: py("action = random.randrange(len(m['legal']))"), manifest: python, step: "same again", state: check.OK, text: "note: in the same game move"},
	}
}

// blocks takes what a read gives for whole lines.
const blocks = `import json, os
while True:
    data = os.read(0, 1 << 20)
    for line in data.splitlines():
        m = json.loads(line)
        if m["type"] == "hello":
            os.write(1, b'{"type":"ready"}\n')
        elif m["type"] == "turn":
            os.write(1, json.dumps({"type": "move", "turn": m["turn"], "action": 0}).encode() + b"\n")
        elif m["type"] == "quit":
            raise SystemExit
    if not data:
        break
`

// TestBroken: what is wrong with a bot shows at one step, with the hint that names the fix, and nothing else is blamed.
func TestBroken(t *testing.T) {
	cfg := ground(t, true)
	for _, s := range append(beforePlay(), inPlay()...) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.examine(t, cfg)
		})
	}
}

func (s sick) examine(t *testing.T, cfg check.Config) {
	if s.under != nil {
		s.under(&cfg)
	}
	if s.state == "" {
		s.state = check.Failed
	}
	if _, ok := s.files["bot.sh"]; !ok && s.files == nil {
		s.files = sh(parts{})
	}
	report, err := cfg.Run(t.Context(), write(t, s.files, s.manifest))
	require.NoError(t, err)
	require.Equal(t, s.state != check.Failed, report.Passed, "%+v", report.Steps)
	for i, step := range report.Steps {
		require.Equal(t, i+1, step.Number)
		if step.Name != s.step {
			require.Contains(t, []check.State{check.OK, check.Skipped}, step.State, "%+v", step)
			require.Empty(t, step.Hint)
			continue
		}
		require.Equal(t, s.state, step.State, "%+v", step)
		require.Contains(t, step.Text, s.text)
		require.Contains(t, step.Hint, s.hint)
		said := step.Stderr
		if step.Card != nil {
			said += step.Card.Stderr + step.Card.Line
		}
		require.Contains(t, said, s.said)
	}
}

// TestLockFile: where bots are not confined, what one leaves behind can keep it from starting again.
func TestLockFile(t *testing.T) {
	s := sick{
		files:    sh(parts{begin: "[ -e lock ] && { echo already running >&2; exit 1; }", start: ": > lock"}),
		manifest: shell, step: "restart", text: "it has left lock", hint: "leave no lock file", said: "already running",
	}
	s.examine(t, ground(t, false))
}

// TestLinkedManifest: what a link leads to is not read.
func TestLinkedManifest(t *testing.T) {
	cfg := ground(t, true)
	dir := write(t, sh(parts{}), "")
	require.NoError(t, os.Symlink(filepath.Join(write(t, nil, "secret"), registry.ManifestName), filepath.Join(dir, registry.ManifestName)))
	report, err := cfg.Run(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, check.Failed, report.Steps[0].State)
	require.Contains(t, report.Steps[0].Text, "bot.toml is a link")
	require.NotContains(t, report.Steps[0].Text, "secret")
	require.Equal(t, "put a copy in its place", report.Steps[0].Hint)
}

// TestLinkInFolder: what is no file cannot be packed.
func TestLinkInFolder(t *testing.T) {
	cfg := ground(t, true)
	dir := write(t, sh(parts{}), shell)
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "data")))
	report, err := cfg.Run(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, check.Failed, report.Steps[1].State)
	require.Contains(t, report.Steps[1].Text, `"data" is a link`)
	require.Contains(t, report.Steps[1].Hint, "put a copy in its place")
	require.Equal(t, check.Skipped, report.Steps[2].State)
}
