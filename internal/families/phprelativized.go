package families

import (
	"sator/dimacs"
)

// Relativized pigeonhole principle: pigeons fly to holes by way of resting places. The
// mapping of pigeons to resting places is injective, each resting place of a pigeon is
// marked, and the mapping of marked places to holes is injective:
//
//   - pigeon i rests at a place: p(i,1) or p(i,2) or ...
//   - no two pigeons rest at place j;
//   - p(i,j) implies that place j is marked;
//   - a marked place has a hole: q(j,1) or q(j,2) or ...
//   - no two marked places have the same hole.
//
// The formula is satisfiable if and only if there are as many places, and as many holes, as
// pigeons. With k pigeons, k-1 holes and n places, the length of resolution proofs is n to
// about k: a formula with polynomial proofs of a degree that can be chosen.

var phpRelativized = &Family{
	Name:   "php-relativized",
	Help:   "pigeonhole principle by way of resting places; unsatisfiable with more pigeons than holes",
	Source: "Atserias, Müller and Oliva, Lower Bounds for DNF-Refutations of a Relativized Weak Pigeonhole Principle, 2015",
	Params: []Param{
		{"pigeons", Int, 5, 1, 1000, "number of pigeons"},
		{"places", Int, 0, 0, 10000, "number of resting places; 0 for twice as many as pigeons"},
		{"holes", Int, 0, 0, 1000, "number of holes; 0 for one less than the pigeons, or 1"}},
	build: buildPHPRelativized,
}

func buildPHPRelativized(v Values, _ *rng) (*Instance, error) {
	if v["places"] == 0 {
		v["places"] = 2 * v["pigeons"]
	}
	if v["holes"] == 0 {
		v["holes"] = max(1, v["pigeons"]-1)
	}
	p := relativizedBuilder{v.int("pigeons"), v.int("places"), v.int("holes"), nil}
	if _, err := count(p.size()); err != nil {
		return nil, err
	}
	p.f = dimacs.NewFormula(p.places * (p.pigeons + 1 + p.holes))
	p.addFlights()
	p.addMarked()
	inst := newInstance(p.f, statusOf(p.pigeons <= min(p.places, p.holes)), "relativized pigeonhole principle: %d pigeons, %d resting places, %d holes", p.pigeons, p.places, p.holes)
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = p.model()
	}
	return inst, nil
}

// A relativizedBuilder builds a relativized pigeonhole formula.
type relativizedBuilder struct {
	pigeons, places, holes int
	f                      *dimacs.Formula
}

// rests returns the literal "pigeon i rests at place j".
func (p *relativizedBuilder) rests(i, j int) dimacs.Lit { return dimacs.Var(i*p.places + j).Lit() }

// marked returns the literal "place j is marked".
func (p *relativizedBuilder) marked(j int) dimacs.Lit {
	return dimacs.Var(p.pigeons*p.places + j).Lit()
}

// flies returns the literal "hole h belongs to place j".
func (p *relativizedBuilder) flies(j, h int) dimacs.Lit {
	return dimacs.Var((p.pigeons+1)*p.places + j*p.holes + h).Lit()
}

// size returns the number of clauses.
func (p *relativizedBuilder) size() float64 {
	k, n, h := float64(p.pigeons), float64(p.places), float64(p.holes)
	return k + n*choose(p.pigeons, 2) + k*n + n + h*choose(p.places, 2)
}

// addFlights states that the pigeons rest at different marked places.
func (p *relativizedBuilder) addFlights() {
	for i := range p.pigeons {
		p.f.Add(literals(p.places, func(j int) dimacs.Lit { return p.rests(i, j) })...)
	}
	for j := range p.places {
		at := literals(p.pigeons, func(i int) dimacs.Lit { return p.rests(i, j) })
		for _, l := range at {
			p.f.Add(l.Not(), p.marked(j))
		}
		addAtMostOne(p.f, at)
	}
}

// addMarked states that the marked places have different holes.
func (p *relativizedBuilder) addMarked() {
	for j := range p.places {
		c := []dimacs.Lit{p.marked(j).Not()}
		for h := range p.holes {
			c = append(c, p.flies(j, h))
		}
		p.f.Add(c...)
		for i := range j {
			for h := range p.holes {
				p.f.Add(p.marked(i).Not(), p.marked(j).Not(), p.flies(i, h).Not(), p.flies(j, h).Not())
			}
		}
	}
}

// model returns the model in which pigeon i rests at place i and flies to hole i.
func (p *relativizedBuilder) model() dimacs.Model {
	m := allFalse(p.f.Vars())
	for i := range p.pigeons {
		m.Set(p.rests(i, i))
		m.Set(p.marked(i))
		m.Set(p.flies(i, i))
	}
	return m
}
