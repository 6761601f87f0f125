package cdcl

import (
	"bytes"
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/internal/dplltest"
)

// xorOptions returns options for a solver with XOR constraints and a single call.
func xorOptions(p dimacs.Proof) Options {
	o := plain()
	o.NoXOR, o.OneShot, o.Proof = false, true, p
	return o
}

// An equation is an XOR constraint. Bit 0 is the sum, bit v+1 is set if variable v
// occurs.
type equation uint64

// newEquation returns the equation over vars. Pairs of equal variables cancel out.
func newEquation(odd bool, vars ...int) (e equation) {
	for _, v := range vars {
		e ^= 2 << v
	}
	if odd {
		e ^= 1
	}
	return e
}

// clauses returns the clauses of e.
func (e equation) clauses() (cs [][]dimacs.Lit) {
	var vars []int
	for v := range 63 {
		if e>>v&2 != 0 {
			vars = append(vars, v)
		}
	}
	for set := range uint(1) << len(vars) {
		if bits.OnesCount(set)&1 == int(e&1) {
			continue
		}
		var c []dimacs.Lit
		for i, v := range vars {
			c = append(c, dimacs.Lit(2*v|int(set>>i&1)))
		}
		cs = append(cs, c)
	}
	return cs
}

// A basis is a linear system in echelon form: the leading variable of an equation does
// not occur in later equations.
type basis []equation

// reduce returns the sum of e and equations of the basis that has no leading variable.
func (b basis) reduce(e equation) equation {
	for _, x := range b {
		e = min(e, e^x)
	}
	return e
}

// exactlyOne returns the clauses and the equation of the constraint that exactly one
// literal is true.
func exactlyOne(c []dimacs.Lit) (cs [][]dimacs.Lit, e equation) {
	e = newEquation(true)
	for i, l := range c {
		e ^= newEquation(l.Neg(), int(l.Var()))
		for _, k := range c[:i] {
			cs = append(cs, []dimacs.Lit{l.Not(), k.Not()})
		}
	}
	return append(cs, c), e
}

// randomSystem returns the clauses of random XOR constraints, and a basis of those
// constraints that the pass can find. The basis is nil if they have no solution.
func randomSystem(rng *rand.Rand, vars int) (clauses [][]dimacs.Lit, b basis) {
	var all []equation
	long := equation(0) // variables in constraints of three and more
	for range 2 + rng.IntN(vars) {
		p := rng.Perm(vars)[:2+rng.IntN(4)]
		if rng.IntN(3) == 0 && len(p) > 2 {
			c := make([]dimacs.Lit, len(p))
			for i, v := range p {
				c[i] = dimacs.Lit(2*v + rng.IntN(2))
			}
			cs, e := exactlyOne(c)
			clauses, all = append(clauses, cs...), append(all, e)
		} else {
			e := newEquation(rng.IntN(2) > 0, p...)
			clauses, all = append(clauses, e.clauses()...), append(all, e)
		}
		if len(p) > 2 {
			long |= all[len(all)-1]
		}
	}
	if rng.IntN(3) == 0 { // no constraint: the first clause is missing
		incomplete := newEquation(rng.IntN(2) > 0, rng.Perm(vars)[:3]...).clauses()
		clauses = append(clauses, incomplete[1:]...)
		c := make([]dimacs.Lit, 4)
		for i, v := range rng.Perm(vars)[:4] {
			c[i] = dimacs.Lit(2*v + rng.IntN(2))
		}
		incomplete, _ = exactlyOne(c)
		clauses = append(clauses, incomplete[1:]...)
	}
	rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	b = basis{}
	for _, e := range all {
		if e&^long&^1 != 0 {
			continue // an equivalence with a variable that is in no long constraint
		}
		switch e = b.reduce(e); e {
		case 0:
		case 1:
			return clauses, nil
		default:
			b = append(b, e)
		}
	}
	return clauses, b
}

// equalities returns the classes of literals that paths of binary clauses make
// equivalent.
func equalities(s *Solver) partition {
	p := make(partition, len(s.trail.vals))
	for i := range p {
		p[i] = uint32(i)
	}
	for l := range dimacs.Lit(len(s.trail.vals)) {
		for _, w := range s.clauses.list(l) {
			if b := w.blocker(); w.binary() && slices.ContainsFunc(s.clauses.list(l^1), func(x watch) bool { return x.binary() && x.blocker() == b^1 }) {
				p.union(uint32(l), uint32(b^1))
			}
		}
	}
	return p
}

// A partition is a union-find structure: each element has its parent, and a root has
// itself.
type partition []uint32

// find returns the representative of x.
func (p partition) find(x uint32) uint32 {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// union merges the classes of x and y. It reports whether they were different.
func (p partition) union(x, y uint32) bool {
	x, y = p.find(x), p.find(y)
	p[max(x, y)] = min(x, y)
	return x != y
}

// TestXORSystems checks that all consequences of one or two variables are derived, that
// all derived clauses are consequences, and that each step of the proof is right.
func TestXORSystems(t *testing.T) {
	var sum Stats
	refuted := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 0x9a))
		vars := 5 + rng.IntN(8)
		clauses, b := randomSystem(rng, vars)
		if rng.IntN(2) == 0 {
			clauses = append(clauses, draw(rng, vars, rng.IntN(vars))...)
		}
		var p *dplltest.Recorder
		o := xorOptions(nil)
		if seed%3 > 0 {
			p = dplltest.NewRATRecorder(seed%3 > 1)
			o = xorOptions(p)
		}
		s := loaded(o, clauses)
		if s.inconsistent || s.trail.roots > 0 {
			continue
		}
		s.addXORs(1e6)
		if p != nil && p.Err() != nil {
			t.Fatalf("seed %d: %v", seed, p.Err())
		}
		if b == nil || s.inconsistent {
			refuted++
			if b == nil && !s.inconsistent {
				t.Fatalf("seed %d: not refuted", seed)
			}
			if p != nil && !p.Refuted() {
				t.Fatalf("seed %d: refuted without the empty clause in the proof", seed)
			}
		} else {
			checkConsequences(t, seed, s, b, vars)
			if p != nil && p.Alive(2) != s.stats.Irredundant+s.stats.Redundant {
				t.Errorf("seed %d: the proof has %d clauses, the solver %d", seed, p.Alive(2), s.stats.Irredundant+s.stats.Redundant)
			}
		}
		checkAnswer(t, seed, s, clauses, p)
		sum.XORUnits += s.stats.XORUnits
		sum.XOREquivalences += s.stats.XOREquivalences
	}
	if sum.XORUnits < 200 || sum.XOREquivalences < 200 || refuted < 200 {
		t.Errorf("%d units, %d equivalences and %d refutations, want at least 200 each", sum.XORUnits, sum.XOREquivalences, refuted)
	}
}

// checkConsequences checks that the solver has all consequences of one or two variables.
func checkConsequences(t *testing.T, seed uint64, s *Solver, b basis, vars int) {
	t.Helper()
	same := equalities(s)
	for x := range vars {
		if e := b.reduce(newEquation(false, x)); e < 2 && s.trail.vals[2*x] != 2*int8(e)-1 {
			t.Fatalf("seed %d: variable %d has value %d, want sum %d", seed, x, s.trail.vals[2*x], e)
		}
		for y := range x {
			e := b.reduce(newEquation(false, x, y))
			if e > 1 || s.trail.vals[2*x] != 0 && s.trail.vals[2*x] == s.trail.vals[2*y+int(e)] {
				continue
			}
			if same.find(uint32(2*x)) != same.find(uint32(2*y)|uint32(e)) {
				t.Fatalf("seed %d: variables %d and %d are not equivalent", seed, x, y)
			}
		}
	}
}

// checkAnswer solves the rest of the formula and checks the answer.
func checkAnswer(t *testing.T, seed uint64, s *Solver, clauses [][]dimacs.Lit, p *dplltest.Recorder) {
	t.Helper()
	f := dimacs.NewFormula(len(s.trail.vars))
	for _, c := range clauses {
		f.Add(c...)
	}
	want, _ := dplltest.Brute(f)
	answer := s.Solve(context.Background())
	if answer != want {
		t.Fatalf("seed %d: %v, want %v", seed, answer, want)
	}
	if p != nil {
		if err := p.Verify(answer, nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestXORBudgets checks that the clauses and the proof are correct wherever the budget
// ends.
func TestXORBudgets(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 0x9b))
		clauses, _ := randomSystem(rng, 5+rng.IntN(8))
		p := dplltest.NewRATRecorder(seed%2 > 0)
		s := loaded(xorOptions(p), clauses)
		if s.inconsistent {
			continue
		}
		s.addXORs(int64(rng.IntN(200)))
		if alive := s.stats.Irredundant + s.stats.Redundant; !s.inconsistent && p.Alive(2) != alive {
			t.Errorf("seed %d: the proof has %d clauses, the solver %d", seed, p.Alive(2), alive)
		}
		checkAnswer(t, seed, s, clauses, p)
	}
}

// TestXORInterrupted checks that a call may stop anywhere: the proof then has the clauses
// of the solver and no others, and the next call finds a model.
func TestXORInterrupted(t *testing.T) {
	const vars = 250 // each variable is implied
	stopped, logging := 0, 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0x9c))
		solution := rng.Perm(vars)
		var clauses [][]dimacs.Lit
		for range 2 * vars {
			x := rng.Perm(vars)[:3]
			odd := (solution[x[0]]+solution[x[1]]+solution[x[2]])&1 != 0
			for _, c := range newEquation(odd, 0, 1, 2).clauses() {
				for i, l := range c {
					c[i] = dimacs.Lit(2*x[l>>1]) | l&1
				}
				clauses = append(clauses, c)
			}
		}
		p := &clauseCounter{}
		s := loaded(xorOptions(p), clauses)
		s.call.ctx, s.call.pollAt = &impatient{context.Background(), 1 + rng.IntN(16)}, 0
		s.addXORs(1e8)
		if s.call.ctx = nil; s.call.stopped {
			stopped++
			if p.learned > 0 {
				logging++
			}
		}
		if alive := s.stats.Irredundant + s.stats.Redundant; p.alive-s.trail.roots != alive {
			t.Errorf("seed %d: the proof has %d clauses, the solver %d", seed, p.alive-s.trail.roots, alive)
		}
		if s.Solve(context.Background()) != dimacs.Satisfiable {
			t.Errorf("seed %d: no model", seed)
		}
	}
	if stopped < 10 || logging < 5 || stopped == 30 {
		t.Errorf("%d of 30 calls were stopped, %d of them after proof steps", stopped, logging)
	}
}

// A clauseCounter is a proof that counts clauses.
type clauseCounter struct{ alive, learned int }

func (p *clauseCounter) Hints() bool { return false }

func (p *clauseCounter) Original([]dimacs.Lit) int64 {
	p.alive++
	return int64(p.alive)
}

func (p *clauseCounter) Learn([]dimacs.Lit, []int64) int64 {
	p.alive++
	p.learned++
	return int64(p.alive)
}

func (p *clauseCounter) Delete(int64, []dimacs.Lit) { p.alive-- }

// circulant returns a Tseitin formula with odd charge on a circulant graph: each vertex
// has edges to the next vertex and to the one at distance step.
func circulant(vertices, step int) (clauses [][]dimacs.Lit) {
	for u := range vertices {
		back := func(n int) int { return (u + vertices - n) % vertices }
		vars := []int{u, vertices + u, back(1), vertices + back(step)}
		for _, c := range newEquation(u == 0, 0, 1, 2, 3).clauses() {
			for i, l := range c {
				c[i] = dimacs.Lit(2*vars[l>>1]) | l&1
			}
			clauses = append(clauses, c)
		}
	}
	return clauses
}

// perfectMatching returns the clauses of a perfect matching of the complete graph.
func perfectMatching(vertices int) (clauses [][]dimacs.Lit) {
	edge := func(u, v int) dimacs.Lit { return dimacs.Lit(2 * (max(u, v)*(max(u, v)-1)/2 + min(u, v))) }
	for u := range vertices {
		var c []dimacs.Lit
		for v := range vertices {
			if v != u {
				c = append(c, edge(u, v))
			}
		}
		cs, _ := exactlyOne(c)
		clauses = append(clauses, cs...)
	}
	return clauses
}

// TestXORRefutes checks the proofs of formulas that have only exponentially long
// refutations by resolution.
func TestXORRefutes(t *testing.T) {
	for name, clauses := range map[string][][]dimacs.Lit{
		"circulant": circulant(120, 17),
		"matching":  perfectMatching(19),
	} {
		f := dimacs.NewFormula(0)
		for _, c := range clauses {
			f.Add(c...)
		}
		for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
			var file bytes.Buffer
			w := proof.NewWriter(&file, format, f.Len())
			o := Options{}
			o.NoXOR, o.OneShot, o.InprocessInterval, o.Proof = false, true, 100, w
			s := New(o)
			s.AddFormula(f)
			s.SetLimits(Limits{Conflicts: 2000})
			if answer := s.Solve(context.Background()); answer != dimacs.Unsatisfiable {
				t.Fatalf("%s: %v", name, answer)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			result, err := proof.Check(context.Background(), f, &file, proof.Options{})
			if err != nil {
				t.Errorf("%s, %v: %v", name, format, err)
			} else if result.RAT == 0 {
				t.Errorf("%s, %v: no definitions in the proof", name, format)
			}
		}
	}
}

// TestXORNotOneShot checks that the pass is disabled if the proof must not have
// definitions.
func TestXORNotOneShot(t *testing.T) {
	p := dplltest.NewRecorder(true)
	o := xorOptions(p)
	o.OneShot = false
	s := loaded(o, circulant(20, 3))
	if s.addXORs(1e6); s.stats.XORs != 0 || s.inconsistent || p.Err() != nil {
		t.Errorf("found %d constraints, want 0", s.stats.XORs)
	}
	s = loaded(func() Options { o := xorOptions(nil); o.OneShot = false; return o }(), circulant(20, 3))
	if s.addXORs(1e6); s.stats.XORs != 20 || !s.inconsistent {
		t.Errorf("found %d constraints, want 20", s.stats.XORs)
	}
}
