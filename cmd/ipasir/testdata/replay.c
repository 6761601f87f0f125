/* replay.c: reads calls from the standard input and prints the answers.
 *
 *   n          replace the solver by a new one
 *   a 1 -2 0   add a clause
 *   s 3 0      solve under assumptions; prints the code, then the value of each variable
 *              so far, or the failed assumptions, and 0
 *
 * The argument 1 or 2 chooses IPASIR or IPASIR-2. */
#include <stdio.h>
#include <stdlib.h>

#include "ipasir.h"
#include "ipasir2.h"

static int two;
static int32_t vars;
static int32_t lits[1000];

static void must(int code, const char *call) {
	if (code) {
		fprintf(stderr, "%s returned %d\n", call, code);
		exit(1);
	}
}
#define MUST(call) must(call, #call)

static void *create(void) {
	void *s = NULL;
	if (!two)
		return ipasir_init();
	MUST(ipasir2_init(&s));
	return s;
}

static void release(void *s) {
	if (two)
		MUST(ipasir2_release(s));
	else
		ipasir_release(s);
}

static int read_lits(void) {
	int n = 0;
	while (scanf("%d", &lits[n]) == 1 && lits[n] != 0) {
		if (abs(lits[n]) > vars)
			vars = abs(lits[n]);
		if (++n == 1000)
			exit(1);
	}
	return n;
}

static void add(void *s, int n) {
	if (two) {
		MUST(ipasir2_add(s, lits, n, 0, NULL));
		return;
	}
	for (int i = 0; i < n; i++)
		ipasir_add(s, lits[i]);
	ipasir_add(s, 0);
}

static int solve(void *s, int n) {
	int result = -1;
	if (two) {
		MUST(ipasir2_solve(s, &result, lits, n));
		return result;
	}
	for (int i = 0; i < n; i++)
		ipasir_assume(s, lits[i]);
	return ipasir_solve(s);
}

static int32_t value(void *s, int32_t lit) {
	int32_t result = 0;
	if (!two)
		return ipasir_val(s, lit);
	MUST(ipasir2_value(s, lit, &result));
	return result;
}

static int failed(void *s, int32_t lit) {
	int result = 0;
	if (!two)
		return ipasir_failed(s, lit);
	MUST(ipasir2_failed(s, lit, &result));
	return result;
}

int main(int argc, char **argv) {
	char command;
	void *s;
	two = argc > 1 && argv[1][0] == '2';
	s = create();
	while (scanf(" %c", &command) == 1) {
		int n, answer;
		switch (command) {
		case 'n':
			release(s);
			s = create();
			vars = 0;
			break;
		case 'a':
			n = read_lits();
			add(s, n);
			break;
		case 's':
			n = read_lits();
			answer = solve(s, n);
			printf("%d", answer);
			for (int32_t v = 1; answer == 10 && v <= vars; v++) {
				if (value(s, -v) != value(s, v))
					return 1;
				printf(" %d", value(s, v));
			}
			for (int i = 0; answer == 20 && i < n; i++) {
				if (failed(s, lits[i]))
					printf(" %d", lits[i]);
			}
			printf(" 0\n");
			break;
		default:
			return 1;
		}
	}
	release(s);
	return 0;
}
