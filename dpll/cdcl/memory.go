package cdcl

// Memory limits. Where the tables of a solver grow by copying (reserve.go), there are two
// copies of the arena or the pool during a move, and one of them is larger than before. A
// solver on a large formula can therefore fail although most of the memory is free. It asks
// Options.Memory before the arena or the pool grows, before it adds variables, and before a
// collection, which may need a second copy of the learned clauses. Search cannot continue
// without these tables, so that a refusal ends it by a panic (dimacs.MemoryError).
//
// A table that may not grow by half, or an eighth in place, grows by a sixteenth, as long as
// that is allowed: it then grows more often, but a search ends later.
//
// Simplification and local search are optional. Each pass first asks for a bound of its
// scratch memory (scratch); if that is refused, the pass does not run in this round, and the
// search continues. So a run near the limit differs from a run without a limit. Far from
// the limit the answers are all yes, and the runs are the same.

// requireVars asks for the memory of the tables for this many variables, if they grow.
func (s *Solver) requireVars(vars int) {
	if 2*vars > cap(s.trail.vals) {
		s.opts.Memory.Require(bytesPerVar * int64(vars))
	}
}

// scratch returns a bound of the bytes that a pass allocates at once: its own tables
// and one binary implication graph. Passes in dense mode ask for the occurrence lists
// separately, because their size is known only when clauses have been counted.
func (s *Solver) scratch(p *pass) int64 {
	vars, binary, words := int64(len(s.trail.vars)), int64(s.stats.Binary), int64(s.clauses.size())
	return p.memory.vars*vars + p.memory.binary*binary + p.memory.words*words
}

// A scratchSize is the scratch memory of a pass in bytes: for each variable, each binary
// clause and each word of the longer clauses.
type scratchSize struct{ vars, binary, words int64 }

// walkMemory returns the bytes that a walk allocates: binary and shortened clauses, references to
// the others, the occurrences of literals, and the states of clauses and variables.
func (s *Solver) walkMemory() int64 {
	return 8*int64(s.clauses.learnedStart) + 24*int64(s.stats.Binary) + 24*int64(len(s.trail.vars))
}
