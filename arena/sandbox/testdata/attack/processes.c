#include "attack.h"
#include <dirent.h>
#include <grp.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

// A child that waits until its parent is gone.
static pid_t idle_child(void) {
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		char c;
		int p[2];
		if (pipe(p) == 0 && getppid() == parent) read(p[0], &c, 1);
		_exit(0);
	}
	return child;
}

static int bury(pid_t child, int r) {
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return r;
}

// exists PID sends no signal, but asks whether it could.
static int exists(char **args) { return result(kill(atoi(args[0]), 0)); }
static int hold(char **args) { return result(syscall(SYS_pidfd_open, atoi(args[0]), 0)); }

// everyone kills all that it may.
static int everyone(char **args) { return result(kill(-1, SIGKILL)); }

static int parent(char **args) { return getppid() == 0 ? ESRCH : result(kill(getppid(), 0)); }

// others looks for processes other than itself.
static int others(char **args) {
	DIR *d = opendir("/proc");
	if (!d) return errno;
	for (struct dirent *e; (e = readdir(d));)
		if (atoi(e->d_name) > 0 && atoi(e->d_name) != getpid()) return 0;
	return ESRCH;
}

static int trace_me(char **args) {
	int status;
	pid_t child = fork();
	if (child == 0) _exit(result(ptrace(PTRACE_TRACEME, 0, 0, 0)));
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static int attach(char **args) {
	pid_t child = idle_child();
	return bury(child, result(ptrace(PTRACE_SEIZE, child, 0, 0)));
}

static int read_memory(char **args) {
	char there = 'x', here;
	struct iovec local = {&here, 1}, remote = {&there, 1};
	pid_t child = idle_child();
	return bury(child, result(process_vm_readv(child, &local, 1, &remote, 1, 0)));
}

static int write_memory(char **args) {
	char there, here = 'x';
	struct iovec local = {&here, 1}, remote = {&there, 1};
	pid_t child = idle_child();
	return bury(child, result(process_vm_writev(child, &local, 1, &remote, 1, 0)));
}

// steal PID reads the memory of a process.
static int steal(char **args) {
	char here;
	struct iovec local = {&here, 1}, remote = {(void *)&steal, 1};
	long r = process_vm_readv(atoi(args[0]), &local, 1, &remote, 1, 0);
	return r < 0 && errno == EFAULT ? 0 : result(r); // it may look, only not there
}

static int compare(char **args) { return result(syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, 0, 1)); }

static int take_file(char **args) {
	pid_t child = idle_child();
	int fd = syscall(SYS_pidfd_open, child, 0);
	return bury(child, result(syscall(SYS_pidfd_getfd, fd, 0, 0)));
}

static int nicer(char **args) { return result(setpriority(PRIO_PROCESS, 0, -5)); }
static int nice_to_others(char **args) { return result(setpriority(PRIO_PROCESS, 0, 1)); }
static int real_time(char **args) {
	struct sched_param p = {.sched_priority = 1};
	return result(sched_setscheduler(0, SCHED_FIFO, &p));
}
static int batch(char **args) {
	struct sched_param p = {0};
	return result(sched_setscheduler(0, SCHED_BATCH, &p));
}
static int disk_priority(char **args) { return result(syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4)); }

static int become_root(char **args) { return result(setuid(0)); }
static int join_groups(char **args) {
	gid_t groups[] = {0};
	return result(setgroups(1, groups));
}

// limits raises one beyond what it was given.
static int raise_limit(char **args) {
	struct rlimit l;
	getrlimit(RLIMIT_NOFILE, &l);
	l.rlim_max++;
	return result(setrlimit(RLIMIT_NOFILE, &l));
}

static int core(char **args) {
	struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	return result(setrlimit(RLIMIT_CORE, &all));
}

// setuid PROGRAM runs it and looks whom it runs as, before it has done anything.
static int set_user(char **args) {
	int in[2], loaded[2];
	unsigned real = getuid(), effective = getuid();
	char path[64], line[256], c;
	if (pipe(in) || pipe2(loaded, O_CLOEXEC)) return errno;
	pid_t child = fork();
	if (child == 0) {
		dup2(in[0], 0);
		close(1);
		close(2);
		execl(args[0], args[0], NULL);
		_exit(127);
	}
	close(loaded[1]);
	read(loaded[0], &c, 1); // ends when the program is loaded
	snprintf(path, sizeof path, "/proc/%d/status", child);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) sscanf(line, "Uid: %u %u", &real, &effective);
	return bury(child, effective == 0 ? 0 : EPERM);
}

// stop stops itself.
static int stop(char **args) {
	raise(SIGSTOP);
	return EPERM;
}

static int descriptors(char **args) {
	for (int fd = 0; fd < 1024; fd++) if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd);
	puts("");
	return SAID;
}

static int environment(char **args) {
	for (char **e = environ; *e; e++) puts(*e);
	return SAID;
}

// echo is no attack, but the smallest bot.
static int echo(char **args) {
	char buf[4096];
	ssize_t n;
	while ((n = read(0, buf, sizeof buf)) > 0) write(1, buf, n);
	return SAID;
}

const struct attack processes[] = {
	{"exists", exists}, {"hold", hold}, {"everyone", everyone}, {"parent", parent}, {"others", others}, {"traceme", trace_me},
	{"attach", attach}, {"readv", read_memory}, {"writev", write_memory}, {"steal", steal}, {"kcmp", compare},
	{"getfd", take_file}, {"nicer", nicer}, {"nice", nice_to_others}, {"fifo", real_time}, {"batch", batch},
	{"ioprio", disk_priority}, {"root", become_root}, {"groups", join_groups}, {"limits", raise_limit}, {"core", core},
	{"setuid", set_user}, {"stop", stop}, {"descriptors", descriptors}, {"environment", environment}, {"echo", echo}, {0},
};
