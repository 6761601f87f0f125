package families

import (
	"fmt"
	"math/bits"

	"sator/dimacs"
)

// Pebbling a pyramid: the vertices of the lowest row have a pebble, a vertex
// with pebbles on both vertices below it gets one, and the top has none. With
// one variable for each vertex these are Horn clauses, and unit propagation
// refutes them.
//
// With several variables for each vertex, a pebble means that an odd number of
// them is true, or, with --or, at least one. Then nothing propagates at first,
// but proofs of linear size remain for who goes from the lowest row to the top,
// while proofs in the form of a tree are exponentially long in the height
// (Ben-Sasson, Impagliazzo and Wigderson, Near Optimal Separation of Tree-Like
// and General Resolution, 2004). A pyramid of height h needs the memory of some
// h clauses at a time (Ben-Sasson and Nordström, Short Proofs May Be Spacious,
// 2008).

var pebbling = &Family{
	Name:   "pebbling",
	Help:   "pebbles on a pyramid, each vertex a sum of variables; unsatisfiable",
	Source: "Ben-Sasson and Wigderson, Short Proofs Are Narrow, 2001",
	Params: []Param{
		{"height", Int, 10, 1, 4000, "rows of the pyramid above the lowest one"},
		{"arity", Int, 2, 1, 5, "variables for each vertex"},
		{"or", Switch, 0, 0, 1, "a pebble means that at least one variable is true, not an odd number"},
		{"open", Switch, 0, 0, 1, "let the top have a pebble, and make the formula satisfiable"}},
	build: buildPebbling,
}

func buildPebbling(v Values, _ *source) (*Instance, error) {
	height, arity := v.int("height"), v.int("arity")
	if arity == 1 {
		delete(v, "or") // there is no difference
	}
	p := newPyramid(height, arity, v.on("or"))
	if _, err := count(p.size()); err != nil {
		return nil, err
	}
	for i := range height + 1 {
		p.add(p.clauses(0, i, true))
	}
	for row := 1; row <= height; row++ {
		for i := range height + 1 - row {
			p.add(p.clauses(row-1, i, false), p.clauses(row-1, i+1, false), p.clauses(row, i, true))
		}
	}
	inst := &Instance{Formula: p.f, Answer: dimacs.Unsatisfiable, Comments: []string{
		fmt.Sprintf("pebbles on a pyramid of height %d, %s%s", height, p.meaning(), when(v.on("open"), "; the top may have one")),
	}}
	if v.on("open") {
		inst.Answer, inst.Model = dimacs.Satisfiable, p.full()
	} else {
		p.add(p.clauses(height, 0, false))
	}
	return inst, nil
}

// A pyramid is a pebbling formula in the making. Its rows get shorter by one
// vertex each from row 0 on.
type pyramid struct {
	height, arity int

	// pebble and none are clauses which say that a vertex has a pebble, and
	// that it has none, over its variables as if it were the first vertex.
	pebble, none [][]dimacs.Lit
	or           bool
	f            *dimacs.Formula
}

func newPyramid(height, arity int, or bool) *pyramid {
	p := &pyramid{height: height, arity: arity, or: or, f: new(dimacs.Formula)}
	for set := range dimacs.Lit(1) << arity {
		// The clause that forbids the variables of the set alone to be true.
		clause := make([]dimacs.Lit, arity)
		for i := range clause {
			clause[i] = dimacs.Var(i).Lit() ^ set>>i&1
		}
		if bits.OnesCount32(uint32(set))%2 == 0 {
			p.pebble = append(p.pebble, clause)
		} else {
			p.none = append(p.none, clause)
		}
	}
	if or {
		p.pebble, p.none = p.pebble[:1], nil
		for i := range arity {
			p.none = append(p.none, []dimacs.Lit{dimacs.Var(i).Lit().Not()})
		}
	}
	return p
}

// size returns about the number of clauses.
func (p *pyramid) size() float64 {
	vertices := choose(p.height+2, 2)
	return vertices * float64(len(p.none)*len(p.none)*len(p.pebble))
}

// meaning says what a pebble is.
func (p *pyramid) meaning() string {
	switch {
	case p.arity == 1:
		return "each a variable"
	case p.or:
		return fmt.Sprintf("each the disjunction of %d variables", p.arity)
	}
	return fmt.Sprintf("each the sum of %d variables modulo 2", p.arity)
}

// clauses returns clauses which say that a vertex has a pebble, or has none.
func (p *pyramid) clauses(row, i int, pebble bool) [][]dimacs.Lit {
	pattern := p.none
	if pebble {
		pattern = p.pebble
	}
	below := row*(p.height+1) - row*(row-1)/2 // vertices in lower rows
	first := dimacs.Lit(2 * p.arity * (below + i))
	shifted := make([][]dimacs.Lit, len(pattern))
	for k, clause := range pattern {
		for _, l := range clause {
			shifted[k] = append(shifted[k], l+first)
		}
	}
	return shifted
}

// add adds the disjunction of sets of clauses: a clause for each choice of one
// from each set.
func (p *pyramid) add(sets ...[][]dimacs.Lit) {
	var choose func(clause []dimacs.Lit, sets [][][]dimacs.Lit)
	choose = func(clause []dimacs.Lit, sets [][][]dimacs.Lit) {
		if len(sets) == 0 {
			p.f.Add(clause...)
			return
		}
		for _, c := range sets[0] {
			choose(append(clause, c...), sets[1:])
		}
	}
	choose(nil, sets)
}

// full returns the model in which every vertex has a pebble, by its first
// variable.
func (p *pyramid) full() dimacs.Model {
	m := allFalse(p.f.Vars())
	for v := 0; v < len(m); v += p.arity {
		m[v] = dimacs.True
	}
	return m
}
