/* contract.c: checks callbacks, options, codes, threads and processes. The argument names the
 * check. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipasir.h"
#include "ipasir2.h"
#include "ipasir_up.h"

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)

static void clause(void *s, int a, int b) {
	if (a)
		ipasir_add(s, a);
	if (b)
		ipasir_add(s, b);
	ipasir_add(s, 0);
}

/* pigeons adds the formula of one pigeon more than holes, which is unsatisfiable. With
 * selectors, a formula that no pass recognizes: each clause has a literal of its own. */
static int pigeons(void *s, int holes, int selectors) {
	int next = holes * (holes + 1);
#define AT(p, h) ((p) * holes + (h) + 1)
	for (int p = 0; p <= holes; p++) {
		for (int h = 0; h < holes; h++)
			ipasir_add(s, AT(p, h));
		if (selectors)
			ipasir_add(s, ++next);
		ipasir_add(s, 0);
		for (int h = 0; h < holes; h++)
			for (int q = 0; q < p; q++)
				clause(s, -AT(p, h), -AT(q, h));
	}
	return next;
}

static void assume_pigeons(void *s, int holes, int last) {
	for (int v = holes * (holes + 1) + 1; v <= last; v++)
		ipasir_assume(s, -v);
}

static void basics(void) {
	const char *name = NULL;
	void *s = ipasir_init();
	CHECK(ipasir_signature()[0] == 's');
	CHECK(ipasir2_signature(&name) == IPASIR2_E_OK && name == ipasir_signature());
	CHECK(ipasir_solve(s) == 10);
	CHECK(ipasir_val(s, 7) == 0);
	clause(s, 1, 2);
	clause(s, -1, 3);
	ipasir_assume(s, -2);
	ipasir_assume(s, 9);
	CHECK(ipasir_solve(s) == 10);
	CHECK(ipasir_val(s, 1) == 1 && ipasir_val(s, -1) == 1 && ipasir_val(s, 2) == -2 && ipasir_val(s, 3) == 3);
	CHECK(ipasir_val(s, 9) == 9);
	ipasir_assume(s, -2);
	ipasir_assume(s, -3);
	ipasir_assume(s, 4);
	CHECK(ipasir_solve(s) == 20);
	CHECK(ipasir_failed(s, -2) && ipasir_failed(s, -3) && !ipasir_failed(s, 4));
	CHECK(ipasir_solve(s) == 10); /* without the assumptions of the last call */
	ipasir_add(s, 0);
	ipasir_assume(s, -2);
	CHECK(ipasir_solve(s) == 20 && !ipasir_failed(s, -2));
	ipasir_release(s);
	ipasir_release(NULL);
}

static int polls;

static int after_some(void *data) { return ++polls >= *(int *)data; }

static void terminate(void) {
	int most = 3, last;
	void *s = ipasir_init();
	last = pigeons(s, 11, 1);
	ipasir_set_terminate(s, &most, after_some);
	assume_pigeons(s, 11, last);
	CHECK(ipasir_solve(s) == 0 && polls == 3);
	assume_pigeons(s, 11, last);
	CHECK(ipasir_solve(s) == 0 && polls == 4);
	ipasir_set_terminate(s, NULL, NULL);
	CHECK(ipasir_solve(s) == 10 && polls == 4); /* the selectors are free */
	ipasir_release(s);
}

static int longest, reported;

static void learn(void *data, int32_t *clause) {
	int n = 0;
	CHECK(data == &longest);
	while (clause[n])
		n++;
	if (n > longest)
		longest = n;
	reported++;
	clause[0] = 0; /* allowed */
}

static int exported;

static void export(void *data, int32_t const *clause, int32_t len, void *meta) {
	CHECK(data == &exported && meta == NULL && len > 0);
	for (int i = 0; i < len; i++)
		CHECK(clause[i] != 0);
	exported++;
	if (len > longest)
		longest = len;
}

static void learned(void) {
	int result, last;
	void *s = ipasir_init();
	last = pigeons(s, 6, 1);
	ipasir_set_learn(s, &longest, 12, learn);
	assume_pigeons(s, 6, last);
	CHECK(ipasir_solve(s) == 20 && reported > 0 && longest <= 12);
	reported = 0;
	ipasir_set_learn(s, NULL, 0, NULL);
	assume_pigeons(s, 6, last);
	CHECK(ipasir_solve(s) == 20 && reported == 0);
	ipasir_release(s);

	s = ipasir_init(); /* the empty clause, once */
	ipasir_set_learn(s, &longest, 0, learn);
	clause(s, 1, 2);
	clause(s, -1, 0);
	clause(s, -2, 0);
	CHECK(ipasir_solve(s) == 20 && reported == 1);
	CHECK(ipasir_solve(s) == 20 && reported == 1);
	ipasir_release(s);

	s = ipasir_init();
	longest = 0;
	last = pigeons(s, 6, 1);
	CHECK(ipasir2_set_export(s, &exported, 12, export) == IPASIR2_E_OK);
	assume_pigeons(s, 6, last);
	CHECK(ipasir_solve(s) == 20 && exported > 0 && longest < 12);
	ipasir_release(s);

	s = ipasir_init();
	last = pigeons(s, 6, 1);
	CHECK(ipasir2_set_export(s, &exported, -1, export) == IPASIR2_E_OK);
	assume_pigeons(s, 6, last);
	CHECK(ipasir_solve(s) == 20 && longest > 12);
	CHECK(ipasir2_set_export(s, &exported, -2, export) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_OK && result == 10);
	ipasir_release(s);
}

static int fixed_count[6];

static void fixed(void *data, int32_t lit) {
	CHECK(data == fixed_count && 1 <= lit && lit <= 5);
	fixed_count[lit]++;
}

static void options(void) {
	void *s = NULL, *q = NULL;
	int count, result;
	const ipasir2_option *all, *o = NULL;
	const int32_t c1[] = {1}, c2[] = {-1, 2}, c3[] = {-2, 3}, c4[] = {4, 5}, c5[] = {-7, 8};
	const int32_t assumed[] = {-4};
	CHECK(ipasir2_init(&s) == IPASIR2_E_OK);
	CHECK(ipasir2_options(s, &all, &count) == IPASIR2_E_OK && count > 20);
	for (int i = 0; i < count; i++) {
		CHECK(all[i].min <= all[i].max && all[i].name[0]);
		CHECK(ipasir2_get_option_handle(s, all[i].name, &o) == IPASIR2_E_OK && o == &all[i]);
	}
	CHECK(ipasir2_get_option_handle(s, "nothing", &o) == IPASIR2_E_UNSUPPORTED_OPTION);
	CHECK(ipasir2_get_option_handle(s, "sator.vivify", &o) == IPASIR2_E_OK);
	CHECK(ipasir2_set_option(s, o, 2, 0) == IPASIR2_E_INVALID_OPTION_VALUE);
	CHECK(ipasir2_set_option(s, o, 0, 0) == IPASIR2_E_OK);
	CHECK(ipasir2_add(s, c1, 1, 0, NULL) == IPASIR2_E_OK);
	CHECK(ipasir2_set_option(s, o, 1, 0) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_set_option(s, NULL, 1, 0) == IPASIR2_E_UNSUPPORTED_OPTION);
	CHECK(ipasir2_set_option(s, o + count, 1, 0) == IPASIR2_E_UNSUPPORTED_OPTION);

	CHECK(ipasir2_add(s, c2, 2, 0, NULL) == IPASIR2_E_OK && ipasir2_add(s, c3, 2, 1, NULL) == IPASIR2_E_OK);
	CHECK(ipasir2_add(s, c4, 2, 0, NULL) == IPASIR2_E_OK);
	CHECK(ipasir2_set_fixed(s, fixed_count, fixed) == IPASIR2_E_OK);
	CHECK(ipasir2_solve(s, &result, assumed, 1) == IPASIR2_E_OK && result == 10);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_OK && result == 10);
	CHECK(fixed_count[1] == 1 && fixed_count[2] == 1 && fixed_count[3] == 1 && fixed_count[4] == 0 && fixed_count[5] == 0);
	CHECK(ipasir2_set_fixed(s, NULL, NULL) == IPASIR2_E_OK);

	for (int value = -1; value <= 1; value += 2) {
		CHECK(ipasir2_init(&q) == IPASIR2_E_OK);
		CHECK(ipasir2_get_option_handle(q, "ipasir.variables.phase.initial", &o) == IPASIR2_E_OK && o->indexed);
		CHECK(ipasir2_set_option(q, o, value, 7) == IPASIR2_E_OK);
		CHECK(ipasir2_set_option(q, o, value, 8) == IPASIR2_E_OK);
		CHECK(ipasir2_set_option(q, o, value, -1) == IPASIR2_E_INVALID_ARGUMENT);
		CHECK(ipasir2_add(q, c5, 2, 0, NULL) == IPASIR2_E_OK);
		CHECK(ipasir2_solve(q, &result, NULL, 0) == IPASIR2_E_OK && result == 10);
		CHECK(ipasir2_value(q, 7, &result) == IPASIR2_E_OK && result == 7 * value);
		CHECK(ipasir2_value(q, 8, &result) == IPASIR2_E_OK && result == 8 * value);
		CHECK(ipasir2_get_option_handle(q, "ipasir.variables.frozen", &o) == IPASIR2_E_OK);
		CHECK(ipasir2_set_option(q, o, 1, 0) == IPASIR2_E_OK);
		CHECK(ipasir2_set_option(q, o, 0, 7) == IPASIR2_E_UNSUPPORTED_ARGUMENT);
		CHECK(ipasir2_release(q) == IPASIR2_E_OK);
	}
	CHECK(ipasir2_release(s) == IPASIR2_E_OK);
}

static void limits(void) {
	const ipasir2_option *o = NULL;
	int result, last;
	void *s = ipasir_init();
	last = pigeons(s, 5, 1);
	CHECK(ipasir2_get_option_handle(s, "ipasir.limits.conflicts", &o) == IPASIR2_E_OK);
	CHECK(ipasir2_set_option(s, o, 0, 0) == IPASIR2_E_OK);
	assume_pigeons(s, 5, last);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_OK && result == 0);
	CHECK(ipasir2_value(s, 1, &result) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_set_option(s, o, -1, 0) == IPASIR2_E_OK);
	assume_pigeons(s, 5, last);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_OK && result == 20);
	ipasir_release(s);
}

static void *inner_solver;
static int inner_calls;

/* from_callback calls functions that are not allowed in the state SOLVING. */
static int from_callback(void *data) {
	int result;
	const int32_t c[] = {1};
	(void)data;
	inner_calls++;
	CHECK(ipasir2_add(inner_solver, c, 1, 0, NULL) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_solve(inner_solver, &result, NULL, 0) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_value(inner_solver, 1, &result) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_failed(inner_solver, 1, &result) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_release(inner_solver) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_set_terminate(inner_solver, NULL, NULL) == IPASIR2_E_OK);
	return 0;
}

static void codes(void) {
	int result = 0;
	void *s = NULL;
	const int32_t zero[] = {1, 0}, large[] = {1 << 30}, lowest[] = {INT32_MIN}, one[] = {1}, two[] = {-1, 2};
	const int32_t assumed[] = {1, -2};
	CHECK(ipasir2_init(NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_signature(NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_release(NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_add(NULL, one, 1, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_init(&s) == IPASIR2_E_OK);
	CHECK(ipasir2_value(s, 1, &result) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_failed(s, 1, &result) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_add(s, zero, 2, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_add(s, large, 1, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_add(s, lowest, 1, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_add(s, one, -1, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_add(s, NULL, 1, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_add(s, two, 2, 0, NULL) == IPASIR2_E_OK);
	CHECK(ipasir2_solve(s, NULL, NULL, 0) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_solve(s, &result, zero, 2) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_solve(s, &result, assumed, 2) == IPASIR2_E_OK && result == 20);
	CHECK(ipasir2_failed(s, -1, &result) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_failed(s, 3, &result) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_failed(s, -2, &result) == IPASIR2_E_OK && result == 1);
	CHECK(ipasir2_set_delete(s, NULL, NULL) == IPASIR2_E_UNSUPPORTED);
	ipasir_add(s, 1);
	CHECK(ipasir2_add(s, two, 2, 0, NULL) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_INVALID_STATE);
	ipasir_add(s, 0);
	inner_solver = s;
	CHECK(ipasir2_set_terminate(s, NULL, from_callback) == IPASIR2_E_OK);
	CHECK(ipasir2_solve(s, &result, one, 1) == IPASIR2_E_OK && result == 10 && inner_calls == 1);
	CHECK(ipasir2_value(s, 0, &result) == IPASIR2_E_INVALID_ARGUMENT);
	CHECK(ipasir2_value(s, 2, &result) == IPASIR2_E_OK && result == 2);
	CHECK(ipasir2_add(s, NULL, 0, 0, NULL) == IPASIR2_E_OK);
	CHECK(ipasir2_value(s, 2, &result) == IPASIR2_E_INVALID_STATE);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_OK && result == 20);
	CHECK(ipasir2_release(s) == IPASIR2_E_OK);
}

static int32_t unobserved(void *data) {
	(void)data;
	return 2;
}

/* panics checks that a panic of the engine, here by a propagator that breaks its contract,
 * becomes a code, and that the solver can be released. */
static void panics(void) {
	static const ipasir_up wrong = {.propagate = unobserved};
	int result = 7;
	const int32_t c[] = {1, 2};
	const ipasir2_option *o = NULL;
	void *s = NULL;
	CHECK(ipasir2_init(&s) == IPASIR2_E_OK);
	CHECK(ipasir2_add(s, c, 2, 0, NULL) == IPASIR2_E_OK);
	ipasir_up_connect(s, NULL, &wrong);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_UNKNOWN && result == 7);
	CHECK(ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_UNKNOWN);
	CHECK(ipasir2_add(s, c, 2, 0, NULL) == IPASIR2_E_UNKNOWN);
	CHECK(ipasir2_value(s, 1, &result) == IPASIR2_E_UNKNOWN);
	CHECK(ipasir2_set_terminate(s, NULL, NULL) == IPASIR2_E_UNKNOWN);
	CHECK(ipasir2_get_option_handle(s, "ipasir.limits.conflicts", &o) == IPASIR2_E_OK);
	CHECK(ipasir2_set_option(s, o, 1, 0) == IPASIR2_E_UNKNOWN);
	CHECK(ipasir2_release(s) == IPASIR2_E_OK);
	basics(); /* other solvers work */
}

static int misused(void *s) {
	ipasir_val(s, 1);
	return 0;
}

static int adding(void *s) {
	ipasir_add(s, 1);
	return 0;
}

static int32_t lowest(void *data) {
	(void)data;
	return INT32_MIN;
}

static int levels;

static void level(void *data) {
	(void)data;
	levels++;
}

static int32_t implied(void *data) {
	(void)data;
	return levels ? 2 : 0; /* at the root the reason would be asked for at once */
}

static int32_t const *tautology(void *data, int32_t lit) {
	static int32_t c[] = {2, -2, 0};
	(void)data, (void)lit;
	return c;
}

static void misuse(const char *how) {
	void *s = ipasir_init();
	clause(s, 1, 2);
	switch (how[0]) {
	case 'F': /* Fork */
		CHECK(ipasir_solve(s) == 10);
		pid_t child = fork();
		CHECK(child >= 0);
		if (child == 0) {
			CHECK(ipasir_val(s, 1) != 0 || ipasir_val(s, 2) != 0);
			ipasir_solve(s);
			_exit(0);
		}
		int status;
		if (waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
			exit(1);
		break;
	case 'v': /* val */
		ipasir_val(s, 1);
		break;
	case 'f': /* failed */
		CHECK(ipasir_solve(s) == 10);
		ipasir_failed(s, 1);
		break;
	case 's': /* state */
		CHECK(ipasir_solve(s) == 10);
		ipasir_assume(s, 1);
		ipasir_val(s, 1);
		break;
	case 'r': /* range */
		ipasir_add(s, INT32_MIN);
		break;
	case 'z': /* zero */
		ipasir_assume(s, 0);
		break;
	case 'o': /* open */
		ipasir_add(s, 3);
		ipasir_solve(s);
		break;
	case 'n': /* null */
		ipasir_add(NULL, 1);
		break;
	case 'b': { /* broken */
		static const ipasir_up wrong = {.propagate = unobserved};
		int result;
		ipasir_up_connect(s, NULL, &wrong);
		if (ipasir2_solve(s, &result, NULL, 0) == IPASIR2_E_UNKNOWN) {
			fputs("now ", stderr);
			ipasir_add(s, 1);
		}
		break;
	}
	case 'p': { /* propagator */
		static const ipasir_up wrong = {.propagate = unobserved};
		ipasir_up_connect(s, NULL, &wrong);
		ipasir_solve(s);
		break;
	}
	case 'u': /* unassumed */
		ipasir_assume(s, -1);
		ipasir_assume(s, -2);
		CHECK(ipasir_solve(s) == 20 && ipasir_failed(s, -1));
		ipasir_failed(s, 1);
		break;
	case 'l': /* lowest */
		CHECK(ipasir_solve(s) == 10);
		ipasir_val(s, INT32_MIN);
		break;
	case 'h': /* hidden: the open clause is no longer in the buffer */
		ipasir_add(s, 3);
		ipasir_up_observe(s, 1);
		ipasir_solve(s);
		break;
	case 'a': /* add */
		ipasir_set_terminate(s, s, adding);
		ipasir_solve(s);
		break;
	case 'd': { /* decision */
		static const ipasir_up wrong = {.decide = lowest};
		ipasir_up_connect(s, NULL, &wrong);
		ipasir_solve(s);
		break;
	}
	case 't': { /* tautology */
		static const ipasir_up wrong = {.new_level = level, .propagate = implied, .reason = tautology};
		ipasir_up_connect(s, NULL, &wrong);
		ipasir_up_observe(s, 2);
		clause(s, -2, 3);
		ipasir_add(s, -4);
		clause(s, -2, -3);
		ipasir_assume(s, 4);
		ipasir_solve(s);
		break;
	}
	case 'c': /* callback */
		ipasir_set_terminate(s, s, misused);
		ipasir_solve(s);
		break;
	}
}

static void *thread(void *arg) {
	int holes = *(int *)arg;
	for (int i = 0; i < 3; i++) {
		void *s = ipasir_init();
		int last = pigeons(s, holes, 1);
		assume_pigeons(s, holes, last);
		CHECK(ipasir_solve(s) == 20);
		CHECK(ipasir_solve(s) == 10);
		ipasir_release(s);
	}
	return NULL;
}

static void threads(void) {
	pthread_t t[4];
	int holes[] = {3, 4, 5, 4};
	for (int i = 0; i < 4; i++)
		CHECK(pthread_create(&t[i], NULL, thread, &holes[i]) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
}

static volatile sig_atomic_t faults;

static void on_fault(int signal) {
	(void)signal;
	faults++;
	_exit(42);
}

/* processes checks that a child can call exec, and that a handler of the program that has
 * SA_ONSTACK gets the signals of C code. */
static void processes(const char *self) {
	int status;
	void *s = ipasir_init();
	clause(s, 1, 2);
	CHECK(ipasir_solve(s) == 10);
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		close(1);
		execl(self, self, "basics", (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(ipasir_solve(s) == 10);

	struct sigaction action = {0};
	action.sa_handler = on_fault;
	action.sa_flags = SA_ONSTACK;
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		sigaction(SIGSEGV, &action, NULL);
		raise(SIGSEGV);
		_exit(1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 42);
	ipasir_release(s);
}

/* many makes solvers with many clauses, so that the buffer is passed on before the search. */
static void many(void) {
	void *s = ipasir_init();
	int n = 30000;
	for (int v = 1; v < n; v++)
		clause(s, -v, v + 1);
	ipasir_assume(s, 1);
	CHECK(ipasir_solve(s) == 10);
	for (int v = 1; v <= n; v++)
		CHECK(ipasir_val(s, v) == v);
	clause(s, -n, 0);
	ipasir_assume(s, 1);
	CHECK(ipasir_solve(s) == 20 && ipasir_failed(s, 1));
	for (int v = 1; v <= n; v++) /* one clause longer than the buffer */
		ipasir_add(s, v);
	ipasir_add(s, 0);
	ipasir_assume(s, 1);
	CHECK(ipasir_solve(s) == 20 && !ipasir_failed(s, 1));
	ipasir_release(s);
}

/* numbers uses numbers far apart and in any order, with activation literals in between, over
 * many calls: no variable of the library gets in their way. */
static void numbers(void) {
	void *s = ipasir_init();
	for (int round = 0; round < 50; round++) {
		int a = 7 * round + 1, g = a + 1, b = 1000 + a;
		clause(s, a, b);
		ipasir_add(s, -g);
		clause(s, -a, -b);
		clause(s, -a, b);
		ipasir_assume(s, g);
		ipasir_assume(s, a);
		CHECK(ipasir_solve(s) == 20 && ipasir_failed(s, g) && ipasir_failed(s, a));
		ipasir_assume(s, g);
		CHECK(ipasir_solve(s) == 10 && ipasir_val(s, a) == -a && ipasir_val(s, b) == b && ipasir_val(s, b + 1) == 0);
		clause(s, -g, 0);
		ipasir_assume(s, a);
		CHECK(ipasir_solve(s) == 10 && ipasir_val(s, b) == b);
	}
	ipasir_release(s);
}

int main(int argc, char **argv) {
	const char *name = argc > 1 ? argv[1] : "";
	if (!strcmp(name, "basics"))
		basics();
	else if (!strcmp(name, "terminate"))
		terminate();
	else if (!strcmp(name, "learned"))
		learned();
	else if (!strcmp(name, "options"))
		options();
	else if (!strcmp(name, "limits"))
		limits();
	else if (!strcmp(name, "codes"))
		codes();
	else if (!strcmp(name, "panics"))
		panics();
	else if (!strcmp(name, "threads"))
		threads();
	else if (!strcmp(name, "processes"))
		processes(argv[0]);
	else if (!strcmp(name, "many"))
		many();
	else if (!strcmp(name, "numbers"))
		numbers();
	else if (!strcmp(name, "misuse"))
		misuse(argv[2]);
	else
		return 2;
	puts("ok");
	return 0;
}
