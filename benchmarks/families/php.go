package families

import (
	"fmt"

	"sator/dimacs"
)

// The pigeonhole principle: each pigeon sits in a hole, and no hole holds two.
// Variable p(i,j) says that pigeon i sits in hole j. With more pigeons than
// holes the formula is unsatisfiable, and every resolution proof of it is
// exponentially long (Haken), so that clause learning alone cannot find a
// short one.
//
// The clauses so far let a pigeon sit in several holes and a hole stay empty.
// The functional formula forbids the first, the onto formula the second. Both
// stay as hard; the onto one is unsatisfiable with fewer pigeons too if it is
// functional.
//
// Two pigeons to a hole (Biere, Two Pigeons per Hole Problem, SAT Competition
// 2013): no hole holds three, so that 2n+1 pigeons are one too many for n
// holes. What reasons about pairs alone, as detectors of at-most-one
// constraints do, sees nothing here.

var php = &Family{
	Name:   "php",
	Help:   "the pigeonhole principle; unsatisfiable with more pigeons than holes",
	Source: "Haken, The Intractability of Resolution, 1985",
	Params: []Param{
		{"holes", Int, 8, 1, 10000, "number of holes"},
		{"pigeons", Int, 0, 0, 20001, "number of pigeons; 0 for one more than there is room for"},
		{"functional", Switch, 0, 0, 1, "no pigeon sits in two holes"},
		{"onto", Switch, 0, 0, 1, "no hole stays empty"},
		{"two-pigeons", Switch, 0, 0, 1, "a hole has room for two pigeons"}},
	build: buildPHP,
}

func buildPHP(v Values, _ *source) (*Instance, error) {
	room := 1
	if v.on("two-pigeons") {
		room = 2
	}
	if v["pigeons"] == 0 {
		v["pigeons"] = float64(room)*v["holes"] + 1
	}
	p := coop{v.int("pigeons"), v.int("holes"), room, new(dimacs.Formula)}
	if _, err := count(p.size(v.on("functional"), v.on("onto"))); err != nil {
		return nil, err
	}
	p.everyPigeonSits()
	p.noneIsCrowded()
	if v.on("functional") {
		p.noneIsTwice()
	}
	if v.on("onto") {
		p.everyHoleIsUsed()
	}
	inst := &Instance{Formula: p.f, Answer: dimacs.Unsatisfiable, Comments: []string{
		fmt.Sprintf("pigeonhole principle: %d pigeons, %d holes%s%s%s", p.pigeons, p.holes,
			when(room == 2, ", up to two pigeons in a hole"),
			when(v.on("functional"), ", no pigeon in two holes"), when(v.on("onto"), ", no hole empty")),
	}}
	fits := p.pigeons <= room*p.holes
	if fits && (p.pigeons >= p.holes || !(v.on("functional") && v.on("onto"))) {
		inst.Answer, inst.Model = dimacs.Satisfiable, p.seats(v.on("onto"))
	}
	return inst, nil
}

// A coop is a pigeonhole formula in the making.
type coop struct {
	pigeons, holes int
	room           int // how many pigeons fit into a hole
	f              *dimacs.Formula
}

// in returns the literal that says that pigeon i sits in hole j.
func (p *coop) in(i, j int) dimacs.Lit { return dimacs.Var(i*p.holes + j).Lit() }

// size returns the number of clauses.
func (p *coop) size(functional, onto bool) float64 {
	m, n := float64(p.pigeons), float64(p.holes)
	size := m + n*choose(p.pigeons, p.room+1)
	if functional {
		size += m * choose(p.holes, 2)
	}
	if onto {
		size += n
	}
	return size
}

func (p *coop) everyPigeonSits() {
	c := make([]dimacs.Lit, p.holes)
	for i := range p.pigeons {
		for j := range c {
			c[j] = p.in(i, j)
		}
		p.f.Add(c...)
	}
}

func (p *coop) everyHoleIsUsed() {
	c := make([]dimacs.Lit, p.pigeons)
	for j := range p.holes {
		for i := range c {
			c[i] = p.in(i, j)
		}
		p.f.Add(c...)
	}
}

func (p *coop) noneIsCrowded() {
	for j := range p.holes {
		for i := range p.pigeons {
			for h := range i {
				if p.room == 1 {
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

func (p *coop) noneIsTwice() {
	for i := range p.pigeons {
		for j := range p.holes {
			for h := range j {
				p.f.Add(p.in(i, h).Not(), p.in(i, j).Not())
			}
		}
	}
}

// seats returns the model in which the pigeons take the holes in turn, and the
// last one is also in all holes beyond if none may stay empty. There is room
// for all of them.
func (p *coop) seats(onto bool) dimacs.Model {
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

// when returns s if b holds, and nothing otherwise.
func when(b bool, s string) string {
	if b {
		return s
	}
	return ""
}
