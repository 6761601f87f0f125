package families

import (
	"fmt"

	"sator/dimacs"
)

// Bounded model checking (BMC) of a counter. BMC asks whether a machine can
// reach some state in a given number of steps; the formula has a copy of the
// transition relation for each step and constrains the first and the last
// state.
//
// The machine is a counter with two inputs and initial state 0. In each step it
// keeps its value, or increments it if the input enable is 1, and returns to 0
// if reset is 1. So after k steps every number up to k is reachable and no
// larger one. This is obvious from the transition relation but not from the
// bit-level encoding.

var bmcCounter = &Family{
	Name:   "bmc-counter",
	Help:   "BMC: does a counter reach a number in some steps? unsatisfiable unless it is reachable",
	Source: "Biere, Cimatti, Clarke and Zhu, Symbolic Model Checking without BDDs, 1999",
	Params: []Param{
		{"bits", Int, 8, 2, 24, "bits of the counter"},
		{"steps", Int, 100, 1, 1 << 20, "number of steps"},
		{"reachable", Switch, 0, 0, 1, "ask for the number of steps instead of the next number; satisfiable"}},
	build: buildBMCCounter,
}

func buildBMCCounter(v Values, _ *rng) (*Instance, error) {
	n, steps := v.int("bits"), v.int("steps")
	target := steps + 1
	if v.on("reachable") {
		target = steps
	}
	if target >= 1<<n {
		return nil, fmt.Errorf("a counter of %d bits cannot reach %d", n, target)
	}
	if _, err := count(12 * float64(n) * float64(steps)); err != nil {
		return nil, err
	}
	c := &circuit{f: new(dimacs.Formula)}
	state := c.inputs(n, 0)
	c.fix(state, 0)
	for range steps {
		enable, reset := c.wire(true), c.wire(false)
		for i, sum := range c.addCarry(state, constant(n, 0), enable)[:n] {
			state[i] = c.and(sum, reset.Not())
		}
	}
	c.fix(state, uint64(target))
	inst := newInstance(c.f, statusOf(v.on("reachable")), "a counter of %d bits, which begins at 0, counts if it is enabled and can be reset, is at %d after %d steps", n, target, steps)
	if v.on("reachable") {
		inst.Model = c.model
	}
	return inst, nil
}
