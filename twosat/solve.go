package twosat

import (
	"context"

	"sator/dimacs"
)

// A decision takes two stages. Peeling (peel.go) passes over the clauses in
// order and drops those that can be satisfied without harm to others; what it
// leaves, the kernel, is made into a graph and decided by propagation
// (propagate.go). Both take linear time, whatever the clauses are. Components
// are looked for in one case alone, which is told there.
//
// The textbook method, components of the whole implication graph, is what the
// benchmarks compare with. It visits two vertices for each variable and two
// edges for each clause, in an order in which each visit waits for memory, and
// needs the graph in rows before it can begin. Of random 2-SAT with 0.99 clauses
// a variable peeling drops 99 of 100 clauses, reading them in order.
// What it looks up is one byte for each literal, which fits the cache, and the
// lookups of many clauses are under way at the same time, since none has to wait
// for another. The kernel is small, and its variables are numbered in the order
// in which clauses name them, so that the rows of neighbors lie near.
//
// Processor time for a clause, from the formula that was read to the model, and
// of the textbook's search alone, over rows made before (five seeds each, on a
// busy machine with two cores of an AMD EPYC; commands in bench_test.go):
//
//	variables  clauses a variable    here          textbook
//	10^6       0.99                  43 to 53 ns   531 to 569 ns
//	10^6       1.01 (four seeds)     49 to 53 ns   478 to 610 ns
//	10^7       0.9                   102 to 145 ns 661 to 698 ns
//
// Peeling is most of it, and the limit is memory: at 10^7 the counts no longer
// fit the cache. Where nothing peels, as in a chain written backward, building
// the kernel costs what propagation saves: 1.2 times the textbook's search.
//
// With a model at hand, assumptions take a propagation and nothing else: what
// they imply is made true, and everything else may stay as it is in the model.
// For if a clause has a false literal among what they imply, then it also has a
// true one there; and where it has none of the two, the model satisfies it.

// Solve looks for a model of the clauses in which all assumptions are true. It
// returns Satisfiable, and then [Solver.Model] tells the model; Unsatisfiable,
// and then [Solver.Failed] tells which assumptions are to blame and why, or
// [Solver.Refutation] why there is no model at all; or Unknown, if ctx ended
// before there was an answer.
//
// The first call after clauses were added takes time linear in all clauses. A
// further one takes time linear in what the assumptions imply; the first such
// with assumptions makes the implication graph.
func (s *Solver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.growTo(assumptions)
	s.answer, s.failed, s.conflict = dimacs.Unknown, nil, nil
	if s.assumed != nil {
		s.assumed.undo(0)
	}
	if ended(ctx) {
		return dimacs.Unknown
	}
	answer := s.decide(ctx)
	if answer == dimacs.Satisfiable && len(assumptions) > 0 {
		answer = s.assume(assumptions)
	}
	s.answer = answer
	return answer
}

// decide finds out whether the clauses have a model.
func (s *Solver) decide(ctx context.Context) dimacs.Status {
	if s.status != dimacs.Unknown {
		return s.status
	}
	if s.empty {
		s.status, s.refutation = dimacs.Unsatisfiable, new(Refutation)
		return s.status
	}
	s.stats = Stats{Vars: s.vars, Clauses: len(s.pairs)}
	s.elapsed()
	p := peel(ctx, s.vars, s.pairs)
	s.stats.Rounds, s.stats.Peel = p.rounds, s.elapsed()
	if ended(ctx) {
		return dimacs.Unknown
	}
	k := newKernel(s.vars, p.left)
	s.stats.KernelVars, s.stats.KernelClauses, s.stats.Build = len(k.original), len(p.left), s.elapsed()
	clash, status := k.decide(ctx, &s.stats)
	switch status {
	case dimacs.Satisfiable:
		s.model = p.model()
		k.complete(s.model)
	case dimacs.Unsatisfiable:
		s.kernel, s.clash = k, clash
	}
	s.stats.Decide = s.elapsed()
	if status == dimacs.Unsatisfiable && s.proof != nil {
		s.prove(s.refute())
	}
	s.status = status
	return status
}

// assume makes the assumptions and what they imply true, or finds two of them
// that exclude each other, or one that excludes itself.
func (s *Solver) assume(assumptions []dimacs.Lit) dimacs.Status {
	g := s.Graph()
	if s.assumed == nil || s.assumed.g != g {
		s.assumed = newPropagator(g)
	}
	p := s.assumed
	began := make([]int, 0, len(assumptions)) // where on the trail they begin
	for i, l := range assumptions {
		began = append(began, len(p.trail))
		clash, ok := p.imply(l)
		if ok {
			continue
		}
		// The complement of the clash is true: by which assumption?
		at := 0
		for p.trail[at] != clash^1 {
			at++
		}
		j := i
		for began[j] > at {
			j--
		}
		p.undo(0)
		s.fail(l, assumptions[j])
		return dimacs.Unsatisfiable
	}
	return dimacs.Satisfiable
}

// fail notes that two assumptions, which may be the same, exclude each other.
func (s *Solver) fail(l, k dimacs.Lit) {
	s.failed = []dimacs.Lit{l}
	if k != l {
		s.failed = append(s.failed, k)
	}
	if k == l^1 {
		return
	}
	s.conflict, _ = newFinder(s.Graph()).path(l, k^1)
	if s.proof == nil {
		return
	}
	c := make([]dimacs.Lit, len(s.failed))
	for i, a := range s.failed {
		c[i] = a ^ 1
	}
	id := s.proof.Learn(c, s.hintsOf(s.idsOf(s.conflict)...))
	s.proof.Delete(id, c)
}
