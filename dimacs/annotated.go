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
const MaxWeight = math.MaxInt64

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
// and weights that add up to more than [MaxWeight], are errors. An input without clauses is
// one in the form since 2022.
func (r *Reader) ReadWeighted(src io.Reader) (*Weighted, error) {
	p := newWeightedParser(r.parser(new(Formula), src))
	err := p.annotated(r.Memory, p.readHeader, p.clause, p.annotatedEnd)
	if err != nil {
		return nil, err
	}
	return p.weighted(), nil
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

func newWeightedParser(p *parser) *weightedParser {
	return &weightedParser{parser: p, w: NewWeighted(0), top: math.MaxUint64}
}

// weighted returns the formula that was read.
func (p *weightedParser) weighted() *Weighted {
	p.w.Hard.Grow(p.f.Vars())
	return p.w
}

// annotated calls header for each line of a header, and clause for each clause, with its
// first byte, and end at the end of the input.
func (p *parser) annotated(m MemoryLimit, header func() error, clause func(c int) error, end func() error) error {
	p.SkipOrderMark()
	p.noCount()
	p.counting = nil // lines about counting are for models of CNF
	p.f.memory = m
	return p.cause(catchRefusal(func() error {
		for {
			c, err := p.next()
			switch {
			case err != nil:
				return err
			case c == scan.EOF:
				return end()
			case c == 'c':
				if err := p.comment(); err != nil {
					return err
				}
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
	if p.counted && p.left > 0 {
		return p.forgive(wrongCount, p.errorAt(p.Mark, "%s, but the header announces %d", amount(p.announced-p.left, "clause"), p.announced))
	}
	return p.endNames()
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
		return p.notWeight()
	}
	p.Gap()
	switch p.Word() {
	case "wcnf":
	case "cnf":
		p.plain = true
	default:
		return p.errorf("the header is not %q", want)
	}
	return p.readSizes()
}

// readSizes reads the header from its numbers on.
func (p *weightedParser) readSizes() error {
	p.header = true
	if err := p.headerNumbers(); err != nil {
		return err
	}
	if c := p.Gap(); !p.plain && '0' <= c && c <= '9' {
		top, _, err := p.number()
		if err != nil {
			return err
		}
		if top == 0 {
			return p.errorf("%s is not the weight of hard clauses: all clauses would be hard", p.Quoted())
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
			return p.notWeight()
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

// notWeight returns the error about a word in the place of a weight.
func (p *weightedParser) notWeight() error {
	return p.errorf("%s is not a weight; weights are integers from 1 on that add up to %d at most", p.Quoted(), int64(MaxWeight))
}

// A Grouped is a formula whose clauses form groups, for minimal unsatisfiable subsets.
type Grouped struct {
	Formula *Formula
	Group   []int   // of each clause: 0 is the background, which belongs to every subset
	Groups  int     // the largest group
	Weights []int64 // of the groups from 1 on, if they are the soft clauses of WCNF
}

// ReadGrouped reads a formula in GCNF, the format of the MUS competition of 2011: the
// header "p gcnf VARIABLES CLAUSES GROUPS", and before each clause its group in braces,
// as in "{3} 1 -2 0". In CNF each clause is a group, numbered from 1. In WCNF the hard
// clauses are the background, and each soft clause is a group; without a header there must
// be a hard clause, since other inputs without a header are rather CNF. Tokens, comments and
// errors are as [Reader] describes.
func (r *Reader) ReadGrouped(src io.Reader) (*Grouped, error) {
	g := &Grouped{Formula: new(Formula)}
	p := &groupedParser{parser: r.parser(new(Formula), src), g: g}
	err := p.annotated(r.Memory, p.readHeader, p.clause, p.end)
	if err != nil {
		return nil, err
	}
	if p.weighted != nil {
		return p.weighted.weighted().grouped(), nil
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

	weighted *weightedParser // in WCNF; else nil
}

// grouped returns the formula with the soft clauses as groups.
func (w *Weighted) grouped() *Grouped {
	g := &Grouped{Formula: NewFormula(w.Vars()), Groups: w.Soft.Len(), Weights: w.Weights}
	for _, c := range w.Hard.Clauses() {
		g.Formula.Add(c...)
	}
	g.Group = make([]int, w.Hard.Len(), w.Hard.Len()+w.Soft.Len())
	for i, c := range w.Soft.Clauses() {
		g.Formula.Add(c...)
		g.Group = append(g.Group, i+1)
	}
	return g
}

// wantGrouped is the header of GCNF, for errors.
const wantGrouped = "p gcnf VARIABLES CLAUSES GROUPS"

// end checks the end of the input.
func (p *groupedParser) end() error {
	switch {
	case !p.header:
		return p.errorf("no clauses")
	case p.weighted != nil && p.weighted.modern && p.weighted.w.Hard.Len() == 0:
		return p.errorf("no header %q, and no hard clause of WCNF", wantGrouped)
	}
	return p.annotatedEnd()
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
	case "wcnf":
		p.weighted = newWeightedParser(p.parser)
		return p.weighted.readSizes()
	default:
		return p.errorf("the header is not %q", wantGrouped)
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
	if !p.header && (c == 'h' || '0' <= c && c <= '9') {
		p.weighted = newWeightedParser(p.parser)
	}
	switch {
	case p.weighted != nil:
		return p.weighted.clause(c)
	case !p.header:
		p.ReadWord()
		return p.errorf("%s where the header %q is expected", p.Quoted(), wantGrouped)
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
