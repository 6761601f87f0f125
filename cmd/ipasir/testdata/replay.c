/* replay.c: reads calls from the standard input and prints the answers.
 *
 *   n          replace the solver by a new one
 *   a 1 -2 0   add a clause
 *   h 1 -2 0   hide a clause, which a propagator (IPASIR) or an import callback (IPASIR-2) has
 *   s 3 0      solve under assumptions; prints the code, then the value of each variable
 *              so far, or the failed assumptions, and 0
 *
 * The argument 1 or 2 chooses IPASIR or IPASIR-2. */
#include <stdio.h>
#include <stdlib.h>

#include "ipasir.h"
#include "ipasir2.h"
#include "ipasir_up.h"

static int two;
static int32_t vars;
static int32_t lits[1000];

/* Hidden clauses, each ended by 0. */
static int32_t hidden[100][10];
static int hidden_count, imported;

/* The propagator's view of the trail. */
static int value_of[1000], trail[1000], trail_len, level_end[1000], level;
static int32_t const *reasons[2000];
static int rejected = -1, turn;

static void assigned(void *data, int32_t const *now, int32_t len) {
	(void)data;
	for (int i = 0; i < len; i++) {
		int v = abs(now[i]);
		if (value_of[v] != 0)
			exit(3);
		value_of[v] = now[i] > 0 ? 1 : -1;
		trail[trail_len++] = v;
	}
}

static void new_level(void *data) {
	(void)data;
	level_end[level++] = trail_len;
}

static void backtrack(void *data, int32_t to) {
	(void)data;
	if (to >= level)
		exit(4);
	while (trail_len > level_end[to])
		value_of[trail[--trail_len]] = 0;
	level = to;
}

/* propagate misses every third opportunity. */
static int32_t propagate(void *data) {
	(void)data;
	if (++turn % 3 == 0)
		return 0;
	for (int i = 0; i < hidden_count; i++) {
		int open = 0, satisfied = 0;
		int32_t last = hidden[i][0];
		for (int32_t *l = hidden[i]; *l; l++) {
			int value = value_of[abs(*l)] * (*l > 0 ? 1 : -1);
			satisfied |= value > 0;
			if (value == 0) {
				open++;
				last = *l;
			}
		}
		if (!satisfied && open <= 1) {
			reasons[last + 1000] = hidden[i];
			return last;
		}
	}
	return 0;
}

static int32_t const *reason(void *data, int32_t lit) {
	(void)data;
	return reasons[lit + 1000];
}

static int32_t decide(void *data) {
	(void)data;
	if (turn++ % 2 && hidden_count > 0 && value_of[abs(hidden[0][0])] == 0)
		return -hidden[0][0];
	return 0;
}

static int check(void *data, int32_t const *model, int32_t len) {
	(void)data;
	for (int i = 0; i < hidden_count; i++) {
		int satisfied = 0;
		for (int32_t *l = hidden[i]; *l; l++)
			satisfied |= abs(*l) <= len && model[abs(*l) - 1] == *l;
		if (!satisfied) {
			rejected = i;
			return 0;
		}
	}
	return 1;
}

static int32_t const *next_clause(void *data, int *forgettable) {
	int i = rejected;
	(void)data;
	*forgettable = i & 1;
	rejected = -1;
	return i < 0 ? NULL : hidden[i];
}

static void import(void *data) {
	int n = 0;
	int32_t *c = hidden[imported];
	if (imported == hidden_count)
		return;
	while (c[n])
		n++;
	if (ipasir2_add(data, c, n, 0, NULL) || ipasir2_add(data, c, n, 0, NULL) != IPASIR2_E_INVALID_STATE)
		exit(5);
	imported++;
}

/* hide stores the n literals as a hidden clause of s. */
static void hide(void *s, int n) {
	static const ipasir_up callbacks = {assigned, new_level, backtrack, decide, propagate, reason, next_clause, check};
	if (n > 9 || hidden_count == 100)
		exit(1);
	if (hidden_count == 0) {
		trail_len = level = imported = 0;
		for (int v = 0; v < 1000; v++)
			value_of[v] = 0;
		if (two && ipasir2_set_import(s, s, import))
			exit(1);
		if (!two)
			ipasir_up_connect(s, NULL, &callbacks);
	}
	for (int i = 0; i < n; i++) {
		hidden[hidden_count][i] = lits[i];
		if (!two)
			ipasir_up_observe(s, abs(lits[i]));
	}
	hidden[hidden_count++][n] = 0;
}

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
			hidden_count = 0;
			break;
		case 'h':
			n = read_lits();
			hide(s, n);
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
