package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// language says how the bot of the tests is built from its source and the file of the SDK, as warnings are errors.
type language struct {
	name  string
	sdk   []string // files beside the source, from folder to folder
	build []string // in the folder; empty for none
	run   []string
}

func languages() []language {
	return []language{
		{name: "go", build: []string{"go", "build", "-o", "{dir}/conform", "./testdata/go"}, run: []string{"./conform"}},
		{name: "python", sdk: []string{"fivethreefive.py"}, run: []string{"python3", "-W", "error", "conform.py"}},
		{name: "javascript", sdk: []string{"fivethreefive.mjs"}, run: []string{"node", "conform.mjs"}},
		{
			name: "rust", sdk: []string{"fivethreefive.rs"},
			build: []string{"rustc", "--edition", "2021", "-O", "-D", "warnings", "conform.rs"}, run: []string{"./conform"},
		},
		{
			name: "java", sdk: []string{"fivethreefive/FiveThreeFive.java"},
			build: []string{"javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "Conform.java"}, run: []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ".", "Conform"},
		},
		{
			name: "cpp", sdk: []string{"fivethreefive.hpp"},
			build: []string{"g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", "conform", "conform.cpp"},
			run:   []string{"./conform"},
		},
	}
}

// shop is where the bots are built, once for all tests.
var shop struct {
	sync.Mutex
	dir  string
	bots map[string]program
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		panic(err)
	}
	shop.dir, shop.bots = dir, map[string]program{}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// each runs a test for every language, with its bot.
func each(t *testing.T, test func(t *testing.T, bot program)) {
	t.Helper()
	for _, l := range languages() {
		t.Run(l.name, func(t *testing.T) {
			bot := l.prepared(t)
			t.Parallel()
			test(t, bot)
		})
	}
}

// prepared lays out the bot in a folder and builds it.
func (l language) prepared(t *testing.T) program {
	t.Helper()
	needs(t, l.run[0])
	if len(l.build) > 0 {
		needs(t, l.build[0])
	}
	shop.Lock()
	defer shop.Unlock()
	if bot, ok := shop.bots[l.name]; ok {
		return bot
	}
	dir := filepath.Join(shop.dir, l.name)
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", l.name))))
	l.layOut(t, dir)
	if len(l.build) > 0 {
		l.compile(t, dir)
	}
	shop.bots[l.name] = program{name: l.name, dir: dir, args: l.run}
	return shop.bots[l.name]
}

// layOut copies the file of the SDK.
func (l language) layOut(t *testing.T, dir string) {
	t.Helper()
	for _, file := range l.sdk {
		text, err := os.ReadFile(filepath.Join("..", l.name, file))
		require.NoError(t, err)
		path := filepath.Join(dir, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, text, 0o600))
	}
}

func (l language) compile(t *testing.T, dir string) {
	t.Helper()
	var args []string
	for _, word := range l.build[1:] {
		args = append(args, strings.ReplaceAll(word, "{dir}", dir))
	}
	build := exec.CommandContext(t.Context(), l.build[0], args...)
	if l.name != "go" { // whose package is built where it is, with the module round it
		build.Dir = dir
	}
	printed, err := build.CombinedOutput()
	require.NoError(t, err, string(printed))
}

// needs fails where everything must be there, and skips elsewhere.
func needs(t *testing.T, program string) {
	t.Helper()
	if strings.HasPrefix(program, "./") {
		return
	}
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; CI must have it", err)
		}
		t.Skipf("%v; install it to test this SDK", err)
	}
}
