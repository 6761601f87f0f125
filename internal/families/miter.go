package families

import (
	"fmt"

	"sator/dimacs"
)

// Miters (combinational equivalence checking): two circuits have the same
// inputs, and the formula states that their outputs differ (Brand, Verification
// of Large Synthesized Designs, 1993). It is unsatisfiable if the circuits are
// equivalent.
//
// Adders of different architectures have equivalent internal signals, the
// carries, and are easy up to hundreds of bits for solvers that find these.
// Multipliers have few: the partial sums of an array differ from those of a
// tree. A dozen bits take a long time.
//
// With a fault, one gate of the second circuit has a wrong output for one
// assignment of its inputs. The gate and inputs that expose the fault are
// random, so a model is known.

var (
	faultParam = Param{"fault", Switch, 0, 0, 1, "insert a fault into the second circuit; satisfiable"}

	adderMiter = &Family{
		Name:   "miter-adder",
		Help:   "equivalence of two adder circuits; unsatisfiable without a fault",
		Source: "Brand, Verification of Large Synthesized Designs, ICCAD 1993",
		Params: []Param{
			{"bits", Int, 32, 2, 4096, "bits of each number"},
			{"select", Switch, 0, 0, 1, "compare with a carry-select adder; instead of a carry-lookahead adder"},
			faultParam},
		build: buildAdderMiter,
	}

	multiplierMiter = &Family{
		Name:   "miter-multiplier",
		Help:   "equivalence of two multiplier circuits; unsatisfiable without a fault",
		Source: "Biere, Collection of Combinational Arithmetic Miters, SAT Competition 2016",
		Params: []Param{
			{"bits", Int, 6, 2, 256, "bits of each number"},
			{"booth", Switch, 0, 0, 1, "compare with a Booth multiplier; instead of a Wallace tree"},
			{"commuted", Switch, 0, 0, 1, "compare with the array multiplier of swapped inputs; instead of a Wallace tree"},
			faultParam},
		build: buildMultiplierMiter,
	}
)

// An operation builds the circuit of a function of two numbers.
type operation func(c *circuit, x, y []dimacs.Lit) []dimacs.Lit

func buildAdderMiter(v Values, r *rng) (*Instance, error) {
	if v.on("select") {
		return miter(v, r, "a ripple-carry and a carry-select adder", (*circuit).add, (*circuit).addSelect), nil
	}
	return miter(v, r, "a ripple-carry and a carry-lookahead adder", (*circuit).add, (*circuit).addLookahead), nil
}

func buildMultiplierMiter(v Values, r *rng) (*Instance, error) {
	switch {
	case v.on("booth") && v.on("commuted"):
		return nil, fmt.Errorf("booth and commuted are mutually exclusive")
	case v.on("booth"):
		return miter(v, r, "an array and a Booth multiplier", (*circuit).multiply, (*circuit).multiplyBooth), nil
	case v.on("commuted"):
		commuted := func(c *circuit, x, y []dimacs.Lit) []dimacs.Lit { return c.multiply(y, x) }
		return miter(v, r, "an array multiplier and the same with its inputs exchanged", (*circuit).multiply, commuted), nil
	}
	return miter(v, r, "an array multiplier and a Wallace tree", (*circuit).multiply, (*circuit).multiplyTree), nil
}

// miter returns the miter of two circuits.
func miter(v Values, r *rng, description string, first, second operation) *Instance {
	m := compare(v.int("bits"), r, fault{}, first, second)
	inst := &Instance{Formula: m.f, Answer: dimacs.Unsatisfiable}
	found := ""
	if v.on("fault") {
		healthy := m.gates
		for !m.differs {
			// The gates of the first circuit have the lower numbers.
			gate := m.split + 1 + int(r.below(uint64(healthy-m.split)))
			m = compare(v.int("bits"), r, fault{gate, uint(r.below(8))}, first, second)
		}
		inst = &Instance{Formula: m.f, Answer: dimacs.Satisfiable, Model: m.model}
		found = ", the second one with a fault"
	}
	inst.Comments = []string{
		fmt.Sprintf("miter of %s of %d bits%s", description, v.int("bits"), found),
		"variables from 1 on: the bits of the first number, then those of the second, lowest first",
	}
	return inst
}

// A miterCircuit is a miter whose inputs have random values.
type miterCircuit struct {
	circuit
	split   int  // number of gates of the first circuit
	differs bool // the outputs differ
}

// compare builds the miter of two circuits with a fault.
func compare(n int, r *rng, f fault, first, second operation) *miterCircuit {
	m := &miterCircuit{circuit: circuit{f: new(dimacs.Formula), fault: f}}
	x, y := m.random(n, r), m.random(n, r)
	a := first(&m.circuit, x, y)
	m.split = m.gates
	b := second(&m.circuit, x, y)
	m.fault.gate = 0 // no fault in the comparison
	differ := make([]dimacs.Lit, len(a))
	for i := range a {
		differ[i] = m.parity(a[i], b[i])
		m.differs = m.differs || m.value(differ[i])
	}
	m.f.Add(differ...)
	m.gates -= len(a)
	return m
}

// random returns n wires with random values.
func (c *circuit) random(n int, r *rng) []dimacs.Lit {
	return literals(n, func(i int) dimacs.Lit { return c.wire(r.flip()) })
}
