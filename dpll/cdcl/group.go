package cdcl

import (
	"slices"

	"sator/dimacs"
)

// Groups of clauses that a caller switches on by an assumption and off for good, by
// activation literals (Eén and Sörensson, "Temporal induction by incremental SAT solving",
// 2003): each clause of the group contains the complement of a new variable's literal. When
// the group is released, that complement is a unit clause. It satisfies the clauses of the
// group and all clauses that were learned from them, which contain it, too. The next full
// collection deletes them.
//
// Collections follow simplification rounds, which a caller with many short calls may never
// reach. So a call of Solve begins with a collection when the clauses of released groups
// are a quarter of all: the time for collections is then linear in the clauses added.
type groups struct {
	sizes    map[dimacs.Lit]int // by open group: words of its clauses
	released int                // words of clauses of groups released since the last full collection

	enumerations []dimacs.Lit // of open enumerations
	inherited    []dimacs.Lit // of those of the cloned solver, which the next call of Solve releases
}

// NewGroup starts a group of clauses and returns its activation literal, of a new variable.
// The clauses that [Solver.AddTo] adds to the group hold in calls of Solve that assume the
// literal. The variable is frozen. NewGroup panics for a solver with an [Exchange], which would
// share clauses over the variable.
func (s *Solver) NewGroup() dimacs.Lit {
	if s.opts.Exchange != nil {
		panic("cdcl: NewGroup or Enumerate called for a solver with Exchange")
	}
	s.settle()
	g := s.NewVar().Lit()
	s.removal.flags[g>>1] |= keptFlag | groupFlag
	if s.groups.sizes == nil {
		s.groups.sizes = map[dimacs.Lit]int{}
	}
	s.groups.sizes[g] = 0
	return g
}

// AddTo adds a clause to an open group: the clause with the complement of the activation
// literal. In the proof, that is a clause of the formula. AddTo panics if g is no open
// group.
func (s *Solver) AddTo(g dimacs.Lit, lits ...dimacs.Lit) {
	s.groups.require(g, "AddTo")
	s.admit(lits, groupFlag|auxiliaryFlag)
	s.add(s.groups.clause(&s.clauses, g, lits))
}

// clause returns a clause of a group for the table of clauses.
func (gs *groups) clause(to *clauses, g dimacs.Lit, lits []dimacs.Lit) []dimacs.Lit {
	c := make([]dimacs.Lit, 0, len(lits)+1)
	c = append(append(c, lits...), g.Not())
	gs.sizes[g] += to.words(len(c))
	return c
}

// Release switches the group off for good: it adds the complement of the activation literal
// as a clause. The clauses of the group and all clauses learned from them are deleted, at
// the latest when the clauses of released groups are a quarter of all. The variable remains,
// at about 80 bytes. Release panics if g is no open group.
func (s *Solver) Release(g dimacs.Lit) {
	s.groups.require(g, "Release")
	s.requireIdle()
	s.groups.released += s.groups.sizes[g]
	delete(s.groups.sizes, g)
	s.add([]dimacs.Lit{g.Not()})
}

// withoutEnumerations returns the assumptions of a call with those that switch off the blocking
// clauses of all enumerations but the caller's own, so that they do not restrict the decisions.
// No clause has the activation literal itself, and so no failed assumption is one of these.
func (s *Solver) withoutEnumerations(assumptions []dimacs.Lit) []dimacs.Lit {
	for _, g := range s.groups.inherited {
		s.Release(g)
	}
	s.groups.inherited = nil
	own := len(assumptions)
	for _, g := range s.groups.enumerations {
		if !slices.Contains(assumptions[:own], g) {
			assumptions = append(assumptions[:len(assumptions):len(assumptions)], g.Not())
		}
	}
	return assumptions
}

func (gs *groups) require(g dimacs.Lit, call string) {
	if _, open := gs.sizes[g]; !open {
		panic("cdcl: " + call + " needs an open group")
	}
}

// deleteReleased deletes the clauses of released groups if they are a quarter of all.
func (s *Solver) deleteReleased() {
	if s.groups.released > 0 && !s.inconsistent && 4*s.groups.released >= len(s.clauses.arena)+2*s.stats.Binary && s.toRoot() {
		s.groups.released = 0
		s.collectRoot()
	}
}
