package families

import (
	"fmt"

	"sator/dimacs"
)

// Blocks-world planning as satisfiability. Blocks are stacked in towers on a
// table. A move takes a clear block (a block with no block on it) to the table
// or onto another clear block. The formula states that a plan with at most a
// given number of moves leads from one random state to another.
//
// The encoding follows Kautz and Selman: variables state which block is on what
// at each time, which block is moved at each step, and where to. Separate
// variables for the moved block and its destination keep their number small. A
// block is on exactly one thing, and a block that is not moved stays in place
// (frame axioms).
//
// Finding a shortest plan is NP-hard (Gupta and Nau, On the Complexity of
// Blocks-World Planning, 1992), but easy for few blocks, because a block moves
// at most twice: to the table and to its final position. blocks_plan.go
// computes shortest plans, so the answer is known.

var blocks = &Family{
	Name:   "blocks",
	Help:   "blocks-world planning; satisfiable with enough steps",
	Source: "Kautz and Selman, Pushing the Envelope: Planning, Propositional Logic, and Stochastic Search, AAAI 1996",
	Params: []Param{
		{"blocks", Int, 9, 2, 60, "number of blocks"},
		{"steps", Int, 0, 0, 1000, "maximum number of moves; 0 for the length of the best known plan"},
		{"short", Switch, 0, 0, 1, "one move less than the best known plan"}},
	build: buildBlocks,
}

func buildBlocks(v Values, r *rng) (*Instance, error) {
	n := v.int("blocks")
	if v.on("short") && v["steps"] != 0 {
		return nil, fmt.Errorf("steps and short are mutually exclusive")
	}
	task, plan, least := r.task(n)
	if v["steps"] == 0 {
		v["steps"] = float64(len(plan) - v.int("short"))
		delete(v, "short")
	}
	steps := v.int("steps")
	if _, err := count(float64(steps+1) * (float64(n)*choose(n, 2) + 5*float64(n*n))); err != nil {
		return nil, err
	}
	w := newBlocksEncoder(n, steps)
	w.addState(0, task.start)
	w.addState(steps, task.goal)
	for t := range steps + 1 {
		w.addPositions(t)
	}
	for t := range steps {
		w.addMove(t)
		w.addEffects(t)
	}
	inst := newInstance(w.f, dimacs.Unknown, "blocks world: %d blocks and a plan of up to %d moves; the best that was found has %d, and none has fewer than %d",
		n, steps, len(plan), least)
	switch {
	case steps >= len(plan):
		inst.Answer, inst.Model = dimacs.Satisfiable, w.model(task.start, plan)
	case steps < least:
		inst.Answer = dimacs.Unsatisfiable
	}
	return inst, nil
}

// A blocksEncoder builds a formula about n blocks and a number of steps. Thing
// n is the table.
type blocksEncoder struct {
	n, steps int
	f        *dimacs.Formula
}

func newBlocksEncoder(n, steps int) *blocksEncoder {
	return &blocksEncoder{n, steps, dimacs.NewFormula(n*n*(steps+1) + (2*n+1)*steps)}
}

// on returns the literal "block x is on a thing at time t". The thing must not
// be x.
func (w *blocksEncoder) on(t, x, thing int) dimacs.Lit {
	if thing > x {
		thing--
	}
	return dimacs.Var((t*w.n+x)*w.n + thing).Lit()
}

// moved returns the literal "block x is moved after time t".
func (w *blocksEncoder) moved(t, x int) dimacs.Lit {
	return dimacs.Var(w.n*w.n*(w.steps+1) + (2*w.n+1)*t + x).Lit()
}

// destination returns the literal "a block is moved onto a thing after time t".
func (w *blocksEncoder) destination(t, thing int) dimacs.Lit { return w.moved(t, w.n+thing) }

// addState adds unit clauses for a state at time t.
func (w *blocksEncoder) addState(t int, state []int) {
	for x, thing := range state {
		w.f.Add(w.on(t, x, thing))
	}
}

// addPositions states that each block is on exactly one thing at time t.
func (w *blocksEncoder) addPositions(t int) {
	for x := range w.n {
		var places []dimacs.Lit
		for thing := range w.n + 1 {
			if thing != x {
				places = append(places, w.on(t, x, thing))
			}
		}
		addExactlyOne(w.f, places)
	}
}

// addMove states that after time t at most one block is moved to one
// destination other than itself, and that the block and the destination are
// clear.
func (w *blocksEncoder) addMove(t int) {
	var taken, put []dimacs.Lit
	for x := range w.n {
		taken = append(taken, w.moved(t, x))
	}
	for thing := range w.n + 1 {
		put = append(put, w.destination(t, thing))
	}
	addAtMostOne(w.f, taken)
	addAtMostOne(w.f, put)
	for _, l := range taken {
		w.f.Add(append([]dimacs.Lit{l.Not()}, put...)...)
	}
	for _, l := range put {
		w.f.Add(append([]dimacs.Lit{l.Not()}, taken...)...)
	}
	for x := range w.n {
		w.f.Add(w.moved(t, x).Not(), w.destination(t, x).Not())
		for y := range w.n {
			if x != y {
				w.f.Add(w.moved(t, x).Not(), w.on(t, y, x).Not())
				w.f.Add(w.destination(t, x).Not(), w.on(t, y, x).Not())
			}
		}
	}
}

// addEffects states that a moved block is on its destination afterwards, and
// that all other blocks stay.
func (w *blocksEncoder) addEffects(t int) {
	for x := range w.n {
		for thing := range w.n + 1 {
			if thing != x {
				w.f.Add(w.moved(t, x).Not(), w.destination(t, thing).Not(), w.on(t+1, x, thing))
				w.f.Add(w.moved(t, x), w.on(t, x, thing).Not(), w.on(t+1, x, thing))
			}
		}
	}
}

// model returns the model of a plan that is followed by idle steps.
func (w *blocksEncoder) model(start []int, plan []move) dimacs.Model {
	m := allFalse(w.f.Vars())
	state := append([]int(nil), start...)
	for t := range w.steps + 1 {
		for x, thing := range state {
			m.Set(w.on(t, x, thing))
		}
		if t < len(plan) {
			m.Set(w.moved(t, plan[t].block))
			m.Set(w.destination(t, plan[t].thing))
			state[plan[t].block] = plan[t].thing
		}
	}
	return m
}
