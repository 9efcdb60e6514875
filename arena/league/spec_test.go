package league_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/league"
	"github.com/fivethreefive/fivethreefive/arena/standings"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

const full = `
name = "spring"
format = "round-robin"
cycles = 2
bots = ["greedy", "random", "cmd:python3 bot.py"]
players = 3
deal_sets = 5
rules = "bga"
move_ms = 500
bank_ms = 2000
increment_ms = 20
startup_ms = 3000
ask_forced = true
seed = 42
[options]
target = 10
permanent_pass = true
[faults]
strike_limit = 0
penalty = "points"
`

func TestSpec(t *testing.T) {
	spec, err := league.ParseSpec([]byte(full))
	require.NoError(t, err)
	to, err := spec.Tournament()
	require.NoError(t, err)
	rules, err := engine.NewRules(engine.BGA, 3)
	require.NoError(t, err)
	rules.Target, rules.PermanentPass = 10, true
	seed, err := league.ParseSeed("42")
	require.NoError(t, err)
	require.Equal(t, league.Tournament{
		ID: "spring", Format: league.RoundRobin, Choices: league.Choices{Cycles: 2}, Seed: seed,
		Settings: arena.Settings{
			Rules: rules, DealSets: 5, Clock: protocol.Clock{MoveMS: 500, BankMS: 2000, IncrementMS: 20},
			Limits: protocol.Limits{StartupMS: 3000, LineBytes: protocol.MaxLine, MemoryMB: 512},
			Faults: protocol.FaultPolicy{Penalty: protocol.RankByPoints}, AskForced: true, Freeze: true,
		},
	}, to)
}

// TestSpecDefaults: what is left out has the defaults, also within a table.
func TestSpecDefaults(t *testing.T) {
	rules, err := engine.NewRules(engine.Rulebook, 4)
	require.NoError(t, err)
	for text, change := range map[string]func(s *arena.Settings){
		"":                        func(*arena.Settings) {},
		"[options]":               func(*arena.Settings) {},
		"[faults]":                func(*arena.Settings) {},
		"faults.penalty='points'": func(s *arena.Settings) { s.Faults.Penalty = protocol.RankByPoints },
		"faults.strike_limit=0":   func(s *arena.Settings) { s.Faults.StrikeLimit = 0 },
		"bank_ms=0":               func(*arena.Settings) {},
		"players=2":               func(s *arena.Settings) { s.Rules, _ = engine.NewRules(engine.Rulebook, 2) },
	} {
		spec, specErr := league.ParseSpec([]byte("bots=['a','b','c','d','e']\n" + text))
		require.NoError(t, specErr, text)
		to, specErr := spec.Tournament()
		require.NoError(t, specErr, text)
		want := arena.DefaultSettings(rules)
		change(&want)
		require.Equal(t, league.Tournament{Format: league.RoundRobin, Choices: league.Choices{Cycles: 1}, Settings: want}, to, text)
	}
	to, err := league.Spec{Name: "x"}.Tournament()
	require.NoError(t, err)
	require.Equal(t, arena.DefaultSettings(rules), to.Settings, "the zero value too")
}

// TestSpecErrors: a bad setting names itself, and what would be right.
func TestSpecErrors(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             {"bots is missing", `bots = ["greedy", "random", "./mybot"]`},
		"bots=[]":                      {"bots is missing"},
		"format='swis'":                {`format "swis" is unknown; choose from round-robin, swiss, gauntlet,`, "did you mean swiss?"},
		"format='chess'":               {`format "chess" is unknown; choose from round-robin`},
		"stages=0":                     {"stages: 0 is too little; write 1 or more, or leave it out"},
		"stages=3":                     {"stages: it means nothing in a round-robin at 2 seats: only a swiss", "leave it out, or write cycles = N"},
		"order='fold'":                 {"order: it means nothing in a round-robin at 2 seats: only a swiss at 2 seats pairs by it; leave it out"},
		"heroes=['a']":                 {"heroes: it means nothing in a round-robin", `leave it out, or write format = "gauntlet"`},
		"third_place=true":             {"third_place: it means nothing in a round-robin", "leave it out"},
		"reset=true":                   {"reset: it means nothing in a round-robin", "only a double elimination"},
		"tiebreaks=['rating']":         {"tiebreaks: a round-robin keeps no rating; leave it out"},
		"tiebreaks=['buchholtz']":      {`unknown tie-break "buchholtz": choose from points, direct, buchholz-cut-1`},
		"tiebreaks=['wins','wins']":    {"tiebreaks: wins is there twice; leave one out"},
		"scoring='goals'":              {`scoring: "goals" is unknown; use "match" or "games"`},
		"same_author='maybe'":          {`same_author: "maybe" is unknown; use "forbid" or "allow"`},
		"forbidden=['a','b']":          {"line 1", "forbidden"},
		"forbidden=[['a']]":            {`forbidden: ["a"] is no pair; write pairs, as in forbidden = [["greedy", "./mybot"]]`},
		"forbidden=[['a','c']]":        {`forbidden: "c" is not among the bots; use the words that stand there`},
		"forbidden=[['a','a']]":        {`forbidden: "a" has entered once and does not meet itself; name two bots`},
		"format='swiss'\ncycles=2":     {"cycles: it means nothing in a swiss at 2 seats: only a round robin", "leave it out, or write stages = N"},
		"format='swiss'\norder='swap'": {`order: "swap" is unknown; use "fold" or "adjacent"`},
		"format='swiss'\nplayers=3\norder='fold'":               {"order: it means nothing in a swiss at 3 seats"},
		"format='swiss'\nstages=1001":                           {"stages: 1001 is outside 1 to 1000"},
		"format='ladder'\ncycles=2":                             {"cycles: it means nothing in a ladder", "or write stages = N"},
		"format='gauntlet'":                                     {`heroes is missing; name the bots that a gauntlet tests, as in heroes = ["./mybot"]`},
		"format='gauntlet'\nheroes=[]":                          {"heroes is missing"},
		"format='gauntlet'\nheroes=['x']":                       {`heroes: "x" is not among the bots`},
		"format='gauntlet'\nheroes=['greedi']\nbots=['greedy']": {`heroes: "greedi" is not among the bots; use the words that stand there; did you mean greedy?`},
		"format='gauntlet'\nstages=2\nheroes=['a']":             {"stages: it means nothing in a gauntlet", "write cycles = N"},
		"format='knockout'\ncycles=2":                           {"cycles: it means nothing in a knockout at 2 seats: only a round robin and a gauntlet are played in cycles; leave it out"},
		"format='knockout'\nscoring='games'":                    {"scoring: it means nothing in a knockout", "the place at the table decides who goes on; leave it out"},
		"format='knockout'\nplayers=4\nthird_place=true":        {"third_place: it means nothing in a knockout at 4 seats"},
		"format='knockout'\nreset=true":                         {"reset: it means nothing in a knockout"},
		"format='double-elimination'\nplayers=4":                {"players: a double elimination has tables of 2, not of 4; write players = 2, or choose a knockout"},
		"players=3\nforbidden=[['a','b']]":                      {"forbidden: it means nothing in a round-robin at 3 seats: at larger tables of a round robin all meet"},
		"players=3\nsame_author='forbid'":                       {"same_author: it means nothing in a round-robin at 3 seats"},
		"bots=[":                                                {"line 1: "},
		"bots=['a']\nbots=['b']":                                {"line 2: ", "bots"},
		"bots='a'":                                              {"line 1", "bots"},
		"name=7":                                                {"line 1", "name"},
		"bot=['a']":                                             {`line 1: "bot" is no setting of a tournament; did you mean bots?`},
		"colour='red'":                                          {`line 1: "colour" is no setting of a tournament`, "known are name, format, cycles, stages, order", "faults, seed"},
		"players='two'":                                         {"line 1: players: a whole number is expected, not a text; write it as in players = 2"},
		"faults.strikes=3":                                      {`"faults.strikes" is no setting`},
		"players='four'":                                        {"line 1", "players"},
		"players=0":                                             {"players: 0 is too little"},
		"players=7":                                             {"players: 7 is outside 2 to 6"},
		"cycles=0":                                              {"cycles: 0 is too little; write 1 or more, or leave it out"},
		"cycles=-1":                                             {"cycles: -1"},
		"deal_sets=0":                                           {"deal_sets: 0"},
		"deal_sets=1.5":                                         {"line 1", "deal_sets"},
		"move_ms=0":                                             {"move_ms: 0"},
		"move_ms=-5":                                            {"move_ms: -5"},
		"move_ms=86400001":                                      {"move_ms: 86400001 is longer than 24h0m0s"},
		"bank_ms=-1":                                            {"bank_ms: -1"},
		"increment_ms=-1":                                       {"increment_ms: -1"},
		"startup_ms=0":                                          {"startup_ms: 0"},
		"ask_forced='yes'":                                      {"line 1", "ask_forced"},
		"rules='chess'":                                         {`rules: preset: "chess" is unknown; use rulebook, bga or classic2020`},
		"rules=3":                                               {"line 1", "rules"},
		"options=3":                                             {"options is a table, as in options = {target = 10}"},
		"options.colour='red'":                                  {`options: option "colour" is unknown; use copies`},
		"options.target='much'":                                 {`options: target: "much" is not a whole number`},
		"options.target=-1":                                     {"target: -1 is outside 0 to 1000"},
		"options.permanent_pass='perhaps'":                      {`permanent_pass: "perhaps" is not true or false`},
		"options.hand_size=40":                                  {"hand_size: 40 is outside 1 to 13"},
		"faults=3":                                              {"line 1", "faults"},
		"faults.strike_limit=-1":                                {"strike_limit: -1; use 0 for no limit"},
		"faults.penalty='death'":                                {`penalty: "death" is unknown; use "last" or "points"`},
		"seed=-1":                                               {`seed "-1" is neither a whole number from 0 on nor 64 hexadecimal digits`},
		"seed=1.5":                                              {"seed: 1.5 is neither"},
		"seed='abc'":                                            {`seed "abc" is neither`},
	} {
		if !strings.Contains(text, "bots") && text != "" {
			text += "\n" + map[bool]string{true: "", false: "bots=['a','b']"}[strings.Contains(text, "bot=")]
		}
		spec, err := league.ParseSpec([]byte(text))
		if err == nil {
			_, err = spec.Tournament()
		}
		for _, part := range want {
			require.ErrorContains(t, err, part, text)
		}
	}
}

func TestReadSpec(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	spec, err := league.ReadSpec(write("My Cup (2024).toml", `bots = ["greedy", "./mybot"]`))
	require.NoError(t, err)
	require.Equal(t, "my-cup-2024", spec.Name)
	require.Equal(t, []string{"greedy", "./mybot"}, spec.Bots)
	spec, err = league.ReadSpec(write("other.toml", full))
	require.NoError(t, err)
	require.Equal(t, "spring", spec.Name)

	for name, test := range map[string]struct{ text, want string }{
		"bad.toml":  {"bots=[", "line 1: "},
		"name.toml": {"name='A B'\nbots=['a']", `name: "A B" cannot name a tournament`},
		"ü.toml":    {"bots=['a']", `name: "" cannot name a tournament`},
	} {
		path := write(name, test.text)
		_, err = league.ReadSpec(path)
		require.ErrorContains(t, err, path+": ")
		require.ErrorContains(t, err, test.want)
	}
	_, err = league.ReadSpec(filepath.Join(dir, "none.toml"))
	require.EqualError(t, err, "tournament file "+filepath.Join(dir, "none.toml")+": there is no such file")
	_, err = league.ReadSpec(dir)
	require.EqualError(t, err, "tournament file: "+dir+" is no regular file but a folder")
	large := write("large.toml", strings.Repeat("# nothing\n", 1<<17))
	_, err = league.ReadSpec(large)
	require.EqualError(t, err, "tournament file: "+large+" is too large; at most 1048576 bytes are read")
}

func TestParseSeed(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	seed, err := league.ParseSeed(hex)
	require.NoError(t, err)
	require.Equal(t, hex, seed.String())
	seen := map[engine.Seed]bool{}
	for _, number := range []string{"0", "1", "2", "9223372036854775807"} {
		seed, err := league.ParseSeed(number)
		require.NoError(t, err)
		again, err := league.ParseSeed("00" + number)
		require.NoError(t, err)
		require.Equal(t, seed, again)
		require.NotZero(t, seed)
		seen[seed] = true
	}
	require.Len(t, seen, 4)
	for _, bad := range []string{"", "-1", "1.0", "9223372036854775808", "0x1", hex[1:], hex + "0", "g" + hex[1:], strings.Repeat("9", 500)} {
		_, err := league.ParseSeed(bad)
		require.ErrorContains(t, err, "is neither a whole number from 0 on nor 64 hexadecimal digits")
		require.Less(t, len(err.Error()), 200)
	}
}

// TestSpecChoices puts entrants in place of words; a word that has entered several times stands for all of them.
func TestSpecChoices(t *testing.T) {
	const bots = "bots=['a','b','a','./c','d']\n"
	for text, want := range map[string]league.Choices{
		"":               {Cycles: 1},
		"format='swiss'": {},
		"format='swiss'\nplayers=2\nstages=5\norder='adjacent'\nsame_author='forbid'\nscoring='games'\ntiebreaks=['wins','rating']": {
			Stages: 5, Order: league.OrderAdjacent, SameAuthor: league.ForbidAuthor, Scoring: league.ScoreGames,
			TieBreaks: []standings.TieBreak{standings.Wins, standings.Rating},
		},
		"format='gauntlet'\ncycles=3\nheroes=['./c','a']":  {Cycles: 3, Heroes: []int{3, 0, 2}},
		"format='ladder'\nforbidden=[['a','d'],['a','a']]": {Forbidden: [][2]int{{0, 4}, {2, 4}, {0, 2}}},
		"format='knockout'\nplayers=2\nthird_place=true":   {ThirdPlace: true},
		"format='double-elimination'":                      {Reset: true},
		"format='double-elimination'\nreset=false":         {},
	} {
		spec, err := league.ParseSpec([]byte(bots + text))
		require.NoError(t, err, text)
		to, err := spec.Tournament()
		require.NoError(t, err, text)
		require.Equal(t, want, to.Choices, text)
	}
}
