package families

import (
	"sator/dimacs"
)

// The ordering principle, GT_n: a finite partial order has a minimal element.
// The formula states the axioms of a partial order and that each element has a
// predecessor. Variable x(i,j) states that i is before j.
//
// Resolution proofs are short (Stålmarck, Short Resolution Proofs for a
// Sequence of Tricky Formulas, 1996): cubic, like the formula. But they need
// clauses with as many literals as there are elements (Bonet and Galesi,
// Optimality of Size-Width Tradeoffs for Resolution, 2001), and tree-like
// proofs, the proofs of search without learning, are exponentially long.

var ordering = &Family{
	Name:   "ordering",
	Help:   "ordering principle: a finite order without a minimal element; unsatisfiable",
	Source: "Krishnamurthy, Short Proofs for Tricky Formulas, 1985",
	Params: []Param{
		{"elements", Int, 20, 2, 1290, "number of elements"},
		{"total", Switch, 0, 0, 1, "a total order instead of a partial one"},
		{"minimum", Switch, 0, 0, 1, "allow element 0 to be minimal; satisfiable"}},
	build: buildOrdering,
}

func buildOrdering(v Values, _ *rng) (*Instance, error) {
	o := order{v.int("elements"), dimacs.NewFormula(0)}
	if _, err := count(float64(o.n) * float64(o.n) * float64(o.n)); err != nil {
		return nil, err
	}
	o.addOrder(v.on("total"))
	o.addPredecessors(v.on("minimum"))
	inst := newInstance(o.f, dimacs.Unsatisfiable, "ordering principle: a %s order of %d elements, in which %s has one before it",
		map[bool]string{false: "partial", true: "total"}[v.on("total")], o.n,
		map[bool]string{false: "each", true: "each but the first"}[v.on("minimum")])
	if v.on("minimum") {
		inst.Answer, inst.Model = dimacs.Satisfiable, o.ascending()
	}
	return inst, nil
}

// An order builds a formula about an order of n elements.
type order struct {
	n int
	f *dimacs.Formula
}

// before returns the literal "i is before j", for different elements.
func (o *order) before(i, j int) dimacs.Lit {
	place := i * (o.n - 1)
	if j < i {
		return dimacs.Var(place + j).Lit()
	}
	return dimacs.Var(place + j - 1).Lit()
}

// addOrder states that before is asymmetric and transitive, and optionally
// total.
func (o *order) addOrder(total bool) {
	for i := range o.n {
		for j := range i {
			o.f.Add(o.before(j, i).Not(), o.before(i, j).Not())
			if total {
				o.f.Add(o.before(j, i), o.before(i, j))
			}
		}
	}
	for i := range o.n {
		for j := range o.n {
			for k := range o.n {
				if i != j && j != k && i != k {
					o.f.Add(o.before(i, j).Not(), o.before(j, k).Not(), o.before(i, k))
				}
			}
		}
	}
}

// addPredecessors states that each element has a predecessor, except element 0
// if it may be minimal.
func (o *order) addPredecessors(minimum bool) {
	for j := range o.n {
		if j == 0 && minimum {
			continue
		}
		c := make([]dimacs.Lit, 0, o.n-1)
		for i := range o.n {
			if i != j {
				c = append(c, o.before(i, j))
			}
		}
		o.f.Add(c...)
	}
}

// ascending returns the model in which the elements are ordered by number.
func (o *order) ascending() dimacs.Model {
	m := allFalse(o.f.Vars())
	for j := range o.n {
		for i := range j {
			m.Set(o.before(i, j))
		}
	}
	return m
}
