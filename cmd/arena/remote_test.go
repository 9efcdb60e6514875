package main

import (
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTwoConnections: of two programs that are the same bot, and come back as soon as the arena is there, one stays, and the other ends
// and says why.
func TestTwoConnections(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	dir, data, address := t.TempDir(), t.TempDir(), freeAddress(t)
	bot, token := writeBot(t, dir, "ant", 0), filepath.Join(dir, "ant.nkey")
	succeed(t, "token", "create", "--bot", "ant", "--out", token, "--data", data)
	var both []*program
	for range 2 {
		p := launch(t, "connect", "--bot", bot, "--server", "nats://"+address, "--creds", token, "--unsafe-no-sandbox")
		p.says(t, "Waiting for nats://"+address)
		both = append(both, p)
	}
	server := launch(t, plain("serve", "--data", data, "--slots", "0", "--no-replays", "--listen", address)...)
	server.says(t, "Conducting the tournaments")
	ended, stays := both[0], both[1]
	select {
	case <-both[0].ended:
	case <-both[1].ended:
		ended, stays = both[1], both[0]
	case <-time.After(within):
		require.Fail(t, "both stay")
	}
	require.Equal(t, exitError, ended.code(t), ended.errOut)
	require.Contains(t, ended.errOut.String(), "the arena ends this connection: another connection with its token, from 127.0.0.1, has taken the place of this one")
	stays.says(t, "Connected to nats://"+address)
	require.Regexp(t, `ant +connected +ant@1`, succeed(t, "remote", "list", "ant", "--data", data))
	require.Equal(t, exitInterrupted, stays.stop(t), stays.errOut)
	require.Equal(t, exitInterrupted, server.stop(t), server.errOut)
}
