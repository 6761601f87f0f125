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
	"sator/dpll/dplltest"
)

// asked returns options for a solver that is asked once and looks for parity
// constraints.
func asked(p dimacs.Proof) Options {
	o := plain()
	o.XOR, o.OneShot, o.Proof = 1, true, p
	return o
}

// An equation is a row of a linear system modulo 2: bit 0 says whether the sum is
// odd, the others which variables are in it.
type equation uint64

func equate(odd bool, vars ...int) (e equation) {
	for _, v := range vars {
		e ^= 2 << v
	}
	if odd {
		e ^= 1
	}
	return e
}

// clauses returns those of an exclusive or.
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

// A basis has equations of which each begins with a variable that those behind it do
// not have.
type basis []equation

func (b basis) reduce(e equation) equation {
	for _, x := range b {
		e = min(e, e^x)
	}
	return e
}

// exactlyOne returns the clauses that say so of literals, and the equation.
func exactlyOne(c []dimacs.Lit) (cs [][]dimacs.Lit, e equation) {
	e = equate(true)
	for i, l := range c {
		e ^= equate(l.Neg(), int(l.Var()))
		for _, k := range c[:i] {
			cs = append(cs, []dimacs.Lit{l.Not(), k.Not()})
		}
	}
	return append(cs, c), e
}

// linear draws a system of parity constraints as clauses. The basis is nil if they
// contradict each other.
func linear(rng *rand.Rand, vars int) (clauses [][]dimacs.Lit, b basis) {
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
			e := equate(rng.IntN(2) > 0, p...)
			clauses, all = append(clauses, e.clauses()...), append(all, e)
		}
		if len(p) > 2 {
			long |= all[len(all)-1]
		}
	}
	if rng.IntN(3) == 0 { // what lacks a clause is no constraint
		near := equate(rng.IntN(2) > 0, rng.Perm(vars)[:3]...).clauses()
		clauses = append(clauses, near[1:]...)
		c := make([]dimacs.Lit, 4)
		for i, v := range rng.Perm(vars)[:4] {
			c[i] = dimacs.Lit(2*v + rng.IntN(2))
		}
		near, _ = exactlyOne(c)
		clauses = append(clauses, near[1:]...)
	}
	rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	b = basis{}
	for _, e := range all {
		if e&^long&^1 != 0 {
			continue // binary, with a variable that is nowhere else
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

// equalities has the literals together that binary clauses make equal, along any
// path.
func equalities(s *Solver) partition {
	p := make(partition, len(s.vals))
	for i := range p {
		p[i] = uint32(i)
	}
	for l := range dimacs.Lit(len(s.vals)) {
		for _, w := range s.list(l) {
			if b := w.blocker(); w.binary() && slices.ContainsFunc(s.list(l^1), func(x watch) bool { return x.binary() && x.blocker() == b^1 }) {
				p.join(uint32(l), uint32(b^1))
			}
		}
	}
	return p
}

// A partition has for each element another one that is with it, or itself.
type partition []uint32

func (p partition) find(x uint32) uint32 {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// join reports whether x and y were apart.
func (p partition) join(x, y uint32) bool {
	x, y = p.find(x), p.find(y)
	p[max(x, y)] = min(x, y)
	return x != y
}

// All that a system of parity constraints says in one or two variables is found, and
// all that is found follows, with a proof of each step.
func TestParitySystems(t *testing.T) {
	var sum Stats
	refuted := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 0x9a))
		vars := 5 + rng.IntN(8)
		clauses, b := linear(rng, vars)
		if rng.IntN(2) == 0 {
			clauses = append(clauses, draw(rng, vars, rng.IntN(vars))...)
		}
		var p *dplltest.Recorder
		o := asked(nil)
		if seed%3 > 0 {
			p = dplltest.NewRATRecorder(seed%3 > 1)
			o = asked(p)
		}
		s := loaded(o, clauses)
		if s.inconsistent || s.roots > 0 {
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
				t.Fatalf("seed %d: refuted, but not in the proof", seed)
			}
		} else {
			checkLinear(t, seed, s, b, vars)
			if p != nil && p.Alive(2) != s.stats.Irredundant+s.stats.Redundant {
				t.Errorf("seed %d: the proof has %d clauses, the solver %d", seed, p.Alive(2), s.stats.Irredundant+s.stats.Redundant)
			}
		}
		checkAnswer(t, seed, s, clauses, p)
		sum.XORUnits += s.stats.XORUnits
		sum.XOREquivalences += s.stats.XOREquivalences
	}
	if sum.XORUnits < 200 || sum.XOREquivalences < 200 || refuted < 200 {
		t.Errorf("only %d units and %d equivalences were found, and %d systems refuted", sum.XORUnits, sum.XOREquivalences, refuted)
	}
}

// checkLinear checks that all that a system says in one or two variables is there.
func checkLinear(t *testing.T, seed uint64, s *Solver, b basis, vars int) {
	t.Helper()
	same := equalities(s)
	for x := range vars {
		if e := b.reduce(equate(false, x)); e < 2 && s.vals[2*x] != 2*int8(e)-1 {
			t.Fatalf("seed %d: variable %d is %d, want it odd: %d", seed, x, s.vals[2*x], e)
		}
		for y := range x {
			e := b.reduce(equate(false, x, y))
			if e > 1 || s.vals[2*x] != 0 && s.vals[2*x] == s.vals[2*y+int(e)] {
				continue
			}
			if same.find(uint32(2*x)) != same.find(uint32(2*y)|uint32(e)) {
				t.Fatalf("seed %d: variables %d and %d are not related", seed, x, y)
			}
		}
	}
}

// checkAnswer has the solver go on, and checks its answer.
func checkAnswer(t *testing.T, seed uint64, s *Solver, clauses [][]dimacs.Lit, p *dplltest.Recorder) {
	t.Helper()
	f := dimacs.NewFormula(len(s.vars))
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

// Wherever the budget ends, nothing wrong is left.
func TestParityBudgets(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 0x9b))
		clauses, _ := linear(rng, 5+rng.IntN(8))
		p := dplltest.NewRATRecorder(seed%2 > 0)
		s := loaded(asked(p), clauses)
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

// A call may stop anywhere. Then nothing is left in the proof but what the solver
// has, and the next call goes on.
func TestParityInterrupted(t *testing.T) {
	const vars = 250 // each of them is a unit
	stopped, telling := 0, 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0x9c))
		hidden := rng.Perm(vars)
		var clauses [][]dimacs.Lit
		for range 2 * vars {
			x := rng.Perm(vars)[:3]
			odd := (hidden[x[0]]+hidden[x[1]]+hidden[x[2]])&1 != 0
			for _, c := range equate(odd, 0, 1, 2).clauses() {
				for i, l := range c {
					c[i] = dimacs.Lit(2*x[l>>1]) | l&1
				}
				clauses = append(clauses, c)
			}
		}
		p := &tally{}
		s := loaded(asked(p), clauses)
		s.ctx, s.pollAt = &impatient{context.Background(), 1 + rng.IntN(8)}, 0
		s.addXORs(1e8)
		if s.ctx = nil; s.stopped {
			stopped++
			if p.learned > 0 {
				telling++
			}
		}
		if alive := s.stats.Irredundant + s.stats.Redundant; p.alive-s.roots != alive {
			t.Errorf("seed %d: the proof has %d clauses, the solver %d", seed, p.alive-s.roots, alive)
		}
		if s.Solve(context.Background()) != dimacs.Satisfiable {
			t.Errorf("seed %d: there is a model", seed)
		}
	}
	if stopped < 10 || telling < 5 || stopped == 30 {
		t.Errorf("%d calls were stopped, %d of them while the proof was told", stopped, telling)
	}
}

// A tally counts the clauses of a proof.
type tally struct{ alive, learned int }

func (p *tally) Hints() bool { return false }

func (p *tally) Original([]dimacs.Lit) int64 {
	p.alive++
	return int64(p.alive)
}

func (p *tally) Learn([]dimacs.Lit, []int64) int64 {
	p.alive++
	p.learned++
	return int64(p.alive)
}

func (p *tally) Delete(int64, []dimacs.Lit) { p.alive-- }

// circulant returns the clauses of an odd charge on a graph in which each vertex is
// joined with the next one and the one so many steps away.
func circulant(vertices, step int) (clauses [][]dimacs.Lit) {
	for u := range vertices {
		back := func(n int) int { return (u + vertices - n) % vertices }
		vars := []int{u, vertices + u, back(1), vertices + back(step)}
		for _, c := range equate(u == 0, 0, 1, 2, 3).clauses() {
			for i, l := range c {
				c[i] = dimacs.Lit(2*vars[l>>1]) | l&1
			}
			clauses = append(clauses, c)
		}
	}
	return clauses
}

// matching returns the clauses of a perfect matching of the complete graph.
func matching(vertices int) (clauses [][]dimacs.Lit) {
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

// What resolution takes exponentially long for is refuted at once, and proofs are
// accepted.
func TestParityRefutes(t *testing.T) {
	for name, clauses := range map[string][][]dimacs.Lit{
		"circulant": circulant(120, 17),
		"matching":  matching(19),
	} {
		f := dimacs.NewFormula(0)
		for _, c := range clauses {
			f.Add(c...)
		}
		for _, format := range []proof.Format{proof.DRAT, proof.LRAT} {
			var file bytes.Buffer
			w := proof.NewWriter(&file, format, f.Len())
			o := DefaultOptions()
			o.XOR, o.OneShot, o.InprocessInterval, o.Proof = 1, true, 100, w
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
				t.Errorf("%s, %v: there are no definitions in the proof", name, format)
			}
		}
	}
}

// Nothing is done where a proof may not have definitions.
func TestParityNotOnce(t *testing.T) {
	p := dplltest.NewRecorder(true)
	o := asked(p)
	o.OneShot = false
	s := loaded(o, circulant(20, 3))
	if s.addXORs(1e6); s.stats.XORs != 0 || s.inconsistent || p.Err() != nil {
		t.Errorf("%d constraints were found", s.stats.XORs)
	}
	s = loaded(func() Options { o := asked(nil); o.OneShot = false; return o }(), circulant(20, 3))
	if s.addXORs(1e6); s.stats.XORs != 20 || !s.inconsistent {
		t.Errorf("%d constraints were found, want 20", s.stats.XORs)
	}
}
