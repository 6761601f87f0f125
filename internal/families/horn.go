package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Random Horn formulas: facts are positive unit clauses, a rule derives its one
// positive literal from k-1 other variables, a goal has only negative literals.
// Unit propagation from the facts decides a Horn formula in linear time
// (Dowling and Gallier, 1984): it derives the least model, and the formula is
// unsatisfiable if and only if this model falsifies a goal. So the answer is
// known although it is not planned.

var horn = &Family{
	Name:   "horn",
	Help:   "random Horn clauses: facts, rules and goals",
	Source: "Moore, Istrate, Demopoulos and Vardi, A Continuous-Discontinuous Second-Order Transition in the Satisfiability of Random Horn-SAT Formulas, APPROX-RANDOM 2005",
	Params: []Param{varsParam,
		{"k", Int, 3, 2, maxK, "literals in each rule and goal"},
		{"ratio", Real, 4, 0, 1e9, "rules per variable"},
		{"facts", Real, 0.1, 0, 1, "fraction of the variables that are facts"},
		{"goals", Int, 1, 0, maxClauses, "number of goals"}},
	build: buildHorn,
}

func buildHorn(v Values, r *rng) (*Instance, error) {
	n, k := v.int("vars"), v.int("k")
	if k > n {
		return nil, fmt.Errorf("a clause of %d distinct variables does not fit into vars %d", k, n)
	}
	facts, rules := math.Round(v["vars"]*v["facts"]), math.Round(v["vars"]*v["ratio"])
	if _, err := count(facts + rules + v["goals"]); err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(n)
	r.addFacts(f, int(facts))
	r.addRules(f, int(rules), k)
	r.addGoals(f, v.int("goals"), k)
	inst := newInstance(f, dimacs.Unsatisfiable, "random Horn clauses over %d variables: %d facts, %d rules and %d goals; unit propagation decides them",
		n, int(facts), int(rules), v.int("goals"))
	if least := leastModel(f); least.Satisfies(f) {
		inst.Answer, inst.Model = dimacs.Satisfiable, least
	}
	return inst, nil
}

// addFacts adds m distinct positive unit clauses.
func (r *rng) addFacts(f *dimacs.Formula, m int) {
	vars := make([]dimacs.Var, f.Vars())
	for x := range vars {
		vars[x] = dimacs.Var(x)
	}
	shuffle(r, vars)
	for _, x := range vars[:m] {
		f.Add(x.Lit())
	}
}

// addRules adds m clauses of k literals, exactly one of them positive.
func (r *rng) addRules(f *dimacs.Formula, m, k int) {
	c := make([]dimacs.Lit, k)
	for range m {
		r.variables(c, f.Vars())
		head := r.below(uint64(k))
		for i := range c {
			if uint64(i) != head {
				c[i] = c[i].Not()
			}
		}
		f.Add(c...)
	}
}

// addGoals adds m clauses of k negative literals.
func (r *rng) addGoals(f *dimacs.Formula, m, k int) {
	c := make([]dimacs.Lit, k)
	for range m {
		r.variables(c, f.Vars())
		for i := range c {
			c[i] = c[i].Not()
		}
		f.Add(c...)
	}
}

// leastModel returns the least model of the definite clauses of a Horn formula:
// the variables that they imply are true, all others false. The time is linear
// in the size of f: each rule counts the literals of its body that are not
// derived yet.
func leastModel(f *dimacs.Formula) dimacs.Model {
	m := allFalse(f.Vars())
	bodies := newBodies(f)
	missing := make([]int32, f.Len())
	var derived []dimacs.Lit
	derive := func(rule int) {
		for _, l := range f.Clause(rule) {
			if !l.Neg() && m.Lit(l) != dimacs.True {
				m.Set(l)
				derived = append(derived, l)
			}
		}
	}
	for i, c := range f.Clauses() {
		for _, l := range c {
			missing[i] += int32(l & 1)
		}
		if missing[i] == 0 {
			derive(i)
		}
	}
	for len(derived) > 0 {
		l := derived[len(derived)-1]
		derived = derived[:len(derived)-1]
		for _, rule := range bodies.of(l.Var()) {
			if missing[rule]--; missing[rule] == 0 {
				derive(int(rule))
			}
		}
	}
	return m
}

// bodies lists for each variable the clauses that contain its negation.
type bodies struct {
	starts  []int // start of the list of variable v; the next entry is its end
	clauses []int32
}

func newBodies(f *dimacs.Formula) *bodies {
	b := &bodies{starts: make([]int, f.Vars()+2)}
	// Counting sort with the counts shifted by two entries: after the
	// summation, entry v+1 is the start of the list of v, and after the lists
	// are filled it is their end, the start of the list of v+1.
	for _, c := range f.Clauses() {
		for _, l := range c {
			b.starts[l.Var()+2] += int(l & 1)
		}
	}
	for v := range f.Vars() {
		b.starts[v+2] += b.starts[v+1]
	}
	b.clauses = make([]int32, b.starts[f.Vars()+1])
	for i, c := range f.Clauses() {
		for _, l := range c {
			if l.Neg() {
				b.clauses[b.starts[l.Var()+1]] = int32(i)
				b.starts[l.Var()+1]++
			}
		}
	}
	return b
}

func (b *bodies) of(v dimacs.Var) []int32 { return b.clauses[b.starts[v]:b.starts[v+1]] }
