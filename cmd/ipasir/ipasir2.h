/* ipasir2.h: the incremental interface IPASIR-2 of the SAT solver Sator.
 *
 * The interface is the one of the draft by Iser, Kutzner, Schreiber, Fazekas and Biere,
 * "IPASIR-2: Re-entrant Incremental SAT Solver API 2.0" (2024), with its names, codes and
 * types. Each function returns a code. A function that fails changes nothing, with one
 * exception: after IPASIR2_E_UNKNOWN (an internal error or a lack of memory, reported on
 * the standard error) the solver accepts ipasir2_release alone.
 *
 * A solver is in one of the states below. Callbacks run during ipasir2_solve, in the same
 * thread; they may call the functions that are allowed in the state SOLVING. A clause that
 * ipasir_add has begun must be ended first. See ipasir.h for literals, and cmd/ipasir/main.go
 * for signals, fork, dlclose and threads.
 */
#ifndef SATOR_IPASIR2_H
#define SATOR_IPASIR2_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ipasir2_errorcode {
	IPASIR2_E_OK = 0,
	IPASIR2_E_UNKNOWN = 1,
	IPASIR2_E_UNSUPPORTED,
	IPASIR2_E_UNSUPPORTED_ARGUMENT,
	IPASIR2_E_UNSUPPORTED_OPTION,
	IPASIR2_E_INVALID_STATE,
	IPASIR2_E_INVALID_ARGUMENT,
	IPASIR2_E_INVALID_OPTION_VALUE
} ipasir2_errorcode;

/* The order is CONFIG < INPUT = SAT = UNSAT < SOLVING. */
typedef enum ipasir2_state {
	IPASIR2_S_CONFIG = 0, /* after ipasir2_init */
	IPASIR2_S_INPUT = 1,  /* after ipasir2_add, or a call of ipasir2_solve without an answer */
	IPASIR2_S_SAT,
	IPASIR2_S_UNSAT,
	IPASIR2_S_SOLVING /* during ipasir2_solve */
} ipasir2_state;

typedef struct ipasir2_option {
	char const *name;
	int64_t min, max;          /* inclusive */
	ipasir2_state max_state;   /* the last state in which the option can be set */
	int tunable;               /* it may be set by automatic tuning */
	int indexed;               /* it is set for a variable, or for all with index 0 */
	void const *handle;
} ipasir2_option;

/* Stores the name and the version of the solver, in static memory. */
ipasir2_errorcode ipasir2_signature(char const **signature);

/* Stores a new solver. */
ipasir2_errorcode ipasir2_init(void **solver);

/* Frees a solver. Not in the state SOLVING. */
ipasir2_errorcode ipasir2_release(void *solver);

/* Stores the options and their number. The array is in static memory. The options are
 *
 *   ipasir.limits.conflicts, ipasir.limits.decisions
 *       a call of ipasir2_solve stops at one more than this number; -1 means no limit
 *   ipasir.variables.phase.initial (indexed)
 *       the value that a decision gives to the variable first: 1 true, -1 false, 0 default
 *   ipasir.variables.frozen (indexed)
 *       1 protects the variable from elimination; it cannot be set back to 0
 *   sator.NAME
 *       each knob NAME of the solver (sator solve --help lists them), in the state CONFIG */
ipasir2_errorcode ipasir2_options(void *solver, ipasir2_option const **options, int *count);

/* Stores the option of this name. */
static inline ipasir2_errorcode ipasir2_get_option_handle(void *solver, char const *name, ipasir2_option const **handle) {
	ipasir2_option const *options;
	int count, i;
	ipasir2_errorcode code = ipasir2_options(solver, &options, &count);
	if (code != IPASIR2_E_OK)
		return code;
	for (i = 0; i < count; i++) {
		if (strcmp(options[i].name, name) == 0) {
			*handle = &options[i];
			return IPASIR2_E_OK;
		}
	}
	return IPASIR2_E_UNSUPPORTED_OPTION;
}

/* Sets an option. The index is ignored unless the option is indexed. */
ipasir2_errorcode ipasir2_set_option(void *solver, ipasir2_option const *handle, int64_t value, int64_t index);

/* Adds a clause of len literals. In the state SOLVING the import callback alone may add
 * a clause, and one that is forgettable may be deleted; others stay. proofmeta is ignored. */
ipasir2_errorcode ipasir2_add(void *solver, int32_t const *clause, int32_t len, int32_t forgettable, void *proofmeta);

/* Searches for a model in which len assumptions are true, and stores 10 if there is one, 20
 * if there is none, or 0 if a limit was reached or the search was terminated. */
ipasir2_errorcode ipasir2_solve(void *solver, int *result, int32_t const *literals, int32_t len);

/* Stores lit if it is true in the model, -lit if it is false, and 0 if the variable is in no
 * clause and no assumption. State SAT. */
ipasir2_errorcode ipasir2_value(void *solver, int32_t lit, int32_t *result);

/* Stores 1 if the assumption lit failed, and else 0. State UNSAT. */
ipasir2_errorcode ipasir2_failed(void *solver, int32_t lit, int *result);

/* Sets the callback that the search calls some hundred times per second, and that ends it by
 * another value than 0. Null removes the callback, as in the functions below. */
ipasir2_errorcode ipasir2_set_terminate(void *solver, void *data, int (*callback)(void *data));

/* Sets the callback that receives each learned clause with fewer than max_length literals,
 * or each one if max_length is -1. proofmeta is null. */
ipasir2_errorcode ipasir2_set_export(void *solver, void *data, int max_length,
	void (*callback)(void *data, int32_t const *clause, int32_t len, void *proofmeta));

/* Returns IPASIR2_E_UNSUPPORTED: the solver reports deletions to proofs alone. */
ipasir2_errorcode ipasir2_set_delete(void *solver, void *data,
	void (*callback)(void *data, int32_t const *clause, int32_t len, void *proofmeta));

/* Sets the callback that may import a clause: it calls ipasir2_add once, or not at all if
 * there is no clause to import. It is called for each few hundred decisions, again after a
 * clause, and before a model is returned. In the state SOLVING it takes effect at the next call
 * of ipasir2_solve, unless there is an import callback already. */
ipasir2_errorcode ipasir2_set_import(void *solver, void *data, void (*callback)(void *data));

/* Sets the callback that receives the literals that are true in all models, each once, at the
 * end of the call of ipasir2_solve that found them. */
ipasir2_errorcode ipasir2_set_fixed(void *solver, void *data, void (*callback)(void *data, int32_t fixed));

#ifdef __cplusplus
}
#endif

#endif
