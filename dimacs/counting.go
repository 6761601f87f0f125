package dimacs

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs/internal/scan"
)

// Counting files: formulas that say which models are counted, and how. The lines of the
// model counting competitions are comments of fixed forms, so that other programs skip
// them:
//
//	c t pmc                  the type: mc, wmc, pmc, pwmc
//	c p show 1 2 5 0         variables of the projection; several lines add up
//	c ind 1 2 5 0            the same, of older programs
//	c p weight -5 0.25 0     the weight of a literal
//
// Older files have the header "p pcnf VARIABLES CLAUSES PROJECTED", and lines such as
// "vp 1 2 5 0" for the projection. Their lines for weights, such as "w 5 0.25", are an
// error: the programs that read them do not agree about the weight of the complement.

// Counting has the lines of a file about counting its models, see Reader.Counting.
type Counting struct {
	Type    string   // mc, wmc, pmc or pwmc; empty if no line has it
	Project []Var    // the variables onto which models are projected, ascending; nil for all
	Weights []Weight // of literals, in the order of their lines

	typeAt, weightAt *SyntaxError // the first of these lines, with an error for Unweighted
}

// countingLines is what one input says about counting. It is compared with the header at
// the end, since the header may follow.
type countingLines struct {
	project   []Var
	high      *SyntaxError // the position of highVar
	highVar   int          // the largest variable of the lines
	pcnf      bool         // there is a header with the number of projected variables
	projected int          // that number, in all headers
}

// A Weight is the weight of a literal: a number or a fraction, as the file writes it.
type Weight struct {
	Lit   Lit
	Value string

	at *SyntaxError
}

// LiteralWeights returns the weights as numbers. The error is a [*SyntaxError] with the line of a
// weight that is negative, that differs from an earlier one of its literal, that the complement has
// none to, or that exceeds 1 in a file that has no type: such files have probabilities.
func (c *Counting) LiteralWeights() (map[Lit]*big.Rat, error) {
	weights := map[Lit]*big.Rat{}
	one := big.NewRat(1, 1)
	for _, w := range c.Weights {
		x := rational(w.Value)
		switch {
		case x == nil:
			return nil, w.wrong("the weight %s of %v has a zero denominator or an exponent of more than four digits", w.Value, w.Lit)
		case x.Sign() < 0:
			return nil, w.wrong("the weight %s of %v is negative", w.Value, w.Lit)
		case weights[w.Lit] != nil && weights[w.Lit].Cmp(x) != 0:
			return nil, w.wrong("the weight %s of %v, which has the weight %s", w.Value, w.Lit, weights[w.Lit].RatString())
		case c.Type == "" && x.Cmp(one) > 0:
			return nil, w.wrong("the weight %s of %v is above 1, and no line \"c t wmc\" or \"c t pwmc\" says that weights are no probabilities", w.Value, w.Lit)
		}
		weights[w.Lit] = x
	}
	for _, w := range c.Weights {
		if weights[w.Lit.Not()] == nil {
			return nil, w.wrong("the weight of %v, but no line has that of %v", w.Lit, w.Lit.Not())
		}
	}
	return weights, nil
}

// rational returns the value of a weight, or nil.
func rational(text string) *big.Rat {
	parts := strings.Split(text, "/")
	var numbers []*big.Rat
	for _, part := range parts {
		if i := strings.IndexAny(part, "eE"); i >= 0 && len(strings.TrimLeft(part[i+1:], "+-0")) > 4 {
			return nil
		}
		x, ok := new(big.Rat).SetString(part)
		if !ok {
			return nil
		}
		numbers = append(numbers, x)
	}
	switch {
	case len(numbers) == 1:
		return numbers[0]
	case numbers[1].Sign() == 0:
		return nil
	}
	return numbers[0].Quo(numbers[0], numbers[1])
}

// wrong returns an error about a weight.
func (w *Weight) wrong(format string, args ...any) error {
	var e SyntaxError
	if w.at != nil {
		e = *w.at
	}
	e.Msg = fmt.Sprintf(format, args...)
	return &e
}

// Unweighted returns nil if each model counts as one, and otherwise an error with the
// position of the line that gives models weights.
func (c *Counting) Unweighted() error {
	switch {
	case c.weightAt != nil:
		return c.weightAt
	case strings.HasSuffix(c.Type, "wmc"):
		return c.typeAt
	}
	return nil
}

// Comments returns the lines as comments for [Write].
func (c *Counting) Comments() []string {
	var lines []string
	if c.Type != "" {
		lines = append(lines, "t "+c.Type)
	}
	if c.Project != nil && len(c.Project) == 0 {
		lines = append(lines, "p show 0")
	}
	for vars := range slices.Chunk(c.Project, 16) {
		line := "p show "
		for _, v := range vars {
			line += strconv.Itoa(v.Int()) + " "
		}
		lines = append(lines, line+"0")
	}
	for _, w := range c.Weights {
		lines = append(lines, fmt.Sprintf("p weight %v %s 0", w.Lit, w.Value))
	}
	return lines
}

// instruction obeys a comment whose first word, after the c, is word. Other comments are
// left unread.
func (p *parser) instruction(word string) error {
	at := p.Mark
	if word != "p" {
		switch word {
		case "t":
			return p.countingType(at)
		case "ind":
			return p.projection("c ind VARIABLES 0")
		case "MUST": // MULTIPLY BY N 0, of preprocessors
			p.note(unknownLine, p.errorAt(at, "a factor of the number of models is not supported; the line is skipped"))
		}
		return nil
	}
	p.Gap()
	switch second := p.Word(); {
	case second == "variables" && p.script != nil:
		return p.readVariables()
	case p.counting == nil || second == "cnf" || second == "variables": // such as a former header
	case second == "show":
		return p.projection("c p show VARIABLES 0")
	case second == "weight":
		return p.weight(at)
	default:
		p.note(unknownLine, p.errorAt(p.Mark, "%s is neither show nor weight; the line is skipped", p.Quoted()))
	}
	return nil
}

// countingType reads the type.
func (p *parser) countingType(at scan.Mark) error {
	c := p.counting
	p.Gap()
	word := p.Word()
	switch {
	case !slices.Contains([]string{"mc", "wmc", "pmc", "pwmc"}, word):
		p.note(unknownType, p.errorAt(p.Mark, "%s is not a type of counting, mc, wmc, pmc or pwmc; the line is skipped", p.Quoted()))
		return nil
	case c.Type != "" && c.Type != word:
		return p.errorf("the type is %s, but line %d says %s", word, c.typeAt.Line, c.Type)
	}
	if c.Type == "" {
		c.Type, c.typeAt = word, p.errorAt(at, "the type is %s: weights of models are not supported", word)
	}
	return p.lineEnd(word)
}

// lineEnd checks that nothing follows the last word of a line.
func (p *parser) lineEnd(last string) error {
	if c := p.Gap(); c != '\n' && c != '\r' && c != scan.EOF {
		p.ReadWord()
		return p.errorf("%s after the %s that ends the line", p.Quoted(), last)
	}
	return nil
}

// projection reads the variables of a line of the given form, after its first words.
func (p *parser) projection(form string) error {
	p.project = slices.Grow(p.project, 1) // not nil
	for {
		n, neg, err := p.field(form)
		switch {
		case err != nil || n == 0 && !neg:
			return err
		case neg:
			return p.errorf("%s is not a variable: want %q", p.Quoted(), form)
		}
		if err := p.countingVar(n); err != nil {
			return err
		}
		p.project = append(Extend(p.f.memory, p.project, 1), Var(n-1))
	}
}

// field reads a number of a line of the given form. At its 0 it checks that the line
// ends.
func (p *parser) field(form string) (n uint64, neg bool, err error) {
	if c := p.Gap(); c == '\n' || c == '\r' || c == scan.EOF {
		return 0, false, p.forgive(noLineZero, p.errorAt(p.Mark, "no 0 at the end of the line: want %q", form))
	}
	n, neg, err = p.number()
	switch {
	case p.Err() != nil:
		return 0, false, err
	case err != nil:
		return 0, false, p.errorf("%s is not a number: want %q", p.Quoted(), form)
	case n == 0 && !neg:
		err = p.lineEnd("0")
	}
	return n, neg, err
}

// countingVar records the variable n of a line, for the comparison with the header, which
// may follow.
func (p *parser) countingVar(n uint64) error {
	if n > MaxVars {
		return p.errorf("variable %s is above the limit of %d variables", p.Quoted(), MaxVars)
	}
	if int(n) > p.highVar {
		p.high, p.highVar = p.errorAt(p.Mark, "variable %d", n), int(n)
	}
	return nil
}

// weight reads the weight of a literal, after "c p weight".
func (p *parser) weight(at scan.Mark) error {
	const form = "c p weight LITERAL WEIGHT 0"
	c := p.counting
	p.Gap()
	n, neg, err := p.number()
	switch {
	case p.Err() != nil:
		return err
	case err != nil || n == 0:
		return p.errorf("%s is not a literal: want %q", p.Quoted(), form)
	}
	if err := p.countingVar(n); err != nil {
		return err
	}
	lit := Lit(n-1) << 1
	if neg {
		lit |= 1
	}
	p.Gap()
	value := p.longWord()
	if err := p.Err(); err != nil {
		return err
	}
	if !isWeight(value) {
		return p.errorf("%s is not a weight: want %q", p.Quoted(), form)
	}
	c.Weights = append(Extend(p.f.memory, c.Weights, 1), Weight{lit, value, p.errorAt(at, "")})
	if c.weightAt == nil {
		c.weightAt = p.errorAt(at, "weights of models are not supported")
	}
	n, neg, err = p.field(form)
	if err == nil && (n != 0 || neg) {
		return p.errorf("%s where the line ends with 0: want %q", p.Quoted(), form)
	}
	return err
}

// longWord reads the word at the mark, which may be longer than those of Word.
func (p *parser) longWord() string {
	const most = 1 << 12
	var b []byte
	p.ReadWord()
	b = append(b, p.Text...)
	for len(b) < most && !scan.Ends(p.Peek()) {
		b = append(b, byte(p.Peek()))
		p.Pos++
	}
	return string(b)
}

// isWeight reports whether text is a decimal number or a fraction of two.
func isWeight(text string) bool {
	for part := range strings.SplitSeq(text, "/") {
		x, err := strconv.ParseFloat(part, 64)
		if strings.Trim(part, "+-.eE0123456789") != "" || err != nil && !math.IsInf(x, 0) {
			return false
		}
	}
	return strings.Count(text, "/") <= 1
}

// endCounting checks the lines at the end of the input.
func (p *parser) endCounting() error {
	c := p.counting
	if c == nil {
		return nil
	}
	if p.highVar > p.vars && !p.free {
		p.high.Msg += fmt.Sprintf(" is above the %s", amount(int64(p.vars), "announced variable"))
		if err := p.forgive(highVariable, p.high); err != nil {
			return err
		}
	}
	p.f.Grow(p.highVar)
	slices.Sort(p.project)
	p.project = slices.Compact(p.project)
	if p.pcnf && len(p.project) != p.projected {
		if err := p.forgive(wrongProjected, p.errorAt(p.Mark, "%s of the projection, but the header announces %d", amount(int64(len(p.project)), "variable"), p.projected)); err != nil {
			return err
		}
	}
	if p.project != nil || p.pcnf {
		c.Project = append(Extend(p.f.memory, c.Project, max(1, len(p.project))), p.project...)
		slices.Sort(c.Project)
		c.Project = slices.Compact(c.Project)
	}
	switch {
	case c.Type == "":
	case c.Type[0] == 'p' && c.Project == nil:
		return c.contradiction("no line lists the variables of the projection")
	case c.Type[0] != 'p' && c.Project != nil:
		return c.contradiction("there is a projection")
	case !strings.HasSuffix(c.Type, "wmc") && c.Weights != nil:
		return c.contradiction("literals have weights")
	}
	return nil
}

// contradiction returns the error for a type that contradicts the other lines.
func (c *Counting) contradiction(what string) error {
	e := *c.typeAt
	e.Msg = fmt.Sprintf("the type is %s, but %s", c.Type, what)
	return &e
}
