package families

import (
	"fmt"
	"math/bits"

	"sator/dimacs"
)

// Substitution of a Boolean function, a gadget, for each variable of a formula: a variable
// becomes a function of a few new variables, which belong to it alone, and each clause
// becomes a CNF of the clause of functions, by distribution. Since each gadget takes both
// values, the new formula is satisfiable if and only if the old one is, and a model of
// the new one gives a model of the old one.
//
// Substitution makes formulas harder in a controlled way. With XOR, a formula that needs wide
// clauses in resolution becomes one that needs long proofs, and one that needs space
// stays so (Ben-Sasson and Nordström). Lifting replaces a variable by one of several, which
// selectors name; it amplifies lower bounds likewise (Beame, Huynh and Pitassi). Disjunction
// is weaker: monotone formulas stay easy.
//
// A clause of w literals becomes up to the w-th power of the clauses of a literal.

// A Gadget is a function of several variables that replaces a variable.
type Gadget struct {
	Name     string
	Help     string // a phrase without a full stop
	Source   string
	Min, Max int // numbers of arguments; Default is in between
	Default  int
	odd      bool // the number must be odd

	vars    func(n int) int                        // number of new variables for n arguments
	literal func(n int, value bool) [][]dimacs.Lit // CNF of "the function has this value"
	side    func(n int) [][]dimacs.Lit             // clauses for each variable, may be nil
	value   func(n int, m dimacs.Model) bool       // of an assignment of the new variables
}

// Gadgets is the table of the gadgets, sorted by name.
var Gadgets = []*Gadget{
	{
		Name: "lift", Help: "one of N variables, which N selectors name",
		Source: "Beame, Huynh and Pitassi, Hardness Amplification in Proof Complexity, STOC 2010",
		Min:    1, Max: 8, Default: 3,
		vars:    func(n int) int { return 2 * n },
		literal: liftedLiteral, side: selectors, value: liftedValue,
	},
	{
		Name: "majority", Help: "majority of N variables, an odd number",
		Source: "Ben-Sasson and Nordström, Understanding Space in Proof Complexity, ECCC TR10-125, 2010",
		Min:    1, Max: 9, Default: 3, odd: true,
		vars:    func(n int) int { return n },
		literal: majorityLiteral, value: majorityValue,
	},
	{
		Name: "or", Help: "disjunction of N variables",
		Source: "Ben-Sasson and Nordström, Understanding Space in Proof Complexity, ECCC TR10-125, 2010",
		Min:    1, Max: 16, Default: 2,
		vars:    func(n int) int { return n },
		literal: orLiteral, value: orValue,
	},
	{
		Name: "xor", Help: "sum of N variables modulo 2",
		Source: "Ben-Sasson and Nordström, Short Proofs May Be Spacious, FOCS 2008",
		Min:    1, Max: 10, Default: 2,
		vars:    func(n int) int { return n },
		literal: xorLiteral, value: xorValue,
	},
}

// FindGadget returns the gadget with a name.
func FindGadget(name string) (*Gadget, bool) {
	for _, g := range Gadgets {
		if g.Name == name {
			return g, true
		}
	}
	return nil, false
}

// Check returns an error if the gadget has no function of n arguments.
func (g *Gadget) Check(n int) error {
	switch {
	case n < g.Min || n > g.Max:
		return fmt.Errorf("%d variables for %s: want %d to %d", n, g.Name, g.Min, g.Max)
	case g.odd && n%2 == 0:
		return fmt.Errorf("%d variables for %s: want an odd number", n, g.Name)
	}
	return nil
}

// Substitute returns the formula in which each variable of f is the function of n new
// variables: those of variable v are v*k to v*k+k-1 for k new variables each. It returns an
// error if g has no such function, or if the formula is too large.
func (g *Gadget) Substitute(f *dimacs.Formula, n int) (*dimacs.Formula, error) {
	if err := g.Check(n); err != nil {
		return nil, err
	}
	k := g.vars(n)
	cnf := [2][][]dimacs.Lit{g.literal(n, true), g.literal(n, false)} // by sign
	side := [][]dimacs.Lit(nil)
	if g.side != nil {
		side = g.side(n)
	}
	if err := g.checkSize(f, cnf, k, len(side)); err != nil {
		return nil, err
	}
	x := dimacs.NewFormula(f.Vars() * k)
	for v := range f.Vars() {
		for _, c := range side {
			x.Add(shifted(nil, c, v*k)...)
		}
	}
	var buffer []dimacs.Lit
	for _, c := range f.Clauses() {
		distribute(c, buffer[:0], func(clause []dimacs.Lit, l dimacs.Lit, next func([]dimacs.Lit)) {
			for _, part := range cnf[l&1] {
				next(shifted(clause, part, int(l.Var())*k))
			}
		}, x.Add)
	}
	return x, nil
}

// distribute calls visit with each clause that results from choosing, by choose, literals
// for each literal of c.
func distribute(c, clause []dimacs.Lit, choose func(clause []dimacs.Lit, l dimacs.Lit, next func([]dimacs.Lit)), visit func(...dimacs.Lit)) {
	if len(c) == 0 {
		visit(clause...)
		return
	}
	choose(clause, c[0], func(longer []dimacs.Lit) { distribute(c[1:], longer, choose, visit) })
}

// checkSize returns an error if the new formula has too many variables, clauses or literals.
func (g *Gadget) checkSize(f *dimacs.Formula, cnf [2][][]dimacs.Lit, k, side int) error {
	if vars := float64(f.Vars()) * float64(k); vars > dimacs.MaxVars {
		return fmt.Errorf("the formula would have %s variables, more than %d", decimal(vars), dimacs.MaxVars)
	}
	clauses := float64(f.Vars()) * float64(side)
	for _, c := range f.Clauses() {
		product := 1.0
		for _, l := range c {
			product *= float64(len(cnf[l&1]))
		}
		clauses += product
	}
	_, err := count(clauses)
	return err
}

// shifted appends the literals of a clause over the variables from 0 on, moved to the
// variables from first on.
func shifted(to, clause []dimacs.Lit, first int) []dimacs.Lit {
	for _, l := range clause {
		to = append(to, l+dimacs.Lit(2*first))
	}
	return to
}

// Restore returns the model of the formula that belongs to a model of the substituted one,
// or nil if its number of variables is not a multiple of those of a function, or a
// variable has no value.
func (g *Gadget) Restore(m dimacs.Model, n int) dimacs.Model {
	k := g.vars(n)
	if len(m)%k != 0 {
		return nil
	}
	for _, x := range m {
		if x == dimacs.Unassigned {
			return nil
		}
	}
	restored := allFalse(len(m) / k)
	for v := range restored {
		if g.value(n, m[v*k:(v+1)*k]) {
			restored[v] = dimacs.True
		}
	}
	return restored
}

// xorLiteral has a clause for each assignment of the other parity.
func xorLiteral(n int, value bool) [][]dimacs.Lit {
	var cnf [][]dimacs.Lit
	for set := range dimacs.Lit(1) << n {
		if (bits.OnesCount32(uint32(set))%2 != 0) == value {
			continue
		}
		cnf = append(cnf, literals(n, func(i int) dimacs.Lit { return dimacs.Var(i).Lit() ^ set>>i&1 }))
	}
	return cnf
}

func xorValue(_ int, m dimacs.Model) bool { return trues(m)%2 != 0 }

func orLiteral(n int, value bool) [][]dimacs.Lit {
	if value {
		return [][]dimacs.Lit{firstLits(n)}
	}
	var cnf [][]dimacs.Lit
	for i := range n {
		cnf = append(cnf, []dimacs.Lit{dimacs.Var(i).Lit().Not()})
	}
	return cnf
}

func orValue(_ int, m dimacs.Model) bool { return trues(m) > 0 }

// majorityLiteral has a clause for each majority: one of its variables has the value.
func majorityLiteral(n int, value bool) [][]dimacs.Lit {
	sign := dimacs.Lit(1)
	if value {
		sign = 0
	}
	var cnf [][]dimacs.Lit
	for _, set := range subsets(n, n/2+1) {
		cnf = append(cnf, literals(len(set), func(i int) dimacs.Lit { return dimacs.Var(set[i]).Lit() ^ sign }))
	}
	return cnf
}

func majorityValue(n int, m dimacs.Model) bool { return trues(m) > n/2 }

// liftedLiteral states that the variable whose selector is true has the value. Selectors
// follow the variables.
func liftedLiteral(n int, value bool) [][]dimacs.Lit {
	var cnf [][]dimacs.Lit
	for i := range n {
		l := dimacs.Var(i).Lit()
		if !value {
			l = l.Not()
		}
		cnf = append(cnf, []dimacs.Lit{dimacs.Var(n + i).Lit().Not(), l})
	}
	return cnf
}

// selectors states that exactly one selector is true.
func selectors(n int) [][]dimacs.Lit {
	all := shifted(nil, firstLits(n), n)
	cnf := [][]dimacs.Lit{all}
	for i, l := range all {
		for _, k := range all[:i] {
			cnf = append(cnf, []dimacs.Lit{k.Not(), l.Not()})
		}
	}
	return cnf
}

func liftedValue(n int, m dimacs.Model) bool {
	for i := range n {
		if m[n+i] == dimacs.True {
			return m[i] == dimacs.True
		}
	}
	return false
}

// firstLits returns the positive literals of the first n variables.
func firstLits(n int) []dimacs.Lit {
	return literals(n, func(i int) dimacs.Lit { return dimacs.Var(i).Lit() })
}

// trues returns the number of true variables.
func trues(m dimacs.Model) int {
	n := 0
	for _, x := range m {
		if x == dimacs.True {
			n++
		}
	}
	return n
}
