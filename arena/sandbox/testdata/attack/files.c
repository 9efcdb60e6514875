#include "attack.h"
#include <dirent.h>
#include <ftw.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/xattr.h>

// read PATH reads a byte.
static int read_file(char **args) {
	char c;
	int fd = open(args[0], O_RDONLY | O_NONBLOCK);
	if (fd < 0) return errno;
	return result(read(fd, &c, 1));
}

// list PATH lists a folder.
static int list(char **args) {
	DIR *d = opendir(args[0]);
	return d ? 0 : errno;
}

// escape PATH goes up as far as it can and reads from there.
static int escape(char **args) {
	for (int i = 0; i < 64; i++) if (chdir("..")) return errno;
	return read_file(args);
}

// open PATH opens an existing file for writing.
static int open_file(char **args) { return result(open(args[0], O_WRONLY | O_NONBLOCK)); }

// poke PATH TEXT writes into an existing file.
static int poke(char **args) {
	int fd = open(args[0], O_WRONLY);
	if (fd < 0) return errno;
	return result(write(fd, args[1], strlen(args[1])));
}

// create PATH makes a file.
static int create(char **args) {
	int fd = open(args[0], O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0) return errno;
	return result(unlink(args[0]));
}

static int make_dir(char **args) { return mkdir(args[0], 0700) ? errno : result(rmdir(args[0])); }
static int make_link(char **args) { return symlink("/etc", args[0]) ? errno : result(unlink(args[0])); }
static int make_fifo(char **args) { return mkfifo(args[0], 0600) ? errno : result(unlink(args[0])); }
static int truncate_file(char **args) { return result(truncate(args[0], 0)); }
static int open_mode(char **args) { return result(chmod(args[0], 0777)); }
static int set_times(char **args) { return result(utimes(args[0], NULL)); }
static int set_xattr(char **args) { return result(setxattr(args[0], "user.attack", "x", 1, 0)); }
static int own(char **args) { return result(chown(args[0], getuid(), getgid())); }

// move PATH NEW and back.
static int move(char **args) { return rename(args[0], args[1]) ? errno : result(rename(args[1], args[0])); }

// hardlink PATH NEW.
static int hard_link(char **args) { return link(args[0], args[1]) ? errno : result(unlink(args[1])); }

// device PATH makes a node of the memory of the machine.
static int device(char **args) { return mknod(args[0], S_IFCHR | 0600, makedev(1, 1)) ? errno : result(unlink(args[0])); }

static int try_folder(const char *path, const struct stat *s, int type, struct FTW *w) {
	char name[4096];
	if (type != FTW_D) return FTW_CONTINUE;
	if (w->level > 3) return FTW_SKIP_SUBTREE;
	snprintf(name, sizeof name, "%s/attack", path);
	int fd = open(name, O_WRONLY | O_CREAT, 0600);
	if (fd >= 0) {
		printf("%s ", path);
		close(fd);
		unlink(name);
		return FTW_SKIP_SUBTREE;
	}
	return FTW_CONTINUE;
}

// everywhere says in which of all folders it could write.
static int everywhere(char **args) {
	nftw("/", try_folder, 32, FTW_PHYS | FTW_ACTIONRETVAL);
	puts("");
	return SAID;
}

const struct attack files[] = {
	{"read", read_file}, {"list", list}, {"escape", escape}, {"open", open_file}, {"poke", poke}, {"create", create},
	{"mkdir", make_dir}, {"symlink", make_link}, {"mkfifo", make_fifo}, {"truncate", truncate_file}, {"chmod", open_mode},
	{"utimes", set_times}, {"setxattr", set_xattr}, {"chown", own}, {"rename", move}, {"hardlink", hard_link},
	{"device", device}, {"everywhere", everywhere}, {0},
};
