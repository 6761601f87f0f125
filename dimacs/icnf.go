package dimacs

import "io"

// A Cube is a conjunction of literals, given as assumptions to a solver.
type Cube struct {
	Lits    []Lit
	Clauses int // how many clauses of the formula precede it
}

// A Script is what a file in the iCNF format asks for: cubes, each to be
// solved in turn as assumptions together with the clauses before it.
type Script struct {
	Formula *Formula
	Cubes   []Cube
}

// ReadScript reads a script in the iCNF format: the header "p inccnf", and
// then clauses as in CNF and, in the same form after the letter a, cubes. All
// that [Reader] says of tokens and comments holds here too. The header
// announces nothing, so that the formula has as many variables as its largest
// literal says. A plain formula is an error.
func (r *Reader) ReadScript(src io.Reader) (*Script, error) {
	s := &Script{Formula: new(Formula)}
	p := r.parser(s.Formula, src)
	p.script = s
	if err := p.run(); err != nil {
		return nil, err
	}
	return s, nil
}

// cube reads the cube at the mark.
func (p *parser) cube() error {
	if p.word() != "a" {
		return p.errorf("%s is not a number, nor the a of a cube", p.quoted())
	}
	// This also forgives a missing header, and is empty between clauses.
	b, err := p.clause()
	if err != nil {
		return err
	}
	if len(b.lits) > b.start() {
		return p.errorf("a cube inside a clause: the clause before it is not ended by 0")
	}
	// Many small cubes share an allocation.
	p.cubeLits = p.cubeLits[len(p.cubeLits):]
	if cap(p.cubeLits) < 64 {
		p.cubeLits = make([]Lit, 0, 4096)
	}
	for {
		l, more, err := p.cubeLiteral()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		p.cubeLits = append(p.cubeLits, l)
	}
	lits := p.cubeLits[:len(p.cubeLits):len(p.cubeLits)]
	p.script.Cubes = append(p.script.Cubes, Cube{lits, p.f.Len()})
	return nil
}

// cubeLiteral reads the next literal of a cube, or the 0 that ends it.
func (p *parser) cubeLiteral() (l Lit, more bool, err error) {
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return 0, false, err
		case c == 'c':
			p.skipLine()
			continue
		case c == eof:
			return 0, false, p.forgive(noLastZero, p.errorAt(p.mark, "the last cube is not ended by 0"))
		case c != '-' && (c < '0' || c > '9'):
			p.word()
			return 0, false, p.unknown(c)
		}
		n, neg, err := p.number()
		if err != nil || n == 0 && !neg {
			return 0, false, err
		}
		if n == 0 {
			return 0, false, p.errorf("%s is not a literal", p.quoted())
		}
		l, err = p.variable(n, neg)
		return l, true, err
	}
}
