// Package circuit recognizes the circuit that a formula encodes, and simulates it.
//
// A variable is the output of a gate if some clauses force its value for each assignment of a
// few other variables, the inputs. Encoders of circuits write such clauses for each gate (Tseitin,
// 1968); a technology mapper writes them for each node of a cover, with any function of the inputs.
// Passes that compare gates need to know which variables are inputs of which, without cycles, and
// how the values of a gate follow from those of its inputs.
//
//	f := dimacs.NewFormula(0)
//	f.AddInts(3, -1, -2) // 3 is the conjunction of 1 and 2
//	f.AddInts(-3, 1)
//	f.AddInts(-3, 2)
//	n, _ := circuit.Find(inprocess.NewPlain(f, nil), 1e6)
//	fmt.Println(n.Sorted)    // [0 1 2]
//	fmt.Println(n.Inputs(2)) // [1 2]
//
// # Gates
//
// The clauses of a variable are compared with sets of up to five inputs: those of one of its
// clauses, or of two of them. A set defines the variable if its clauses over the set
// force a value for each assignment; the values are the truth table of the gate. This finds gates
// of any function: AND, XOR, if-then-else, majority, and those of mappers. An AND gate may also
// have more inputs, which are the literals of one clause.
//
// # Orientation
//
// A parity constraint defines each of its variables by the others. The same is true of any function
// that a change of one input always changes, for this input. Such gates are candidates, and
// a variable may have several. An order is found as in unit propagation: the variables without a
// gate come first, and when all inputs of a gate are in the order, its output is next. When there
// is no such gate, an input of the circuit is chosen: the first variable by number, if nearly
// all exact gates have outputs with higher numbers than their inputs (the last one, if with lower
// numbers), or else the variable in most gates, those with candidates only first. Each choice gives a
// circuit that the formula implies; a bad one has more inputs.
package circuit

import (
	"cmp"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// A Network is the circuit of a formula. Its tables are valid until the pass ends.
type Network struct {
	// Sorted has the inputs of the circuit and the outputs of gates, each output after the
	// inputs of its gate.
	Sorted []uint32

	gates   []gate
	inputs  []dimacs.Lit // of all gates
	clauses rows         // by literal: references of clauses of three to six literals
	place   []uint32     // by variable: its index in Sorted plus 1, or 0
	def     []uint32     // by variable: the gate that defines it, plus 1, or 0
}

// A gate defines its output. With up to maxInputs inputs, all of them positive, bit m of the
// table is the value of the output if bit k of m is the value of input k. Otherwise the output is
// the conjunction of the inputs.
type gate struct {
	out   dimacs.Lit // positive, if there is a table
	table uint32
	wide  uint32 // reference of the clause with all inputs, if there is no table, or 0
	start uint32 // index of the first input
	n     uint32
	exact bool // a change of a single input may leave the output as it is, for each input
}

// Find finds the gates of the formula and orders them. It returns nil if there is none, if the
// call is stopped, or if the search would take more than this many ticks. It also
// returns an estimate of the ticks, which are about linear in the size of the clauses of up to six
// literals, with a bound for each variable.
func Find(h inprocess.Host, most int64) (n *Network, cost int64) {
	f := &finder{h: h, n: newNetwork(h), budget: inprocess.NewBudget(h, 0)}
	defer h.ReleaseImplications()
	if !f.list() {
		return nil, 0
	}
	if cost = f.cost(); cost > most || !f.find() || len(f.n.gates) == 0 {
		return nil, cost
	}
	f.n.sort(h)
	return f.n, cost
}

func newNetwork(h inprocess.Host) *Network {
	return &Network{
		gates: inprocess.GrowingTable[gate](h), inputs: inprocess.GrowingTable[dimacs.Lit](h), clauses: newRows(h, 2*h.Vars()),
		place: inprocess.Table[uint32](h, h.Vars()), def: inprocess.Table[uint32](h, h.Vars()),
	}
}

// direction returns 1 if the outputs of nearly all exact gates have higher numbers than their inputs,
// -1 if they have lower ones, and 0 otherwise.
func (n *Network) direction() int {
	up, down := 0, 0
	for i := range n.gates {
		g := &n.gates[i]
		higher := func(l dimacs.Lit) bool { return l>>1 > g.out>>1 }
		switch inputs := n.inputsOf(g); {
		case !g.exact:
		case !slices.ContainsFunc(inputs, higher):
			up++
		case !slices.ContainsFunc(inputs, func(l dimacs.Lit) bool { return !higher(l) }):
			down++
		}
	}
	switch {
	case up > 10*down:
		return 1
	case down > 10*up:
		return -1
	}
	return 0
}

// Gates returns the number of variables that are outputs of gates.
func (n *Network) Gates() (count int) {
	for _, v := range n.Sorted {
		if n.def[v] != 0 {
			count++
		}
	}
	return count
}

// Place returns the index of v in Sorted, or -1.
func (n *Network) Place(v uint32) int { return int(n.place[v]) - 1 }

// Defined reports whether v is the output of a gate.
func (n *Network) Defined(v uint32) bool { return n.def[v] != 0 }

// Inputs returns the inputs of the gate of v, or nil.
func (n *Network) Inputs(v uint32) []dimacs.Lit {
	if n.def[v] == 0 {
		return nil
	}
	return n.inputsOf(&n.gates[n.def[v]-1])
}

// Clauses returns the references of the clauses of l with three to six literals. They are valid until
// the formula changes, as those of the host are.
func (n *Network) Clauses(l dimacs.Lit) []uint32 { return n.clauses.of(uint32(l)) }

// Wide returns the reference of the longer clause of v if its gate has one, or 0.
func (n *Network) Wide(v uint32) uint32 {
	if n.def[v] == 0 {
		return 0
	}
	return n.gates[n.def[v]-1].wide
}

func (n *Network) inputsOf(g *gate) []dimacs.Lit { return n.inputs[g.start:][:g.n:g.n] }

// sort orders the variables of the gates.
func (n *Network) sort(h inprocess.Host) {
	vars := h.Vars()
	exact := inprocess.Table[bool](h, vars)          // by variable: it has a gate that is no mere candidate
	gated := inprocess.Table[bool](h, vars)          // by variable: it has a gate
	open := inprocess.Table[uint32](h, len(n.gates)) // by gate: the number of inputs that are not in the order
	occs := newRows(h, vars)                         // by variable: gates of which it is an input
	for i := range n.gates {
		g := &n.gates[i]
		for _, l := range n.inputsOf(g) {
			occs.count(uint32(l >> 1))
		}
		open[i] = g.n
		gated[g.out>>1] = true
		exact[g.out>>1] = exact[g.out>>1] || g.exact
	}
	occs.sum()
	for i := range n.gates {
		for _, l := range n.inputsOf(&n.gates[i]) {
			occs.add(uint32(l>>1), uint32(i))
		}
	}

	var choices []uint32
	for v := range uint32(vars) {
		switch {
		case gated[v]:
			choices = append(choices, v)
		case len(occs.of(v)) > 0:
			n.append(v, 0)
		}
	}
	direction := n.direction()
	slices.SortStableFunc(choices, func(v, w uint32) int {
		switch {
		case direction != 0:
			return direction * cmp.Compare(v, w)
		case exact[v] != exact[w] && exact[w]:
			return -1
		case exact[v] != exact[w]:
			return 1
		}
		return cmp.Compare(len(occs.of(w)), len(occs.of(v)))
	})
	for head := 0; ; {
		for ; head < len(n.Sorted); head++ {
			for _, i := range occs.of(n.Sorted[head]) {
				if open[i]--; open[i] == 0 {
					n.append(uint32(n.gates[i].out>>1), i+1)
				}
			}
		}
		if len(choices) == 0 {
			return
		}
		n.append(choices[0], 0)
		choices = choices[1:]
	}
}

// append appends v to the order, unless it is there.
func (n *Network) append(v, def uint32) {
	if n.place[v] == 0 {
		n.def[v] = def
		n.Sorted = append(n.Sorted, v)
		n.place[v] = uint32(len(n.Sorted))
	}
}

// A rows value has rows of numbers in one table. It is built in three steps: count counts the numbers
// of each row, sum reserves memory for them, and add appends each to its row.
type rows struct {
	memory  inprocess.Memory
	start   []uint32 // of each row, and two more
	numbers []uint32
}

func newRows(m inprocess.Memory, n int) rows {
	return rows{memory: m, start: inprocess.Table[uint32](m, n+2)}
}

func (r *rows) count(row uint32) { r.start[row+2]++ }

func (r *rows) sum() {
	for i := 2; i < len(r.start); i++ {
		r.start[i] += r.start[i-1]
	}
	r.numbers = inprocess.Table[uint32](r.memory, int(r.start[len(r.start)-1]))
}

func (r *rows) add(row, number uint32) {
	r.numbers[r.start[row+1]] = number
	r.start[row+1]++
}

func (r *rows) of(row uint32) []uint32 { return r.numbers[r.start[row]:r.start[row+1]] }
