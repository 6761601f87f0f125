package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/dplltest"
)

// around returns an eliminator that has gathered the clauses of variable 1, which is
// in each of those drawn, and no other clause.
func around(rng *rand.Rand, p *dplltest.Recorder) (*eliminator, [][]dimacs.Lit) {
	vars := 3 + rng.IntN(4)
	clauses := draw(rng, vars, 4+rng.IntN(16))
	for i, c := range clauses {
		c = slices.DeleteFunc(c, func(l dimacs.Lit) bool { return l>>1 == 0 })
		clauses[i] = append(c, dimacs.Lit(rng.IntN(2)))
	}
	o := eliminating()
	o.Definitions = 1
	if p != nil {
		o.Proof = p
	}
	s := loaded(o, clauses)
	if s.inconsistent || s.roots > 0 {
		return nil, nil
	}
	e := &eliminator{dense: s.enterDense(1e9)}
	if s.inconsistent || s.roots > 0 || !e.gather(0) {
		return nil, nil
	}
	return e, clauses
}

// without returns the clause of a watch of l without l.
func (e *eliminator) rest1(l dimacs.Lit, w watch) []dimacs.Lit {
	var c []dimacs.Lit
	for _, k := range e.clauseOf(l, w) {
		if k != uint32(l) {
			c = append(c, dimacs.Lit(k))
		}
	}
	return c
}

// holds reports whether all clauses have a literal that is true by the bits.
func holds(clauses [][]dimacs.Lit, bits int) bool {
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return bits>>(l>>1)&1 != int(l&1) }) {
			return false
		}
	}
	return true
}

// A definition is found if and only if there is one; its clauses are one; the
// resolvents that are made say the same as all do; and the clauses of the definition
// give the variable a value that the others accept.
func TestDefinitions(t *testing.T) {
	found, units, notGates, none := 0, 0, 0, 0
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 0xdef))
		p := dplltest.NewRecorder(seed%2 == 0)
		e, _ := around(rng, p)
		if e == nil {
			continue
		}
		var pos, neg [][]dimacs.Lit
		for _, w := range e.pos {
			pos = append(pos, e.rest1(0, w))
		}
		for _, w := range e.neg {
			neg = append(neg, e.rest1(1, w))
		}
		defined := func(pos, neg [][]dimacs.Lit) bool {
			for bits := range 1 << len(e.vars) {
				if holds(pos, bits) && holds(neg, bits) {
					return false
				}
			}
			return true
		}
		unit := e.findDefinition(0)
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := len(pos) > 0 && len(neg) > 0 && defined(pos, neg)
		if got := unit || e.mined; got != want {
			t.Fatalf("seed %d: found %v, want %v", seed, got, want)
		}
		switch {
		case unit:
			units++
			if l := e.trail[0]; len(e.trail) != 1 || l>>1 != 0 || l == 0 && !defined(pos, nil) || l == 1 && !defined(nil, neg) {
				t.Fatalf("seed %d: %v is a unit", seed, l)
			}
			continue
		case !e.mined:
			none++
			continue
		}
		found++
		// The definition is in front now.
		pos, neg = pos[:0], neg[:0]
		for _, w := range e.pos {
			pos = append(pos, e.rest1(0, w))
		}
		for _, w := range e.neg {
			neg = append(neg, e.rest1(1, w))
		}
		posGate, negGate := pos[:e.posGate], neg[:e.negGate]
		if !defined(posGate, negGate) {
			t.Fatalf("seed %d: %v and %v are no definition", seed, posGate, negGate)
		}
		var resolvents [][]dimacs.Lit
		for i, v := range e.pos {
			for j, w := range e.neg {
				if e.needed(i, j) && e.resolve(0, v, w) {
					resolvents = append(resolvents, slices.Clone(e.resolvent))
					if i < e.posGate && j < e.negGate {
						notGates++
					}
				}
			}
		}
		for bits := range 1 << len(e.vars) {
			possible := holds(pos, bits) || holds(neg, bits)
			if got := holds(resolvents, bits); got != possible {
				t.Fatalf("seed %d: the resolvents allow %b: %v", seed, bits, got)
			}
			// A clause of the definition says which value it has.
			if possible && !holds(posGate, bits) && !holds(neg, bits) || possible && !holds(negGate, bits) && !holds(pos, bits) {
				t.Fatalf("seed %d: no value for %b", seed, bits)
			}
		}
	}
	if found < 300 || units < 20 || notGates < 300 || none < 300 {
		t.Errorf("%d definitions, %d units, %d not defined; %d resolvents within definitions", found, units, none, notGates)
	}
}

// Formulas are as satisfiable as before when variables with definitions go, with the
// same models, and so says the proof.
func TestDefinitionsEliminate(t *testing.T) {
	var sum Stats
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 0xde1))
		vars := 5 + rng.IntN(7)
		f := dimacs.NewFormula(vars)
		o := eliminating()
		o.Definitions, o.EliminateBound = 1, 16
		o.OneShot = seed%3 == 0
		o.Simplify = 0
		p := dplltest.NewRecorder(seed%2 == 0)
		o.Proof = p
		clauses := draw(rng, vars, 2*vars+rng.IntN(4*vars))
		for _, c := range clauses {
			f.Add(c...)
		}
		s := loaded(o, clauses)
		for range 6 {
			if !s.inconsistent {
				s.eliminate(1e9)
			}
		}
		if !o.OneShot && !s.inconsistent && rng.IntN(2) == 0 { // variables come back
			c := []dimacs.Lit{dimacs.Lit(rng.IntN(2 * vars)), dimacs.Lit(rng.IntN(2 * vars))}
			f.Add(c...)
			s.Add(c...)
		}
		want, _ := dplltest.Brute(f)
		switch answer := s.Solve(context.Background()); {
		case answer != want:
			t.Fatalf("seed %d: %v, want %v", seed, answer, want)
		case answer == dimacs.Satisfiable && s.Model().Falsified(f) >= 0:
			t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(s.Model().Falsified(f)))
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum.Definitions += s.stats.Definitions
		sum.Eliminated += s.stats.Eliminated
		sum.Restored += s.stats.Restored
	}
	if sum.Definitions < 100 || sum.Eliminated < 300 || sum.Restored < 30 {
		t.Errorf("%d definitions, %d variables eliminated, %d restored", sum.Definitions, sum.Eliminated, sum.Restored)
	}
}
