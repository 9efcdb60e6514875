package remote

import (
	"fmt"
	"os"
	"runtime"

	"github.com/nats-io/nats.go"
)

// credentials refuses a key that others on the machine can read.
func credentials(file string) (nats.Option, error) {
	key, err := nats.NkeyOptionFromSeed(file)
	if err != nil {
		return nil, fmt.Errorf("credentials %s: %w; take the file that arena token create has written", file, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("credentials %s: others on this machine can read it; do: chmod 600 %s", file, file)
	}
	return key, nil
}
