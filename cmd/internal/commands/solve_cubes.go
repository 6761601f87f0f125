package commands

import (
	"context"
	"slices"

	"sator/dimacs"
)

// The answer for a script is that of its formula, as with conquer. One incremental solver
// solves the cubes in order, each as assumptions, until a cube has a model. If all are refuted,
// the solver is called without a cube, for the assignments outside of all cubes. It is given
// the clauses that refute the cubes, so that it does not refute them again; the formula implies
// them, and in the proof they are lemmas. So there is one proof of the formula.

// solveCubes solves the cubes in order until a cube is satisfiable or unknown, or a refutation is
// wrong, and then the rest. If the formula alone is unsatisfiable, so are the later cubes.
func (s *solveRun) solveCubes(ctx context.Context) error {
	refuted := dimacs.NewFormula(0) // the clauses that refute the cubes
	var ids []int64                 // of these clauses in the proof
	for i, cube := range s.Input.Cubes {
		if i == 0 || len(s.Failed) > 0 {
			if err := s.solveUnder(ctx, slices.Concat(s.o.Assume, cube.Lits)); err != nil {
				s.Status = dimacs.Unknown
				s.report(i)
				return err
			}
		}
		s.report(i)
		if s.Status != dimacs.Unsatisfiable || s.Evidence.Fault != nil {
			return nil
		}
		if c := negated(s.Failed); s.cubes == nil {
			refuted.Add(c...)
		} else if id := s.cubes.claim(c); id > 0 {
			refuted.Add(c...)
			ids = append(ids, id)
		}
	}
	if len(s.Failed) == 0 {
		return nil
	}
	return s.solveRest(ctx, refuted, ids)
}

// report stores and prints the status of cube i.
func (s *solveRun) report(i int) {
	s.Cubes = append(s.Cubes, s.Status)
	s.Comment("cube %d: %v", i+1, s.Status)
}

// solveRest solves the formula after all cubes are refuted. The engines of linear time do not
// need the clauses that refute the cubes, and accept no clause of another kind.
func (s *solveRun) solveRest(ctx context.Context, refuted *dimacs.Formula, ids []int64) error {
	if e := s.o.Choice.Engine; e != "twosat" && e != "horn" {
		if s.cubes != nil {
			s.cubes.given = ids
		}
		if !s.solver.Load(ctx, refuted, s.vars, 0, refuted.Len()) {
			s.Status = dimacs.Unknown
			return context.Cause(ctx)
		}
	}
	err := s.solveUnder(ctx, s.o.Assume)
	if err != nil {
		s.Status = dimacs.Unknown
	}
	s.Comment("outside the cubes: %v", s.Status)
	return err
}

// negated returns the complements of literals.
func negated(lits []dimacs.Lit) []dimacs.Lit {
	c := make([]dimacs.Lit, len(lits))
	for i, l := range lits {
		c[i] = l.Not()
	}
	return c
}

// A cubeProof is the proof of a solver of cubes. It keeps the clauses that refute them: the
// solver logs such a clause last, as the clause of its failed assumptions, and deletes it.
type cubeProof struct {
	dimacs.Proof
	last    int64          // id of the latest lemma
	lits    []dimacs.Lit   // its literals, sorted
	deleted bool           // the solver has deleted it, which is not passed on yet
	claimed map[int64]bool // clauses whose next deletion is not passed on
	given   []int64        // ids of the next original clauses, which are lemmas in the proof
}

// Original implements [dimacs.Proof].
func (p *cubeProof) Original(lits []dimacs.Lit) (id int64) {
	if len(p.given) > 0 {
		id, p.given = p.given[0], p.given[1:]
		return id
	}
	return p.Proof.Original(lits)
}

// Learn implements [dimacs.Proof].
func (p *cubeProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	p.pass()
	p.last = p.Proof.Learn(lits, hints)
	p.lits = append(p.lits[:0], lits...)
	slices.Sort(p.lits)
	return p.last
}

// Delete implements [dimacs.Proof]. The deletion of the latest lemma is passed on before the next
// lemma, unless the lemma is claimed; other deletions may come in between.
func (p *cubeProof) Delete(id int64, lits []dimacs.Lit) {
	switch {
	case p.claimed[id]:
		delete(p.claimed, id)
	case id == p.last && !p.deleted:
		p.deleted = true
	default:
		p.Proof.Delete(id, lits)
	}
}

// pass passes on the deletion of the latest lemma.
func (p *cubeProof) pass() {
	if p.deleted {
		p.deleted = false
		p.Proof.Delete(p.last, p.lits)
	}
}

// claim keeps a clause in the proof if it is the latest lemma, and returns its id. Otherwise it
// returns 0: two complementary assumptions fail without a lemma.
func (p *cubeProof) claim(c []dimacs.Lit) int64 {
	sorted := slices.Sorted(slices.Values(c))
	if p.last == 0 || !slices.Equal(sorted, p.lits) || p.claimed[p.last] {
		return 0
	}
	if !p.deleted {
		p.claimed[p.last] = true
	}
	p.deleted = false
	return p.last
}
