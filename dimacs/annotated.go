package dimacs

import (
	"io"
	"math"

	"sator/dimacs/internal/scan"
)

// Formats whose clauses begin with an annotation: a weight in WCNF, a group in GCNF.

// A Weighted is a formula of MaxSAT: a model satisfies all hard clauses, and its cost is
// the sum of the weights of the soft clauses that it falsifies. Both formulas have the
// same variables: [NewWeighted] binds them, so that Grow, NewVar and new variables of
// clauses of either one count for both.
type Weighted struct {
	Hard    *Formula
	Soft    *Formula
	Weights []int64 // of the soft clauses; positive
}

// MaxWeight bounds the sum of all weights of a Weighted formula, so that sums of weights
// do not overflow.
const MaxWeight = 1<<61 - 1

// NewWeighted returns a formula with the given number of variables and no clauses.
func NewWeighted(vars int) *Weighted {
	w := &Weighted{Hard: NewFormula(vars), Soft: NewFormula(vars)}
	w.Hard.twin, w.Soft.twin = w.Soft, w.Hard
	return w
}

// Vars returns the number of variables.
func (w *Weighted) Vars() int { return max(w.Hard.Vars(), w.Soft.Vars()) }

// AddSoft appends a soft clause. It panics unless the weight is positive and the weights
// add up to [MaxWeight] at most.
func (w *Weighted) AddSoft(weight int64, lits ...Lit) {
	if weight <= 0 || weight > MaxWeight-w.Total() {
		panic("dimacs: a weight that is not positive, or too large")
	}
	w.Soft.Add(lits...)
	w.Weights = append(w.Weights, weight)
}

// Total returns the sum of all weights.
func (w *Weighted) Total() int64 {
	total := int64(0)
	for _, weight := range w.Weights {
		total += weight
	}
	return total
}

// Cost returns the sum of the weights of the soft clauses that have no literal that is
// true under m, and whether m satisfies the hard clauses.
func (w *Weighted) Cost(m Model) (cost int64, hard bool) {
	for i, c := range w.Soft.Clauses() {
		if m.Clause(c) != True {
			cost += w.Weights[i]
		}
	}
	return cost, m.Satisfies(w.Hard)
}

// ReadWeighted reads a formula in WCNF, the format of the MaxSAT Evaluations, in one of
// three forms:
//
//   - The form since 2022 has no header. A clause begins with h if it is hard, and with
//     its weight if it is soft.
//   - The form before has the header "p wcnf VARIABLES CLAUSES TOP" or, if all clauses are
//     soft, "p wcnf VARIABLES CLAUSES". A clause begins with its weight; from TOP on it is
//     hard.
//   - In CNF, with "p cnf VARIABLES CLAUSES", all clauses are soft with the weight 1.
//
// Tokens, comments and errors are as [Reader] describes. Weights that are not positive,
// and weights that add up to more than [MaxWeight], are errors.
func (r *Reader) ReadWeighted(src io.Reader) (*Weighted, error) {
	w := NewWeighted(0)
	p := &weightedParser{parser: r.parser(new(Formula), src), w: w, top: math.MaxUint64}
	err := p.annotated(r.Memory, p.readHeader, p.clause)
	if err != nil {
		return nil, err
	}
	w.Hard.Grow(p.f.Vars())
	return w, nil
}

// A weightedParser reads WCNF. The formula of its parser has the variables alone.
type weightedParser struct {
	*parser
	w      *Weighted
	plain  bool   // the header is that of CNF
	modern bool   // there is no header
	top    uint64 // the weight from which clauses are hard
	total  int64
}

// annotated calls header for each line of a header, and clause for each clause, with its
// first byte.
func (p *parser) annotated(m MemoryLimit, header func() error, clause func(c int) error) error {
	p.SkipOrderMark()
	p.noCount()
	p.f.memory = m
	return p.cause(catchRefusal(func() error {
		for {
			c, err := p.next()
			switch {
			case err != nil:
				return err
			case c == scan.EOF:
				return p.annotatedEnd()
			case c == 'c':
				p.scanner.comment()
				continue
			}
			// Clauses are added in small pieces, about which no reader asks; the text
			// of a clause is bounded by the next question.
			m.Require(1 << 10)
			if c == 'p' {
				err = header()
			} else {
				err = clause(c)
			}
			if err != nil {
				return err
			}
		}
	}))
}

// annotatedEnd checks the number of clauses at the end of the input.
func (p *parser) annotatedEnd() error {
	switch {
	case !p.header:
		return p.errorf("no clauses")
	case p.counted && p.left > 0:
		return p.forgive(wrongCount, p.errorAt(p.Mark, "%s, but the header announces %d", amount(p.announced-p.left, "clause"), p.announced))
	}
	return nil
}

// count counts a clause of the header.
func (p *parser) count() error {
	if p.left == 0 {
		if err := p.forgive(wrongCount, p.errorAt(p.Mark, "more clauses than the %d announced", p.announced)); err != nil {
			return err
		}
		p.counted, p.left = false, math.MaxInt64
	}
	p.left--
	return nil
}

// annotatedLits reads the literals of a clause, up to its 0.
func (p *parser) annotatedLits() ([]Lit, error) {
	lits := p.cubeLits[:0]
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return nil, err
		case c == 'c':
			p.SkipLine()
			continue
		case c == scan.EOF:
			return lits, p.forgive(noLastZero, p.errorAt(p.Mark, "the last clause is not ended by 0"))
		case c != '-' && (c < '0' || c > '9'):
			p.ReadWord()
			return nil, p.errorf("%s is not a number", p.Quoted())
		}
		n, neg, err := p.number()
		if err != nil && p.commentAfterZero() {
			p.SkipLine()
			return lits, nil
		}
		switch {
		case err != nil:
			return nil, err
		case n == 0 && neg:
			return nil, p.errorf("%s is not a literal", p.Quoted())
		case n == 0:
			return lits, nil
		}
		l, err := p.variable(n, neg)
		if err != nil {
			return nil, err
		}
		lits = append(Extend(p.f.memory, lits, 1), l)
		p.cubeLits = lits
	}
}

// readHeader reads the header at the mark.
func (p *weightedParser) readHeader() error {
	const want = "p wcnf VARIABLES CLAUSES [TOP]"
	if p.Word() != "p" || p.header {
		return p.errorf("%s is not a weight", p.Quoted())
	}
	p.header = true
	p.Gap()
	switch p.Word() {
	case "wcnf":
	case "cnf":
		p.plain = true
	default:
		return p.errorf("the header is not %q", want)
	}
	if err := p.headerNumbers(); err != nil {
		return err
	}
	if c := p.Gap(); !p.plain && '0' <= c && c <= '9' {
		top, _, err := p.number()
		if err != nil {
			return err
		}
		p.top = top
	}
	return p.headerEnd()
}

// headerEnd checks that nothing follows the header on its line.
func (p *parser) headerEnd() error {
	if c := p.Gap(); c != '\n' && c != '\r' && c != scan.EOF {
		p.ReadWord()
		return p.errorf("%s after the header", p.Quoted())
	}
	return nil
}

// clause reads a clause that begins with c.
func (p *weightedParser) clause(c int) error {
	p.modern = p.modern || !p.header
	p.header = true
	if err := p.count(); err != nil {
		return err
	}
	at, weight := p.Mark, uint64(1)
	switch {
	case p.plain:
	case c == 'h' && p.modern:
		if p.Word() != "h" {
			return p.errorf("%s is neither a weight nor the h of a hard clause", p.Quoted())
		}
		weight = math.MaxUint64
	default:
		n, neg, ok := p.Number()
		if err := p.Err(); err != nil {
			return err
		}
		if !ok || neg || n == 0 {
			return p.errorf("%s is not a weight", p.Quoted())
		}
		weight = min(n, math.MaxUint64-1)
	}
	lits, err := p.annotatedLits()
	if err != nil {
		return err
	}
	if weight == math.MaxUint64 || weight >= p.top {
		p.w.Hard.Add(lits...)
		return nil
	}
	if weight > uint64(MaxWeight-p.total) {
		return p.errorAt(at, "the weights add up to more than %d", int64(MaxWeight))
	}
	p.total += int64(weight)
	p.w.Soft.Add(lits...)
	p.w.Weights = append(Extend(p.f.memory, p.w.Weights, 1), int64(weight))
	return nil
}

// A Grouped is a formula whose clauses form groups, for minimal unsatisfiable subsets.
type Grouped struct {
	Formula *Formula
	Group   []int // of each clause: 0 is the background, which belongs to every subset
	Groups  int   // the largest group
}

// ReadGrouped reads a formula in GCNF, the format of the MUS competition of 2011: the
// header "p gcnf VARIABLES CLAUSES GROUPS", and before each clause its group in braces,
// as in "{3} 1 -2 0". In CNF each clause is a group, numbered from 1. Tokens, comments
// and errors are as [Reader] describes.
func (r *Reader) ReadGrouped(src io.Reader) (*Grouped, error) {
	g := &Grouped{Formula: new(Formula)}
	p := &groupedParser{parser: r.parser(new(Formula), src), g: g}
	err := p.annotated(r.Memory, p.readHeader, p.clause)
	if err != nil {
		return nil, err
	}
	g.Formula.Grow(p.f.Vars())
	if p.plain {
		g.Groups = g.Formula.Len()
	}
	return g, nil
}

// A groupedParser reads GCNF. The formula of its parser has the variables alone.
type groupedParser struct {
	*parser
	g     *Grouped
	plain bool // the header is that of CNF
}

// readHeader reads the header at the mark.
func (p *groupedParser) readHeader() error {
	if p.Word() != "p" || p.header {
		return p.errorf("%s is not a group", p.Quoted())
	}
	p.header = true
	p.Gap()
	switch p.Word() {
	case "gcnf":
	case "cnf":
		p.plain = true
	default:
		return p.errorf("the header is not %q", "p gcnf VARIABLES CLAUSES GROUPS")
	}
	if err := p.headerNumbers(); err != nil {
		return err
	}
	if !p.plain {
		groups, err := p.headerNumber("groups", MaxVars)
		if err != nil {
			return err
		}
		p.g.Groups = int(groups)
	}
	return p.headerEnd()
}

// clause reads a clause that begins with c.
func (p *groupedParser) clause(c int) error {
	if !p.header {
		p.ReadWord()
		return p.errorf("%s where the header %q is expected", p.Quoted(), "p gcnf VARIABLES CLAUSES GROUPS")
	}
	if err := p.count(); err != nil {
		return err
	}
	group := p.g.Formula.Len() + 1
	if !p.plain {
		n, err := p.group(c)
		if err != nil {
			return err
		}
		group = n
	}
	lits, err := p.annotatedLits()
	if err != nil {
		return err
	}
	p.g.Formula.Add(lits...)
	p.g.Group = append(Extend(p.f.memory, p.g.Group, 1), group)
	return nil
}

// group reads a group in braces.
func (p *groupedParser) group(c int) (int, error) {
	p.ReadWord()
	n, word := 0, p.Text
	if c != '{' || len(word) < 3 || word[len(word)-1] != '}' {
		return 0, p.errorf("%s is not a group such as {3}", p.Quoted())
	}
	for _, d := range word[1 : len(word)-1] {
		if d < '0' || d > '9' {
			return 0, p.errorf("%s is not a group such as {3}", p.Quoted())
		}
		n = 10*n + int(d-'0')
		if n > p.g.Groups {
			return 0, p.errorf("group %s is above the %s", p.Quoted(), amount(int64(p.g.Groups), "announced group"))
		}
	}
	return n, nil
}
