package sandbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

const (
	needsRoot = "needs root"
	setting   = "depends on a setting of the host"
)

func (h *host) attacks() []attack {
	return slices.Concat(h.networkAttacks(), h.readAttacks(), h.writeAttacks(), h.processAttacks(), h.mountAttacks(), kernelAttacks(), quotaAttacks())
}

func (h *host) networkAttacks() []attack {
	return []attack{
		{"TCP to the host", []string{"tcp", "127.0.0.1", h.port}, "ENETUNREACH", "ok", "", ""},
		{"TCP to the world", []string{"tcp", "192.0.2.1", "9"}, "ENETUNREACH", "", "", "a test stays on the machine"},
		{"UDP to the host", []string{"udp", "127.0.0.1", h.port}, "ENETUNREACH", "ok", "", ""},
		{"UDP to a name server", []string{"udp", "192.0.2.1", "53"}, "ENETUNREACH", "", "", "a test stays on the machine"},
		{"socket in a folder", []string{"unix", h.path}, "ENOENT", "ok", "", ""},
		{"abstract socket", []string{"unix", h.name}, "ECONNREFUSED", "ok", "", ""},
		{"socket of virtual machines", []string{"vsock"}, "EPERM", "ok|EAFNOSUPPORT", "", ""},
		{"netlink socket", []string{"netlink"}, "EPERM", "ok", "", ""},
		{"netlink socket, wide family", []string{"wide"}, "EPERM", "ok", "", ""},
		{"pair of netlink sockets", []string{"pair"}, "EPERM|ENOTSUP", "ENOTSUP", "", "the kernel has no such pairs"},
		{"packet socket", []string{"packet"}, "EPERM", "EPERM", "ok", needsRoot},
		{"raw socket", []string{"raw"}, "EPERM", "EPERM", "ok", needsRoot},
		{"crypto socket", []string{"crypto"}, "EPERM", "ok|EAFNOSUPPORT", "", ""},
	}
}

func (h *host) readAttacks() []attack {
	self := fmt.Sprintf("/proc/%d/", os.Getpid())
	victim := fmt.Sprintf("/proc/%d/", h.victim.Process.Pid)
	home, _ := os.UserHomeDir()
	attacks := []attack{
		{"passwords", []string{"read", "/etc/shadow"}, "ENOENT", "EACCES", "ok", needsRoot},
		{"users", []string{"read", "/etc/passwd"}, "ENOENT", "ok", "", ""},
		{"state of the machine", []string{"list", "/var"}, "ENOENT", "ok", "", ""},
		{"home", []string{"list", home}, "ENOENT", "ok", "", ""},
		{"link to passwords", []string{"read", "shadow"}, "ENOENT", "EACCES", "ok", needsRoot},
		{"link out of the folder", []string{"read", "link"}, "ENOENT", "ok", "", ""},
		{"file of the arena", []string{"read", h.secret}, "ENOENT", "ok", "", ""},
		{"another bot", []string{"read", h.other}, "ENOENT", "ok", "", ""},
		{"dots", []string{"escape", "etc/passwd"}, "ENOENT", "ok", "", ""},
		{"root of itself", []string{"read", "/proc/self/root/etc/passwd"}, "ENOENT", "ok", "", ""},
		{"root of the first process", []string{"read", "/proc/1/root/etc/passwd"}, "ENOENT", "EACCES", "ok|EACCES", needsRoot},
		{"environment of the arena", []string{"read", self + "environ"}, "ENOENT", "ok", "", ""},
		{"memory of the arena", []string{"open", self + "mem"}, "ENOENT", "ok", "", ""},
		{"files of the arena", []string{"list", self + "fd"}, "ENOENT", "ok", "", ""},
		{"environment of another", []string{"read", victim + "environ"}, "ENOENT", "ok", "", ""},
		{"settings of the kernel", []string{"read", "/proc/sys/kernel/hostname"}, "ENOENT", "ok", "", ""},
		{"interrupts", []string{"read", "/proc/stat"}, "ENOENT", "ok", "", ""},
		{"memory of the machine", []string{"read", "/proc/kcore"}, "ENOENT", "EACCES|ENOENT|EPERM", "ok|ENOENT|EPERM", needsRoot},
		{"devices of the kernel", []string{"list", "/sys/kernel"}, "ENOENT", "ok", "", ""},
		{"log of the kernel", []string{"open", "/dev/kmsg"}, "ENOENT", "EACCES|ENOENT|EPERM", "ok|ENOENT|EPERM", needsRoot},
		{"terminals", []string{"list", "/dev/pts"}, "ENOENT", "ok|ENOENT", "", ""},
	}
	if os.Geteuid() == 0 {
		attacks = append(attacks, attack{"device in the folder", []string{"read", "device"}, "EACCES", "ok", "", ""})
	}
	return attacks
}

func (h *host) writeAttacks() []attack {
	const closed = "EROFS|EACCES" // the mounts or Landlock, whoever is asked first
	return []attack{
		{"everywhere", []string{"everywhere"}, "/dev/shm /tmp|/tmp /dev/shm", "", "", "it would write everywhere"},
		{"folder", []string{"create", "new"}, closed, "ok", "", ""},
		{"root", []string{"create", "/new"}, closed, "EACCES", "ok", needsRoot},
		{"programs", []string{"create", "/usr/bin/arena-attack"}, closed, "EACCES", "ok", needsRoot},
		{"devices", []string{"create", "/dev/new"}, closed, "EACCES", "ok", needsRoot},
		{"processes", []string{"poke", "/proc/self/oom_score_adj", "1000"}, closed, "ok", "", ""},
		{"public folder", []string{"create", h.public + "/new"}, "ENOENT", "ok", "", ""},
		{"own code", []string{"open", "file"}, closed, "ok", "", ""},
		{"own program", []string{"open", "/proc/self/exe"}, "ETXTBSY|EROFS|EACCES", "ETXTBSY", "", "the kernel does not write to what runs"},
		{"truncate", []string{"truncate", "file"}, closed, "ok", "", ""},
		{"chmod", []string{"chmod", "."}, "EROFS", "ok", "", ""},
		{"chown", []string{"chown", "file"}, "EROFS", "ok", "", ""},
		{"utimes", []string{"utimes", "file"}, "EROFS", "ok", "", ""},
		{"attribute", []string{"setxattr", "file"}, "EROFS", "ok|ENOTSUP", "", setting},
		{"mkdir", []string{"mkdir", "new"}, closed, "ok", "", ""},
		{"symlink", []string{"symlink", "new"}, closed, "ok", "", ""},
		{"fifo", []string{"mkfifo", "new"}, closed, "ok", "", ""},
		{"rename", []string{"rename", "file", "new"}, "EROFS|EACCES|EXDEV", "ok", "", ""},
		{"rename the mount", []string{"rename", h.bot, filepath.Dir(h.bot) + "/new"}, "EBUSY|EXDEV|EACCES", "ok", "", ""},
		{"hard link in the folder", []string{"hardlink", "file", "new"}, "EROFS|EACCES|EXDEV", "ok", "", ""},
		{"hard link to the scratch", []string{"hardlink", "file", filepath.Dir(h.bot) + "/new"}, "EXDEV", "ok", "", ""},
		{"device node", []string{"device", "/tmp/attack-device"}, "EPERM|EACCES", "EPERM", "ok", needsRoot},
	}
}

func (h *host) processAttacks() []attack {
	arena, victim := strconv.Itoa(os.Getpid()), strconv.Itoa(h.victim.Process.Pid)
	attacks := []attack{
		{"signal to the arena", []string{"exists", arena}, "ESRCH", "ok", "", ""},
		{"signal to another", []string{"exists", victim}, "ESRCH", "ok", "", ""},
		{"signal to the parent", []string{"parent"}, "ESRCH", "ok", "", ""},
		{"signal to everybody", []string{"everyone"}, "ESRCH", "", "", "it would kill the test"},
		{"handle of the arena", []string{"hold", arena}, "ESRCH|EINVAL", "ok", "", ""},
		{"list of processes", []string{"others"}, "ESRCH", "ok", "", ""},
		{"ptrace me", []string{"traceme"}, "EPERM", "ok", "", ""},
		{"ptrace a child", []string{"attach"}, "EPERM", "ok", "", ""},
		{"read memory of a child", []string{"readv"}, "EPERM", "ok", "", ""},
		{"write memory of a child", []string{"writev"}, "EPERM", "ok", "", ""},
		{"read memory of the arena", []string{"steal", arena}, "EPERM", "ok|EPERM", "", setting + " (yama)"},
		{"compare", []string{"kcmp"}, "EPERM", "ok|EPERM|ENOSYS", "", setting},
		{"file of a child", []string{"getfd"}, "EPERM", "ok", "", ""},
		{"higher priority", []string{"nicer"}, "EPERM", "EACCES", "ok", needsRoot},
		{"lower priority", []string{"nice"}, "EPERM", "ok", "", ""},
		{"real time", []string{"fifo"}, "EPERM", "EPERM", "ok|EPERM", needsRoot},
		{"scheduler", []string{"batch"}, "EPERM", "ok", "", ""},
		{"disk priority", []string{"ioprio"}, "EPERM", "ok", "", ""},
		{"become root", []string{"root"}, "EPERM|EINVAL", "EPERM", "ok", needsRoot},
		{"groups", []string{"groups"}, "EPERM", "EPERM", "ok", needsRoot},
		{"raise a limit", []string{"limits"}, "EPERM", "EPERM", "ok|EPERM", needsRoot},
		{"core dump", []string{"core"}, "EPERM", "ok|EPERM", "ok", setting + " (hard limit)"},
		{"inherited files", []string{"descriptors"}, "0 1 2", "0 1 2", "", "the launcher gives none; see TestInheritsNothing"},
	}
	if h.setuid != "" {
		attacks = append(attacks, attack{"program of root", []string{"setuid", h.setuid}, "EPERM", "ok", "", ""})
	}
	return attacks
}

func (h *host) mountAttacks() []attack {
	const known = "a reading call that is always allowed"
	return []attack{
		{"unshare user", []string{"unshare"}, "EPERM", "ok|EPERM|ENOSPC", "", setting},
		{"clone user", []string{"clone-user"}, "EPERM", "ok|EPERM|ENOSPC", "", setting},
		{"clone any", []string{"clone-any"}, "EPERM", "EPERM", "ok", needsRoot},
		{"clone3 user", []string{"clone3"}, "ENOSYS", "ok|EPERM|ENOSPC", "", setting},
		{"setns", []string{"setns"}, "EPERM", "EPERM", "ok", needsRoot},
		{"mount", []string{"mount"}, "EPERM", "EPERM", "ok", needsRoot},
		{"remount", []string{"remount", h.bot}, "EPERM", "EPERM", "EINVAL", "the folder is no mount outside"},
		{"unmount the folder", []string{"umount", h.bot}, "EPERM", "EPERM", "EINVAL", "the folder is no mount outside"},
		{"pivot_root", []string{"pivot_root"}, "EPERM", "EPERM", "EINVAL|EBUSY", "the folder is no mount outside"},
		{"chroot", []string{"chroot"}, "EPERM", "EPERM", "ok", needsRoot},
		{"open_tree", []string{"open_tree", "/"}, "EPERM", "ok", "", known},
		{"fsopen", []string{"fsopen"}, "EPERM", "EPERM", "ok", needsRoot},
		{"mount_setattr", []string{"mount_setattr", h.bot}, "EPERM", "EPERM", "EINVAL", "the folder is no mount outside"},
		{"file handle", []string{"handle", h.bot}, "EPERM", "ok|ENOTSUP", "", setting + " (file system)"},
		{"list of mounts", []string{"listmount"}, "EPERM|ENOSYS", "ok|ENOSYS", "", "the kernel may be older"},
		{"unknown call", []string{"unknown"}, "ENOSYS", "ENOSYS", "", "there is none"},
	}
}

func kernelAttacks() []attack {
	return []attack{
		{"key ring", []string{"keyctl"}, "EPERM", "ok", "", ""},
		{"add_key", []string{"add_key"}, "EPERM", "ok", "", ""},
		{"io_uring", []string{"io_uring"}, "EPERM", "ok|EPERM|ENOSYS", "", setting},
		{"bpf", []string{"bpf"}, "EPERM", "ok|EPERM", "ok|EPERM", setting},
		{"perf", []string{"perf"}, "EPERM", "ok|EACCES|EPERM", "ok|EPERM", setting},
		{"userfaultfd", []string{"userfaultfd"}, "EPERM", "ok|EPERM|ENOSYS", "", setting},
		{"shared memory", []string{"shmget"}, "EPERM", "ok", "", ""},
		{"message queue", []string{"msgget"}, "EPERM", "ok", "", ""},
		{"semaphore", []string{"semget"}, "EPERM", "ok", "", ""},
		{"POSIX message queue", []string{"mq_open"}, "EPERM", "ok|ENOSYS", "", ""},
		{"inotify", []string{"inotify"}, "EPERM", "ok", "", ""},
		{"fanotify", []string{"fanotify"}, "EPERM", "ok|EPERM|ENOSYS", "", setting},
		{"word of what others read", []string{"notify"}, "EPERM", "ok", "", ""},
		{"word of what others open", []string{"lease"}, "EPERM", "ok", "", ""},
		{"signals of pipes", []string{"setsig"}, "EPERM", "ok", "", ""},
		{"signals of pipes, wide", []string{"setsig-wide"}, "EPERM", "ok", "", ""},
		{"signals of timers", []string{"timer"}, "EPERM", "ok", "", ""},
		{"hidden memory", []string{"memfd"}, "EPERM", "ok", "", ""},
		{"locked memory", []string{"mlock"}, "EPERM", "ok", "", ""},
		{"type into the terminal", []string{"tiocsti"}, "EPERM", "ENOTTY", "", "there is no terminal"},
		{"type into the terminal, wide", []string{"tiocsti-wide"}, "EPERM", "ENOTTY", "", "there is no terminal"},
		{"32-bit call", []string{"int80"}, onlyAMD64("signal: bad system call|signal: segmentation fault"), "ok|signal: segmentation fault|ENOSYS", "", setting},
		{"x32 call", []string{"x32"}, "ENOSYS", "ok|ENOSYS", "", setting},
		{"ports", []string{"iopl"}, onlyAMD64("EPERM"), "EPERM|ENOSYS", "ok|ENOSYS", needsRoot},
		{"personality", []string{"personality"}, "EPERM", "ok", "", ""},
		{"reboot", []string{"reboot"}, "EPERM", "EPERM", "EINVAL", "the call is wrong on purpose"},
		{"time", []string{"settime"}, "EPERM", "EPERM", "ok", needsRoot},
		{"name of the host", []string{"hostname"}, "EPERM", "EPERM", "ok", needsRoot},
		{"log size", []string{"syslog"}, "EPERM", "ok|EPERM", "ok", setting},
		{"swap", []string{"swapon"}, "EPERM", "EPERM", "ENOENT", "the file is missing on purpose"},
		{"module", []string{"module"}, "EPERM", "EPERM|ENOSYS", "ENOEXEC|EFAULT|EINVAL|ENOSYS", "the module is empty on purpose"},
	}
}

func quotaAttacks() []attack {
	return []attack{
		{"processes", []string{"forks"}, "EAGAIN", "ok", "", ""},
		{"threads", []string{"threads"}, "EAGAIN", "ok", "", ""},
		{"memory", []string{"memory", "128"}, "ENOMEM", "ok", "", ""},
		{"scratch", []string{"fill", "/tmp", "12"}, "ENOSPC", "ok", "", ""},
		{"shared memory files", []string{"fill", "/dev/shm", "12"}, "ENOSPC", "ok", "", ""},
		{"one quota for both", []string{"quota", "/tmp", "/dev/shm", "5"}, "ENOSPC", "ok", "", ""},
		{"one file", []string{"big", "/tmp"}, "EFBIG", "ok", "", ""},
		{"empty files", []string{"inodes", "/tmp", "5000"}, "ENOSPC", "ok", "", ""},
		{"open files", []string{"flood"}, "EMFILE", "ok", "", ""},
	}
}
