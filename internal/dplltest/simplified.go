package dplltest

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// VerifySimplified checks the proof of a simplification that keeps all models, where g is
// the simplified formula. It returns an error if a step of the proof is wrong, if the live
// clauses of the proof are not the clauses of g, or if g and the original clauses differ in
// a model (see [Brute]). If g contains the empty clause, the proof must contain it too, and
// may have any other live clauses.
func (p *Recorder) VerifySimplified(g *dimacs.Formula) error {
	if err := p.VerifyLive(g); err != nil {
		return err
	}
	f := dimacs.NewFormula(g.Vars())
	for _, c := range p.originals {
		f.Add(c...)
	}
	if c := notImplied(f, g); c != nil {
		return fmt.Errorf("the formula does not imply %v", c)
	}
	if c := notImplied(g, f); c != nil {
		return fmt.Errorf("the simplified formula does not imply %v", c)
	}
	return nil
}

// VerifyLive returns an error if a step of the proof is wrong, or if the live clauses of the
// proof are not the clauses of g. If g contains the empty clause, the proof must contain it
// too, and may have any other live clauses.
func (p *Recorder) VerifyLive(g *dimacs.Formula) error {
	if p.err != nil {
		return p.err
	}
	live := make(map[string]int)
	for _, c := range p.live {
		if !c.deleted {
			live[fmt.Sprint(sorted(c.lits))]++
		}
	}
	refuted := false
	for _, c := range g.Clauses() {
		live[fmt.Sprint(sorted(c))]--
		refuted = refuted || len(c) == 0
	}
	switch {
	case !refuted:
		for c, n := range live {
			if n != 0 {
				return fmt.Errorf("proof: %d live clauses %s more than in the simplified formula", n, c)
			}
		}
	case !p.refuted:
		return errors.New("proof: the empty clause was not learned")
	}
	return nil
}

// notImplied returns a clause of g that f does not imply, or nil.
func notImplied(f, g *dimacs.Formula) []dimacs.Lit {
	common := make(map[string]bool)
	for _, c := range f.Clauses() {
		common[fmt.Sprint(sorted(c))] = true
	}
	for _, c := range g.Clauses() {
		if common[fmt.Sprint(sorted(c))] {
			continue
		}
		if _, m := Brute(f, mapLits(c, dimacs.Lit.Not)...); m != nil {
			return slices.Concat([]dimacs.Lit{}, c)
		}
	}
	return nil
}
