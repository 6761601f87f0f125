package twosat

import (
	"context"

	"sator/dimacs"
)

// Deciding 2-SAT takes two stages. Peeling (peel.go) passes over the clauses in
// order and drops clauses with a pure literal. The remaining clauses, the kernel,
// become an implication graph, which unit propagation decides (propagate.go).
// Both stages take linear time for all formulas. Strongly connected components
// are the fallback of the second stage.
//
// The benchmarks compare with the textbook's method: the strongly connected
// components of the whole implication graph. That method visits two vertices a
// variable and two edges a clause. Each visit waits for memory, and the search
// needs the graph in compressed rows before it can begin. Peeling reads the
// clauses in order and drops 99 of 100 clauses of random 2-SAT with 0.99 clauses
// a variable. It looks up one byte a literal, which fits the cache. The lookups
// of many clauses overlap, since no lookup depends on another. The kernel is
// small. Its variables are numbered by first occurrence in the clauses, so that
// rows of neighbors are near each other in memory.
//
// Processor time a clause, from the parsed formula to the model, and for the
// textbook's search alone, over rows built before (five seeds each, on a busy
// machine with two cores of an AMD EPYC; commands in bench_test.go):
//
//	variables  clauses a variable    here          textbook
//	10^6       0.99                  43 to 53 ns   531 to 569 ns
//	10^6       1.01 (four seeds)     49 to 53 ns   478 to 610 ns
//	10^7       0.9                   102 to 145 ns 661 to 698 ns
//
// Peeling takes most of the time, and memory is its limit: at 10^7 variables the
// counts exceed the cache. If peeling drops nothing, as for a chain written
// backward, building the kernel costs as much as propagation saves: the total is
// 1.2 times the textbook's search.
//
// After a model is found, assumptions need only a propagation: the literals that
// they imply become true, and all other variables keep their values in the
// model. The result satisfies every clause: if a literal of the clause became
// false, propagation made the other one true; if neither literal was assigned,
// the model satisfies the clause.

// Solve decides the clauses under assumptions. It returns Satisfiable if there is
// a model in which all assumptions are true; [Solver.Model] returns it. It returns
// Unsatisfiable if there is no such model; [Solver.Failed] returns the failed
// assumptions, and [Solver.Refutation] explains why there is no model even
// without assumptions. It returns Unknown if ctx ended before.
//
// The first call after clauses were added takes time linear in all clauses. Later
// calls take time linear in the part of the implication graph that the
// assumptions reach; the first of them with assumptions builds that graph.
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

// decide decides the clauses without assumptions.
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

// assume propagates the assumptions. On a contradiction, it stores the two
// assumptions that are mutually exclusive, or one that implies its complement.
func (s *Solver) assume(assumptions []dimacs.Lit) dimacs.Status {
	g := s.Graph()
	if s.assumed == nil || s.assumed.g != g {
		s.assumed = newPropagator(g)
	}
	p := s.assumed
	began := make([]int, 0, len(assumptions)) // length of the trail before each assumption
	for i, l := range assumptions {
		began = append(began, len(p.trail))
		clash, ok := p.imply(l)
		if ok {
			continue
		}
		// Find the assumption that made the complement of the clash true.
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

// fail stores the failed assumptions l and k, which may be the same, and the chain
// between them.
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
