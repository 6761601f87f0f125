package cdcl

import "sator/dimacs"

// Memory limits. The tables of a solver grow by copying: during a move there are two
// copies of the arena or the pool, and one of them is larger than before. A solver on a
// large formula can therefore fail although most of the memory is free. It asks
// Options.Memory before each such move, before it adds variables, and before a collection,
// which needs a second copy of the learned clauses. Search cannot continue without these
// tables, so that a refusal ends it by a panic (dimacs.MemoryError).
//
// A table that may not grow by half grows by a sixteenth, as long as that is allowed:
// the moves are then more frequent, but a search ends later.
//
// The peak of a run with long learned clauses is the copy of the arena. A problem of cache
// coherence had 16 MB of clauses before a reduction and 4 MB after it. Its peak of 76 MB (28
// MB in Kissat, which extends its arena in place) was the same with a collection that
// allocates exactly what it copies, with a smaller arena after each collection, and with
// garbage collections after 5 percent of growth instead of 25. An arena that grows in place,
// in reserved address space, would need no copy; it would also need an account of its own
// beside that of the Go runtime.
//
// Simplification and local search are optional. Each pass first asks for a bound of its
// scratch memory (scratch); if that is refused, the pass does not run in this round, and the
// search continues. So a run near the limit differs from a run without a limit. Far from
// the limit the answers are all yes, and the runs are the same.

// grown returns a copy of the arena or the pool with capacity for need elements.
func grown[T uint32 | watch](m dimacs.MemoryLimit, a []T, need int) []T {
	size := uintptr(4)
	if _, is := any(a).([]watch); is {
		size = 8
	}
	return withCapacity(a, m.Capacity(need, grownCapacity(need), size))
}

// requireVars asks for the memory of the tables for this many variables, if they grow.
func (s *Solver) requireVars(vars int) {
	if 2*vars > cap(s.vals) {
		s.opts.Memory.Require(bytesPerVar * int64(vars))
	}
}

// scratch returns a bound of the bytes that a pass allocates at once: its own tables
// and one binary implication graph. Passes in dense mode ask for the occurrence lists
// separately, because their size is known only when clauses have been counted.
func (s *Solver) scratch(p *pass) int64 {
	vars, binary, words := int64(len(s.vars)), int64(s.stats.Binary), int64(s.size())
	return p.memory.vars*vars + p.memory.binary*binary + p.memory.words*words
}

// A scratchSize is the scratch memory of a pass in bytes: for each variable, each binary
// clause and each word of the longer clauses.
type scratchSize struct{ vars, binary, words int64 }

// walkMemory returns the bytes that a walk allocates: the clauses, the occurrences of
// literals, and the states of clauses and variables.
func (s *Solver) walkMemory() int64 {
	return 8*int64(s.learnedStart) + 28*int64(s.stats.Binary) + 24*int64(len(s.vars))
}
