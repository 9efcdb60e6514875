// attack NAME ARGS... runs one attack and prints "ok" or "errno N".
#include "attack.h"

int main(int argc, char **argv) {
	const struct attack *all[] = {network, files, processes, kernel, quotas};
	if (argc < 2) return 2;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (const struct attack *a = all[i]; a->name; a++) {
			if (strcmp(a->name, argv[1])) continue;
			int r = a->run(argv + 2);
			if (r == 0) puts("ok");
			if (r > 0) printf("errno %d\n", r);
			return 0;
		}
	puts("no such attack");
	return 2;
}
