package session

import (
	"slices"

	"sator/dimacs"
)

// Two sets of clauses that the merger needs: ids, and literals with the clauses
// themselves. Maps are enough: the clauses that are not deleted are few compared with the
// steps of a proof. An arena with pages by id merged a proof to DRAT in three quarters of the
// processor time, and a merge takes a tenth of the time of the solvers.

// ids is a set of ids.
type ids map[int64]struct{}

// add adds an id.
func (s ids) add(id int64) { s[id] = struct{}{} }

// remove removes an id, and reports whether it was in the set.
func (s ids) remove(id int64) bool {
	_, ok := s[id]
	delete(s, id)
	return ok
}

// literals has clauses by id. The methods of a nil literals do nothing.
type literals struct {
	clauses map[int64][]dimacs.Lit
	memory  dimacs.MemoryLimit
}

// add stores a clause.
func (s *literals) add(id int64, lits []dimacs.Lit) {
	if s != nil {
		const entry = 64 // bytes in the map
		s.memory.Require(entry + 4*int64(len(lits)))
		s.clauses[id] = slices.Clone(lits)
	}
}

// remove removes a clause and returns its literals.
func (s *literals) remove(id int64) (lits []dimacs.Lit) {
	if s != nil {
		lits = s.clauses[id]
		delete(s.clauses, id)
	}
	return lits
}
