package schemas_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/schemas"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schemas.Of(name)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource(name+".json", doc))
	schema, err := compiler.Compile(name + ".json")
	require.NoError(t, err)
	return schema
}

// ofTOML is what a schema says to a file.
func ofTOML(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var values map[string]any
	_, err := toml.Decode(text, &values)
	require.NoError(t, err, text)
	line, err := json.Marshal(values)
	require.NoError(t, err)
	return ofLine(t, schema, string(line))
}

func ofLine(t *testing.T, schema *jsonschema.Schema, line string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	require.NoError(t, err, line)
	return schema.Validate(value)
}

// TestBot has files that the schema and the program take, and such that both refuse.
func TestBot(t *testing.T) {
	schema := compiled(t, "bot")
	read := func(text string) error {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, registry.ManifestName), []byte(text), 0o600))
		_, err := registry.ReadManifest(dir)
		return err
	}
	const least = "name = \"a\"\nversion = \"1\"\nrun = [\"x\"]\n"
	for _, more := range []string{
		"", "language = \"C++ 20\"", "author = \"Zoë\"", "build = [\"make\"]", "build = []", "read_only = [\"/data\"]", "players = [2, 6]",
		"limits = {memory_mb = 1, move_ms = 1, startup_ms = 1}", "limits = {}", "tags = [\"mcts\", \"v-2\"]", "tags = []",
	} {
		require.NoError(t, read(least+more), more)
		require.NoError(t, ofTOML(t, schema, least+more), more)
	}
	for _, bad := range []string{
		"", "name = \"a\"\nversion = \"1\"\n", "name = \"a\"\nrun = [\"x\"]\n", "version = \"1\"\nrun = [\"x\"]\n",
		"name = \"a b\"\nversion = \"1\"\nrun = [\"x\"]\n", "name = 7\nversion = \"1\"\nrun = [\"x\"]\n", "name = \"a\"\nversion = \"1\"\nrun = []\n",
		"name = \"a\"\nversion = \"1\"\nrun = [\"x\", \"\"]\n", least + "runs = [\"x\"]", least + "build = [\"\"]", least + "build = \"make\"",
		least + "players = []", least + "players = [1]", least + "players = [7]", least + "players = [2, 2]", least + "players = 2",
		least + "limits = {memory_mb = 0}", least + "limits = {cpu = 2}", least + "limits = 7", least + "tags = [\"A\"]", least + "tags = [\"a\", \"a\"]",
		least + "language = \"a_b\"",
	} {
		require.Error(t, read(bad), bad)
		require.Error(t, ofTOML(t, schema, bad), bad)
	}
}

// TestTournament does the same for tournament files.
func TestTournament(t *testing.T) {
	schema := compiled(t, "tournament")
	const least = "bots = [\"greedy\", \"random\"]\n"
	for _, more := range []string{
		"", "name = \"cup\"\nformat = \"swiss\"\nstages = 3\norder = \"adjacent\"", "players = 2\ndeal_sets = 20\nmove_ms = 500", "seed = 7",
		"seed = \"" + strings.Repeat("0a", 32) + "\"", "options = {target = 10, permanent_pass = true}", "rules = \"bga\"",
		"faults = {strike_limit = 0, penalty = \"points\"}", "tiebreaks = [\"direct\", \"wins\"]", "forbidden = [[\"greedy\", \"random\"]]",
		"format = \"gauntlet\"\nheroes = [\"greedy\"]", "same_author = \"forbid\"\nscoring = \"match\"\nfreeze = false\nask_forced = true",
	} {
		spec, err := league.ParseSpec([]byte(least + more))
		require.NoError(t, err, more)
		_, err = spec.Tournament()
		require.NoError(t, err, more)
		require.NoError(t, ofTOML(t, schema, least+more), more)
	}
	for _, bad := range []string{
		"", "bots = []", "bots = \"greedy\"", least + "player = 2", least + "players = 1", least + "players = 7", least + "format = \"league\"",
		least + "rules = \"chess\"", least + "seed = 1.5", least + "seed = true", least + "deal_sets = 0", least + "move_ms = -1", least + "bank_ms = -1",
		least + "tiebreaks = [\"luck\"]", least + "scoring = \"none\"", least + "order = \"up\"\nformat = \"swiss\"", least + "faults = {penalty = \"none\"}",
		least + "same_author = \"maybe\"", least + "options = 7",
	} {
		spec, err := league.ParseSpec([]byte(bad))
		if err == nil {
			_, err = spec.Tournament()
		}
		require.Error(t, err, bad)
		require.Error(t, ofTOML(t, schema, bad), bad)
	}
}

// TestProtocol takes every line of the transcripts but those that are wrong on purpose.
func TestProtocol(t *testing.T) {
	schema := compiled(t, "protocol")
	paths, err := filepath.Glob("../../protocol/testdata/transcripts/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if _, err := protocol.ReadBot([]byte(line[2:])); line[0] == '<' && err != nil {
				continue
			}
			require.NoError(t, ofLine(t, schema, line[2:]), line)
		}
	}
	for _, bad := range []string{
		`{}`, `{"type":"move","turn":1}`, `{"type":"move","turn":1,"action":"pass"}`, `{"type":"move","turn":1,"action":{"type":"fold","cards":[]}}`,
		`{"type":"move","turn":1,"action":{"type":"lead","cards":[6]}}`, `{"type":"hello"}`, `{"type":"turn","turn":"1"}`,
	} {
		require.Error(t, ofLine(t, schema, bad), bad)
	}
}

// TestReplay takes every line of a replay that is made here.
func TestReplay(t *testing.T) {
	schema := compiled(t, "replay")
	for players := 2; players <= 6; players += 2 {
		rules, err := engine.NewRules(engine.Rulebook, players)
		require.NoError(t, err)
		m := arena.Match{Settings: arena.DefaultSettings(rules), ID: "m", Tournament: "t", Seed: engine.Seed{1}}
		for i := range players {
			m.Bots = append(m.Bots, string(rune('a'+i))+"@1")
		}
		m.Orders = m.SeatOrders()[:1]
		var replay page
		_, err = arena.Referee{Seats: desk{}, Version: "0.1.0", Replays: func(protocol.Header) (arena.ReplayFile, error) { return &replay, nil }}.
			Play(t.Context(), m)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(replay.String()), "\n")
		require.Greater(t, len(lines), 10)
		for _, line := range lines {
			require.NoError(t, ofLine(t, schema, line), line)
		}
	}
	require.Error(t, ofLine(t, schema, `{"type":"clear","seat":1}`))
	require.Error(t, ofLine(t, schema, `{"type":"weather"}`))
}

type page struct{ bytes.Buffer }

func (*page) Abort()       {}
func (*page) Close() error { return nil }

// desk seats bots that play the first legal action, and answer the third turn wrongly.
type desk struct{}

func (desk) Open(context.Context, arena.Place) (arena.Seat, error) { return desk{}, nil }

func (desk) Ask(_ context.Context, m protocol.Message, _ time.Duration) (arena.Reply, error) {
	var answer protocol.Message = protocol.Ready{}
	if turn, ok := m.(protocol.Turn); ok {
		index := 0
		if turn.Turn == 3 {
			index = 99
		}
		answer = protocol.Move{Turn: turn.Turn, Note: "a note", Action: protocol.Choice{Index: index}}
	}
	line, err := protocol.Marshal(answer)
	return arena.Reply{Line: line}, err
}

func (desk) Tell(context.Context, protocol.Message) error { return nil }
func (desk) Close(context.Context) (string, error)        { return "", nil }

func TestUnknown(t *testing.T) {
	_, err := schemas.Of("bots")
	require.EqualError(t, err, `there is no schema of "bots"; there are bot, tournament, protocol, replay; did you mean bot?`)
}
