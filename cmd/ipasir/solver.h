/* solver.h: the solver as the C side and the Go side of the library see it. */
#ifndef SATOR_SOLVER_H
#define SATOR_SOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "ipasir2.h"
#include "ipasir_up.h"

/* sator_max_var is the largest variable of dimacs.Lit, 2^30 - 1. */
#define SATOR_MAX_VAR ((INT32_C(1) << 30) - 1)

/* Literals is a growing array. */
typedef struct literals {
	int32_t *data;
	size_t len, cap;
} literals;

/* Marks of a variable, for its positive and its negative literal. */
enum { ASSUMED_POSITIVE = 1, ASSUMED_NEGATIVE = 2, FAILED_POSITIVE = 4, FAILED_NEGATIVE = 8 };

typedef struct sator {
	uintptr_t go;        /* handle of the Go value, a session */
	ipasir2_state state;
	int broken;          /* the Go side has failed: it must not be called again */
	int32_t vars;        /* largest variable in clauses and assumptions */

	literals clauses;     /* clauses that the Go side does not have yet, each ended by 0 */
	int open;             /* ipasir_add has begun a clause and not ended it */
	literals assumptions; /* of the next call, or of the last one if assumed is 0 */
	int assumed;

	int8_t *values; /* by variable: 1 true, -1 false, 0 unknown */
	uint8_t *marks; /* by variable: marks of the last call's assumptions */
	int32_t known;  /* values and marks have entries up to this variable */

	int64_t max_conflicts, max_decisions; /* limits of a call; 0 means no limit */

	int (*terminate)(void *);
	void *terminate_data;

	/* At most one of the two is set. */
	void (*learn)(void *, int32_t *);
	void (*export)(void *, int32_t const *, int32_t, void *);
	void *learn_data;
	int64_t learn_max; /* literals in a clause that is reported */
	literals learned;  /* the clause that is reported, ended by 0 */

	void (*fixed)(void *, int32_t);
	void *fixed_data;

	void (*import)(void *);
	void *import_data;
	literals imported; /* the clause that the import callback adds, ended by 0 */
	int forgettable;   /* the last clause of the import callback or of the propagator is */
	int importing;     /* the callback runs, and may add a clause */

	ipasir_up up;     /* the callbacks of the propagator */
	int connected;    /* there is a propagator */
	void *up_data;
	literals reported; /* literals for callbacks of the propagator */
} sator;

/* Called by the Go side. */
int sator_call_terminate(sator *s);
int32_t *sator_reserve_learned(sator *s, size_t n);
void sator_call_learn(sator *s, size_t n);
void sator_call_fixed(sator *s, int32_t lit);
int32_t const *sator_call_import(sator *s);
int sator_allocate(sator *s);

/* Callbacks of the propagator, which are not null. */
int32_t *sator_reserve_reported(sator *s, size_t n);
void sator_up_assigned(sator *s, int32_t n);
void sator_up_new_level(sator *s);
void sator_up_backtrack(sator *s, int32_t level);
int32_t sator_up_decide(sator *s);
int32_t sator_up_propagate(sator *s);
int32_t const *sator_up_reason(sator *s, int32_t lit);
int32_t const *sator_up_clause(sator *s);
int sator_up_check(sator *s, int32_t n);

#endif
