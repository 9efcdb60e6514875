package conformance_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// expat is a bot that connects by itself, with the URL, the file of a token and its name as arguments.
type expat struct {
	name    string
	prepare func(t *testing.T) []string // gives the command line
	trace   string                      // what its trace has in it
}

func expats() []expat {
	return []expat{
		{name: "go", prepare: prepareGo, trace: "main.(*random).Act"},
	}
}

func prepareGo(t *testing.T) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bot.exe")
	printed, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/remote/go").CombinedOutput()
	require.NoError(t, err, string(printed))
	return []string{program}
}
