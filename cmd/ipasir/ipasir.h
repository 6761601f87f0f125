/* ipasir.h: the incremental interface IPASIR of the SAT solver Sator.
 *
 * IPASIR is the "re-entrant incremental SAT application program interface" of the SAT
 * Race 2015 (Balyo, Biere, Iser, Sinz, "SAT Race 2015", Artificial Intelligence 241,
 * 2016). Programs written against it run with any solver that implements it. Link with
 * libsator.so, or with libsator.a and -pthread. cmd/ipasir/main.go describes signals,
 * fork, dlclose and threads.
 *
 * A literal is a variable 1, 2, ... up to 2^30 - 1, or its negative number. All numbers belong
 * to the program: the library makes no variables of its own, so that a program may use any
 * number at any time, for activation literals of clauses, too. A solver is in
 * one of three states: INPUT after ipasir_init, SAT and UNSAT after answers of ipasir_solve.
 * ipasir_add and ipasir_assume lead back to INPUT. A call in the wrong state, with an
 * invalid literal, or from within a callback, prints a message to the standard error and
 * calls abort(), as does a call that needs the engine in a child of fork. Different solvers may be used by different threads at the same time, one
 * solver by one thread at a time.
 */
#ifndef SATOR_IPASIR_H
#define SATOR_IPASIR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the name and the version of the solver, in static memory. */
const char *ipasir_signature(void);

/* Returns a new solver without clauses. */
void *ipasir_init(void);

/* Frees a solver. Null is allowed and ignored. */
void ipasir_release(void *solver);

/* Adds a literal to the clause under construction, or ends the clause if it is 0. The
 * literals of a few thousand clauses are buffered: a call takes a few nanoseconds. */
void ipasir_add(void *solver, int32_t lit_or_zero);

/* Adds an assumption for the next call of ipasir_solve, after which there are no
 * assumptions. */
void ipasir_assume(void *solver, int32_t lit);

/* Searches for a model in which all assumptions are true. Returns 10 if there is one, 20
 * if there is none, and 0 if the terminate callback ended the search. The clause under
 * construction must be ended. */
int ipasir_solve(void *solver);

/* Returns lit if it is true in the model, -lit if it is false, and 0 if the variable is larger
 * than those of all clauses and assumptions. State SAT. */
int32_t ipasir_val(void *solver, int32_t lit);

/* Returns 1 if lit is a failed assumption: the clauses have no model in which all failed
 * assumptions are true. Returns 0 for the other assumptions of the call; a literal that was
 * not assumed is invalid. State UNSAT. */
int ipasir_failed(void *solver, int32_t lit);

/* Sets the callback that the search calls some hundred times per second. The search ends if
 * it returns a value other than 0. A null callback removes the last one. */
void ipasir_set_terminate(void *solver, void *data, int (*terminate)(void *data));

/* Sets the callback that receives each learned clause of at most max_length literals, ended
 * by 0; the empty clause, too, once. The clause is overwritten after the callback. A null
 * callback removes the last one. */
void ipasir_set_learn(void *solver, void *data, int max_length, void (*learn)(void *data, int32_t *clause));

#ifdef __cplusplus
}
#endif

#endif
