package circuit

import (
	"math/rand/v2"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// Values are the values of the variables of a network in 64 random patterns for each word.
type Values struct {
	n     *Network
	size  int      // words for each variable
	words []uint64 // by place
}

// NewValues returns values of this many words for each variable, which Simulate computes.
func (n *Network) NewValues(m inprocess.Memory, words int) *Values {
	return &Values{n, words, inprocess.Table[uint64](m, words*len(n.Sorted))}
}

// Of returns the values of v. They are valid after Simulate.
func (x *Values) Of(v uint32) []uint64 { return x.words[x.n.Place(v)*x.size:][:x.size] }

// word returns word i of a literal.
func (x *Values) word(l dimacs.Lit, i int) uint64 {
	return x.words[x.n.Place(uint32(l>>1))*x.size+i] ^ -uint64(l&1)
}

// Simulate computes the values of v: random ones of an input of the circuit, or else from those
// of the inputs of its gate, which must be known.
func (x *Values) Simulate(v uint32, random *rand.PCG) {
	out := x.Of(v)
	if x.n.def[v] == 0 {
		for i := range out {
			out[i] = random.Uint64()
		}
		return
	}
	g := &x.n.gates[x.n.def[v]-1]
	inputs := x.n.inputsOf(g)
	var words [maxInputs]uint64
	for i := range out {
		if len(inputs) > maxInputs {
			out[i] = ^uint64(0)
			for _, l := range inputs {
				out[i] &= x.word(l, i)
			}
			out[i] ^= -uint64(g.out & 1)
			continue
		}
		for k, l := range inputs {
			words[k] = x.word(l, i)
		}
		out[i] = evaluate(g.table, words[:len(inputs)])
	}
}

// evaluate returns the values of a function with this truth table, by Shannon's expansion for
// the last input.
func evaluate(table uint32, inputs []uint64) uint64 {
	k := len(inputs) - 1
	all := ^uint32(0) >> (32 - 1<<len(inputs))
	switch table {
	case 0:
		return 0
	case all:
		return ^uint64(0)
	}
	half := all >> (1 << k)
	low, high := table&half, table>>(1<<k)
	switch high {
	case low:
		return evaluate(low, inputs[:k])
	case low ^ half:
		return evaluate(low, inputs[:k]) ^ inputs[k]
	}
	return evaluate(low, inputs[:k])&^inputs[k] | evaluate(high, inputs[:k])&inputs[k]
}
