package families

import (
	"sator/dimacs"
)

// Pigeonhole principle (PHP): each pigeon is in a hole, and no hole has two
// pigeons. Variable p(i,j) states that pigeon i is in hole j. With more pigeons
// than holes the formula is unsatisfiable, and every resolution proof is
// exponentially long (Haken), so clause learning alone cannot find a short one.
//
// These clauses allow a pigeon in several holes and empty holes. The functional
// formula forbids the former, the onto formula the latter. Both are as hard as
// the basic formula. The functional onto formula is also unsatisfiable with
// fewer pigeons than holes.
//
// Two pigeons per hole (Biere, Two Pigeons per Hole Problem, SAT Competition
// 2013): no hole has three pigeons, so 2n+1 pigeons are one too many for n
// holes. Methods based on pairs, such as the detection of at-most-one (AMO)
// constraints, do not apply.

var php = &Family{
	Name:   "php",
	Help:   "pigeonhole principle (PHP); unsatisfiable with more pigeons than holes",
	Source: "Haken, The Intractability of Resolution, 1985",
	Params: []Param{
		{"holes", Int, 8, 1, 10000, "number of holes"},
		{"pigeons", Int, 0, 0, 20001, "number of pigeons; 0 for one more than the holes can have"},
		{"functional", Switch, 0, 0, 1, "no pigeon sits in two holes"},
		{"onto", Switch, 0, 0, 1, "no hole stays empty"},
		{"two-pigeons", Switch, 0, 0, 1, "a hole may have two pigeons"}},
	build: buildPHP,
}

func buildPHP(v Values, _ *rng) (*Instance, error) {
	capacity := 1
	if v.on("two-pigeons") {
		capacity = 2
	}
	if v["pigeons"] == 0 {
		v["pigeons"] = float64(capacity)*v["holes"] + 1
	}
	p := pigeonholeBuilder{v.int("pigeons"), v.int("holes"), capacity, new(dimacs.Formula)}
	if _, err := count(p.size(v.on("functional"), v.on("onto"))); err != nil {
		return nil, err
	}
	p.addPigeons()
	p.addCapacity()
	if v.on("functional") {
		p.addFunctional()
	}
	if v.on("onto") {
		p.addOnto()
	}
	inst := newInstance(p.f, dimacs.Unsatisfiable, "pigeonhole principle: %d pigeons, %d holes%s%s%s", p.pigeons, p.holes,
		when(capacity == 2, ", up to two pigeons in a hole"),
		when(v.on("functional"), ", no pigeon in two holes"), when(v.on("onto"), ", no hole empty"))
	fits := p.pigeons <= capacity*p.holes
	if fits && (p.pigeons >= p.holes || !(v.on("functional") && v.on("onto"))) {
		inst.Answer, inst.Model = dimacs.Satisfiable, p.model(v.on("onto"))
	}
	return inst, nil
}

// A pigeonholeBuilder builds a pigeonhole formula.
type pigeonholeBuilder struct {
	pigeons, holes int
	capacity       int // maximum number of pigeons in a hole
	f              *dimacs.Formula
}

// in returns the literal "pigeon i is in hole j".
func (p *pigeonholeBuilder) in(i, j int) dimacs.Lit { return dimacs.Var(i*p.holes + j).Lit() }

// size returns the number of clauses.
func (p *pigeonholeBuilder) size(functional, onto bool) float64 {
	m, n := float64(p.pigeons), float64(p.holes)
	size := m + n*choose(p.pigeons, p.capacity+1)
	if functional {
		size += m * choose(p.holes, 2)
	}
	if onto {
		size += n
	}
	return size
}

// addPigeons states that each pigeon is in a hole.
func (p *pigeonholeBuilder) addPigeons() {
	for i := range p.pigeons {
		p.f.Add(literals(p.holes, func(j int) dimacs.Lit { return p.in(i, j) })...)
	}
}

// addOnto states that no hole is empty.
func (p *pigeonholeBuilder) addOnto() {
	for j := range p.holes {
		p.f.Add(literals(p.pigeons, func(i int) dimacs.Lit { return p.in(i, j) })...)
	}
}

// addCapacity states that no hole has more pigeons than its capacity.
func (p *pigeonholeBuilder) addCapacity() {
	for j := range p.holes {
		for i := range p.pigeons {
			for h := range i {
				if p.capacity == 1 {
					p.f.Add(p.in(h, j).Not(), p.in(i, j).Not())
					continue
				}
				for g := range h {
					p.f.Add(p.in(g, j).Not(), p.in(h, j).Not(), p.in(i, j).Not())
				}
			}
		}
	}
}

// addFunctional states that no pigeon is in two holes.
func (p *pigeonholeBuilder) addFunctional() {
	for i := range p.pigeons {
		addAtMostOne(p.f, literals(p.holes, func(j int) dimacs.Lit { return p.in(i, j) }))
	}
}

// model returns the model with the pigeons distributed round-robin over the
// holes; with onto, the last pigeon is also in all remaining holes. The holes
// must have enough capacity for the pigeons.
func (p *pigeonholeBuilder) model(onto bool) dimacs.Model {
	m := allFalse(p.f.Vars())
	for i := range p.pigeons {
		m.Set(p.in(i, i%p.holes))
	}
	if onto {
		for j := p.pigeons; j < p.holes; j++ {
			m.Set(p.in(p.pigeons-1, j))
		}
	}
	return m
}

// when returns s if b is true, else the empty string.
func when(b bool, s string) string {
	if b {
		return s
	}
	return ""
}
