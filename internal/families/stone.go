package families

import (
	"sator/dimacs"
)

// Stone formulas on pyramid graphs: each vertex has a stone, and each stone is red or blue.
// Stones of the lowest row are red, a stone above two red stones is red, and a stone of the
// top is blue:
//
//   - vertex v has a stone: p(v,1) or p(v,2) or ...
//   - in the lowest row, p(v,i) implies red(i); at the top it implies blue;
//   - above u and w, p(u,i), red(i), p(w,j), red(j) and p(v,k) imply red(k), for each k
//     other than i and j.
//
// The formula is unsatisfiable, however many stones there are: by induction all stones that
// lie somewhere are red. Resolution proofs are short, but regular ones, in which no path
// resolves a variable twice, are exponentially long with enough stones. A pyramid of height
// h has (h+1)(h+2)/2 vertices; with s stones there are h(h+1)/2 s (s-1)^2 clauses of the
// last kind.

var stone = &Family{
	Name:   "stone",
	Help:   "red and blue stones on a pyramid; unsatisfiable",
	Source: "Alekhnovich, Johannsen, Pitassi and Urquhart, An Exponential Separation between Regular and General Resolution, STOC 2002",
	Params: []Param{
		{"height", Int, 4, 1, 1000, "number of rows above the lowest one"},
		{"stones", Int, 5, 1, 1000, "number of stones"},
		{"open", Switch, 0, 0, 1, "allow a red stone on the top; satisfiable"}},
	build: buildStone,
}

func buildStone(v Values, _ *rng) (*Instance, error) {
	p := stoneBuilder{v.int("height"), v.int("stones"), nil}
	if _, err := count(p.size()); err != nil {
		return nil, err
	}
	vertices := (p.height + 1) * (p.height + 2) / 2
	p.f = dimacs.NewFormula((vertices + 1) * p.stones)
	for u := range vertices {
		p.f.Add(literals(p.stones, func(i int) dimacs.Lit { return p.has(u, i) })...)
	}
	for u := range p.height + 1 {
		for i := range p.stones {
			p.f.Add(p.has(u, i).Not(), p.red(i))
		}
	}
	p.addRows()
	inst := newInstance(p.f, dimacs.Unsatisfiable, "%d stones on a pyramid of height %d%s", p.stones, p.height, when(v.on("open"), "; the top may have a red one"))
	if v.on("open") {
		inst.Answer, inst.Model = dimacs.Satisfiable, allFalse(p.f.Vars())
		for x := range inst.Model {
			inst.Model[x] = dimacs.True
		}
		return inst, nil
	}
	for i := range p.stones {
		p.f.Add(p.has(vertices-1, i).Not(), p.red(i).Not())
	}
	return inst, nil
}

// A stoneBuilder builds a stone formula. Vertices are numbered by rows, from the lowest.
type stoneBuilder struct {
	height, stones int
	f              *dimacs.Formula
}

// red returns the literal "stone i is red".
func (p *stoneBuilder) red(i int) dimacs.Lit { return dimacs.Var(i).Lit() }

// has returns the literal "vertex u has stone i".
func (p *stoneBuilder) has(u, i int) dimacs.Lit { return dimacs.Var((u+1)*p.stones + i).Lit() }

// size returns the number of clauses.
func (p *stoneBuilder) size() float64 {
	h, s := float64(p.height), float64(p.stones)
	return (h+1)*(h+2)/2 + (h+1)*s + s + h*(h+1)/2*s*(s-1)*(s-1)
}

// addRows states that a stone above two red stones is red.
func (p *stoneBuilder) addRows() {
	below, v := 0, p.height+1
	for row := 1; row <= p.height; row++ {
		for range p.height + 1 - row {
			p.addStep(below, below+1, v)
			below++
			v++
		}
		below++ // the last vertex of the row below has one vertex above it alone
	}
}

// addStep adds the clauses of a vertex v above u and w.
func (p *stoneBuilder) addStep(u, w, v int) {
	for i := range p.stones {
		for j := range p.stones {
			for k := range p.stones {
				if k == i || k == j {
					continue
				}
				c := []dimacs.Lit{p.has(u, i).Not(), p.red(i).Not(), p.has(w, j).Not()}
				if i != j {
					c = append(c, p.red(j).Not())
				}
				p.f.Add(append(c, p.has(v, k).Not(), p.red(k))...)
			}
		}
	}
}
