package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// writeSwiss has five bots at tables of two.
func writeSwiss(t *testing.T, dir, more string) string {
	t.Helper()
	for _, name := range []string{"ant", "bee", "cat", "dog", "elk"} {
		writeBot(t, dir, name, int(name[0]-'a')%2)
	}
	file := filepath.Join(dir, "spring.toml")
	text := "format = \"swiss\"\nplayers = 2\nbots = [\"ant\", \"bee\", \"cat\", \"dog\", \"elk\"]\nseed = 5\nmove_ms = 60000\nstartup_ms = 60000\n"
	require.NoError(t, os.WriteFile(file, []byte(text+more), 0o600))
	return file
}

// TestServedLife does to a tournament that is served whatever an organiser can do.
func TestServedLife(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	file := writeSwiss(t, dir, "stages = 12\nforbidden = []\n")
	server := launch(t, plain("serve", "--data", data, "--slots", "2", "--no-replays")...)
	server.says(t, "Conducting the tournaments in "+data)
	on := func(args string) string {
		return succeed(t, strings.Fields(args+" --data "+data)...)
	}
	on("tournament new " + file)
	events := follow(t, data, "spring")
	require.Contains(t, on("tournament start spring"), "Follow it: arena tournament watch spring --data "+data)
	require.NoError(t, await(events, isPlayed))
	require.Contains(t, on("tournament pause spring"), "spring is paused")
	require.NoError(t, await(events, func(e league.Event) bool { return e.Paused != nil }))
	require.Contains(t, on("tournament add spring greedy"), "There are now 6 bots.")
	require.Contains(t, on("tournament drop spring ant elk@1"), "withdrawn: ant@1, elk@1. There are now 4 bots.")
	require.Contains(t, on("tournament list"), "paused")
	var stages struct{ Stages []league.Stage }
	require.NoError(t, json.Unmarshal([]byte(on("tournament pairings spring --json")), &stages))
	before := len(stages.Stages)
	require.Contains(t, on("tournament resume spring"), "spring goes on.")
	require.NoError(t, await(events, func(e league.Event) bool { return e.Resumed != nil }))
	require.NoError(t, await(events, func(e league.Event) bool { return e.Paired != nil }))
	require.NoError(t, await(events, isPlayed))
	require.NoError(t, json.Unmarshal([]byte(on("tournament pairings spring --json")), &stages))
	require.Greater(t, len(stages.Stages), before)
	for i, stage := range stages.Stages {
		var seen []string
		for _, table := range stage.Tables {
			seen = append(seen, table.Bots...)
		}
		seen = append(seen, stage.Byes...)
		if i < before {
			require.ElementsMatch(t, []string{"ant@1", "bee@1", "cat@1", "dog@1", "elk@1"}, seen)
		} else {
			require.ElementsMatch(t, []string{"bee@1", "cat@1", "dog@1", "greedy@1"}, seen)
		}
	}
	require.Contains(t, on("tournament cancel spring"), "spring is cancelled")
	require.NoError(t, await(events, func(e league.Event) bool { return e.Cancelled != nil }))
	exported := on("tournament export spring --no-times")
	require.Contains(t, exported, `{"cancelled":{}`)
	require.NotContains(t, exported, dir, "paths are nobody's business")
	other := t.TempDir()
	export := filepath.Join(other, "spring.jsonl")
	require.NoError(t, os.WriteFile(export, []byte(exported), 0o600))
	succeed(t, "tournament", "import", export, "--data", other)
	require.Equal(t, on("tournament standings spring --no-times"), succeed(t, "tournament", "standings", "spring", "--no-times", "--data", other))
	require.Equal(t, exitInterrupted, server.stop(t), server.errOut)
	for _, part := range []string{"spring: paused", "spring: greedy@1 has entered", "spring: ant@1 has withdrawn", "spring: goes on", "spring: cancelled after"} {
		require.Contains(t, server.errOut.String(), part)
	}
}

// TestRunBesideServe has an arena that conducts everything leave alone what another program runs, until that one ends.
func TestRunBesideServe(t *testing.T) {
	dir, alone, data := t.TempDir(), t.TempDir(), t.TempDir()
	file := writeSwiss(t, dir, "stages = 10\n")
	run := []string{"tournament", "run", file, "--unsafe-no-sandbox", "--no-replays", "-q", "--jobs", "1"}
	succeed(t, append(run, "--data", alone)...)
	server := launch(t, plain("serve", "--data", data, "--slots", "1", "--no-replays", "-q")...)
	server.says(t, "Conducting")
	running := launch(t, append(run, "--data", data)...)
	require.Eventually(t, func() bool {
		return arenaRun(t, "tournament", "show", "spring", "--data", data).code == exitOK
	}, within, time.Millisecond)
	o := arenaRun(t, append(run, "--data", data)...)
	require.Equal(t, exitError, o.code)
	require.Contains(t, o.errOut, "another arena runs this tournament; wait for its end, or stop it; follow it with: arena tournament watch spring --data "+data)
	events := follow(t, data, "spring")
	require.NoError(t, await(events, isPlayed))
	require.Equal(t, exitInterrupted, running.stop(t))
	require.Contains(t, running.errOut.String(), "go on with: arena tournament run "+file)
	require.Contains(t, running.errOut.String(), "goes on with it; hold it by: arena tournament pause spring --data "+data)
	require.NoError(t, await(events, func(e league.Event) bool { return e.Finished != nil }))
	require.Equal(t, whole(t, alone, "spring"), whole(t, data, "spring"))
	require.Equal(t, exitInterrupted, server.stop(t))
}

// TestServeCannot holds what is said when serving or working does not begin.
func TestServeCannot(t *testing.T) {
	data := t.TempDir()
	server := launch(t, plain("serve", "--data", data, "--slots", "0", "--listen", "127.0.0.1:0")...)
	server.says(t, "Tokens are made by: arena token create --data "+data)
	_, address, _ := strings.Cut(server.errOut.String(), "nats://")
	address, _, _ = strings.Cut(address, " ")
	creds := tokenFile(t, data, "--operator")
	twin := launch(t, plain("worker", "--data", data, "--name", "twin")...)
	twin.says(t, "Worker twin plays")
	for args, want := range map[string]outcome{
		"worker --name twin --nats nats://" + address + " --creds " + creds: {code: exitUsage, errOut: "--name twin: there is such a worker already, process "},
		"tournament list --nats nats://" + address + " --creds " + creds:    {code: exitOK, errOut: "There are no tournaments at nats://" + address},
		"worker --nats nats://" + address:                                   {code: exitError, errOut: "it lets in only who has a token"},
		"worker --nats nats://" + address + " --creds " + data:              {code: exitError, errOut: "is a directory"},
		"worker --nats nats://" + address + " --creds none":                 {code: exitError, errOut: "credentials: open none"},
		"worker --nats=":                          {code: exitUsage, errOut: "--nats (or ARENA_NATS) is empty"},
		"worker extra":                            {code: exitUsage, errOut: `arena worker takes no arguments; got "extra"`},
		"worker --slots many":                     {code: exitUsage, errOut: `--slots "many": write a whole number, as in --slots 10`},
		"serve x":                                 {code: exitUsage, errOut: "arena serve takes no arguments"},
		"serve --slots -1":                        {code: exitUsage, errOut: "0 plays nothing here"},
		"serve --store-size 5":                    {code: exitUsage, errOut: "write a whole number and GiB or TiB, as in 500GiB"},
		"serve --store-size 5MiB":                 {code: exitUsage, errOut: "a store can have from 1 GiB to 1024 TiB"},
		"serve --listen 4222":                     {code: exitUsage, errOut: "write host:port, as in 127.0.0.1:4222"},
		"serve --listen 127.0.0.1:x":              {code: exitUsage, errOut: `"x" is no port`},
		"serve --listen example.org:4222":         {code: exitUsage, errOut: "write the host as a number"},
		"serve --listen 0.0.0.0:4222":             {code: exitUsage, errOut: "listen at 127.0.0.1 and let other machines in through a tunnel"},
		"serve --listen [::]:4222":                {code: exitUsage, errOut: "give it a certificate by --tls-cert and --tls-key, or --tls-self"},
		"serve --ws 127.0.0.1:0":                  {code: exitUsage, errOut: "--listen is missing"},
		"serve --listen 127.0.0.1:0 --tls-cert x": {code: exitUsage, errOut: "--tls-cert and --tls-key belong together"},
		"serve --listen 127.0.0.1:0 --tls-self --insecure-plain": {code: exitUsage, errOut: "--insecure-plain contradicts --tls-self"},
		"serve --listen 127.0.0.1:0 --tls-cert x --tls-key y":    {code: exitUsage, errOut: "--tls-cert: open x: no such file"},
		"serve --listen :4222":                                   {code: exitUsage, errOut: "write the host as a number"},
		"serve --listen " + address:                              {code: exitError, errOut: "arena: address " + address + " is taken; choose another port, or end the program that has it"},
		"worker lst":                                             {code: exitUsage, errOut: "did you mean arena worker list?"},
		"worker --slots 0":                                       {code: exitUsage, errOut: "--slots 0: at least 1"},
		"worker --name a,b":                                      {code: exitUsage, errOut: "use 1 to 64 letters"},
		"worker --bots " + data + "/no":                          {code: exitUsage, errOut: "--bots: there is no folder " + data + "/no"},
		"worker":                                                 {code: exitError, errOut: "no arena serves the data folder " + data + "/empty; start one with: arena serve --data " + data + "/empty"},
		"worker --nats nats://127.0.0.1:1":                       {code: exitError, errOut: "connect to NATS at nats://127.0.0.1:1"},
		"worker list --nats nats://127.0.0.1:1":                  {code: exitError, errOut: "check the URL"},
	} {
		t.Run(args, func(t *testing.T) {
			folder := "empty"
			if strings.Contains(args, "nats://127.0.0.1:1") {
				folder = "wrong"
			}
			got := arenaRun(t, append(strings.Fields(args), "--data", filepath.Join(data, folder))...)
			require.Equal(t, want.code, got.code, got.errOut)
			require.Contains(t, got.errOut, want.errOut)
			require.NoDirExists(t, filepath.Join(data, "empty", "replays"))
			require.NoDirExists(t, filepath.Join(data, "wrong"), "a wrong URL makes no data folder")
		})
	}
}
