#include "attack.h"
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/swap.h>
#include <sys/time.h>
#include <time.h>

// Namespaces, roots and mounts.

static int in_child(int (*run)(void)) {
	int status;
	pid_t child = fork();
	if (child == 0) _exit(run());
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static int new_user(void) { return result(unshare(CLONE_NEWUSER)); }
static int unshare_user(char **args) { return in_child(new_user); }

static int with_clone(unsigned long flags) {
	long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
	if (child == 0) _exit(0);
	if (child < 0) return errno;
	waitpid(child, NULL, 0);
	return 0;
}
static int clone_user(char **args) { return with_clone(CLONE_NEWUSER); }
// clone-any works if it can have any kind of namespace.
static int clone_any(char **args) {
	unsigned long kinds[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWPID, CLONE_NEWNET};
	int r = 0;
	for (int i = 0; i < 6; i++) if (!(r = with_clone(kinds[i]))) return 0;
	return r;
}

struct clone3_args { unsigned long long flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls; };
static int clone3_user(char **args) {
	struct clone3_args a = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
	long child = syscall(SYS_clone3, &a, sizeof a);
	if (child == 0) _exit(0);
	if (child < 0) return errno;
	waitpid(child, NULL, 0);
	return 0;
}

static int enter(char **args) { return result(setns(open("/proc/self/ns/uts", O_RDONLY), CLONE_NEWUTS)); }
static int mount_new(char **args) {
	char dir[] = "/tmp/attack-XXXXXX";
	if (!mkdtemp(dir)) return errno;
	int r = result(mount("tmpfs", dir, "tmpfs", 0, "size=4k"));
	if (r == 0) umount(dir);
	rmdir(dir);
	return r;
}
// remount DIR makes it writable.
static int remount(char **args) { return result(mount("", args[0], "", MS_REMOUNT | MS_BIND, "")); }
static int unmount(char **args) { return result(umount2(args[0], 0)); }
static int pivot(char **args) { return result(syscall(SYS_pivot_root, ".", ".")); }
static int change_root(char **args) { return result(chroot("/tmp")); }
static int open_tree_at(char **args) { return result(syscall(SYS_open_tree, AT_FDCWD, args[0], 0)); }
static int open_fs(char **args) { return result(syscall(SYS_fsopen, "tmpfs", 0)); }
static int mount_attr(char **args) {
	struct { unsigned long long set, clear, propagation, userns; } a = {.clear = 1};
	return result(syscall(SYS_mount_setattr, AT_FDCWD, args[0], 0, &a, sizeof a));
}
static int handle(char **args) {
	struct file_handle *h = malloc(sizeof *h + MAX_HANDLE_SZ);
	int id;
	h->handle_bytes = MAX_HANDLE_SZ;
	return result(name_to_handle_at(AT_FDCWD, args[0], h, &id, 0));
}

// What namespaces do not cover.

static int keyring(char **args) { return result(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1)); }
static int add_key(char **args) { return result(syscall(SYS_add_key, "user", "attack", "x", 1, KEY_SPEC_PROCESS_KEYRING)); }
static int uring(char **args) {
	struct io_uring_params p = {0};
	return result(syscall(SYS_io_uring_setup, 1, &p));
}
static int bpf_map(char **args) {
	union bpf_attr a = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
	return result(syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof a));
}
static int perf(char **args) {
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = PERF_COUNT_SW_CPU_CLOCK, .exclude_kernel = 1};
	return result(syscall(SYS_perf_event_open, &a, 0, -1, -1, 0));
}
static int faults(char **args) { return result(syscall(SYS_userfaultfd, O_CLOEXEC | 1)); }
static int shm(char **args) {
	int id = shmget(IPC_PRIVATE, 4096, 0600);
	return id < 0 ? errno : result(shmctl(id, IPC_RMID, NULL));
}
static int msg(char **args) {
	int id = msgget(IPC_PRIVATE, 0600);
	return id < 0 ? errno : result(msgctl(id, IPC_RMID, NULL));
}
static int sem(char **args) {
	int id = semget(IPC_PRIVATE, 1, 0600);
	return id < 0 ? errno : result(semctl(id, 0, IPC_RMID));
}
static int mq(char **args) {
	char name[64];
	snprintf(name, sizeof name, "attack-%d", getpid());
	if (syscall(SYS_mq_open, name, O_CREAT | O_RDWR | O_EXCL, 0600, NULL) < 0) return errno;
	return result(syscall(SYS_mq_unlink, name));
}
static int watch(char **args) { return result(inotify_init()); }
static int watch_all(char **args) { return result(fanotify_init(FAN_CLASS_NOTIF | 0x200, 0)); } // FAN_REPORT_FID
static int notify(char **args) {
	int fd = open("/usr", O_RDONLY);
	return fd < 0 ? errno : result(fcntl(fd, F_NOTIFY, DN_ACCESS));
}
static int lease(char **args) {
	char name[64];
	snprintf(name, sizeof name, "/tmp/attack-%d", getpid());
	close(open(name, O_CREAT | O_WRONLY | O_EXCL, 0600));
	int fd = open(name, O_RDONLY);
	unlink(name);
	return fd < 0 ? errno : result(fcntl(fd, F_SETLEASE, F_RDLCK));
}
static int own_signal(char **args) { return result(fcntl(0, F_SETSIG, SIGCONT)); }
static int own_signal_wide(char **args) { return result(syscall(SYS_fcntl, 0, F_SETSIG | 1UL << 32, SIGCONT)); }

// awake asks for a signal that continues what is stopped.
static int awake(char **args) {
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
	timer_t timer;
	return result(timer_create(CLOCK_MONOTONIC, &event, &timer));
}
static int hidden(char **args) { return result(memfd_create("attack", 0)); }
static int locked(char **args) {
	static char page[4096];
	return result(mlock(page, sizeof page));
}

// type pushes a character into its own input. A request has 32 bits for the kernel and 64 in the call.
static int type(char **args) { return result(ioctl(0, TIOCSTI, "x")); }
static int type_wide(char **args) { return result(syscall(SYS_ioctl, 0, 0x100000000L | TIOCSTI, "x")); }

// Other ways into the kernel.

#ifdef __x86_64__
static int int80(char **args) {
	long r;
	__asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory"); // getpid
	return r > 0 ? 0 : -r;
}
static int x32(char **args) { return result(syscall(0x40000000 | SYS_getpid)); }
static int ports(char **args) { return result(iopl(3)); }
#else
static int int80(char **args) { return ENOSYS; }
static int x32(char **args) { return ENOSYS; }
static int ports(char **args) { return ENOSYS; }
#endif
static int list_mounts(char **args) {
	struct { unsigned size, spare; unsigned long long mount, last; } request = {24, 0, ~0ULL, 0};
	unsigned long long ids[1];
	return result(syscall(458, &request, ids, 1, 0));
}
// A call that no kernel has.
static int unknown(char **args) { return result(syscall(511)); }

// The machine. None of these would change anything.

static int persona(char **args) { return result(personality(ADDR_NO_RANDOMIZE)); }
static int reboot_wrong(char **args) { return result(syscall(SYS_reboot, 0, 0, 0, 0)); }
static int set_time(char **args) { return result(syscall(SYS_settimeofday, NULL, NULL)); }
static int set_name(char **args) {
	char name[256];
	gethostname(name, sizeof name);
	return result(sethostname(name, strlen(name)));
}
static int log_size(char **args) { return result(klogctl(10, NULL, 0)); }
static int swap(char **args) { return result(swapon("/no/such/file", 0)); }
static int module(char **args) { return result(syscall(SYS_init_module, NULL, 0, "")); }

const struct attack kernel[] = {
	{"unshare", unshare_user}, {"clone-user", clone_user}, {"clone-any", clone_any}, {"clone3", clone3_user}, {"setns", enter},
	{"mount", mount_new}, {"remount", remount}, {"umount", unmount}, {"pivot_root", pivot}, {"chroot", change_root},
	{"open_tree", open_tree_at}, {"fsopen", open_fs}, {"mount_setattr", mount_attr}, {"handle", handle}, {"keyctl", keyring},
	{"add_key", add_key}, {"io_uring", uring}, {"bpf", bpf_map}, {"perf", perf}, {"userfaultfd", faults}, {"shmget", shm},
	{"msgget", msg}, {"semget", sem}, {"mq_open", mq}, {"inotify", watch}, {"fanotify", watch_all}, {"memfd", hidden},
	{"notify", notify}, {"lease", lease}, {"setsig", own_signal}, {"setsig-wide", own_signal_wide}, {"timer", awake},
	{"mlock", locked}, {"tiocsti", type}, {"tiocsti-wide", type_wide}, {"int80", int80}, {"x32", x32}, {"iopl", ports},
	{"listmount", list_mounts}, {"unknown", unknown}, {"personality", persona}, {"reboot", reboot_wrong}, {"settime", set_time},
	{"hostname", set_name}, {"syslog", log_size}, {"swapon", swap}, {"module", module}, {0},
};
