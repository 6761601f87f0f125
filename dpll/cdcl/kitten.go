package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/kitten"
)

// A kittenAdapter is a little solver over clauses of the formula. What it learns is told to
// the proof where something comes of it: a clause, behind those that it needs, which
// are deleted when the kittenAdapter is left.
type kittenAdapter struct {
	kitten.Solver
	host *Solver
	// besides is in each clause of the formula that was given, but not here, so that
	// it is in what follows from them; noLit if there is none.
	besides dimacs.Lit
	// origin returns the clause of the formula that was given with a note.
	origin  func(note uint32) (ref uint32)
	fixed   uint32          // literals of the host's trail when clauses were given
	ids     []int64         // proof ids of learned clauses, by their notes less 1
	passing []stackedClause // those of them that nothing else needs
}

// reset makes the part an empty one.
func (p *kittenAdapter) reset() {
	p.Reset(len(p.host.vars))
	p.fixed = uint32(len(p.host.trail))
	p.besides = noLit
}

// solveWithin solves with so many ticks at most, which the host counts.
func (p *kittenAdapter) solveWithin(budget int64, assumptions ...kitten.Lit) dimacs.Status {
	before := p.Ticks
	answer := p.Solve(budget, assumptions...)
	p.host.stats.Ticks += p.Ticks - before
	return answer
}

// learn tells the proof the learned clause at r and returns its id.
func (p *kittenAdapter) learn(r uint32) int64 {
	if p.host.proof == nil {
		return 0
	}
	p.MarkCore(r)
	for _, n := range p.Learned {
		if !p.InCore(n) || p.Tag(n) != 0 {
			continue
		}
		c := p.hostLits(n)
		id := p.host.proof.Learn(c, p.hostChain(n))
		p.ids = append(p.ids, id)
		p.SetTag(n, uint32(len(p.ids)))
		if n != r {
			p.passing = append(p.passing, stackedClause{lits: c, id: id})
		}
	}
	p.UnmarkCore()
	return p.ids[p.Tag(r)-1]
}

// hostLits returns the learned clause at r as it follows from the formula.
func (p *kittenAdapter) hostLits(r uint32) []dimacs.Lit {
	var c []dimacs.Lit
	for _, w := range p.Lits(r) {
		c = append(c, p.Outer(kitten.Lit(w)))
	}
	if p.besides != noLit {
		c = append(c, p.besides)
	}
	return c
}

// hostChain returns the antecedents of a learned clause, and before them the units
// that were taken out of those when they were given.
func (p *kittenAdapter) hostChain(r uint32) []int64 {
	s := p.host
	if !s.hints {
		return nil
	}
	s.chain = s.chain[:0]
	for _, a := range p.Antecedents(r) {
		if p.Original(a) {
			p.needUnits(p.origin(p.Tag(a)))
		}
	}
	s.unmark()
	for _, a := range p.Antecedents(r) {
		if p.Original(a) {
			s.chain = append(s.chain, s.refID(p.origin(p.Tag(a))))
		} else {
			s.chain = append(s.chain, p.ids[p.Tag(a)-1])
		}
	}
	return s.chain
}

// needUnits puts the units into the chain that falsified literals of the clause when
// it was given.
func (p *kittenAdapter) needUnits(ref uint32) {
	if ref&1 != 0 {
		return
	}
	s := p.host
	for _, w := range s.lits(ref) {
		if s.vals[w] != 0 && s.vars[w>>1].trail < p.fixed {
			s.scheduleVar(w >> 1)
		}
	}
}

// deletePassing deletes the clauses that the proof was told and nothing else needs.
func (p *kittenAdapter) deletePassing() {
	for _, c := range p.passing {
		p.host.proof.Delete(c.id, c.lits)
	}
	p.passing, p.ids = p.passing[:0], p.ids[:0]
}
