package remote

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	bot "github.com/fivethreefive/fivethreefive/sdk/go"
)

// TestRunCannot: it ends, and tries nothing for ever, where no other attempt would be better.
func TestRunCannot(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	encrypted := httptest.NewUnstartedServer(http.NotFoundHandler())
	encrypted.StartTLS()
	defer encrypted.Close()
	address := strings.TrimPrefix(encrypted.URL, "https://")
	for name, test := range map[string]struct {
		o    Options
		want string
	}{
		"scheme":              {Options{Server: "http://127.0.0.1:1"}, "not reached by http://"},
		"scheme of the other": {Options{Server: "nats://127.0.0.1:1,https://127.0.0.1:1"}, "not reached by https://"},
		"encrypted":           {Options{Server: "ws://" + address}, "try wss://"},
		"unknown certificate": {Options{Server: "wss://" + address}, "failed to verify certificate"},
		"no file of a token":  {Options{Server: "nats://127.0.0.1:1", Credentials: filepath.Join(dir, "none")}, "take the file that"},
		"no token":            {Options{Server: "nats://127.0.0.1:1", Credentials: write("text", "hunter2")}, "take the file that"},
		"no certificate":      {Options{Server: "tls://127.0.0.1:1", CA: write("ca", "hunter2")}, "failed to parse root certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			test.o.Name, test.o.Log = "fox", io.Discard
			err := Run(t.Context(), test.o, bot.Info{}, nil)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestCredentialsAreSecret(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	seed, err := pair.Seed()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "fox.nkey")
	require.NoError(t, os.WriteFile(file, seed, 0o600))
	_, err = credentials(file)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(file, 0o640))
	_, err = credentials(file)
	require.ErrorContains(t, err, "do: chmod 600")
}
