package families

import (
	"fmt"

	"sator/dimacs"
)

// Planning in the blocks world: blocks stand on a table in towers. A move takes
// a block with nothing on it to the table or onto another one with nothing on
// it. The formula says that some number of moves, or fewer, lead from one random
// state to another.
//
// As Kautz and Selman wrote plans, variables say what is on what at each time,
// and what is moved where in between: the block and the place are told apart, so
// that there are few of them. A block is always on one thing. What is not moved
// stays.
//
// To find a shortest plan is NP-hard (Gupta and Nau, On the Complexity of
// Blocks-World Planning, 1992), and yet easy for few blocks, since a block moves
// twice at most: to the table and to its final place. The file blocks_plan.go
// does that, and so the answer is known.

var blocks = &Family{
	Name:   "blocks",
	Help:   "a plan in the blocks world; satisfiable with enough steps",
	Source: "Kautz and Selman, Pushing the Envelope: Planning, Propositional Logic, and Stochastic Search, AAAI 1996",
	Params: []Param{
		{"blocks", Int, 9, 2, 60, "number of blocks"},
		{"steps", Int, 0, 0, 1000, "moves of the plan at most; 0 for as many as the best plan that was found"},
		{"short", Switch, 0, 0, 1, "one move less than that"}},
	build: buildBlocks,
}

func buildBlocks(v Values, r *source) (*Instance, error) {
	n := v.int("blocks")
	if v.on("short") && v["steps"] != 0 {
		return nil, fmt.Errorf("steps and short exclude each other")
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
	w := newWorld(n, steps)
	w.addState(0, task.start)
	w.addState(steps, task.goal)
	for t := range steps + 1 {
		w.addPlaces(t)
	}
	for t := range steps {
		w.addMove(t)
		w.addEffects(t)
	}
	inst := &Instance{Formula: w.f, Comments: []string{
		fmt.Sprintf("blocks world: %d blocks and a plan of up to %d moves; the best that was found has %d, and none has fewer than %d",
			n, steps, len(plan), least),
	}}
	switch {
	case steps >= len(plan):
		inst.Answer, inst.Model = dimacs.Satisfiable, w.model(task.start, plan)
	case steps < least:
		inst.Answer = dimacs.Unsatisfiable
	}
	return inst, nil
}

// A world is a formula about n blocks and a number of steps. The table counts as
// thing n after the blocks.
type world struct {
	n, steps int
	f        *dimacs.Formula
}

func newWorld(n, steps int) *world {
	return &world{n, steps, dimacs.NewFormula(n*n*(steps+1) + (2*n+1)*steps)}
}

// on returns the literal which says that block x is on a thing, which is not x,
// at a time.
func (w *world) on(t, x, thing int) dimacs.Lit {
	if thing > x {
		thing--
	}
	return dimacs.Var((t*w.n+x)*w.n + thing).Lit()
}

// takes returns the literal which says that block x is moved after time t.
func (w *world) takes(t, x int) dimacs.Lit {
	return dimacs.Var(w.n*w.n*(w.steps+1) + (2*w.n+1)*t + x).Lit()
}

// puts returns the literal which says that a block is moved onto a thing after
// time t.
func (w *world) puts(t, thing int) dimacs.Lit { return w.takes(t, w.n+thing) }

// addState says what each block is on at a time.
func (w *world) addState(t int, state []int) {
	for x, thing := range state {
		w.f.Add(w.on(t, x, thing))
	}
}

// addPlaces says that each block is on one thing at a time.
func (w *world) addPlaces(t int) {
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

// addMove says that after time t one block at most is moved to one place, none
// onto itself, and that nothing is on either.
func (w *world) addMove(t int) {
	var taken, put []dimacs.Lit
	for x := range w.n {
		taken = append(taken, w.takes(t, x))
	}
	for thing := range w.n + 1 {
		put = append(put, w.puts(t, thing))
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
		w.f.Add(w.takes(t, x).Not(), w.puts(t, x).Not())
		for y := range w.n {
			if x != y {
				w.f.Add(w.takes(t, x).Not(), w.on(t, y, x).Not())
				w.f.Add(w.puts(t, x).Not(), w.on(t, y, x).Not())
			}
		}
	}
}

// addEffects says that after a move the block is where it was put, and that all
// others are where they were.
func (w *world) addEffects(t int) {
	for x := range w.n {
		for thing := range w.n + 1 {
			if thing != x {
				w.f.Add(w.takes(t, x).Not(), w.puts(t, thing).Not(), w.on(t+1, x, thing))
				w.f.Add(w.takes(t, x), w.on(t, x, thing).Not(), w.on(t+1, x, thing))
			}
		}
	}
}

// model returns the model of a plan, after which nothing happens.
func (w *world) model(start []int, plan []move) dimacs.Model {
	m := allFalse(w.f.Vars())
	state := append([]int(nil), start...)
	for t := range w.steps + 1 {
		for x, thing := range state {
			m.Set(w.on(t, x, thing))
		}
		if t < len(plan) {
			m.Set(w.takes(t, plan[t].block))
			m.Set(w.puts(t, plan[t].thing))
			state[plan[t].block] = plan[t].thing
		}
	}
	return m
}
