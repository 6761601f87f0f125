package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// A host adapts a solver at the root to [inprocess.Host], for the passes that are packages of
// their own.
type host struct{ s *Solver }

func (h host) Vars() int           { return len(h.s.trail.vars) }
func (h host) Values() []int8      { return h.s.trail.vals }
func (h host) Trail() []dimacs.Lit { return h.s.trail.lits }
func (h host) FixedRemoved() bool  { return h.s.trail.roots == h.s.trail.rootsRemoved }

func (h host) Size() inprocess.Size {
	st := &h.s.stats
	return inprocess.Size{Words: h.s.clauses.size(), Irredundant: st.Irredundant, Redundant: st.Redundant, Binary: st.Binary}
}

func (h host) EachClause(f func(r uint32, lits []uint32) bool) (visited int, ok bool) {
	s := h.s
	s.clauses.eachClause(2, func(r uint32) bool {
		if visited++; s.pausing(visited) {
			return false
		}
		return s.clauses.arena[r]&(garbageBit|redundantBit) != 0 || f(r, s.clauses.lits(r))
	})
	return visited, !s.call.stopped
}

func (h host) Lits(r uint32) []uint32                         { return h.s.clauses.lits(r) }
func (h host) Implications(refs bool) *inprocess.Implications { return h.s.implications(refs) }
func (h host) ReleaseImplications()                           { h.s.passes.releaseGraph() }

func (h host) Proof() dimacs.Proof       { return h.s.proof.log }
func (h host) Hints() bool               { return h.s.proof.hints }
func (h host) UnitID(v uint32) int64     { return h.s.proof.unitIDs[v] }
func (h host) ClauseID(ref uint32) int64 { return h.s.clauses.refID(ref) }

func (h host) AddUnits(units []inprocess.Unit) bool { return h.s.assignUnits(units) }

func (h host) AddBinary(a, b dimacs.Lit, id int64) {
	h.s.clauses.watchBinary(a, b, h.s.clauses.binaryRef(true, id))
}

func (h host) Refute()       { h.s.inconsistent = true }
func (h host) Refuted() bool { return h.s.inconsistent }
func (h host) RemoveFixed()  { h.s.collectRoot() }

// Space reserves memory until the end of the pass, for tables of leastReserved bytes and more.
func (h host) Space(expected, most uint64) []byte {
	if expected < leastReserved {
		return nil
	}
	r := reserveSpace(most)
	if r == nil {
		return nil
	}
	h.s.passes.scratch = append(h.s.passes.scratch, r)
	if expected == most && most < largeTable { // the size is known
		r.populate()
	}
	return r.memory
}

func (h host) Ticks() *int64 { return &h.s.stats.Ticks }
func (h host) Poll() bool    { return h.s.call.pollAt != noPoll && h.s.poll(h.s.stats.Ticks) }

func (h host) Stopped() bool {
	t := h.s.stats.Ticks
	return h.s.call.stopped || t >= h.s.call.pollAt && h.s.poll(t)
}
