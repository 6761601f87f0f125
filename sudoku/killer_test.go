package sudoku

import (
	"context"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// sumOf returns the formula that take of n digits have the given sum, with the
// first n variables for the digits. It uses combinations or a diagram.
func sumOf(n, take, total int, bySets bool) *dimacs.Formula {
	b := &builder{f: dimacs.NewFormula(n)}
	s := cageSum{take: take, total: total}
	for i := range n {
		s.digits = append(s.digits, i+1)
		s.present = append(s.present, dimacs.Var(i).Lit())
	}
	if bySets {
		sets, _ := s.combinations()
		b.writeCombinations(&s, sets)
	} else {
		b.writeSum(&s)
	}
	return b.f
}

// TestSums compares both encodings of a sum with the sets of digits that have
// it.
func TestSums(t *testing.T) {
	const n = 8
	project := make([]dimacs.Var, n)
	for i := range project {
		project[i] = dimacs.Var(i)
	}
	for take := 1; take <= n; take++ {
		for total := 0; total <= n*(n+1)/2+1; total++ {
			want := 0
			for set := range 1 << n {
				count, sum := 0, 0
				for d := range n {
					if set>>d&1 != 0 {
						count, sum = count+1, sum+d+1
					}
				}
				if count == take && sum == total {
					want++
				}
			}
			for _, bySets := range []bool{true, false} {
				s := classic.New(classic.DefaultOptions())
				s.Grow(n)
				s.AddFormula(sumOf(n, take, total, bySets))
				got := 0
				for m := range s.Models(context.Background(), project) {
					got++
					count, sum := 0, 0
					for d := range n {
						if m[d] == dimacs.True {
							count, sum = count+1, sum+d+1
						}
					}
					if count != take || sum != total {
						t.Fatalf("%d digits with sum %d: %v", take, total, m)
					}
				}
				if got != want {
					t.Fatalf("%d digits with sum %d, by sets %v: %d sets, want %d", take, total, bySets, got, want)
				}
			}
		}
	}
}

// TestCombinationsPropagate checks that unit propagation finds the digits that
// are in all combinations left, or in no combination left.
func TestCombinationsPropagate(t *testing.T) {
	f := sumOf(9, 4, 12, true) // the combinations are 1236 and 1245
	m := make(dimacs.Model, f.Vars())
	propagate(f, m)
	for d, want := range []dimacs.Value{1, 1, 0, 0, 0, 0, -1, -1, -1} {
		if m[d] != want {
			t.Errorf("the digit %d is %v", d+1, m[d])
		}
	}
	m[3-1] = dimacs.False
	propagate(f, m)
	for d, want := range []dimacs.Value{1, 1, -1, 1, 1, -1, -1, -1, -1} {
		if m[d] != want {
			t.Errorf("without 3, the digit %d is %v", d+1, m[d])
		}
	}
}

// TestPropagatedCage checks that propagated givens count towards the sum of
// their cage.
func TestPropagatedCage(t *testing.T) {
	v := Latin(5)
	v.Cages = []Cage{{Sum: 9, Cells: []int{0, 1, 2}}}
	g := NewGrid(Must(v))
	g.Cells[0] = 2
	cnf, err := g.Encode(Coding{Encoding: "reduced"})
	if err != nil {
		t.Fatal(err)
	}
	s := classic.New(classic.DefaultOptions())
	s.AddFormula(cnf.Formula)
	if status := s.Solve(context.Background()); status != dimacs.Satisfiable {
		t.Fatal(status)
	}
	solution, err := cnf.Map.Decode(s.Model())
	if err != nil || solution.Cells[1]+solution.Cells[2] != 7 {
		t.Errorf("%v, %v", solution, err)
	}
}

// TestCageSizes pins how many variables and clauses a cage with two
// combinations adds.
func TestCageSizes(t *testing.T) {
	for _, test := range []struct {
		cage          Cage
		vars, clauses int
	}{
		// There is a variable for each digit, equivalent to the disjunction of
		// its cells, and one for each of the two combinations. Each combination
		// has a clause per digit, and each digit has two clauses.
		{Cage{Sum: 12, Cells: []int{0, 1, 2, 3}}, 9 + 2, 9*(4+1) + 1 + 2*9 + 2*9},
		// Two cells without a common house need clauses that they differ.
		{Cage{Sum: 5, Cells: []int{0, 40}}, 9 + 2, 9*(2+1) + 1 + 2*9 + 2*9 + 9},
	} {
		v := Standard(9)
		v.Cages = []Cage{test.cage}
		cnf, err := Must(v).Encode(Coding{})
		if err != nil {
			t.Fatal(err)
		}
		if f := cnf.Formula; f.Vars() != 729+test.vars || f.Len() != 10530+test.clauses {
			t.Errorf("%v: %d variables and %d clauses more, want %d and %d", test.cage, f.Vars()-729, f.Len()-10530, test.vars, test.clauses)
		}
	}
}

// TestLargeCage encodes a cage with too many combinations as a diagram, which
// has fewer clauses than the combinations would have.
func TestLargeCage(t *testing.T) {
	v := Standard(25)
	var cells []int
	for i := range 12 {
		cells = append(cells, i, 25+i)
	}
	v.Cages = []Cage{{Sum: 160, Cells: cells[:12]}}
	g := NewGrid(Must(v))
	cnf, err := g.Encode(Coding{AtMostOne: "product"})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Must(Standard(25)).Encode(Coding{AtMostOne: "product"})
	if err != nil {
		t.Fatal(err)
	}
	if more := cnf.Formula.Len() - rules.Formula.Len(); more < 1000 || more > 7000 {
		t.Errorf("%d clauses for a cage", more)
	}
}

// TestManyAttempts encodes an odd sum of even digits. Enumerating the
// combinations would take billions of attempts to find that there is no
// combination; a diagram has 10,000 nodes.
func TestManyAttempts(t *testing.T) {
	b := &builder{f: dimacs.NewFormula(0)}
	s := cageSum{take: 20, total: 821}
	for i := range 40 {
		s.digits = append(s.digits, 2*(i+1))
		s.present = append(s.present, b.newLit())
	}
	if sets, all := s.combinations(); all || len(sets) > 0 {
		t.Errorf("%d sets, all %v", len(sets), all)
	}
	if b.writeSum(&s); b.err != nil || len(b.f.Clause(b.f.Len()-1)) > 0 {
		t.Errorf("the last of %d clauses is %v, and the error %v", b.f.Len(), b.f.Clause(b.f.Len()-1), b.err)
	}
}

// TestHugeCage checks that the size of a diagram is limited.
func TestHugeCage(t *testing.T) {
	b := &builder{f: dimacs.NewFormula(0)}
	s := cageSum{take: 64, total: 64 * 65}
	for i := range 128 {
		s.digits = append(s.digits, i+1)
		s.present = append(s.present, b.newLit())
	}
	if b.writeSum(&s); b.err != errCageTooLarge {
		t.Errorf("%d clauses and the error %v", b.f.Len(), b.err)
	}
}
