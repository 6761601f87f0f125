package dimacs

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLit(t *testing.T) {
	for _, n := range []int{1, -1, 2, -2, 12345, -12345, MaxVars, -MaxVars} {
		l := FromInt(n)
		if l.Int() != n || l.Not().Int() != -n || l.Not().Not() != l || l.Neg() != (n < 0) {
			t.Errorf("%d: got %d, complement %d, negative %v", n, l.Int(), l.Not().Int(), l.Neg())
		}
		if v := l.Var(); v.Int() != max(n, -n) || v.Lit() != FromInt(max(n, -n)) || l>>1 != Lit(v) {
			t.Errorf("%d: got variable %d", n, v.Int())
		}
	}
	for _, n := range []int{0, MaxVars + 1, -MaxVars - 1, math.MinInt, math.MaxInt} {
		if !panics(func() { FromInt(n) }) {
			t.Errorf("%d: no panic", n)
		}
	}
	if got := Lits(1, -2)[1].String(); got != "-2" {
		t.Errorf("got %s, want -2", got)
	}
}

func TestModel(t *testing.T) {
	m := Model{True, False, Unassigned}
	for n, want := range map[int]Value{1: True, -1: False, 2: False, -2: True, 3: Unassigned, -3: Unassigned, 4: Unassigned, -9: Unassigned} {
		if got := m.Lit(FromInt(n)); got != want {
			t.Errorf("%d: got %d, want %d", n, got, want)
		}
	}
	for _, c := range []struct {
		clause []Lit
		want   Value
	}{
		{Lits(), False}, {Lits(2, -1), False}, {Lits(2, 3), Unassigned}, {Lits(3, 4, 1), True}, {Lits(3, -3), Unassigned},
	} {
		if got := m.Clause(c.clause); got != c.want {
			t.Errorf("%v: got %d, want %d", c.clause, got, c.want)
		}
	}
	f := new(Formula)
	f.AddInts(1, 2)
	f.AddInts(-2)
	if i := m.Falsified(f); i != -1 || !m.Satisfies(f) {
		t.Errorf("got %d, want -1", i)
	}
	f.AddInts(3)
	if i := m.Falsified(f); i != 2 || m.Satisfies(f) {
		t.Errorf("got %d, want 2", i)
	}
	m.Set(FromInt(3))
	m.Set(FromInt(-1))
	if got := m.Lits(); !slices.Equal(got, Lits(-1, -2, 3)) {
		t.Errorf("got %v", got)
	}
}

func TestFormula(t *testing.T) {
	f := NewFormula(2)
	f.AddInts(5)
	f.Grow(1)
	if f.Vars() != 5 {
		t.Errorf("got %d variables, want 5", f.Vars())
	}
	for name, misuse := range map[string]func(){
		"negative":     func() { f.Grow(-1) },
		"too many":     func() { f.Grow(MaxVars + 1) },
		"high literal": func() { f.Add(Lit(2 * MaxVars)) },
		"itself":       func() { f.Append(f) },
	} {
		if !panics(misuse) {
			t.Errorf("%s: no panic", name)
		}
	}
	// A formula is the same if it is built clause by clause, from parts, or
	// with compact between clauses, also at the borders of blocks and pieces.
	for _, size := range []int{2, 200} {
		whole, parts := sample(size), NewFormula(3)
		for i, c := range whole.Clauses() {
			if i%5000 == 0 {
				parts.compact()
			}
			parts.Add(c...)
		}
		parts.Grow(whole.Vars())
		same(t, whole, parts)
		twice := new(Formula)
		twice.Append(whole)
		twice.Append(parts)
		if twice.Len() != 2*whole.Len() || twice.Size() != 2*whole.Size() {
			t.Fatalf("got %d clauses, %d literals", twice.Len(), twice.Size())
		}
		for i, c := range twice.Clauses() {
			if want := whole.Clause(i % whole.Len()); !slices.Equal(c, want) || !slices.Equal(twice.Clause(i), want) {
				t.Fatalf("clause %d: got %v and %v, want %v", i, c, twice.Clause(i), want)
			}
		}
		for i := range whole.Clauses() {
			if i == blockLen {
				break // an iteration may end early
			}
		}
	}
}

// TestEqualLength reads back blocks of clauses of one length, blocks in which only the last
// clause is longer, and blocks in which it is shorter.
func TestEqualLength(t *testing.T) {
	for _, last := range []int{1, 2, 3} {
		f := new(Formula)
		var want [][]Lit
		for i := range 3*blockLen + 5 {
			size := 2
			if i&blockMask == blockMask {
				size = last
			}
			c := make([]Lit, size)
			for k := range c {
				c[k] = Lit(5*i + k)
			}
			f.Add(c...)
			want = append(want, c)
		}
		if sealed := f.blocks[0].ends == nil; sealed != (last == 2) {
			t.Errorf("last clause of %d literals: without ends: %v", last, sealed)
		}
		n := 0
		for i, c := range f.Clauses() {
			if n++; !slices.Equal(c, want[i]) || !slices.Equal(f.Clause(i), want[i]) || cap(c) != len(c) {
				t.Fatalf("clause %d: got %v and %v, want %v", i, c, f.Clause(i), want[i])
			}
		}
		if n != len(want) || f.Len() != n {
			t.Errorf("%d clauses in an iteration, %d in all, want %d", n, f.Len(), len(want))
		}
		for i := range f.Clauses() {
			if i == 5 {
				break // an iteration may end early
			}
		}
	}
}

func TestStatus(t *testing.T) {
	for s, want := range map[Status]string{Unknown: "UNKNOWN", Satisfiable: "SATISFIABLE", Unsatisfiable: "UNSATISFIABLE"} {
		if s.String() != want {
			t.Errorf("got %s, want %s", s, want)
		}
	}
}

// TestSamples checks that the files in testdata are as their comments describe.
func TestSamples(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	small, err := Read(open("small.cnf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"small.sol", "minisat.sol"} {
		s, err := new(Reader).ReadSolution(open(name))
		if err != nil || s.Status != Satisfiable || !s.Model.Satisfies(small) {
			t.Errorf("%s: got %v, %v", name, s, err)
		}
	}
	layout, err := Read(open("layout.cnf"))
	if err != nil || show(layout) != "1 -2,2 3 -4,,4 4 -4,1 -3" {
		t.Errorf("layout.cnf: got %v", err)
	}
	for name, want := range map[string]string{
		"cut.cnf":    "4:4: the last clause is not ended by 0",
		"joined.cnf": "4:1: a second header",
	} {
		if _, err := Read(open(name)); message(err) != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	script, err := new(Reader).ReadScript(open("cubes.icnf"))
	if err != nil || showCubes(script) != "1@1 -1,-3@2 @2" {
		t.Errorf("cubes.icnf: got %v", err)
	}
}
