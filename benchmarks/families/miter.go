package families

import (
	"fmt"

	"sator/dimacs"
)

// Equivalence checking: two circuits get the same inputs, and the formula says
// that their outputs differ in some place (Brand, Verification of Large
// Synthesized Designs, 1993). It is unsatisfiable if they compute the same.
//
// Adders of different architecture have equal wires inside, the carries, and
// are easy up to hundreds of bits for who finds them. Multipliers have few: the
// sums of an array are not those of a tree. A dozen bits take a long time.
//
// With a fault a gate of the second circuit has a wrong output for one
// assignment of its inputs. The gate, and inputs with which the fault is seen,
// are drawn together, so that there is a model.

var (
	faultParam = Param{"fault", Switch, 0, 0, 1, "plant a fault in the second circuit, and make the formula satisfiable"}

	adderMiter = &Family{
		Name:   "miter-adder",
		Help:   "two circuits that add: does their sum differ? unsatisfiable without a fault",
		Source: "Brand, Verification of Large Synthesized Designs, ICCAD 1993",
		Params: []Param{
			{"bits", Int, 32, 2, 4096, "length of the two numbers"},
			{"select", Switch, 0, 0, 1, "hold a carry-select adder against the ripple-carry adder, not one that looks ahead"},
			faultParam},
		build: buildAdderMiter,
	}

	multiplierMiter = &Family{
		Name:   "miter-multiplier",
		Help:   "two circuits that multiply: does their product differ? unsatisfiable without a fault",
		Source: "Biere, Collection of Combinational Arithmetic Miters, SAT Competition 2016",
		Params: []Param{
			{"bits", Int, 6, 2, 256, "length of the two numbers"},
			{"booth", Switch, 0, 0, 1, "hold a Booth multiplier against the array, not a Wallace tree"},
			{"commuted", Switch, 0, 0, 1, "hold an array with the numbers exchanged against the array, not a Wallace tree"},
			faultParam},
		build: buildMultiplierMiter,
	}
)

// An operation makes the circuit of a function of two numbers.
type operation func(c *circuit, x, y []dimacs.Lit) []dimacs.Lit

func buildAdderMiter(v Values, r *source) (*Instance, error) {
	if v.on("select") {
		return miter(v, r, "a ripple-carry and a carry-select adder", (*circuit).add, (*circuit).addSelect), nil
	}
	return miter(v, r, "a ripple-carry and a carry-lookahead adder", (*circuit).add, (*circuit).addLookahead), nil
}

func buildMultiplierMiter(v Values, r *source) (*Instance, error) {
	switch {
	case v.on("booth") && v.on("commuted"):
		return nil, fmt.Errorf("booth and commuted exclude each other")
	case v.on("booth"):
		return miter(v, r, "an array and a Booth multiplier", (*circuit).multiply, (*circuit).multiplyBooth), nil
	case v.on("commuted"):
		commuted := func(c *circuit, x, y []dimacs.Lit) []dimacs.Lit { return c.multiply(y, x) }
		return miter(v, r, "an array multiplier and the same with its inputs exchanged", (*circuit).multiply, commuted), nil
	}
	return miter(v, r, "an array multiplier and a Wallace tree", (*circuit).multiply, (*circuit).multiplyTree), nil
}

// miter holds two circuits against each other, which comments call so.
func miter(v Values, r *source, what string, first, second operation) *Instance {
	m := compare(v.int("bits"), r, fault{}, first, second)
	inst := &Instance{Formula: m.f, Answer: dimacs.Unsatisfiable}
	found := ""
	if v.on("fault") {
		healthy := m.gates
		for !m.differs {
			// The first circuit has its gates before those of the second.
			gate := m.split + 1 + int(r.below(uint64(healthy-m.split)))
			m = compare(v.int("bits"), r, fault{gate, uint(r.below(8))}, first, second)
		}
		inst = &Instance{Formula: m.f, Answer: dimacs.Satisfiable, Model: m.model}
		found = ", the second one with a fault"
	}
	inst.Comments = []string{
		fmt.Sprintf("miter of %s of %d bits%s", what, v.int("bits"), found),
		"variables from 1 on: the bits of the first number, then those of the second, lowest first",
	}
	return inst
}

// A mitered is a miter with random inputs.
type mitered struct {
	circuit
	split   int  // gates of the first circuit
	differs bool // whether the outputs do
}

func compare(n int, r *source, f fault, first, second operation) *mitered {
	m := &mitered{circuit: circuit{f: new(dimacs.Formula), fault: f}}
	x, y := m.random(n, r), m.random(n, r)
	a := first(&m.circuit, x, y)
	m.split = m.gates
	b := second(&m.circuit, x, y)
	m.fault.gate = 0 // what compares the outputs is sound
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
func (c *circuit) random(n int, r *source) []dimacs.Lit {
	wires := make([]dimacs.Lit, n)
	for i := range wires {
		wires[i] = c.wire(r.flip())
	}
	return wires
}
