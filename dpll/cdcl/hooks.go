package cdcl

import "sator/dimacs"

// Callbacks that a caller sets and replaces at any time, also from a callback: IPASIR's
// ipasir_set_learn and ipasir_set_terminate (Balyo, Biere, Iser, Sinz, "SAT Race 2015",
// Artificial Intelligence 2016). Options.Learned is set once for all clauses, for recorders
// and tests.

// hooks are the callbacks of a caller.
type hooks struct {
	learned    func(clause []dimacs.Lit)
	learnedMax int // longest clause for learned
	terminate  func() bool
}

// SetLearned sets a callback for learned clauses of at most max literals, without extension
// variables, from now on; nil ends the calls. The clause follows from the clauses added so
// far, without assumptions. The slice is scratch memory: copy it to keep it. SetLearned may
// be called at any time, also from a callback. Options.Learned is called besides. With a
// callback at the time symmetries are not broken; once they are, f is not called, since
// learned clauses do not follow any more.
func (s *Solver) SetLearned(max int, f func(clause []dimacs.Lit)) {
	s.hooks.learned, s.hooks.learnedMax = f, max
}

// SetTerminate sets a callback that ends a call of Solve with Unknown when it returns true;
// nil ends the calls. Solve calls it at the start and then as often as it polls its context,
// every few milliseconds at most. SetTerminate may be called at any time, also from a
// callback, but not by another goroutine during a call: for that, cancel the context.
func (s *Solver) SetTerminate(f func() bool) { s.hooks.terminate = f }

// reportLearned calls the callbacks with a learned clause.
func (s *Solver) reportLearned(c []dimacs.Lit) {
	short := s.hooks.learned != nil && len(c) <= s.hooks.learnedMax
	if !short && s.opts.Learned == nil || s.stats.Symmetries > 0 || !s.removal.onlyCallerVars(c) {
		return
	}
	if s.opts.Learned != nil {
		s.proof.scratch = append(s.proof.scratch[:0], c...)
		s.opts.Learned(s.proof.scratch)
	}
	if short {
		s.proof.scratch = append(s.proof.scratch[:0], c...)
		s.hooks.learned(s.proof.scratch)
	}
}
