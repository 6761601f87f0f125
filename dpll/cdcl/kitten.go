package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/kitten"
)

// A kittenAdapter is a kitten over clauses of the formula. A learned clause that the solver
// uses is logged to the proof, after the learned clauses from which it was derived. These
// auxiliary clauses are deleted from the proof by deleteAuxiliary.
type kittenAdapter struct {
	kitten.Solver
	host *Solver
	// omitted is a literal that the clauses of the kitten lack, although the clauses of
	// the formula have it, so that it belongs to every learned clause; or noLit.
	omitted dimacs.Lit
	// origin returns the reference of the clause of the formula with this tag.
	origin    func(tag uint32) (ref uint32)
	fixed     uint32         // length of the host's trail when the clauses were added
	ids       []int64        // proof ids of logged clauses, by their tags minus 1
	auxiliary []loggedClause // logged as antecedents of other clauses only
}

// A loggedClause is a clause in the proof that the solver does not store.
type loggedClause struct {
	lits []dimacs.Lit
	id   int64
}

// reset deletes all clauses of the kitten.
func (p *kittenAdapter) reset() {
	p.Reset(len(p.host.trail.vars))
	p.fixed = uint32(len(p.host.trail.lits))
	p.omitted = noLit
}

// solveWithin solves within a budget of ticks and adds the ticks to those of the host.
func (p *kittenAdapter) solveWithin(budget int64, assumptions ...kitten.Lit) dimacs.Status {
	before := p.Ticks
	answer := p.Solve(budget, assumptions...)
	p.host.stats.Ticks += p.Ticks - before
	return answer
}

// learn logs the learned clause at r to the proof and returns its id.
func (p *kittenAdapter) learn(r uint32) int64 {
	if p.host.proof.log == nil {
		return 0
	}
	p.MarkCore(r)
	for _, n := range p.Learned {
		if !p.InCore(n) || p.Tag(n) != 0 {
			continue
		}
		c := p.hostLits(n)
		id := p.host.proof.log.Learn(c, p.hostChain(n))
		p.ids = append(p.ids, id)
		p.SetTag(n, uint32(len(p.ids)))
		if n != r {
			p.auxiliary = append(p.auxiliary, loggedClause{c, id})
		}
	}
	p.UnmarkCore()
	return p.ids[p.Tag(r)-1]
}

// hostLits returns the learned clause at r in literals of the formula, with the omitted
// literal.
func (p *kittenAdapter) hostLits(r uint32) []dimacs.Lit {
	var c []dimacs.Lit
	for _, w := range p.Lits(r) {
		c = append(c, p.Outer(kitten.Lit(w)))
	}
	if p.omitted != noLit {
		c = append(c, p.omitted)
	}
	return c
}

// hostChain returns the proof ids of the antecedents of a learned clause. Before them it
// returns the root units that falsified literals of the original antecedents when these were
// added to the kitten.
func (p *kittenAdapter) hostChain(r uint32) []int64 {
	s := p.host
	if !s.proof.hints {
		return nil
	}
	s.proof.chain = s.proof.chain[:0]
	for _, a := range p.Antecedents(r) {
		if p.Original(a) {
			p.needUnits(p.origin(p.Tag(a)))
		}
	}
	s.analysis.unmark()
	for _, a := range p.Antecedents(r) {
		if p.Original(a) {
			s.proof.chain = append(s.proof.chain, s.clauses.refID(p.origin(p.Tag(a))))
		} else {
			s.proof.chain = append(s.proof.chain, p.ids[p.Tag(a)-1])
		}
	}
	return s.proof.chain
}

// needUnits schedules for the chain the root units that falsified literals of the clause at
// ref before it was added to the kitten.
func (p *kittenAdapter) needUnits(ref uint32) {
	if ref&1 != 0 {
		return
	}
	s := p.host
	for _, w := range s.clauses.lits(ref) {
		if s.trail.vals[w] != 0 && s.trail.vars[w>>1].trail < p.fixed {
			s.analysis.scheduleVar(w >> 1)
		}
	}
}

// deleteAuxiliary deletes the auxiliary clauses from the proof.
func (p *kittenAdapter) deleteAuxiliary() {
	for _, c := range p.auxiliary {
		p.host.proof.log.Delete(c.id, c.lits)
	}
	p.auxiliary, p.ids = p.auxiliary[:0], p.ids[:0]
}
