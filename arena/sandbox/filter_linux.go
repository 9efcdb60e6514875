package sandbox

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// tiocLinux is the request by which one pastes into a console.
const tiocLinux = 0x541c

// filter closes the system calls that no bot needs and that reach what namespaces do not cover. It is a program of seccomp(2).
func filter() ([]byte, error) {
	policy := seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls: []seccomp.SyscallGroup{
			{Names: known(refused()), Action: seccomp.ActionErrno | seccomp.Action(unix.EPERM)},
			// Their flags lie behind a pointer, so they cannot be looked at; libraries fall back to clone.
			{Names: known([]string{"clone3", "openat2"}), Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)},
			{NamesWithCondtions: conditions(), Action: seccomp.ActionErrno | seccomp.Action(unix.EPERM)},
		},
	}
	instructions, err := policy.Assemble()
	if err != nil {
		return nil, fmt.Errorf("assemble: %w", err)
	}
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	raw, err := bpf.Assemble(append(prelude(info), instructions...))
	if err != nil {
		return nil, err
	}
	var program []byte
	for _, r := range raw {
		if program, err = binary.Append(program, binary.NativeEndian, unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}); err != nil {
			return nil, err
		}
	}
	return program, nil
}

// prelude stands before the assembler's program, which lets through calls of a foreign architecture and those that it does
// not know, and compares 64 bits where the kernel looks at 32.
func prelude(info *arch.Info) []bpf.Instruction {
	const number, architecture = 0, 4 // offsets in struct seccomp_data
	newest := slices.Max(slices.Collect(maps.Keys(info.SyscallNumbers)))
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: architecture, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS},
		bpf.LoadAbsolute{Off: number, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: uint32(newest), SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)}, // beyond the table
	}
	for _, r := range requests() {
		program = append(
			program,
			bpf.LoadAbsolute{Off: number, Size: 4},
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: r.call, SkipTrue: 3},
			bpf.LoadAbsolute{Off: lowHalf(r.argument), Size: 4},
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: r.value, SkipTrue: 1},
			bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		)
	}
	return program
}

// lowHalf is the offset of the 32 bits of an argument at which the kernel looks.
func lowHalf(argument uint32) uint32 {
	offset := 16 + 8*argument
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		offset += 4
	}
	return offset
}

// request is a value of an argument with which a call is refused.
type request struct{ call, argument, value uint32 }

func requests() []request {
	return []request{
		// typing for others
		{unix.SYS_IOCTL, 1, unix.TIOCSTI},
		{unix.SYS_IOCTL, 1, tiocLinux},
		// the signal that ends a bot with the arena
		{unix.SYS_PRCTL, 0, unix.PR_SET_PDEATHSIG},
		// signals from the kernel: one that continues what was stopped is the end of a freeze, and others tell what somebody else reads
		{unix.SYS_FCNTL, 1, unix.F_SETSIG},
		{unix.SYS_FCNTL, 1, unix.F_NOTIFY},
		{unix.SYS_FCNTL, 1, unix.F_SETLEASE},
	}
}

// known leaves out what this architecture does not have.
func known(names []string) []string {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil
	}
	var out []string
	for _, name := range names {
		if _, ok := info.SyscallNames[name]; ok {
			out = append(out, name)
		}
	}
	return out
}

func refused() []string {
	return []string{
		// other processes and their memory
		"ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise",
		// namespaces, roots and mounts
		"unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount",
		"fspick", "mount_setattr", "open_tree_attr", "statmount", "listmount", "name_to_handle_at",
		"open_by_handle_at", "quotactl", "quotactl_fd", "fanotify_init",
		// what the kernel keeps outside of namespaces
		"keyctl", "add_key", "request_key", "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
		"userfaultfd", "shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semctl", "semtimedop",
		"mq_open", "memfd_secret", "vmsplice",
		// what counts against the user of the arena, or is memory of no process
		"inotify_init", "inotify_init1", "memfd_create",
		// the machine
		"reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "swapon", "swapoff", "acct",
		"settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "syslog", "sethostname", "setdomainname", "iopl", "ioperm",
		"modify_ldt", "personality", "lookup_dcookie", "nfsservctl", "vhangup", "ustat", "uselib", "sysfs", "_sysctl",
		// timers that send any signal, as said of fcntl above; those of setitimer and timerfd stay
		"timer_create",
		// a larger share of it
		"sched_setscheduler", "sched_setattr", "sched_setparam", "setpriority", "ioprio_set", "mbind", "set_mempolicy", "migrate_pages",
		"move_pages", "mlock", "mlock2", "mlockall",
	}
}

func conditions() []seccomp.NameWithConditions {
	var out []seccomp.NameWithConditions
	for _, flag := range []uint64{
		unix.CLONE_NEWNS, unix.CLONE_NEWCGROUP, unix.CLONE_NEWUTS, unix.CLONE_NEWIPC, unix.CLONE_NEWUSER, unix.CLONE_NEWPID, unix.CLONE_NEWNET,
	} {
		out = append(out, seccomp.NameWithConditions{Name: "clone", Conditions: []seccomp.Condition{
			{Argument: 0, Operation: seccomp.BitsSet, Value: flag},
		}})
	}
	// A pair of connected sockets is all that runtimes need between their own processes.
	out = append(out,
		seccomp.NameWithConditions{Name: "socket", Conditions: []seccomp.Condition{
			{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_UNIX},
			{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_INET},
			{Argument: 0, Operation: seccomp.NotEqual, Value: unix.AF_INET6},
		}},
	)
	return out
}
