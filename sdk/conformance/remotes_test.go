package conformance_test

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// expat is a bot that connects by itself, with the URL, the file of a token and its name as arguments.
type expat struct {
	name    string
	file    string                                     // of its source
	prepare func(t *testing.T, source []byte) []string // gives the command line
	trace   string                                     // what its trace has in it
}

func expats() []expat {
	return []expat{
		{name: "go", file: "main.go", prepare: prepareGo, trace: "main.(*random).Act"},
		{name: "javascript", file: "bot.mjs", prepare: prepareJavaScript, trace: "at Drawn.act"},
		{name: "python", file: "bot.py", prepare: preparePython, trace: "in act"},
	}
}

func prepareGo(t *testing.T, source []byte) []string {
	t.Helper()
	dir := gather(t, "main.go", source)
	program := filepath.Join(dir, "bot.exe")
	printed, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, filepath.Join(dir, "main.go")).CombinedOutput()
	require.NoError(t, err, string(printed))
	return []string{program}
}

func prepareJavaScript(t *testing.T, source []byte) []string {
	t.Helper()
	needs(t, "node")
	needs(t, "npm")
	dir := gather(t, "bot.mjs", source, "../javascript/fivethreefive.mjs", "../javascript/remote.mjs")
	require.NoError(t, os.Symlink(filepath.Join(clientForNode(t), "node_modules"), filepath.Join(dir, "node_modules")))
	return []string{"node", filepath.Join(dir, "bot.mjs")}
}

// preparePython skips where the client is not installed, in CI as well: not every machine can have it, and .ci/languages says so.
func preparePython(t *testing.T, source []byte) []string {
	t.Helper()
	needs(t, "python3")
	if printed, err := exec.CommandContext(t.Context(), "python3", "-c", "import nats, nkeys").CombinedOutput(); err != nil {
		t.Skipf("the remote bot in Python is NOT tested, since python3 has no nats-py; do: pip install 'nats-py[nkeys]' (%s)", printed)
	}
	dir := gather(t, "bot.py", source, "../python/fivethreefive.py", "../python/fivethreefive_remote.py")
	return []string{"python3", "-W", "error", filepath.Join(dir, "bot.py")}
}

// gather copies a bot and what it needs into a folder.
func gather(t *testing.T, name string, source []byte, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), source, 0o600))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o600))
	}
	return dir
}

// clientForNode installs the client that the SDK wants, once a machine, and gives the folder.
func clientForNode(t *testing.T) (dir string) {
	t.Helper()
	text, err := os.ReadFile("../javascript/package.json")
	require.NoError(t, err)
	var manifest struct{ PeerDependencies map[string]string }
	require.NoError(t, json.Unmarshal(text, &manifest))
	const client = "@nats-io/transport-node"
	version := manifest.PeerDependencies[client]
	require.NotEmpty(t, version)
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	cache = filepath.Join(cache, "fivethreefive-tests")
	dir = filepath.Join(cache, "transport-node-"+version)
	if _, err = os.Stat(dir); err == nil {
		return dir
	}
	require.NoError(t, os.MkdirAll(cache, 0o755)) // beside the end, since it is moved there
	fresh := filepath.Join(cache, rand.Text())
	require.NoError(t, os.Mkdir(fresh, 0o755))
	defer os.RemoveAll(fresh)
	install := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts",
		"--prefix", fresh, client+"@"+version)
	printed, err := install.CombinedOutput()
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("the remote bot in JavaScript is NOT tested, since npm cannot install %s: %v\n%s", client, err, printed)
	}
	require.NoError(t, err, string(printed))
	if err = os.Rename(fresh, dir); err != nil { // another test has made it
		require.DirExists(t, dir)
	}
	return dir
}
