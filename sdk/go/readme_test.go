package bot_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadme builds the bot of the README and plays with it.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, code)
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "bot.exe")
	require.NoError(t, os.WriteFile(source, code[1], 0o600))
	built, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, source).CombinedOutput()
	require.NoError(t, err, string(built))

	var out, log bytes.Buffer
	command := exec.CommandContext(t.Context(), program)
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(lines(hello, start, turn7, quit)), &out, &log
	require.NoError(t, command.Run())
	require.Equal(t, lines(`{"type":"ready","name":"most-cards","version":"1","protocol":1}`,
		`{"type":"move","turn":7,"action":{"type":"overwrite","cards":[4]}}`), out.String())
	require.Equal(t, "g1 turn 7: 2 cards in hand, playing overwrite [4]\n", log.String())
}
