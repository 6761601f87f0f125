package circuit

import (
	"errors"
	"fmt"

	"sator/dimacs"
)

// A Bounded is the question whether a circuit reaches a bad state within so many steps, as
// clauses: bounded model checking. Either [Bounded.Within] is called once, or [Bounded.Step]
// again and again, as in Eén and Sörensson, "Temporal induction by incremental SAT solving",
// BMC 2003.
type Bounded struct {
	g       *Graph
	u       *Unrolling
	encoder *Encoder
	held    Signal // the constraints up to the last step
	steps   int
}

// properties returns the signals that are bad when they are true: g.Bad, or g.Outputs if there
// are none, as in version 1.0 of AIGER.
func (g *Graph) properties() []Port {
	if len(g.Bad) > 0 {
		return g.Bad
	}
	return g.Outputs
}

// NewBounded returns the question about g, without steps yet. The properties are the signals of
// g.Bad, or g.Outputs if g.Bad is empty; without both, there is an error.
func NewBounded(g *Graph, to Target) (*Bounded, error) {
	if len(g.properties()) == 0 {
		return nil, errors.New("the circuit has no bad states and no outputs")
	}
	u := g.Unroll()
	return &Bounded{g: g, u: u, encoder: NewEncoder(u.Graph, to), held: True}, nil
}

// Step adds a step, and returns a literal that is true only if some property is bad at that
// step and all constraints are true up to there: assume it, or add it to the clause of
// [Bounded.Within]. The time and the number of clauses are linear in the gates that the
// properties and the constraints depend on.
func (b *Bounded) Step() dimacs.Lit {
	g := b.u.Graph
	bad := False
	for _, p := range b.g.properties() {
		bad = g.Or(bad, b.u.At(b.steps, p.Signal))
	}
	for _, p := range b.g.Constraints {
		b.held = g.And(b.held, b.u.At(b.steps, p.Signal))
	}
	b.steps++
	return b.encoder.Implied(g.And(b.held, bad))
}

// Within adds bound+1 steps, and the clause that a bad state is reached at one of them. A
// circuit without latches gets one step alone, since the others would be the same.
func (b *Bounded) Within(bound int) {
	if len(b.g.Latches) == 0 {
		bound = 0
	}
	var some []dimacs.Lit
	for range bound + 1 {
		some = append(some, b.Step())
	}
	b.encoder.to.Add(some...)
}

// Properties returns the number of properties.
func (b *Bounded) Properties() int { return len(b.g.properties()) }

// Steps returns the number of steps.
func (b *Bounded) Steps() int { return b.steps }

// Witness returns the execution of a model of the clauses, up to the first bad state. Inputs
// on which the bad state does not depend are false. The execution is simulated: an error
// says that it reaches no bad state, so that the model is none of the clauses.
func (b *Bounded) Witness(m dimacs.Model) (*Witness, error) {
	w := &Witness{Latches: make([]bool, len(b.g.Latches))}
	for i, l := range b.g.Latches {
		w.Latches[i] = l.Reset == True || l.Reset == Free && b.value(m, 0, l.Signal)
	}
	for t := range b.steps {
		inputs := make([]bool, len(b.g.Inputs))
		for i, p := range b.g.Inputs {
			inputs[i] = b.value(m, t, p.Signal)
		}
		w.Inputs = append(w.Inputs, inputs)
	}
	if err := w.Run(b.g); err != nil {
		return nil, fmt.Errorf("the model is no execution of the circuit: %w", err)
	}
	return w, nil
}

// Names returns names of the variables of inputs, and of latches that begin with any value:
// NAME@T at step T. In place of a name that is missing, not unique or not one of [dimacs.Names]
// stands that of AIGER: i0@3 for the first input, l0@0 for the first latch.
func (b *Bounded) Names() *dimacs.Names {
	names := new(dimacs.Names)
	for t := range b.steps {
		for i, p := range b.g.Inputs {
			b.name(names, t, p.Signal, p.Name, fmt.Sprintf("i%d@%d", i, t))
		}
		for i, l := range b.g.Latches {
			if t == 0 && l.Reset == Free {
				b.name(names, t, l.Signal, l.Name, fmt.Sprintf("l%d@0", i))
			}
		}
	}
	return names
}

// name names the variable of a signal in a frame, if it has one.
func (b *Bounded) name(names *dimacs.Names, t int, s Signal, name, otherwise string) {
	x, ok := b.u.Reached(t, s)
	if !ok {
		return
	}
	l, ok := b.encoder.Known(x)
	if ok && (name == "" || names.Add(l.Var(), at(name, t)) != nil) {
		_ = names.Add(l.Var(), otherwise) // taken by a strange name: then there is none
	}
}

// value returns the value of an input or latch of a frame in a model.
func (b *Bounded) value(m dimacs.Model, t int, s Signal) bool {
	x, ok := b.u.Reached(t, s)
	if !ok {
		return false
	}
	l, ok := b.encoder.Known(x)
	return ok && m.Lit(l) == dimacs.True
}
