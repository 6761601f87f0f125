package circuit

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Values are the values of all signals of a graph.
type Values []bool

// Of returns the value of a signal.
func (v Values) Of(s Signal) bool { return v[s.node()] != s.complemented() }

// Eval returns the values of all signals for values of the inputs and, in a sequential
// circuit, of the latches. It takes time linear in the graph, and panics if there are too few
// or too many values.
func (g *Graph) Eval(inputs, latches []bool) Values {
	v := make(Values, len(g.nodes))
	g.set(v, inputs, latches)
	g.evaluate(v)
	return v
}

// evaluate computes the gates from the inputs and latches. The inputs of a gate have lower
// numbers than the gate.
func (g *Graph) evaluate(v Values) {
	for n := range g.nodes {
		if g.isAnd(uint32(n)) {
			v[n] = v.Of(g.nodes[n].a) && v.Of(g.nodes[n].b)
		}
	}
}

// set sets the values of inputs and latches.
func (g *Graph) set(v Values, inputs, latches []bool) {
	if len(inputs) != len(g.Inputs) || len(latches) != len(g.Latches) {
		panic(fmt.Sprintf("circuit: %d values for %d inputs, %d for %d latches", len(inputs), len(g.Inputs), len(latches), len(g.Latches)))
	}
	for i, p := range g.Inputs {
		v[p.Signal.node()] = inputs[i]
	}
	for i, l := range g.Latches {
		v[l.Signal.node()] = latches[i]
	}
}

// A Witness is an execution of a circuit that ends in a bad state: the latches at the start,
// and the inputs of each step. Bad has the indices of the properties that are bad in the
// last step.
type Witness struct {
	Bad     []int
	Latches []bool
	Inputs  [][]bool
}

// Run simulates a circuit from the latches and inputs of w up to the first bad state. It sets
// w.Bad, and removes the inputs of later steps. It returns an error if a latch does not begin
// with its reset, if a constraint is false before, or if there is no bad state. The
// properties are the signals of g.Bad, or g.Outputs if g.Bad is empty.
func (w *Witness) Run(g *Graph) error {
	for i, l := range g.Latches {
		if l.Reset != Free && w.Latches[i] != (l.Reset == True) {
			return fmt.Errorf("latch %d does not begin with its reset", i)
		}
	}
	v := make(Values, len(g.nodes))
	w.Bad = nil
	state := slices.Clone(w.Latches)
	for t, inputs := range w.Inputs {
		g.set(v, inputs, state)
		g.evaluate(v)
		for _, p := range g.Constraints {
			if !v.Of(p.Signal) {
				return fmt.Errorf("a constraint is false at step %d", t)
			}
		}
		for i, p := range g.properties() {
			if v.Of(p.Signal) {
				w.Bad = append(w.Bad, i)
			}
		}
		if w.Bad != nil {
			w.Inputs = w.Inputs[:t+1]
			return nil
		}
		for i, l := range g.Latches {
			state[i] = v.Of(l.Next)
		}
	}
	return errors.New("no state is bad")
}

// Write writes the witness in the format of AIGER: the line 1, the properties, a line with
// the latches, a line with the inputs of each step, and a dot.
func (w *Witness) Write(to io.Writer) error {
	b := []byte("1\n")
	for _, i := range w.Bad {
		b = strconv.AppendInt(append(b, 'b'), int64(i), 10)
	}
	b = appendBits(append(b, '\n'), w.Latches)
	for _, inputs := range w.Inputs {
		b = appendBits(b, inputs)
	}
	_, err := to.Write(append(b, ".\n"...))
	return err
}

// appendBits appends a line of bits.
func appendBits(b []byte, bits []bool) []byte {
	for _, x := range bits {
		if x {
			b = append(b, '1')
		} else {
			b = append(b, '0')
		}
	}
	return append(b, '\n')
}
