package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Random Horn formulas: facts are positive units, a rule has one positive
// literal and derives it from k-1 others, a goal has negative literals alone.
// Unit propagation from the facts decides such a formula in linear time
// (Dowling and Gallier, 1984): what it derives is the least model, and the
// formula is unsatisfiable if and only if it falsifies a goal. So the answer is
// known although nothing plans it.

var horn = &Family{
	Name:   "horn",
	Help:   "random Horn clauses: facts, rules and goals",
	Source: "Demopoulos and Vardi, The Phase Transition in the Random HornSAT Problem, 2005",
	Params: []Param{varsParam,
		{"k", Int, 3, 2, maxK, "literals in each rule and goal"},
		{"ratio", Real, 4, 0, 1e9, "rules for each variable"},
		{"facts", Real, 0.1, 0, 1, "share of the variables that are facts"},
		{"goals", Int, 1, 0, maxClauses, "number of goals"}},
	build: buildHorn,
}

func buildHorn(v Values, r *source) (*Instance, error) {
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
	inst := &Instance{Formula: f, Answer: dimacs.Unsatisfiable, Comments: []string{
		fmt.Sprintf("random Horn clauses over %d variables: %d facts, %d rules and %d goals; unit propagation decides them",
			n, int(facts), int(rules), v.int("goals")),
	}}
	if least := leastModel(f); least.Satisfies(f) {
		inst.Answer, inst.Model = dimacs.Satisfiable, least
	}
	return inst, nil
}

// addFacts adds m distinct positive units.
func (r *source) addFacts(f *dimacs.Formula, m int) {
	vars := make([]dimacs.Var, f.Vars())
	for x := range vars {
		vars[x] = dimacs.Var(x)
	}
	shuffle(r, vars)
	for _, x := range vars[:m] {
		f.Add(x.Lit())
	}
}

// addRules adds m clauses of k literals, one of them positive.
func (r *source) addRules(f *dimacs.Formula, m, k int) {
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
func (r *source) addGoals(f *dimacs.Formula, m, k int) {
	c := make([]dimacs.Lit, k)
	for range m {
		r.variables(c, f.Vars())
		for i := range c {
			c[i] = c[i].Not()
		}
		f.Add(c...)
	}
}

// leastModel returns the assignment that makes true what follows from the
// clauses with a positive literal, and nothing else. No clause may have more
// than one. The time is linear in the size of f: each rule counts the literals
// of its body that are not derived yet.
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

// A bodies lists for each variable the clauses in which it is negated.
type bodies struct {
	starts  []int // of variable v's clauses; those of v+1 end them
	clauses []int32
}

func newBodies(f *dimacs.Formula) *bodies {
	b := &bodies{starts: make([]int, f.Vars()+2)}
	// Counted two places on and summed, entry v+1 is where the clauses of v
	// go; it has moved to their end, where those of v+1 start, once they are
	// filled in.
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
