package families

import (
	"fmt"

	"sator/dimacs"
)

// Pebbling formulas on pyramid graphs: the vertices of the lowest row have a
// pebble, a vertex above two vertices with pebbles has a pebble, and the top
// has no pebble. With one variable per vertex these are Horn clauses, refuted
// by unit propagation.
//
// With several variables per vertex, a pebble is the XOR of them or, with --or,
// their disjunction. Then unit propagation derives nothing initially. Proofs of
// linear size exist that derive the pebbles from the lowest row to the top,
// while tree-like proofs are exponentially long in the height (Ben-Sasson,
// Impagliazzo and Wigderson, Near Optimal Separation of Tree-Like and General
// Resolution, 2004). A proof for height h needs about h clauses in memory at a
// time (Ben-Sasson and Nordström, Short Proofs May Be Spacious, 2008).

var pebbling = &Family{
	Name:   "pebbling",
	Help:   "pebbling formulas on a pyramid, with XOR or OR substitution; unsatisfiable",
	Source: "Ben-Sasson and Wigderson, Short Proofs Are Narrow, 2001",
	Params: []Param{
		{"height", Int, 10, 1, 4000, "number of rows above the lowest one"},
		{"arity", Int, 2, 1, 5, "variables per vertex"},
		{"or", Switch, 0, 0, 1, "a pebble is the OR of the variables, not the XOR"},
		{"open", Switch, 0, 0, 1, "allow a pebble on the top; satisfiable"}},
	build: buildPebbling,
}

func buildPebbling(v Values, _ *rng) (*Instance, error) {
	height, arity := v.int("height"), v.int("arity")
	if arity == 1 {
		delete(v, "or") // OR and XOR of one variable are the same
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
	inst := newInstance(p.f, dimacs.Unsatisfiable, "pebbles on a pyramid of height %d, %s%s", height, p.meaning(), when(v.on("open"), "; the top may have one"))
	if v.on("open") {
		inst.Answer, inst.Model = dimacs.Satisfiable, p.full()
	} else {
		p.add(p.clauses(height, 0, false))
	}
	return inst, nil
}

// A pyramid builds a pebbling formula. Row 0 is the lowest; each row has one
// vertex less than the row below.
type pyramid struct {
	height, arity int

	// pebble and none are CNFs for a vertex with and without a pebble, over the
	// variables of the first vertex.
	pebble, none [][]dimacs.Lit
	or           bool
	f            *dimacs.Formula
}

func newPyramid(height, arity int, or bool) *pyramid {
	literal := xorLiteral
	if or {
		literal = orLiteral
	}
	return &pyramid{height, arity, literal(arity, true), literal(arity, false), or, new(dimacs.Formula)}
}

// size returns an estimate of the number of clauses.
func (p *pyramid) size() float64 {
	vertices := choose(p.height+2, 2)
	return vertices * float64(len(p.none)*len(p.none)*len(p.pebble))
}

// meaning describes the encoding of a pebble.
func (p *pyramid) meaning() string {
	switch {
	case p.arity == 1:
		return "each a variable"
	case p.or:
		return fmt.Sprintf("each the disjunction of %d variables", p.arity)
	}
	return fmt.Sprintf("each the sum of %d variables modulo 2", p.arity)
}

// clauses returns the CNF of a vertex with or without a pebble.
func (p *pyramid) clauses(row, i int, pebble bool) [][]dimacs.Lit {
	pattern := p.none
	if pebble {
		pattern = p.pebble
	}
	below := row*(p.height+1) - row*(row-1)/2 // vertices in lower rows
	var cnf [][]dimacs.Lit
	for _, clause := range pattern {
		cnf = append(cnf, shifted(nil, clause, p.arity*(below+i)))
	}
	return cnf
}

// add adds the disjunction of CNFs, by distribution: a clause for each choice
// of one clause from each CNF.
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
