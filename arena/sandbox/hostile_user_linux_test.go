package sandbox_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const ordinary = 65534 // the number of nobody nearly everywhere

// TestHostileAsUser runs the hostile tests again for an arena that is not root.
func TestHostileAsUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not root: the hostile tests have run as an ordinary user, and not as root")
		return
	}
	startCaged(t) // skips where there is nothing to test
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	for _, sub := range []string{"home", "tmp"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
		require.NoError(t, os.Chown(filepath.Join(dir, sub), ordinary, ordinary))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	write(t, filepath.Join(dir, "tests"), string(program), 0o755)
	require.NoError(t, os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS("testdata")))
	buildGo(t, filepath.Join(dir, "testdata", "gobot", "built")) // an ordinary user may have no cache to build with

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "tests"), "-test.run=^Test(Hostile|Interpreter)", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "TMPDIR="+filepath.Join(dir, "tmp"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	for line := range bytes.Lines(out.Bytes()) {
		if err != nil || bytes.Contains(line, []byte("--- SKIP")) {
			t.Logf("as user %d: %s", ordinary, line)
		}
	}
	require.NoError(t, err)
}
