package league

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/internal/handwritten"
	"github.com/fivethreefive/fivethreefive/arena/internal/smallfile"
	"github.com/fivethreefive/fivethreefive/arena/standings"
	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
)

// Spec is a tournament as an organiser writes it down in TOML. What is left out has the defaults of [arena.Settings].
type Spec struct {
	Name      string                `toml:"name"` // the id; left out, it is made of the file's name
	Format    Format                `toml:"format"`
	Cycles    int                   `toml:"cycles" jsonschema:"minimum=1"`
	Stages    int                   `toml:"stages" jsonschema:"minimum=1"`
	Order     Order                 `toml:"order"`
	Heroes    []string              `toml:"heroes"`      // of bots, by the same words
	Third     bool                  `toml:"third_place"` //
	Reset     *bool                 `toml:"reset"`       // left out, true in a double elimination
	Forbidden [][]string            `toml:"forbidden"`   // of bots, by the same words
	Author    SameAuthor            `toml:"same_author"`
	TieBreaks []standings.TieBreak  `toml:"tiebreaks"`
	Scoring   Scoring               `toml:"scoring"`
	Bots      []string              `toml:"bots" jsonschema:"required,minItems=1"`    // as on the command line; folders and commands are relative to the file
	Players   int                   `toml:"players" jsonschema:"minimum=2,maximum=6"` // left out, 4, or as many as there are bots
	DealSets  int                   `toml:"deal_sets" jsonschema:"minimum=1"`
	Preset    engine.Preset         `toml:"rules"`
	Options   map[string]any        `toml:"options"` // of the rules
	MoveMS    int64                 `toml:"move_ms" jsonschema:"minimum=1"`
	BankMS    int64                 `toml:"bank_ms" jsonschema:"minimum=0"`
	Increment int64                 `toml:"increment_ms" jsonschema:"minimum=0"`
	StartupMS int64                 `toml:"startup_ms" jsonschema:"minimum=1"`
	NetworkMS int64                 `toml:"network_ms" jsonschema:"minimum=0"` // of a remote bot's time, for the way
	MemoryMB  int                   `toml:"memory_mb" jsonschema:"minimum=1"`  // of a bot with all its processes
	AskForced bool                  `toml:"ask_forced"`
	Freeze    *bool                 `toml:"freeze"` // left out, true
	Faults    *protocol.FaultPolicy `toml:"faults"`
	Seed      any                   `toml:"seed" jsonschema:"oneof_type=string;integer"` // a whole number or 64 hexadecimal digits; left out, it is drawn
}

// ReadSpec reads a regular file of at most a mebibyte. Errors name the file, the setting, and what would be right.
func ReadSpec(path string) (Spec, error) {
	text, err := smallfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Spec{}, fmt.Errorf("tournament file %s: there is no such file", path)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("tournament file: %w", err)
	}
	spec, err := ParseSpec(text)
	if err != nil {
		return Spec{}, fmt.Errorf("%s: %w", path, err)
	}
	if spec.Name == "" {
		base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		spec.Name = strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(base), "-"), "-")
	}
	if err := CheckID(spec.Name); err != nil {
		return Spec{}, fmt.Errorf("%s: name: %w", path, err)
	}
	return spec, nil
}

// ParseSpec reads TOML.
func ParseSpec(text []byte) (Spec, error) {
	spec := Spec{Faults: &protocol.FaultPolicy{}}
	*spec.Faults = arena.DefaultSettings(engine.Rules{}).Faults
	meta, err := handwritten.Decode(text, &spec, "a tournament")
	if err != nil {
		return Spec{}, err
	}
	return spec, spec.check(meta)
}

// check finds what decoding lets through. A zero that was written down is not the default.
func (s Spec) check(meta toml.MetaData) error {
	for _, setting := range []struct {
		key   string
		value int64
	}{
		{"cycles", int64(s.Cycles)},
		{"stages", int64(s.Stages)},
		{"players", int64(s.Players)},
		{"deal_sets", int64(s.DealSets)},
		{"move_ms", s.MoveMS},
		{"startup_ms", s.StartupMS},
	} {
		if meta.IsDefined(setting.key) && setting.value < 1 {
			return fmt.Errorf("%s: %d is too little; write 1 or more, or leave it out", setting.key, setting.value)
		}
	}
	if meta.IsDefined("options") && s.Options == nil {
		return errors.New("options is a table, as in options = {target = 10}")
	}
	if len(s.Bots) == 0 {
		return errors.New(`bots is missing; name them, as in bots = ["greedy", "random", "./mybot"]`)
	}
	return nil
}

// Tournament fills in the defaults. The entrants, in the order of Bots, and the time of creation are the caller's to add.
func (s Spec) Tournament() (Tournament, error) {
	rules, err := s.rules()
	if err != nil {
		return Tournament{}, err
	}
	settings := arena.DefaultSettings(rules)
	settings.AskForced = s.AskForced
	if s.Freeze != nil {
		settings.Freeze = *s.Freeze
	}
	settings.Clock.BankMS, settings.Clock.IncrementMS, settings.NetworkMS = s.BankMS, s.Increment, s.NetworkMS
	override(&settings.DealSets, s.DealSets)
	override(&settings.Clock.MoveMS, s.MoveMS)
	override(&settings.Limits.StartupMS, s.StartupMS)
	override(&settings.Limits.MemoryMB, s.MemoryMB)
	if s.Faults != nil {
		settings.Faults.StrikeLimit = s.Faults.StrikeLimit
		override(&settings.Faults.Penalty, s.Faults.Penalty)
	}
	t := Tournament{ID: s.Name, Format: RoundRobin, Settings: settings}
	override(&t.Format, s.Format)
	if t.Choices, err = s.choices(t.Format); err != nil {
		return Tournament{}, err
	}
	if t.Seed, err = s.seed(); err != nil {
		return Tournament{}, err
	}
	if err = settings.Validate(); err != nil {
		return Tournament{}, err
	}
	return t, t.checkChoices()
}

func override[T comparable](to *T, value T) {
	var unset T
	if value != unset {
		*to = value
	}
}

func (s Spec) rules() (engine.Rules, error) {
	preset, players := engine.Rulebook, 4
	if n := len(s.Bots); n == 2 || n == 3 {
		players = n
	}
	if s.Format == DoubleElimination {
		players = 2
	}
	override(&preset, s.Preset)
	override(&players, s.Players)
	rules, err := engine.NewRules(preset, players)
	if err != nil {
		return engine.Rules{}, fmt.Errorf("rules: %w", err)
	}
	for _, option := range slices.Sorted(maps.Keys(s.Options)) {
		if rules, err = rules.With(option, fmt.Sprint(s.Options[option])); err != nil {
			return engine.Rules{}, fmt.Errorf("options: %w", err)
		}
	}
	return rules, rules.Validate()
}

func (s Spec) seed() (engine.Seed, error) {
	switch seed := s.Seed.(type) {
	case nil:
		return engine.Seed{}, nil
	case int64:
		return ParseSeed(strconv.FormatInt(seed, 10))
	case string:
		return ParseSeed(seed)
	default:
		return engine.Seed{}, fmt.Errorf("seed: %v is neither a whole number nor a text of 64 hexadecimal digits", seed)
	}
}

// ParseSeed reads 64 hexadecimal digits, or a whole number from 0 on, which stands for a seed that everybody can compute
// and so is fit for repeating runs only.
func ParseSeed(text string) (engine.Seed, error) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n <= math.MaxInt64 {
		return engine.Seed{}.Child("number", n), nil
	}
	var seed engine.Seed
	if err := seed.UnmarshalText([]byte(text)); err != nil {
		return engine.Seed{}, fmt.Errorf("seed %.80q is neither a whole number from 0 on nor 64 hexadecimal digits", text)
	}
	return seed, nil
}
