package families

import (
	"fmt"

	"sator/dimacs"
)

// The ordering principle, GT_n: a partial order of finitely many elements has a
// minimal one. The formula says that something is a partial order, and that
// each element has another one before it. Variable x(i,j) says that i comes
// before j.
//
// Resolution proofs are short (Stålmarck, Short Resolution Proofs for a
// Sequence of Tricky Formulas, 1996): of cubic size, as the formula itself. But
// they go through clauses with as many literals as there are elements (Bonet
// and Galesi, Optimality of Size-Width Tradeoffs for Resolution, 2001), and
// proofs in the form of a tree, such as a search without learning makes, are
// exponentially long.

var ordering = &Family{
	Name:   "ordering",
	Help:   "a finite order in which each element has one before it; unsatisfiable",
	Source: "Krishnamurthy, Short Proofs for Tricky Formulas, 1985",
	Params: []Param{
		{"elements", Int, 20, 2, 1290, "number of elements"},
		{"total", Switch, 0, 0, 1, "of two elements one comes before the other"},
		{"minimum", Switch, 0, 0, 1, "let one element have none before it, and make the formula satisfiable"}},
	build: buildOrdering,
}

func buildOrdering(v Values, _ *source) (*Instance, error) {
	o := order{v.int("elements"), dimacs.NewFormula(0)}
	if _, err := count(float64(o.n) * float64(o.n) * float64(o.n)); err != nil {
		return nil, err
	}
	o.addOrder(v.on("total"))
	o.addPredecessors(v.on("minimum"))
	inst := &Instance{Formula: o.f, Answer: dimacs.Unsatisfiable, Comments: []string{
		fmt.Sprintf("ordering principle: a %s order of %d elements, in which %s has one before it",
			map[bool]string{false: "partial", true: "total"}[v.on("total")], o.n,
			map[bool]string{false: "each", true: "each but the first"}[v.on("minimum")]),
	}}
	if v.on("minimum") {
		inst.Answer, inst.Model = dimacs.Satisfiable, o.ascending()
	}
	return inst, nil
}

// An order is a formula about an order of n elements.
type order struct {
	n int
	f *dimacs.Formula
}

// before returns the literal which says that i comes before j, which is another
// element.
func (o *order) before(i, j int) dimacs.Lit {
	place := i * (o.n - 1)
	if j < i {
		return dimacs.Var(place + j).Lit()
	}
	return dimacs.Var(place + j - 1).Lit()
}

// addOrder says that before is asymmetric and transitive, and total if asked.
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

// addPredecessors says that each element has one before it, but for element 0
// if that may be a minimum.
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

// ascending returns the model in which the elements stand in the order of their
// numbers.
func (o *order) ascending() dimacs.Model {
	m := allFalse(o.f.Vars())
	for j := range o.n {
		for i := range j {
			m.Set(o.before(i, j))
		}
	}
	return m
}
