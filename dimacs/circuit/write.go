package circuit

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteAIGER writes a circuit as an AIGER file, in the binary or the ASCII form, with its
// names. Gates are numbered in the order of the graph after inputs and latches. A name with a
// line end is an error.
func (g *Graph) WriteAIGER(to io.Writer, binary bool) error {
	w := &aigerWriter{Writer: bufio.NewWriter(to), g: g, binary: binary, number: make([]uint32, len(g.nodes))}
	w.enumerate()
	w.header()
	w.definitions()
	for _, ports := range [][]Port{g.Outputs, g.Bad, g.Constraints} {
		for _, p := range ports {
			w.line(w.lit(p.Signal))
		}
	}
	w.gates()
	if err := w.names(); err != nil {
		return err
	}
	return w.Flush()
}

// An aigerWriter is the state of WriteAIGER.
type aigerWriter struct {
	*bufio.Writer
	g      *Graph
	binary bool
	number []uint32 // of nodes: their variables in the file
	text   []byte   // scratch
}

// enumerate numbers inputs, latches and gates.
func (w *aigerWriter) enumerate() {
	next := uint32(0)
	add := func(n uint32) {
		next++
		w.number[n] = next
	}
	for _, p := range w.g.Inputs {
		add(p.Signal.node())
	}
	for _, l := range w.g.Latches {
		add(l.Signal.node())
	}
	for n := range w.g.nodes {
		if w.g.isAnd(uint32(n)) {
			add(uint32(n))
		}
	}
}

// lit returns the literal of a signal.
func (w *aigerWriter) lit(s Signal) uint32 { return 2*w.number[s.node()] + uint32(s&1) }

// line writes numbers as a line.
func (w *aigerWriter) line(numbers ...uint32) {
	w.text = w.text[:0]
	for i, n := range numbers {
		if i > 0 {
			w.text = append(w.text, ' ')
		}
		w.text = strconv.AppendUint(w.text, uint64(n), 10)
	}
	w.Write(append(w.text, '\n'))
}

func (w *aigerWriter) header() {
	g, word := w.g, "aag"
	if w.binary {
		word = "aig"
	}
	fmt.Fprint(w, word, " ", len(g.Inputs)+len(g.Latches)+g.Gates(), " ", len(g.Inputs), " ", len(g.Latches), " ", len(g.Outputs), " ", g.Gates())
	switch {
	case len(g.Constraints) > 0:
		fmt.Fprint(w, " ", len(g.Bad), " ", len(g.Constraints))
	case len(g.Bad) > 0:
		fmt.Fprint(w, " ", len(g.Bad))
	}
	w.WriteByte('\n')
}

// definitions writes the lines of inputs and latches.
func (w *aigerWriter) definitions() {
	if !w.binary {
		for _, p := range w.g.Inputs {
			w.line(w.lit(p.Signal))
		}
	}
	for _, l := range w.g.Latches {
		line := []uint32{w.lit(l.Signal), w.lit(l.Next)}
		switch l.Reset {
		case True:
			line = append(line, 1)
		case Free:
			line = append(line, line[0])
		}
		if w.binary {
			line = line[1:]
		}
		w.line(line...)
	}
}

// gates writes the AND gates: the literal, and the inputs, the larger one first.
func (w *aigerWriter) gates() {
	for n, x := range w.g.nodes {
		if !w.g.isAnd(uint32(n)) {
			continue
		}
		lit, a, b := 2*w.number[n], w.lit(x.a), w.lit(x.b)
		a, b = max(a, b), min(a, b)
		if w.binary {
			w.difference(lit - a)
			w.difference(a - b)
		} else {
			w.line(lit, a, b)
		}
	}
}

// difference writes a number in groups of 7 bits, the lowest first.
func (w *aigerWriter) difference(d uint32) {
	for ; d >= 128; d >>= 7 {
		w.WriteByte(byte(d | 128))
	}
	w.WriteByte(byte(d))
}

// names writes the names that are not empty.
func (w *aigerWriter) names() error {
	for _, x := range w.g.named() {
		for i := range x.n {
			name := *x.name(i)
			if strings.ContainsAny(name, "\r\n") {
				return fmt.Errorf("the name %q has a line end", name)
			}
			if name != "" {
				fmt.Fprintf(w, "%c%d %s\n", x.letter, i, name)
			}
		}
	}
	return nil
}
