package bus_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// token makes one, and gives the file of its key.
func token(t *testing.T, b *bus.Bus, id access.Identity) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "creds")
	var err error
	id.Key, err = access.NewCredentials(file)
	require.NoError(t, err)
	id.Created = time.Now()
	require.NoError(t, tokens(t, b).Add(t.Context(), id))
	return file
}

func tokens(t *testing.T, b *bus.Bus) *access.Tokens {
	t.Helper()
	all, err := access.OpenTokens(t.Context(), connect(t, b, "tokens"))
	require.NoError(t, err)
	return all
}
