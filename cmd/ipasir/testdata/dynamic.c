/* dynamic.c: loads the library of the argument, uses it and closes it, three times. */
#include <dlfcn.h>
#include <stdio.h>

static void *find(void *library, const char *name) {
	void *f = dlsym(library, name);
	if (!f)
		printf("no %s\n", name);
	return f;
}

int main(int argc, char **argv) {
	for (int i = 0; argc == 2 && i < 3; i++) {
		void *(*init)(void);
		int (*solve)(void *);
		void (*release)(void *);
		void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
		if (!library) {
			puts(dlerror());
			return 1;
		}
		*(void **)&init = find(library, "ipasir_init");
		*(void **)&solve = find(library, "ipasir_solve");
		*(void **)&release = find(library, "ipasir_release");
		void *s = init();
		printf("%d\n", solve(s));
		release(s);
		if (dlclose(library))
			return 1;
	}
	return 0;
}
