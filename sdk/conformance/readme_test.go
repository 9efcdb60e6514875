package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

// TestReadmes builds the bot of each README by the bot.toml that stands there, and plays with it. That of Go has a test of its own.
func TestReadmes(t *testing.T) {
	for _, l := range languages()[1:] {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			readme, err := os.ReadFile(filepath.Join("..", l.name, "README.md"))
			require.NoError(t, err)
			code := regexp.MustCompile("(?s)```" + l.name + "\n(.*?)```").FindSubmatch(readme)
			manifest := regexp.MustCompile("(?s)```toml\n(.*?)```").FindSubmatch(readme)
			require.NotNil(t, code)
			require.NotNil(t, manifest)
			var m struct{ Build, Run []string }
			_, err = toml.Decode(string(manifest[1]), &m)
			require.NoError(t, err)

			dir := t.TempDir()
			file := map[string]string{
				"python": "bot.py", "javascript": "bot.mjs", "rust": "bot.rs", "java": "MostCards.java", "cpp": "bot.cpp",
			}[l.name]
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), code[1], 0o600))
			l.layOut(t, dir)
			needs(t, m.Run[0])
			if len(m.Build) > 0 {
				needs(t, m.Build[0])
				build := exec.CommandContext(t.Context(), m.Build[0], m.Build[1:]...)
				build.Dir = dir
				printed, err := build.CombinedOutput()
				require.NoError(t, err, string(printed))
			}
			b := program{name: l.name, dir: dir, args: m.Run}.start(t, "")
			b.send(hello + start + turn5 + "}\n")
			require.JSONEq(t, `{"type":"ready","name":"most-cards","version":"1","protocol":1}`, b.hear())
			require.JSONEq(t, `{"type":"move","turn":5,"action":{"type":"lead","cards":[2]}}`, b.hear())
			require.Equal(t, "G turn 5: 2 cards in hand, playing lead [2]\n", b.quit())
		})
	}
}
