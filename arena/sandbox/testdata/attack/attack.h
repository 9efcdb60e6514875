// An attack returns 0 when it got what it wanted, or the errno that it was refused with, or SAID when it has printed
// its result itself. What it leaves behind it takes away again.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID -1

struct attack {
	const char *name;
	int (*run)(char **args);
};

// Each ends with an empty name.
extern const struct attack network[], files[], processes[], kernel[], quotas[];

static inline int result(long r) { return r < 0 ? errno : 0; }
