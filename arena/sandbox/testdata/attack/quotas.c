// Each of these takes a bounded amount and gives it back.
#include "attack.h"
#include <pthread.h>

#define MANY 200

static pid_t children[MANY];

static int start_children(void) {
	int n = 0, r = 0, gate[2];
	char c;
	if (pipe(gate)) return errno;
	for (; n < MANY; n++) {
		children[n] = fork();
		if (children[n] == 0) {
			close(gate[1]);
			read(gate[0], &c, 1); // ends with the parent
			_exit(0);
		}
		if (children[n] < 0) {
			r = errno;
			break;
		}
	}
	return r;
}

static int forks(char **args) {
	int r = start_children();
	for (int i = 0; i < MANY && children[i] > 0; i++) kill(children[i], SIGKILL);
	while (wait(NULL) > 0) {}
	return r;
}

// besiege starts all the children that it can, says so, and keeps them until its input ends.
static int besiege(char **args) {
	char c;
	int r = start_children();
	printf("errno %d\n", r);
	fflush(stdout);
	read(0, &c, 1);
	return SAID;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_gate(void *arg) {
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static int threads(char **args) {
	pthread_t all[MANY];
	pthread_attr_t small;
	int n = 0, r = 0;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_mutex_lock(&gate);
	while (n < MANY && !(r = pthread_create(&all[n], &small, wait_gate, NULL))) n++;
	pthread_mutex_unlock(&gate);
	while (n > 0) pthread_join(all[--n], NULL);
	return r;
}

// memory MIB touches it all.
static int memory(char **args) {
	for (int i = 0; i < atoi(args[0]); i++) {
		char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED) return errno;
		memset(p, 1, 1 << 20);
	}
	return 0;
}

static char block[1 << 20];

// fill DIR MIB, in files of 1 MiB that go when it ends.
static int fill_one(const char *dir, int mib) {
	for (int i = 0; i < mib; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/attack-XXXXXX", dir);
		int fd = mkstemp(path);
		if (fd < 0) return errno;
		unlink(path);
		for (size_t done = 0; done < sizeof block;) {
			ssize_t n = write(fd, block + done, sizeof block - done);
			if (n < 0) return errno;
			done += n;
		}
	}
	return 0;
}
static int fill(char **args) { return fill_one(args[0], atoi(args[1])); }

// quota DIR1 DIR2 MIB fills one and then the other.
static int quota(char **args) {
	int r = fill_one(args[0], atoi(args[2]));
	if (r) return r == ENOSPC ? EIO : r; // one alone has room for so much
	return fill_one(args[1], atoi(args[2]));
}

// inodes DIR N makes so many empty files.
static int inodes(char **args) {
	char path[4096];
	int n = 0, r = 0;
	for (; n < atoi(args[1]) && !r; n++) {
		snprintf(path, sizeof path, "%s/attack-%d", args[0], n);
		int fd = open(path, O_WRONLY | O_CREAT, 0600);
		if (fd < 0) r = errno;
		close(fd);
	}
	while (n-- > 0) {
		snprintf(path, sizeof path, "%s/attack-%d", args[0], n);
		unlink(path);
	}
	return r;
}

// big DIR makes one file large without filling it.
static int big(char **args) {
	char path[4096];
	snprintf(path, sizeof path, "%s/attack-XXXXXX", args[0]);
	int fd = mkstemp(path);
	if (fd < 0) return errno;
	unlink(path);
	signal(SIGXFSZ, SIG_IGN);
	return result(ftruncate(fd, 1 << 30));
}

static int descriptors(char **args) {
	for (int i = 0; i < 400; i++) if (dup(0) < 0) return errno;
	return 0;
}

const struct attack quotas[] = {
	{"forks", forks}, {"besiege", besiege}, {"threads", threads}, {"memory", memory}, {"fill", fill}, {"quota", quota},
	{"inodes", inodes}, {"big", big}, {"flood", descriptors}, {0},
};
