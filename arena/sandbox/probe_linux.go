package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unsafe"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// try builds a cage and takes it down again, so that what this machine refuses is known before the first bot.
func (l *Launcher) try() error {
	ours, theirs, err := pipes()
	if err != nil {
		return err
	}
	defer closeAll(ours)
	proc, pen, err := l.startCaged("", Spec{}, 0, theirs, []string{markName + "=" + l.id + ".0"})
	closeAll(theirs)
	if errors.Is(err, unix.ENOSPC) {
		err = fmt.Errorf("there can be no more user namespaces: %w", err)
	}
	if err != nil {
		return l.refusal(err)
	}
	_, err = proc.Wait()
	return errors.Join(err, pen.remove())
}

// refusal also looks at the parts that do not depend on what failed. Without namespaces a process does not even start.
func (l *Launcher) refusal(cause error) *NotConfinedError {
	failed := Feature{Name: "confinement", State: "its trial failed: " + cause.Error(), Remedy: remedy()}
	if start, ok := errors.AsType[*fs.PathError](cause); ok && start.Op == "fork/exec" {
		failed.Name = "namespaces"
	}
	return &NotConfinedError{Cause: cause, Remedy: failed.Remedy, Parts: append([]Feature{failed}, l.others()...)}
}

// remedy looks for the setting that keeps user namespaces away.
func remedy() string {
	switch {
	case setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1"
	case setting("/proc/sys/user/max_user_namespaces") == "0":
		return "allow user namespaces: sysctl -w user.max_user_namespaces=15000"
	case setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "load the AppArmor profile that comes with the arena (packaging/apparmor/arena), or: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
	case kernelBefore(5, 14):
		return "use Linux 5.14 or later"
	default:
		return "in a container, allow user namespaces and mounts (as with --security-opt seccomp=unconfined), or run the arena on the host"
	}
}

func setting(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func kernelBefore(major, minor int) bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	var a, b int
	if n, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &a, &b); n < 2 || err != nil {
		return false
	}
	return a < major || a == major && b < minor
}

// Probe says which parts of the confinement hold here.
func (l *Launcher) Probe() Report {
	if !l.Confines() {
		return Report{Parts: []Feature{{Name: "confinement", State: "off", Remedy: "leave out --unsafe-no-sandbox"}}}
	}
	namespaces := Feature{Name: "namespaces", State: "user, mount, process, network, IPC, host name, cgroup", Active: true}
	return Report{Confined: true, Parts: append([]Feature{namespaces}, l.others()...)}
}

// others are all parts but the namespaces.
func (l *Launcher) others() []Feature {
	return append([]Feature{systemCalls(), users(), files()}, l.Means().features()...)
}

// systemCalls asks whether the kernel can kill a process for a call that the filter does not let through.
func systemCalls() Feature {
	const getActionAvail = 2 // SECCOMP_GET_ACTION_AVAIL of linux/seccomp.h
	action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, getActionAvail, 0, uintptr(unsafe.Pointer(&action))) //nolint:gosec // the kernel reads one word
	if errno != 0 {
		return Feature{Name: "system calls", State: "cannot be filtered: seccomp: " + errno.Error(), Remedy: "boot a kernel with CONFIG_SECCOMP_FILTER"}
	}
	return Feature{Name: "system calls", State: "filtered by seccomp", Active: true}
}

// features tells what limits each means keeps, and where a better one would come from.
func (m Means) features() []Feature {
	const delegate = "let the arena write to cgroups: run it as root, or under systemd with Delegate=yes"
	feature := func(name, state string, weak bool) Feature {
		f := Feature{Name: name, State: "by " + state, Active: true}
		if weak {
			f.Remedy = delegate
		}
		return f
	}
	cpu := feature("processor", m.CPU, false)
	if m.CPU == meansNone {
		cpu = Feature{Name: "processor", State: "shares are not limited", Remedy: delegate}
	}
	return []Feature{
		feature("memory", m.Memory, m.Memory == meansWatcher),
		feature("processes", m.Processes, m.Processes == meansRlimit),
		cpu,
		feature("freezing", m.Freeze, m.Freeze == meansSignals),
	}
}

func users() Feature {
	if mayChooseUser() {
		return Feature{Name: "users", State: "each bot is a user of its own", Active: true}
	}
	return Feature{
		Name: "users", State: "all bots are the user that runs the arena, kept apart by their namespaces", Active: true,
	}
}

func files() Feature {
	abi, err := landlock.LandlockGetABIVersion()
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) || abi < 1 {
		return Feature{
			Name: "files", State: "read-only mounts, without Landlock behind them",
			Remedy: "boot a kernel with Landlock, with landlock in its lsm= list",
		}
	}
	return Feature{Name: "files", State: fmt.Sprintf("read-only mounts, and Landlock %d behind them", abi), Active: true}
}
