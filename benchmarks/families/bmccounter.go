package families

import (
	"fmt"

	"sator/dimacs"
)

// Bounded model checking asks whether a machine can get into some state in a
// given number of steps: there is a copy of the machine for each step, and the
// formula says where it begins and where it ends.
//
// The machine here is a counter with two inputs. It begins at 0. In each step
// it stays, or counts if the input enable is 1, and starts over if reset is 1.
// So in k steps it gets to every number up to k and not beyond. The author of the
// machine sees that at once, and a solver has to find it out bit by bit.

var bmcCounter = &Family{
	Name:   "bmc-counter",
	Help:   "does a counter get to a number in some steps? unsatisfiable unless it is reachable",
	Source: "Biere, Cimatti, Clarke and Zhu, Symbolic Model Checking without BDDs, 1999",
	Params: []Param{
		{"bits", Int, 8, 2, 24, "bits of the counter"},
		{"steps", Int, 100, 1, 1 << 20, "number of steps"},
		{"reachable", Switch, 0, 0, 1, "ask for the number of steps itself, and not for the next one; satisfiable"}},
	build: buildBMCCounter,
}

func buildBMCCounter(v Values, _ *source) (*Instance, error) {
	n, steps := v.int("bits"), v.int("steps")
	target := steps + 1
	if v.on("reachable") {
		target = steps
	}
	if target >= 1<<n {
		return nil, fmt.Errorf("a counter of %d bits never gets to %d", n, target)
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
	inst := &Instance{Formula: c.f, Answer: verdict(v.on("reachable")), Comments: []string{
		fmt.Sprintf("a counter of %d bits, which begins at 0, counts if it is enabled and can be reset, is at %d after %d steps", n, target, steps),
	}}
	if v.on("reachable") {
		inst.Model = c.model
	}
	return inst, nil
}
