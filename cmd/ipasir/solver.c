//go:build cgo

/* The C side of the library: state, buffers and checks of arguments.
 *
 * A call from C to Go takes some hundred nanoseconds, more than the work of most functions
 * here. So literals are collected in a buffer, which the Go side reads when a clause ends
 * and the buffer is full, or when the search begins; and the search stores the values of all
 * variables, or the marks of the failed assumptions, in arrays that are read without a call.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "_cgo_export.h"
#include "ipasir.h"

/* full is the number of buffered literals, 64 KB, from which the end of a clause passes the
 * buffer on. A crossing for this many costs nothing, and more memory saves nothing. */
enum { full = 1 << 14 };

/* die ends the process by SIGABRT, without the state that the handler of the Go runtime prints. */
static void die(void) {
	signal(SIGABRT, SIG_DFL);
	abort();
}

/* The threads of the Go runtime do not exist in a child of fork, where a call of the Go side
 * would wait for them forever. */
static volatile sig_atomic_t forked;

static void note_fork(void) { forked = 1; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, note_fork); }

static void refuse_child(void) {
	if (forked) {
		fputs("sator: called in a child of fork: the library works there after exec only\n", stderr);
		die();
	}
}

/* GO evaluates a call of the Go side. */
#define GO(call) (refuse_child(), call)

/* grow makes room for n elements in all. It returns 0 if there is no memory. */
static int grow(literals *a, size_t n) {
	if (n > a->cap) {
		size_t cap = a->cap ? 2 * a->cap : 32;
		while (cap < n)
			cap *= 2;
		int32_t *data = realloc(a->data, cap * sizeof *data);
		if (!data)
			return 0;
		a->data = data;
		a->cap = cap;
	}
	return 1;
}

static int push(literals *a, int32_t lit) {
	if (a->len == a->cap && !grow(a, a->len + 1))
		return 0;
	a->data[a->len++] = lit;
	return 1;
}

static int32_t variable(int32_t lit) { return lit < 0 ? -lit : lit; }

static int valid(int32_t lit) { return lit != 0 && -SATOR_MAX_VAR <= lit && lit <= SATOR_MAX_VAR; }

static void note(sator *s, int32_t lit) {
	int32_t v = variable(lit);
	if (v > s->vars)
		s->vars = v;
}

/* sator_allocate extends the arrays by variable to all variables. */
int sator_allocate(sator *s) {
	if (s->vars <= s->known && s->values)
		return 1;
	size_t old = s->values ? (size_t)s->known + 1 : 0, n = (size_t)s->vars + 1;
	n += n / 4;
	int8_t *values = realloc(s->values, n);
	if (!values)
		return 0;
	s->values = values;
	uint8_t *marks = realloc(s->marks, n);
	if (!marks)
		return 0;
	s->marks = marks;
	memset(values + old, 0, n - old);
	memset(marks + old, 0, n - old);
	s->known = (int32_t)(n - 1);
	return 1;
}

/* fail marks the solver as broken after a failure of the Go side or of malloc. */
static ipasir2_errorcode fail(sator *s) {
	s->broken = 1;
	s->state = IPASIR2_S_INPUT;
	return IPASIR2_E_UNKNOWN;
}

static ipasir2_errorcode no_memory(sator *s) {
	fputs("sator: out of memory\n", stderr);
	return fail(s);
}

/* flush passes the buffered clauses on. */
static ipasir2_errorcode flush(sator *s) {
	if (s->clauses.len > 0 && GO(sator_go_add(s)))
		return fail(s);
	s->clauses.len = 0;
	return IPASIR2_E_OK;
}

/* forget removes the assumptions of the last call, and their marks. */
static void forget(sator *s) {
	for (size_t i = 0; i < s->assumptions.len; i++) {
		int32_t v = variable(s->assumptions.data[i]);
		if (v <= s->known && s->marks)
			s->marks[v] = 0;
	}
	s->assumptions.len = 0;
}

static ipasir2_errorcode assume(sator *s, int32_t lit) {
	if (!s->assumed) {
		forget(s);
		s->assumed = 1;
	}
	note(s, lit);
	return push(&s->assumptions, lit) ? IPASIR2_E_OK : no_memory(s);
}

/* solve runs the search under the assumptions that were collected. */
static ipasir2_errorcode solve(sator *s, int *result) {
	if (!s->assumed)
		forget(s);
	s->assumed = 0;
	if (!sator_allocate(s))
		return no_memory(s);
	for (size_t i = 0; i < s->assumptions.len; i++) {
		int32_t lit = s->assumptions.data[i];
		s->marks[variable(lit)] |= lit > 0 ? ASSUMED_POSITIVE : ASSUMED_NEGATIVE;
	}
	s->state = IPASIR2_S_SOLVING;
	int answer = GO(sator_go_solve(s));
	if (answer < 0)
		return fail(s);
	s->clauses.len = 0;
	s->state = answer == 10 ? IPASIR2_S_SAT : answer == 20 ? IPASIR2_S_UNSAT : IPASIR2_S_INPUT;
	*result = answer;
	return IPASIR2_E_OK;
}

static int32_t value(sator *s, int32_t lit) {
	int32_t v = variable(lit);
	if (v > s->known || s->values[v] == 0)
		return 0;
	return (s->values[v] > 0) == (lit > 0) ? lit : -lit;
}

static int marked(sator *s, int32_t lit, int positive, int negative) {
	int32_t v = variable(lit);
	return v <= s->known && (s->marks[v] & (lit > 0 ? positive : negative)) != 0;
}

static sator *create(void) {
	sator *s = calloc(1, sizeof *s);
	if (s && !(s->go = GO(sator_go_new()))) {
		free(s);
		s = NULL;
	}
	return s;
}

static void destroy(sator *s) {
	if (!forked)
		sator_go_release(s->go);
	free(s->clauses.data);
	free(s->assumptions.data);
	free(s->learned.data);
	free(s->imported.data);
	free(s->reported.data);
	free(s->values);
	free(s->marks);
	free(s);
}

/* Callbacks, called by the Go side. */

int sator_call_terminate(sator *s) { return s->terminate && s->terminate(s->terminate_data); }

int32_t *sator_reserve_learned(sator *s, size_t n) { return grow(&s->learned, n) ? s->learned.data : NULL; }

void sator_call_learn(sator *s, size_t n) {
	if (s->learn)
		s->learn(s->learn_data, s->learned.data);
	else if (s->export)
		s->export(s->learn_data, s->learned.data, (int32_t)n, NULL);
}

void sator_call_fixed(sator *s, int32_t lit) {
	if (s->fixed)
		s->fixed(s->fixed_data, lit);
}

/* sator_call_import returns the clause that the callback adds, or null. */
int32_t const *sator_call_import(sator *s) {
	s->imported.len = 0;
	s->importing = 1;
	s->import(s->import_data);
	s->importing = 0;
	return s->imported.len ? s->imported.data : NULL;
}

int32_t *sator_reserve_reported(sator *s, size_t n) { return grow(&s->reported, n) ? s->reported.data : NULL; }

void sator_up_assigned(sator *s, int32_t n) { s->up.assigned(s->up_data, s->reported.data, n); }

void sator_up_new_level(sator *s) { s->up.new_level(s->up_data); }

void sator_up_backtrack(sator *s, int32_t level) { s->up.backtrack(s->up_data, level); }

int32_t sator_up_decide(sator *s) { return s->up.decide(s->up_data); }

int32_t sator_up_propagate(sator *s) { return s->up.propagate(s->up_data); }

int32_t const *sator_up_reason(sator *s, int32_t lit) { return s->up.reason(s->up_data, lit); }

int32_t const *sator_up_clause(sator *s) {
	s->forgettable = 0;
	return s->up.clause(s->up_data, &s->forgettable);
}

int sator_up_check(sator *s, int32_t n) { return s->up.check(s->up_data, s->reported.data, n); }

/* IPASIR. Misuse ends the process, since the functions return no codes. */

static void misuse(const char *function, const char *what) {
	fprintf(stderr, "sator: %s: %s\n", function, what);
	die();
}

static inline sator *checked(void *solver, const char *function) {
	sator *s = solver;
	if (!s)
		misuse(function, "the solver is null");
	if (s->state == IPASIR2_S_SOLVING)
		misuse(function, "called from a callback");
	if (s->broken)
		misuse(function, "an earlier call of IPASIR-2 returned IPASIR2_E_UNKNOWN");
	return s;
}

const char *ipasir_signature(void) { return GO(sator_go_signature()); }

void *ipasir_init(void) {
	sator *s = create();
	if (!s)
		misuse(__func__, "out of memory");
	return s;
}

void ipasir_release(void *solver) {
	sator *s = solver;
	if (s && s->state == IPASIR2_S_SOLVING)
		misuse(__func__, "called from a callback");
	if (s)
		destroy(s);
}

void ipasir_add(void *solver, int32_t lit) {
	sator *s = checked(solver, __func__);
	s->state = IPASIR2_S_INPUT;
	if (lit != 0) {
		if (!valid(lit))
			misuse(__func__, "the literal is out of range");
		note(s, lit);
	}
	if (!push(&s->clauses, lit))
		misuse(__func__, "out of memory");
	s->open = lit != 0;
	if (lit == 0 && s->clauses.len >= full && flush(s))
		die();
}

void ipasir_assume(void *solver, int32_t lit) {
	sator *s = checked(solver, __func__);
	if (!valid(lit))
		misuse(__func__, "the literal is out of range");
	s->state = IPASIR2_S_INPUT;
	if (assume(s, lit))
		die();
}

int ipasir_solve(void *solver) {
	sator *s = checked(solver, __func__);
	if (s->open)
		misuse(__func__, "a clause is not ended by 0");
	int answer = 0;
	if (solve(s, &answer))
		die();
	return answer;
}

int32_t ipasir_val(void *solver, int32_t lit) {
	sator *s = checked(solver, __func__);
	if (s->state != IPASIR2_S_SAT)
		misuse(__func__, "the last call was not an ipasir_solve that returned 10");
	if (!valid(lit))
		misuse(__func__, "the literal is out of range");
	return value(s, lit);
}

int ipasir_failed(void *solver, int32_t lit) {
	sator *s = checked(solver, __func__);
	if (s->state != IPASIR2_S_UNSAT)
		misuse(__func__, "the last call was not an ipasir_solve that returned 20");
	if (!valid(lit))
		misuse(__func__, "the literal is out of range");
	if (!marked(s, lit, ASSUMED_POSITIVE, ASSUMED_NEGATIVE))
		misuse(__func__, "the literal was not assumed");
	return marked(s, lit, FAILED_POSITIVE, FAILED_NEGATIVE);
}

void ipasir_set_terminate(void *solver, void *data, int (*terminate)(void *)) {
	sator *s = checked(solver, __func__);
	s->terminate = terminate;
	s->terminate_data = data;
	if (GO(sator_go_set_callbacks(s)))
		die();
}

void ipasir_set_learn(void *solver, void *data, int max_length, void (*learn)(void *, int32_t *)) {
	sator *s = checked(solver, __func__);
	s->learn = learn;
	s->export = NULL;
	s->learn_data = data;
	s->learn_max = max_length;
	if (GO(sator_go_set_callbacks(s)))
		die();
}

void ipasir_up_connect(void *solver, void *data, ipasir_up const *callbacks) {
	static const ipasir_up none;
	sator *s = checked(solver, __func__);
	s->connected = callbacks != NULL;
	s->up = callbacks ? *callbacks : none;
	s->up_data = data;
	s->state = IPASIR2_S_INPUT;
	if (GO(sator_go_connect(s)))
		die();
}

void ipasir_up_observe(void *solver, int32_t variable) {
	sator *s = solver;
	if (!s)
		misuse(__func__, "the solver is null");
	if (!valid(variable) || variable < 0)
		misuse(__func__, "the variable is out of range");
	note(s, variable);
	if (s->state != IPASIR2_S_SOLVING) {
		s->state = IPASIR2_S_INPUT;
		if (flush(s))
			die();
	}
	if (GO(sator_go_observe(s, variable)))
		die();
}

/* IPASIR-2. Misuse is a code. */

/* refuse returns a code if the solver is not in a state up to the given one. */
static ipasir2_errorcode refuse(sator *s, ipasir2_state last) {
	if (!s)
		return IPASIR2_E_INVALID_ARGUMENT;
	if (s->broken)
		return IPASIR2_E_UNKNOWN;
	if (s->state == IPASIR2_S_SOLVING && last != IPASIR2_S_SOLVING)
		return IPASIR2_E_INVALID_STATE;
	if (last == IPASIR2_S_CONFIG && s->state != IPASIR2_S_CONFIG)
		return IPASIR2_E_INVALID_STATE;
	return IPASIR2_E_OK;
}

static int all_valid(int32_t const *lits, int32_t len) {
	if (len < 0 || (len > 0 && !lits))
		return 0;
	for (int32_t i = 0; i < len; i++) {
		if (!valid(lits[i]))
			return 0;
	}
	return 1;
}

ipasir2_errorcode ipasir2_signature(char const **signature) {
	if (!signature)
		return IPASIR2_E_INVALID_ARGUMENT;
	*signature = GO(sator_go_signature());
	return IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_init(void **solver) {
	if (!solver)
		return IPASIR2_E_INVALID_ARGUMENT;
	sator *s = create();
	if (!s)
		return IPASIR2_E_UNKNOWN;
	*solver = s;
	return IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_release(void *solver) {
	sator *s = solver;
	if (!s)
		return IPASIR2_E_INVALID_ARGUMENT;
	if (s->state == IPASIR2_S_SOLVING)
		return IPASIR2_E_INVALID_STATE;
	destroy(s);
	return IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_options(void *solver, ipasir2_option const **options, int *count) {
	if (!solver || !options || !count)
		return IPASIR2_E_INVALID_ARGUMENT;
	*options = GO(sator_go_options(count));
	return *options ? IPASIR2_E_OK : IPASIR2_E_UNKNOWN;
}

ipasir2_errorcode ipasir2_set_option(void *solver, ipasir2_option const *handle, int64_t value, int64_t index) {
	sator *s = solver;
	int count;
	ipasir2_option const *options = GO(sator_go_options(&count));
	ipasir2_errorcode code = refuse(s, IPASIR2_S_SOLVING);
	if (code)
		return code;
	if (!handle || !options || handle < options || handle >= options + count)
		return IPASIR2_E_UNSUPPORTED_OPTION;
	if ((code = refuse(s, handle->max_state)))
		return code;
	if (value < handle->min || value > handle->max)
		return IPASIR2_E_INVALID_OPTION_VALUE;
	if (handle->indexed && (index < 0 || index > SATOR_MAX_VAR))
		return IPASIR2_E_INVALID_ARGUMENT;
	if (handle->indexed) {
		note(s, (int32_t)index);
		if ((code = flush(s)))
			return code;
		s->state = IPASIR2_S_INPUT;
	}
	switch (GO(sator_go_set_option(s, (int)(handle - options), value, (int32_t)index))) {
	case 0:
		return IPASIR2_E_OK;
	case 1:
		return IPASIR2_E_UNSUPPORTED_ARGUMENT;
	default:
		return fail(s);
	}
}

ipasir2_errorcode ipasir2_add(void *solver, int32_t const *clause, int32_t len, int32_t forgettable, void *proofmeta) {
	sator *s = solver;
	int import = s && s->importing && s->imported.len == 0;
	ipasir2_errorcode code = refuse(s, import ? IPASIR2_S_SOLVING : IPASIR2_S_INPUT);
	(void)proofmeta;
	if (code)
		return code;
	if (s->open && !import)
		return IPASIR2_E_INVALID_STATE;
	if (!all_valid(clause, len))
		return IPASIR2_E_INVALID_ARGUMENT;
	literals *to = import ? &s->imported : &s->clauses;
	if (!grow(to, to->len + (size_t)len + 1))
		return no_memory(s);
	for (int32_t i = 0; i < len; i++) {
		note(s, clause[i]);
		to->data[to->len++] = clause[i];
	}
	to->data[to->len++] = 0;
	if (import) {
		s->forgettable = forgettable;
		return IPASIR2_E_OK;
	}
	s->state = IPASIR2_S_INPUT;
	return s->clauses.len >= full ? flush(s) : IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_solve(void *solver, int *result, int32_t const *literals, int32_t len) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_INPUT);
	if (code)
		return code;
	if (s->open)
		return IPASIR2_E_INVALID_STATE;
	if (!result || !all_valid(literals, len))
		return IPASIR2_E_INVALID_ARGUMENT;
	for (int32_t i = 0; i < len; i++) {
		if ((code = assume(s, literals[i])))
			return code;
	}
	return solve(s, result);
}

ipasir2_errorcode ipasir2_value(void *solver, int32_t lit, int32_t *result) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_INPUT);
	if (code)
		return code;
	if (s->state != IPASIR2_S_SAT)
		return IPASIR2_E_INVALID_STATE;
	if (!valid(lit) || !result)
		return IPASIR2_E_INVALID_ARGUMENT;
	*result = value(s, lit);
	return IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_failed(void *solver, int32_t lit, int *result) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_INPUT);
	if (code)
		return code;
	if (s->state != IPASIR2_S_UNSAT)
		return IPASIR2_E_INVALID_STATE;
	if (!valid(lit) || !result || !marked(s, lit, ASSUMED_POSITIVE, ASSUMED_NEGATIVE))
		return IPASIR2_E_INVALID_ARGUMENT;
	*result = marked(s, lit, FAILED_POSITIVE, FAILED_NEGATIVE);
	return IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_set_terminate(void *solver, void *data, int (*callback)(void *)) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_SOLVING);
	if (code)
		return code;
	s->terminate = callback;
	s->terminate_data = data;
	return GO(sator_go_set_callbacks(s)) ? fail(s) : IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_set_export(void *solver, void *data, int max_length,
	void (*callback)(void *, int32_t const *, int32_t, void *)) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_SOLVING);
	if (code)
		return code;
	if (max_length < -1)
		return IPASIR2_E_INVALID_ARGUMENT;
	s->learn = NULL;
	s->export = callback;
	s->learn_data = data;
	s->learn_max = max_length < 0 ? INT64_MAX : max_length - INT64_C(1);
	return GO(sator_go_set_callbacks(s)) ? fail(s) : IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_set_delete(void *solver, void *data,
	void (*callback)(void *, int32_t const *, int32_t, void *)) {
	(void)data, (void)callback;
	return solver ? IPASIR2_E_UNSUPPORTED : IPASIR2_E_INVALID_ARGUMENT;
}

ipasir2_errorcode ipasir2_set_import(void *solver, void *data, void (*callback)(void *)) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_SOLVING);
	if (code)
		return code;
	s->import = callback;
	s->import_data = data;
	return IPASIR2_E_OK;
}

ipasir2_errorcode ipasir2_set_fixed(void *solver, void *data, void (*callback)(void *, int32_t)) {
	sator *s = solver;
	ipasir2_errorcode code = refuse(s, IPASIR2_S_SOLVING);
	if (code)
		return code;
	s->fixed = callback;
	s->fixed_data = data;
	return IPASIR2_E_OK;
}
