package dimacs

// A Value is what an assignment says of a literal or a clause.
type Value int8

// The three values. The complement of a value is its negative.
const (
	False      Value = -1
	Unassigned Value = 0
	True       Value = 1
)

// A Model is an assignment, indexed by variable. It is partial where an entry
// is Unassigned; variables beyond its length are unassigned too.
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

// Set makes l true. It panics if the variable of l is beyond the model.
func (m Model) Set(l Lit) {
	m[l>>1] = True
	if l&1 != 0 {
		m[l>>1] = False
	}
}

// Clause returns the value of the clause: True if one of its literals is,
// False if all are false, and Unassigned otherwise.
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

// Falsified returns the index of the first clause of f that m does not make
// true, or -1 if m is a model of f. A partial assignment is a model if every
// clause has a true literal; for a clause that it leaves open, as for one that
// it falsifies, the index is returned, and [Model.Clause] tells which.
// The time is linear in the size of f.
func (m Model) Falsified(f *Formula) int {
	for i, c := range f.Clauses() {
		if m.Clause(c) != True {
			return i
		}
	}
	return -1
}

// Satisfies reports whether every clause of f has a literal that m makes true.
func (m Model) Satisfies(f *Formula) bool { return m.Falsified(f) < 0 }

// Lits returns the literals that m makes true, by variable.
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
