package dimacs

// A Value is the value of a literal or a clause under an assignment.
type Value int8

// The three values. The value of a complement is the negative value.
const (
	False      Value = -1
	Unassigned Value = 0
	True       Value = 1
)

// A Model is an assignment, indexed by variable. It may be partial: entries may
// be Unassigned, and variables beyond its length are unassigned too.
type Model []Value

// Lit returns the value of l.
func (m Model) Lit(l Lit) Value {
	if int(l>>1) >= len(m) {
		return Unassigned
	}
	v := m[l>>1]
	if l&1 != 0 {
		return -v
	}
	return v
}

// Set makes l true. It panics if the variable of l is beyond the length of m.
func (m Model) Set(l Lit) {
	m[l>>1] = True
	if l&1 != 0 {
		m[l>>1] = False
	}
}

// Clause returns the value of the clause c: True if one of its literals is
// true, False if all are false, and Unassigned otherwise.
func (m Model) Clause(c []Lit) Value {
	v := False
	for _, l := range c {
		switch m.Lit(l) {
		case True:
			return True
		case Unassigned:
			v = Unassigned
		}
	}
	return v
}

// Falsified returns the index of the first clause of f that is not true under
// m, or -1 if m is a model of f. A partial assignment is a model if every
// clause has a true literal. The value of the returned clause may be False or
// Unassigned; see [Model.Clause]. The time is linear in the size of f.
func (m Model) Falsified(f *Formula) int {
	for i, c := range f.Clauses() {
		if m.Clause(c) != True {
			return i
		}
	}
	return -1
}

// Satisfies reports whether every clause of f has a literal that is true under
// m.
func (m Model) Satisfies(f *Formula) bool { return m.Falsified(f) < 0 }

// Lits returns the literals that are true under m, ordered by variable.
func (m Model) Lits() []Lit {
	ls := make([]Lit, 0, len(m))
	for v, x := range m {
		switch x {
		case True:
			ls = append(ls, Var(v).Lit())
		case False:
			ls = append(ls, Var(v).Lit().Not())
		}
	}
	return ls
}
