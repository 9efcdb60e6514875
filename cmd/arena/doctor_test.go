package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

type sandboxed struct{ Sandbox sandbox.Report }

func TestDoctor(t *testing.T) {
	needLinux(t)
	text := succeed(t, "doctor")
	for _, part := range []string{"namespaces", "system calls", "users", "files", "memory", "processes", "processor", "freezing"} {
		require.Contains(t, text, part)
	}
	var doctor, version sandboxed
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "doctor", "--json")), &doctor))
	require.True(t, doctor.Sandbox.Confined)
	require.NoError(t, json.Unmarshal([]byte(succeed(t, "version", "--json")), &version))
	require.Equal(t, doctor, version)
	require.Contains(t, succeed(t, "doctor", "--help"), "Exit codes: 0 bots are confined")
}

// withoutNamespaces runs a command as it would run on a machine that lets nobody make namespaces.
func withoutNamespaces(t *testing.T, args ...string) outcome {
	t.Helper()
	needLinux(t)
	unshare, err := exec.LookPath("unshare")
	require.NoError(t, err, "it is part of util-linux")
	cmd := command(t, args...)
	cmd.Path = unshare
	cmd.Args = append([]string{
		unshare, "--user", "--map-root-user", "--mount", "sh", "-c", `echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$@"`,
	}, cmd.Args...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return outcome{code: cmd.ProcessState.ExitCode(), out: out.String(), errOut: errOut.String()}
}

// TestRefusesWithoutConfinement requires a refusal that says what to do.
func TestRefusesWithoutConfinement(t *testing.T) {
	args := strings.Fields("match greedy random --no-replays -q --deals 1")
	o := withoutNamespaces(t, args...)
	require.Equal(t, exitError, o.code, o.errOut)
	require.Contains(t, o.errOut, "sysctl -w user.max_user_namespaces=")
	require.Contains(t, o.errOut, "see arena doctor, or run bots that you trust with --unsafe-no-sandbox")
	o = withoutNamespaces(t, append(args, "--unsafe-no-sandbox")...)
	require.Equal(t, exitOK, o.code, o.errOut)
}

// TestDoctorOfSickMachine requires that the command finds what the others complain of.
func TestDoctorOfSickMachine(t *testing.T) {
	o := withoutNamespaces(t, "doctor")
	require.Equal(t, exitError, o.code, o.errOut)
	require.True(t, strings.HasPrefix(o.out, "MISSING  namespaces    its trial failed: there can be no more user namespaces: fork/exec "+standIn+": no space left on device\n"+
		"         to mend it:   allow user namespaces: sysctl -w user.max_user_namespaces=15000\n"), o.out)
	require.Contains(t, o.out, "\nok       system calls  filtered by seccomp\n")
	for _, part := range []string{"users", "files", "memory", "processes", "processor", "freezing"} {
		require.Regexp(t, "\n(ok     |MISSING)  "+part+" ", o.out, "the parts that do not depend on it are told, too")
	}
	require.Equal(t, "arena: bots cannot be confined on this machine as it is; mend it, or run bots that you trust with --unsafe-no-sandbox\n", o.errOut)

	o = withoutNamespaces(t, "doctor", "--json")
	require.Equal(t, exitError, o.code, o.errOut)
	var doctor, version sandboxed
	require.NoError(t, json.Unmarshal([]byte(o.out), &doctor))
	require.False(t, doctor.Sandbox.Confined)
	require.Equal(t, sandbox.Feature{
		Name:   "namespaces",
		State:  "its trial failed: there can be no more user namespaces: fork/exec " + standIn + ": no space left on device",
		Remedy: "allow user namespaces: sysctl -w user.max_user_namespaces=15000",
	}, doctor.Sandbox.Parts[0])
	require.Len(t, doctor.Sandbox.Parts, 8)

	o = withoutNamespaces(t, "version", "--json")
	require.Equal(t, exitOK, o.code, o.errOut)
	require.NoError(t, json.Unmarshal([]byte(o.out), &version))
	require.Equal(t, doctor, version)
}
