package dimacs

import (
	"io"

	"sator/dimacs/internal/scan"
)

// A Cube is a conjunction of literals, the assumptions of one call of a solver.
type Cube struct {
	Lits    []Lit
	Clauses int // the number of clauses of the formula before the cube
}

// A Script is the content of an iCNF file. Each cube is to be solved in turn:
// under its literals as assumptions, with the clauses before it.
type Script struct {
	Formula *Formula
	Cubes   []Cube
}

// occurring returns the number of variables up to the highest one in a clause or
// a cube.
func (s *Script) occurring() int {
	n := 0
	for _, c := range s.Formula.Clauses() {
		for _, l := range c {
			n = max(n, int(l.Var())+1)
		}
	}
	for _, c := range s.Cubes {
		for _, l := range c.Lits {
			n = max(n, int(l.Var())+1)
		}
	}
	return n
}

// ReadScript reads a script in the iCNF format: the header "p inccnf", clauses
// as in CNF, and cubes. A cube is the letter a, then literals and 0 as in a
// clause. Tokens, comments and errors are as [Reader] describes. A CNF formula is
// an error.
//
// The header has no numbers, and the number of variables is that of the largest
// literal. A script of more variables has the comment "c p variables N", as
// [WriteScript] writes it. Other readers skip it. It is an error if its
// number is missing or above [MaxVars].
func (r *Reader) ReadScript(src io.Reader) (*Script, error) {
	s := &Script{Formula: new(Formula)}
	p := r.parser(s.Formula, src)
	p.script = s
	if err := p.run(r.Memory); err != nil {
		return nil, err
	}
	return s, nil
}

// readVariables reads the number N of the comment "c p variables N", and grows the formula
// to it.
func (p *parser) readVariables() error {
	p.Gap()
	at := p.Mark
	n, neg, ok := p.Number()
	if c := p.Gap(); !ok || neg || n > MaxVars || c != '\n' && c != '\r' && c != scan.EOF {
		return p.errorAt(at, "no number of variables up to %d", MaxVars)
	}
	p.vars = max(p.vars, int(n))
	p.f.Grow(p.vars)
	return nil
}

// cube reads the cube at the mark.
func (p *parser) cube() error {
	if p.Word() != "a" {
		return p.errorf("%s is not a number, nor the a of a cube", p.Quoted())
	}
	// Without a header, clause returns an error or forgives it. The block has
	// literals after the last 0 if a clause is open.
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
		p.cubeLits = append(Extend(p.f.memory, p.cubeLits, 1), l)
	}
	lits := p.cubeLits[:len(p.cubeLits):len(p.cubeLits)]
	p.script.Cubes = append(Extend(p.f.memory, p.script.Cubes, 1), Cube{lits, p.f.Len()})
	return nil
}

// cubeLiteral reads the next literal of a cube, or the 0 that ends the cube.
func (p *parser) cubeLiteral() (l Lit, more bool, err error) {
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return 0, false, err
		case c == 'c':
			if err := p.comment(); err != nil {
				return 0, false, err
			}
			continue
		case c == scan.EOF:
			return 0, false, p.forgive(noLastZero, p.errorAt(p.Mark, "the last cube is not ended by 0"))
		case c != '-' && (c < '0' || c > '9'):
			p.ReadWord()
			return 0, false, p.unknown(c)
		}
		n, neg, err := p.number()
		if err != nil && p.commentAfterZero() {
			return 0, false, p.afterC()
		}
		if err != nil || n == 0 && !neg {
			return 0, false, err
		}
		if n == 0 {
			return 0, false, p.errorf("%s is not a literal", p.Quoted())
		}
		l, err = p.variable(n, neg)
		return l, true, err
	}
}
