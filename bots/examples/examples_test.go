package examples_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/bots/examples"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

type manifest struct {
	Name, Version, Language string
	Build, Run              []string
}

func TestFolders(t *testing.T) {
	entries, err := fs.ReadDir(examples.FS(), ".")
	require.NoError(t, err)
	var folders []string
	for _, entry := range entries {
		folders = append(folders, entry.Name())
		files, err := fs.ReadDir(examples.FS(), entry.Name())
		require.NoError(t, err)
		if entry.Name() != "csharp" {
			require.Len(t, files, 2, "%s: bot.toml and one source file", entry.Name())
		}
	}
	require.Equal(t, examples.Languages(), folders)
}

// choices says in Go what each example plays.
func choices() map[string]func(legal []engine.Action) engine.Action {
	keepEights := best(func(a engine.Action) int {
		if a.Cards().Count(8) > 0 {
			return a.Cards().Len() - 10
		}
		return a.Cards().Len()
	})
	points := best(func(a engine.Action) int { return a.Cards().Points() })
	first := func(legal []engine.Action) engine.Action { return legal[0] }
	last := func(legal []engine.Action) engine.Action {
		if last := len(legal) - 1; last > 0 && legal[last].Kind() == engine.Pass {
			return legal[last-1]
		}
		return legal[len(legal)-1]
	}
	return map[string]func(legal []engine.Action) engine.Action{
		"python": keepEights, "javascript": points, "bash": first, "c": last,
		"ruby": points, "lua": first, "perl": last, "php": keepEights, "kotlin": first,
		"csharp": best(func(a engine.Action) int { return a.Cards().Len() }),
	}
}

// best takes the first of equals.
func best(value func(engine.Action) int) func([]engine.Action) engine.Action {
	return func(legal []engine.Action) engine.Action {
		return slices.MaxFunc(legal, func(a, b engine.Action) int { return value(a) - value(b) })
	}
}

func TestSessions(t *testing.T) {
	for _, language := range examples.Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			choose := choices()[language]
			require.NotNil(t, choose)
			dir, m := install(t, language)
			for _, goodbye := range []string{"{\"type\":\"quit\"}\n", "", "{\"type\":\"tu"} {
				b := start(t, dir, m.Run)
				b.session(choose)
				b.send(goodbye)
				if goodbye == "" || goodbye[len(goodbye)-1] != '\n' {
					require.NoError(t, b.stdin.Close())
				}
				rest, err := io.ReadAll(b.stdout)
				require.NoError(t, err)
				require.Empty(t, rest, "more lines than answers")
				err = b.command.Wait()
				if goodbye != "{\"type\":\"tu" { // what happens on half a line is the bot's affair, as long as it ends
					require.NoError(t, err)
				}
			}
		})
	}
}

// install copies the folder of an example and builds it.
func install(t *testing.T, language string) (string, manifest) {
	t.Helper()
	folder, err := fs.Sub(examples.FS(), language)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, folder))
	var m manifest
	meta, err := toml.DecodeFile(filepath.Join(dir, "bot.toml"), &m)
	require.NoError(t, err)
	require.Empty(t, meta.Undecoded())
	require.Equal(t, language+"-example", m.Name)
	require.Equal(t, language, m.Language)
	require.Equal(t, "1", m.Version)
	if len(m.Build) > 0 {
		needs(t, language, m.Build[0])
		args := m.Build[1:]
		if language == "c" {
			args = append([]string{"-Wall", "-Wextra", "-Werror"}, args...)
		}
		build := exec.CommandContext(t.Context(), m.Build[0], args...)
		build.Dir = dir
		output, err := build.CombinedOutput()
		require.NoError(t, err, string(output))
	}
	needs(t, language, m.Run[0])
	return dir, m
}

// needs skips where a program is not there, except for those that CI has.
func needs(t *testing.T, language, program string) {
	t.Helper()
	if strings.Contains(program, "/") {
		return
	}
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") == "true" && slices.Contains(examples.Tested(), language) {
			t.Fatalf("%v; CI must have it", err)
		}
		t.Skipf("%v; install it to test this example", err)
	}
}

type process struct {
	t       *testing.T
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

// start gives the process half a minute, which is for hangs only.
func start(t *testing.T, dir string, run []string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	program := run[0]
	if filepath.Base(program) != program {
		program = filepath.Join(dir, program)
	}
	command := exec.CommandContext(ctx, program, run[1:]...)
	command.Dir = dir
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	command.Stderr = io.Discard
	require.NoError(t, command.Start())
	return &process{t: t, command: command, stdin: stdin, stdout: bufio.NewReader(stdout)}
}

func (p *process) send(text string) {
	p.t.Helper()
	_, err := io.WriteString(p.stdin, text)
	require.NoError(p.t, err)
}

func (p *process) tell(m protocol.Message) {
	p.t.Helper()
	line, err := protocol.Marshal(m)
	require.NoError(p.t, err)
	p.send(string(line) + "\n")
}

func (p *process) hear() protocol.Message {
	p.t.Helper()
	line, err := p.stdout.ReadBytes('\n')
	require.NoError(p.t, err)
	message, err := protocol.ReadBot(line)
	require.NoError(p.t, err, string(line))
	return message
}

// session plays a game, the bot in each seat, with every kind of message on the way.
func (p *process) session(choose func([]engine.Action) engine.Action) {
	p.t.Helper()
	rules, err := engine.NewRules(engine.Rulebook, 4)
	require.NoError(p.t, err)
	seed := engine.Seed{5}
	game, err := engine.NewGame(rules, 0)
	require.NoError(p.t, err)

	p.tell(protocol.Hello{Protocol: protocol.Version})
	require.IsType(p.t, protocol.Ready{}, p.hear())
	const name = `"turn":3,"legal":[{"` // as unfriendly as a name can be
	p.tell(protocol.Start{Game: name, Players: 4, Names: []string{name, name, name, name}, Rules: rules, Seed: 1})
	turn := protocol.Turn{Game: name, Turn: 98}
	for told := 0; game.Phase() != engine.Ended; {
		if game.Phase() == engine.Dealing {
			require.NoError(p.t, game.Deal(seed.Deal(rules, game.Round()+1)))
		}
		turn.Turn++
		turn.Observation = game.Observe(game.Turn())
		turn.Legal = game.Legal(nil)
		turn.Events = events(game.RecordFor(game.Turn(), told))
		told = len(game.Record(0))
		p.tell(turn)
		move := p.hear().(protocol.Move)
		require.Equal(p.t, turn.Turn, move.Turn)
		action, err := move.Action.In(turn.Legal)
		require.NoError(p.t, err)
		require.Equal(p.t, choose(turn.Legal), action, "of %v", turn.Legal)
		_, err = game.Apply(action)
		require.NoError(p.t, err)
		if turn.Turn%10 == 0 {
			p.tell(protocol.Error{Turn: turn.Turn, Code: protocol.Stale, Message: "too late"})
			p.send(`{"type":"weather","turn":5,"legal":[]}` + "\n")
		}
	}
	p.tell(protocol.End{Game: name, Reason: protocol.Finished, Scores: game.Scores(), Ranks: game.Ranks()})
}

func events(record []engine.Event) protocol.Events {
	out := make(protocol.Events, 0, len(record))
	for _, event := range record {
		if played, ok := event.(engine.Played); ok {
			event = protocol.Play{Played: played}
		}
		out = append(out, event)
	}
	return out
}

// TestLongLine has the longest line that the arena may write.
func TestLongLine(t *testing.T) {
	for _, language := range examples.Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir, m := install(t, language)
			b := start(t, dir, m.Run)
			head := `{"type":"turn","game":"`
			turn, err := json.Marshal(protocol.Turn{Turn: 12, Legal: []engine.Action{engine.NewAction(engine.Pass, 0)}})
			require.NoError(t, err)
			tail := string(turn[len(`{"game":"`):])
			filler := make([]byte, protocol.MaxLine-len(head)-len(tail))
			for i := range filler {
				filler[i] = 'x'
			}
			b.send(head + string(filler) + tail + "\n")
			require.Equal(t, int64(12), b.hear().(protocol.Move).Turn)
			b.send("{\"type\":\"quit\"}\n")
			require.NoError(t, b.command.Wait())
		})
	}
}
