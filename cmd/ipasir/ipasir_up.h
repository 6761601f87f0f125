/* ipasir_up.h: user propagators of the SAT solver Sator, in the sense of IPASIR-UP.
 *
 * A propagator takes part in the search (Fazekas, Niemetz, Preiner, Kirchweger, Szeider,
 * Biere, "IPASIR-UP: User Propagators for CDCL", SAT 2023). That interface is one of C++;
 * the calls here are the same in C, with arrays where it has calls for single literals. The
 * documentation of cdcl.Propagator in the package sator/dpll/cdcl has the exact rules.
 *
 * The solver calls the callbacks during ipasir_solve and ipasir2_solve, in the same thread,
 * when unit propagation has ended without a conflict: first backtrack, assigned and new_level
 * for what has changed, then propagate and clause, and for a full assignment check. decide is
 * called before a decision. The callbacks must not call functions of the solver, except
 * ipasir_up_observe. An array that a callback returns must stay as it is until the next
 * callback. A callback that breaks a rule ends the call as an internal error does.
 */
#ifndef SATOR_IPASIR_UP_H
#define SATOR_IPASIR_UP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The callbacks of a propagator. Any of them may be null. */
typedef struct ipasir_up {
	/* Observed literals became true, in this order, at the current level. */
	void (*assigned)(void *data, int32_t const *lits, int32_t len);

	/* A decision level begins. */
	void (*new_level)(void *data);

	/* The levels above this one have ended, with all literals assigned in them. */
	void (*backtrack)(void *data, int32_t level);

	/* Returns the next decision, an unassigned observed literal, or 0. */
	int32_t (*decide)(void *data);

	/* Returns an observed literal that follows from true literals, or 0. */
	int32_t (*propagate)(void *data);

	/* Returns the clause by which propagate implied a literal, ended by 0: the literal, and
	 * observed literals that were false then. */
	int32_t const *(*reason)(void *data, int32_t lit);

	/* Returns a clause that all solutions satisfy, ended by 0, or null. If it sets
	 * *forgettable to 1, the solver may delete the clause. */
	int32_t const *(*clause)(void *data, int *forgettable);

	/* Returns 1 if the model is a solution, and else 0; then the next call of clause returns
	 * a clause that the model falsifies. The model has the true literal of each variable. */
	int (*check)(void *data, int32_t const *model, int32_t len);
} ipasir_up;

/* Connects a propagator to the solver, in place of the last one. The callbacks are copied.
 * A null pointer disconnects the last one. Misuse is handled as in ipasir.h. */
void ipasir_up_connect(void *solver, void *data, ipasir_up const *callbacks);

/* Makes the propagator, also a later one, observe a variable, which is frozen then. */
void ipasir_up_observe(void *solver, int32_t variable);

#ifdef __cplusplus
}
#endif

#endif
