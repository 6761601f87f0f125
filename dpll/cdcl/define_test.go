package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// gatheredRandom returns an eliminator that has gathered random clauses, all of which contain
// variable 1. It returns nil if propagation refutes them or finds units.
func gatheredRandom(rng *rand.Rand, p *dplltest.Recorder) *eliminator {
	vars := 3 + rng.IntN(4)
	clauses := draw(rng, vars, 4+rng.IntN(16))
	for i, c := range clauses {
		c = slices.DeleteFunc(c, func(l dimacs.Lit) bool { return l>>1 == 0 })
		clauses[i] = append(c, dimacs.Lit(rng.IntN(2)))
	}
	o := eliminating()
	o.NoEliminateDefinitions, o.Proof = false, p
	s := loaded(o, clauses)
	if s.inconsistent || s.trail.roots > 0 {
		return nil
	}
	e := &eliminator{dense: s.enterDense(1e9)}
	if s.inconsistent || s.trail.roots > 0 || !e.gather(0) {
		return nil
	}
	return e
}

// sides returns the clauses of variable 1 and those of its complement, without the
// variable.
func (e *eliminator) sides() (pos, neg [][]dimacs.Lit) {
	side := func(l dimacs.Lit, ws []watch) (cs [][]dimacs.Lit) {
		for _, w := range ws {
			var c []dimacs.Lit
			for _, k := range e.clauseOf(l, w) {
				if k != uint32(l) {
					c = append(c, dimacs.Lit(k))
				}
			}
			cs = append(cs, c)
		}
		return cs
	}
	return side(0, e.pos), side(1, e.neg)
}

// holds reports whether an assignment, given as bits, satisfies all clauses.
func holds(clauses [][]dimacs.Lit, bits int) bool {
	for _, c := range clauses {
		if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return bits>>(l>>1)&1 != int(l&1) }) {
			return false
		}
	}
	return true
}

// contradictory reports whether the clauses of both sides together have no model.
func (e *eliminator) contradictory(pos, neg [][]dimacs.Lit) bool {
	for bits := range 1 << len(e.s.trail.vars) {
		if holds(pos, bits) && holds(neg, bits) {
			return false
		}
	}
	return true
}

// TestDefinitions checks that a definition is found if and only if there is one, and
// that it is correct.
func TestDefinitions(t *testing.T) {
	found, units, none, inner := 0, 0, 0, 0
	for seed := range uint64(4000) {
		p := dplltest.NewRecorder(seed%2 == 0)
		e := gatheredRandom(rand.New(rand.NewPCG(seed, 0xdef)), p)
		if e == nil {
			continue
		}
		pos, neg := e.sides()
		unit := e.findDefinition(0)
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := len(pos) > 0 && len(neg) > 0 && e.contradictory(pos, neg)
		if got := unit || e.definition; got != want {
			t.Fatalf("seed %d: found %v, want %v", seed, got, want)
		}
		switch {
		case unit:
			units++
			if l := e.s.trail.lits[0]; len(e.s.trail.lits) != 1 || !(l == 0 && e.contradictory(pos, nil) || l == 1 && e.contradictory(nil, neg)) {
				t.Fatalf("seed %d: %v is a unit", seed, l)
			}
		case e.definition:
			found++
			inner += checkDefinition(t, e)
		default:
			none++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if found < 300 || units < 20 || inner < 300 || none < 300 {
		t.Errorf("%d definitions, %d units, %d not defined; %d resolvents within definitions", found, units, none, inner)
	}
}

// checkDefinition checks three properties: the first clauses are a definition; the
// resolvents that elimination adds have the same models as all resolvents; for each of
// these models the definition gives the variable a value that satisfies all clauses. It
// returns the number of added resolvents of two clauses of the definition.
func checkDefinition(t *testing.T, e *eliminator) (within int) {
	t.Helper()
	pos, neg := e.sides()
	posGate, negGate := pos[:e.posGate], neg[:e.negGate]
	if !e.contradictory(posGate, negGate) {
		t.Errorf("%v and %v do not define the variable", posGate, negGate)
	}
	var resolvents [][]dimacs.Lit
	for i, v := range e.pos {
		for j, w := range e.neg {
			if e.needed(i, j) && e.resolve(0, v, w) {
				resolvents = append(resolvents, slices.Clone(e.resolvent))
				if i < e.posGate && j < e.negGate {
					within++
				}
			}
		}
	}
	for bits := range 1 << len(e.s.trail.vars) {
		high, low := holds(neg, bits), holds(pos, bits) // the variable may be true, false
		if got := holds(resolvents, bits); got != (high || low) {
			t.Errorf("the resolvents allow %b: %v", bits, got)
		}
		if (high || low) && (!holds(posGate, bits) && !high || !holds(negGate, bits) && !low) {
			t.Errorf("the definition has the wrong value for %b", bits)
		}
	}
	return within
}

// TestDefinitionsEliminate eliminates variables with definitions, and compares answers
// and models with brute force. The proof is checked.
func TestDefinitionsEliminate(t *testing.T) {
	var sum Stats
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 0xde1))
		vars := 5 + rng.IntN(7)
		f := dimacs.NewFormula(vars)
		o := eliminating()
		o.NoEliminateDefinitions, o.EliminateBound = false, 16
		o.OneShot = seed%3 == 0
		o.NoSimplify = true
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
		if !o.OneShot && !s.inconsistent && rng.IntN(2) == 0 { // restore variables
			c := []dimacs.Lit{dimacs.Lit(rng.IntN(2 * vars)), dimacs.Lit(rng.IntN(2 * vars))}
			f.Add(c...)
			s.Add(c...)
		}
		compareBrute(t, seed, s, f)
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
