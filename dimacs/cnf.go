package dimacs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sator/dimacs/internal/scan"
)

// Reading DIMACS CNF. A file is a sequence of tokens, separated by blanks and
// line ends: "c" begins a comment up to the end of its line, "p" begins the
// header, numbers are literals, and 0 ends a clause. The careful path (parse
// and the methods that it calls) reads one token at a time and handles all
// cases. Nearly all tokens of a large file are literals, which a fast loop
// (tokens) reads. The careful path handles everything else: other tokens,
// errors, the end of the buffer.

// A Reader reads formulas, scripts, solutions and reconstruction stacks. The
// zero Reader is strict, and its input has no name.
//
// # Accepted input
//
// The header is "p cnf VARIABLES CLAUSES" on a line of its own. Spaces, tabs
// and line ends in any number separate tokens. A line ends with a line feed,
// which one carriage return may precede; the last line may lack its end. A
// token that begins with c is a comment up to the end of the line, anywhere:
// before the header, between clauses, inside a clause, after the last clause.
// A comment may follow the 0 of a clause without a blank, as in "1 2 0c comment".
// Clauses may share a line or span many. The reader keeps empty clauses,
// duplicate literals, tautologies and duplicate clauses as they are. It accepts
// the trailer of the SATLIB collection, a "%" after the last clause, which a 0
// may follow, and a byte order mark at the start, which editors on Windows write.
//
// # Errors
//
// A relaxed reader accepts some errors: a missing or second header, more or
// fewer clauses than the header announces, a literal above its number of
// variables, and a last clause without 0. The last error may mean that the file
// is cut off.
//
// All other errors are errors for both readers: text that is not a number,
// numbers out of range (see [MaxVars]), text after the header on its line, an
// input without header and clauses, and a carriage return without a line feed,
// also in a comment, which could hide clauses from a program with such line ends.
// A comment must not follow a literal without a blank: "1c" is not a number. A number consists of digits, with a minus sign
// before them if a literal is negated. Leading zeros are accepted. "+1" is not
// a number, and "-0" is an error because the negated variable is lost. The "x"
// lines of some solvers (XOR clauses) are not DIMACS, and skipping them would
// change the answer.
//
// Errors are of type *[SyntaxError] and have a position. Errors of the source
// are returned as they are.
type Reader struct {
	// Name is the name of the file, for messages.
	Name string

	// Relaxed accepts common mistakes of other programs: wrong numbers of clauses,
	// literals above the announced variables, a missing header, further headers
	// (concatenated files), a missing last 0. The number of variables of the
	// formula is then the maximum of its literals and headers.
	Relaxed bool

	// Memory, if not nil, is asked before large allocations. If it refuses, the error is
	// a [*MemoryError]. Formulas of short clauses grow in small pieces, about which the
	// reader does not ask.
	Memory MemoryLimit

	// Keep, if not empty, is the first word of comments that are kept: Kept receives
	// their texts, without the c and the blanks before that word, in their order. So
	// a program that rewrites a formula keeps what is known about its variables.
	Keep string
	Kept []string

	// Counting, if not nil, receives the lines about counting models, in CNF and iCNF.
	// Malformed lines, a type that contradicts the other lines, and variables that the
	// header does not announce are errors, of which a relaxed reader accepts the last
	// one and a missing 0. Comments that begin like such lines but have no known form are
	// warned of. If Counting is nil, the lines are comments, and the header "p pcnf" is an error.
	// A projection of several files, read one after the other, has the variables of all.
	Counting *Counting

	// Names, if not nil, receives the names of variables in comments, see [Names]. A name of
	// a variable that the formula does not have is an error that a relaxed reader accepts.
	Names *Names

	// Warn, if not nil, receives one warning for each kind of mistake that a reader
	// accepted in an input, with the position of the first one. Those of a strict reader are
	// about Counting.
	Warn func(*SyntaxError)
}

// Read reads a formula in DIMACS CNF with a strict [Reader].
func Read(src io.Reader) (*Formula, error) { return new(Reader).Read(src) }

// Read reads a formula in DIMACS CNF in one pass over src up to its end. The
// time is linear. Besides the formula, Read needs a buffer of fixed size.
func (r *Reader) Read(src io.Reader) (*Formula, error) {
	f := new(Formula)
	if err := r.ReadInto(f, src); err != nil {
		return nil, err
	}
	return f, nil
}

// ReadInto reads a formula in DIMACS CNF and appends its clauses to f. The
// number of variables of f becomes the maximum of both. Several files are thus
// read as the conjunction of their clauses. Each header counts only the variables and
// clauses of its own file. After an error f also contains the clauses before
// it.
func (r *Reader) ReadInto(f *Formula, src io.Reader) error {
	return r.parser(f, src).run(r.Memory)
}

// parser returns a parser that appends to f.
func (r *Reader) parser(f *Formula, src io.Reader) *parser {
	return &parser{
		scanner:   r.newScanner(src),
		repairs:   repairs{relaxed: r.Relaxed, warn: r.Warn},
		f:         f,
		counting:  r.Counting,
		names:     r.Names,
		maxClause: math.MaxUint32 - pieceLen,
	}
}

// A repair is a kind of mistake that a relaxed reader accepts.
type repair uint

const (
	noHeader repair = 1 << iota
	secondHeader
	highLiteral
	wrongCount
	noLastZero
	highVariable // in a line of a counting file
	wrongProjected
	noLineZero
	highName
	unknownType // not mistakes: comments that a counting file would not have
	unknownLine
)

// repairs handles the mistakes in one input.
type repairs struct {
	relaxed bool
	warn    func(*SyntaxError)
	done    repair // the kinds that occurred, each with one warning
}

// forgive returns err if the reader is strict. Otherwise it warns with err,
// unless there was a warning of this kind, and returns nil.
func (r *repairs) forgive(kind repair, err *SyntaxError) error {
	if !r.relaxed {
		err.Relaxed = true
		return err
	}
	r.note(kind, err)
	return nil
}

// note warns with err, unless there was a warning of this kind.
func (r *repairs) note(kind repair, err *SyntaxError) {
	if r.warn != nil && r.done&kind == 0 {
		r.warn(err)
	}
	r.done |= kind
}

// A parser reads one input into a formula.
type parser struct {
	scanner
	repairs
	f        *Formula
	script   *Script   // receives cubes; nil if the input is not a script
	counting *Counting // receives the lines about counting; nil if they are comments
	countingLines
	names     *Names    // receives names; nil if they are comments
	highNamed int       // the largest variable with a name
	namedAt   scan.Mark // its position
	stack     bool      // the input is a reconstruction stack
	header    bool      // a header was read, or its absence was forgiven
	counted   bool      // the number of clauses in the header is checked
	free      bool      // no header limits the number of variables
	announced int64     // the number of clauses in the header
	left      int64     // the number of clauses that may still follow
	vars      int       // the largest variable that needs no check

	trailer   int    // the trailer of SATLIB: 1 after "%", 2 after the 0 that follows
	maxClause uint64 // the maximum length of a clause
	cubeLits  []Lit  // memory that the literals of cubes share
}

// run reads the whole input within a memory limit.
func (p *parser) run(m MemoryLimit) error {
	p.f.memory = m
	defer func() { p.f.memory = nil }()
	p.SkipOrderMark()
	err := p.cause(catchRefusal(p.parse))
	if n := len(p.f.blocks); n > 0 {
		b := &p.f.blocks[n-1]
		b.lits = b.lits[:b.start()] // drops a clause that an error left open
	}
	p.f.compact()
	return err
}

// parse reads tokens up to the end.
func (p *parser) parse() error {
	for {
		p.fast()
		if p.short() && p.Fill() {
			continue
		}
		c, err := p.next()
		if err == nil && c == scan.EOF {
			return p.end()
		}
		if err == nil {
			err = p.token(c)
		}
		if err != nil {
			return err
		}
	}
}

// token reads the token at the mark, which begins with c.
func (p *parser) token(c int) error {
	switch {
	case c == 'c':
		return p.comment()
	case c == 'p' && (p.trailer == 0 || p.relaxed):
		return p.readHeader()
	case p.trailer > 0:
		return p.afterTrailer()
	case c == '-' || '0' <= c && c <= '9':
		return p.literal()
	case c == '%':
		return p.readTrailer()
	case c == 'a' && p.script != nil:
		return p.cube()
	}
	p.ReadWord()
	if p.counting != nil && string(p.Text) == "vp" {
		return p.projection("vp VARIABLES 0")
	}
	return p.unknown(c)
}

// unknown returns the error for the last token, which begins with c and is not
// part of the format.
func (p *parser) unknown(c int) error {
	switch {
	case !p.header:
		return p.errorf("%s where the header %q is expected", p.Quoted(), p.format())
	case c == 'x':
		return p.errorf("%s is not a number: neither names nor XOR clauses are DIMACS", p.Quoted())
	}
	if why := foreign[string(p.Text)]; why != "" && p.script == nil && !p.stack {
		return p.errorf("%s is not a number: %s", p.Quoted(), why)
	}
	return p.errorf("%s is not a number", p.Quoted())
}

// foreign lists words with which lines of related formats begin.
var foreign = map[string]string{
	"a":  "quantifiers (QDIMACS) and cubes (iCNF) are not part of CNF",
	"e":  "quantifiers (QDIMACS) are not part of CNF",
	"h":  "hard clauses (WCNF) are not part of CNF",
	"vp": "the variables of a projection need the header \"p pcnf\" and a reader of counting files",
	"w":  "weights of models are not supported in lines such as \"w LITERAL WEIGHT\"",
}

// format returns the header of the format, for messages.
func (p *parser) format() string {
	switch {
	case p.script != nil:
		return "p inccnf"
	case p.stack:
		return "p stack VARIABLES CLAUSES"
	}
	return "p cnf VARIABLES CLAUSES"
}

// readHeader reads the header at the mark.
func (p *parser) readHeader() error {
	at := p.Mark
	if p.Word() != "p" {
		return p.errorf("%s is not a number, nor the p of a header", p.Quoted())
	}
	if p.header {
		if err := p.forgive(secondHeader, p.errorAt(at, "a second header")); err != nil {
			return err
		}
		if err := p.endPart(at); err != nil {
			return err
		}
	}
	p.header, p.trailer = true, 0
	projected, err := p.headerFormat()
	if err != nil {
		return err
	}
	if p.script == nil {
		if err := p.headerNumbers(); err != nil {
			return err
		}
		if projected {
			n, err := p.headerNumber("projected variables", MaxVars)
			if err != nil {
				return err
			}
			p.pcnf, p.projected = true, p.projected+int(n)
		}
	} else {
		p.noCount()
	}
	return p.headerEnd()
}

// headerFormat reads the second word of a header. It reports whether the header has the
// number of projected variables.
func (p *parser) headerFormat() (projected bool, err error) {
	p.Gap()
	want := strings.Fields(p.format())[1]
	switch p.Word() {
	case want:
		return false, nil
	case "pcnf":
		if p.counting != nil && want == "cnf" {
			return true, nil
		}
	case "":
		return false, p.errorf("the header is not %q", p.format())
	}
	return false, p.errorf("the format is %s, not %s: the header is not %q", p.Quoted(), want, p.format())
}

// headerNumbers reads the numbers of variables and clauses in a header.
func (p *parser) headerNumbers() error {
	vars, err := p.headerNumber("variables", MaxVars)
	if err != nil {
		return err
	}
	clauses, err := p.headerNumber("clauses", math.MaxInt64)
	if err != nil {
		return err
	}
	// A relaxed reader accepts a further header with fewer variables.
	p.vars = max(p.vars, int(vars))
	p.f.Grow(p.vars)
	p.counted, p.free = true, false
	p.announced, p.left = int64(clauses), int64(clauses)
	return nil
}

// headerNumber reads the number of variables or clauses.
func (p *parser) headerNumber(what string, most uint64) (uint64, error) {
	switch p.Gap() {
	case '\n', '\r', scan.EOF:
		return 0, p.errorf("no number of %s in the header", what)
	}
	n, neg, err := p.number()
	switch {
	case err != nil:
		return 0, err
	case neg:
		return 0, p.errorf("%s is not a number of %s", p.Quoted(), what)
	case n > most:
		return 0, p.errorf("%s %s are more than %d", p.Text[:min(len(p.Text), scan.TextLen)], what, most)
	}
	return n, nil
}

// noCount removes the limits on variables and clauses, for an input without
// these numbers.
func (p *parser) noCount() {
	p.counted, p.free, p.left = false, true, math.MaxInt64
}

// literal reads the number at the mark: a literal, or the 0 that ends a
// clause.
func (p *parser) literal() error {
	b, err := p.clause()
	if err != nil {
		return err
	}
	n, neg, err := p.number()
	switch {
	case err != nil && p.commentAfterZero():
		if err := p.endClause(b); err != nil {
			return err
		}
		return p.afterC()
	case err != nil:
		return err
	case n == 0 && neg:
		return p.errorf("%s is not a literal", p.Quoted())
	case n == 0:
		return p.endClause(b)
	}
	l, err := p.variable(n, neg)
	if err == nil {
		b.lits = append(Extend(p.f.memory, b.lits, 1), l)
	}
	return err
}

// commentAfterZero reports whether the last word is a 0 that a comment follows without a
// blank; the rest of the comment is then unread. MiniSat accepts these comments, and CaDiCaL and
// Kissat also comments that follow a literal, where a typing error is more likely.
func (p *parser) commentAfterZero() bool {
	text := bytes.TrimLeft(p.Text, "0")
	return len(text) < len(p.Text) && len(text) > 0 && text[0] == 'c' && p.Err() == nil
}

// comment reads the comment at the mark up to the end of its line.
func (p *parser) comment() error {
	p.ReadWord()
	return p.afterC()
}

// afterC reads the rest of a comment whose first word was read last: a c, perhaps behind a
// 0. It obeys the comments that have a meaning.
func (p *parser) afterC() error {
	defer p.SkipLine()
	if string(bytes.TrimLeft(p.Text, "0")) != "c" || p.keep == "" && p.script == nil && p.counting == nil && p.names == nil {
		return nil
	}
	p.Gap()
	word := p.Word()
	p.keepComment(word)
	if p.names != nil {
		if err := p.nameOf(word); err != nil {
			return err
		}
	}
	if p.counting != nil || p.script != nil && word == "p" {
		return p.instruction(word)
	}
	return nil
}

// clause returns the block of the clause that is open, or of a clause that
// begins at the mark.
func (p *parser) clause() (*block, error) {
	if !p.header {
		if err := p.forgive(noHeader, p.errorAt(p.Mark, "a clause before the header %q", p.format())); err != nil {
			return nil, err
		}
		p.header = true
		p.noCount()
	}
	b := p.block()
	if p.left == 0 && len(b.lits) == b.start() {
		if err := p.forgive(wrongCount, p.errorAt(p.Mark, "more clauses than the %d announced", p.announced)); err != nil {
			return nil, err
		}
		p.counted, p.left = false, math.MaxInt64
	}
	return b, nil
}

// block returns the block of the open clause, or of the next clause if none is
// open.
func (p *parser) block() *block {
	if n := len(p.f.blocks); n > 0 {
		if b := &p.f.blocks[n-1]; len(b.lits) > b.start() {
			return b
		}
	}
	return p.f.open()
}

// endClause ends the open clause, which is the last one of b.
func (p *parser) endClause(b *block) error {
	switch size := uint64(len(b.lits) - b.start()); {
	case size > p.maxClause:
		return p.errorf("a clause of %d literals is above the limit of %d", size, p.maxClause)
	case size == 0 && p.stack:
		return p.errorf("a clause without a witness")
	}
	p.f.close(b)
	p.left--
	return nil
}

// variable returns the literal of the variable with the DIMACS number n. If n
// is above the announced number of variables, a relaxed reader raises that
// number, and a strict reader returns an error.
func (p *parser) variable(n uint64, neg bool) (Lit, error) {
	if n > MaxVars {
		return 0, p.errorf("literal %s is above the limit of %d variables", p.Quoted(), MaxVars)
	}
	if n > uint64(p.vars) {
		if !p.free {
			if err := p.forgive(highLiteral, p.errorAt(p.Mark, "literal %s is above the %s", p.Text, amount(int64(p.vars), "announced variable"))); err != nil {
				return 0, err
			}
		}
		p.vars = int(n)
		p.f.Grow(p.vars)
	}
	l := Lit(n-1) << 1
	if neg {
		l |= 1
	}
	return l, nil
}

// end checks the formula at the end of the input.
func (p *parser) end() error {
	if !p.header {
		return p.errorf("neither the header %q nor clauses", p.format())
	}
	if err := p.endPart(p.Mark); err != nil {
		return err
	}
	return cmp.Or(p.endCounting(), p.endNames())
}

// endPart checks the clauses of a header at their end, which is a further
// header, the trailer or the end of the input.
func (p *parser) endPart(at scan.Mark) error {
	if b := p.block(); len(b.lits) > b.start() {
		if err := p.forgive(noLastZero, p.errorAt(at, "the last clause is not ended by 0")); err != nil {
			return err
		}
		if err := p.endClause(b); err != nil {
			return err
		}
	}
	if p.counted && p.left > 0 {
		return p.forgive(wrongCount, p.errorAt(at, "%s, but the header announces %d", amount(p.announced-p.left, "clause"), p.announced))
	}
	return nil
}

// amount returns a number with a noun, in the plural unless the number is 1.
func amount(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// readTrailer reads the "%" that ends the formulas of SATLIB.
func (p *parser) readTrailer() error {
	if p.Word() != "%" || !p.header {
		return p.unknown('%')
	}
	p.trailer = 1
	return p.endPart(p.Mark)
}

// afterTrailer reads what follows "%".
func (p *parser) afterTrailer() error {
	if word := p.Word(); word != "0" || p.trailer == 2 {
		return p.errorf("%s after the %q that ends the formula", p.Quoted(), "%")
	}
	p.trailer = 2
	return nil
}

// slack is the number of bytes that tokens may read from the start of a token:
// a sign, ten digits, a separator.
const slack = 16

// short reports whether fast needs more bytes than the buffer has.
func (p *parser) short() bool { return len(p.Buf)-p.Pos < slack }

// fast reads clauses up to the first token that the careful path must read. It
// accepts no input that the careful path rejects. It does not read
// reconstruction stacks, because it would accept an empty clause.
func (p *parser) fast() {
	for p.header && p.trailer == 0 && p.left > 0 && !p.stack && !p.short() {
		b := p.block()
		if len(b.lits) == cap(b.lits) {
			b.lits = Extend(p.f.memory, b.lits, 1024)
		}
		if len(b.ends) == cap(b.ends) {
			b.ends = slices.Grow(b.ends, 64)
		}
		if !p.tokens(b) {
			return
		}
	}
}

// tokens reads clauses into the free capacity of b. It returns true if it needs
// more capacity to continue.
//
// It decodes eight bytes at once, see [scan.Decimal]. The function stays whole
// because its state has to stay in registers.
func (p *parser) tokens(b *block) bool {
	var (
		buf    = p.Buf
		pos    = p.Pos
		last   = len(buf) - slack
		lits   = b.lits[:cap(b.lits)]
		n      = len(b.lits)
		ends   = b.ends[:cap(b.ends)]
		m      = len(b.ends)
		bol    = -1 // the start of the current line, if a line begins in this call
		lines  = 0
		vars   = uint64(p.vars)
		begin  = b.start()
		before = m
	)
	ends = ends[:min(int64(len(ends)), blockLen, int64(m)+min(p.left, blockLen))]
scan:
	for n < len(lits) {
		if pos > last {
			break
		}
		w := binary.LittleEndian.Uint64(buf[pos:])
		v, digits, neg := scan.Decimal(w)
		if digits == 0 {
			switch c := byte(w); {
			case neg != 0:
				break scan
			case c == ' ' || c == '\t':
				pos++
				continue
			case c == '\n':
				pos++
			case c == '\r' && buf[pos+1] == '\n':
				pos += 2
			default:
				break scan
			}
			lines++
			bol = pos
			continue
		}
		end := pos + int(neg+digits)
		sep := buf[end]
		if sep-'0' <= 9 {
			v, end = longer(buf, v, end)
			sep = buf[end]
		}
		switch {
		case v > vars || sep != ' ' && sep != '\n' && sep != '\t' && sep != '\r':
			break scan
		case v != 0:
			lits[n] = Lit(v-1)<<1 | Lit(neg)
			n++
			pos = end
			if sep == ' ' {
				pos++
			}
		case neg != 0 || n >= pieceLen:
			break scan
		default:
			ends[m] = uint32(n)
			m++
			pos = end
			if sep == '\n' {
				pos++
				lines++
				bol = pos
			}
			if m == len(ends) {
				break scan
			}
		}
	}
	if bol >= 0 {
		p.Lines(lines, bol)
	}
	p.Pos = pos
	p.left -= int64(m - before)
	b.lits, b.ends = lits[:n], ends[:m]
	p.f.lits += b.start() - begin
	return n == len(lits) || m == len(ends)
}

// longer continues a number with the value v whose next digit is buf[end]. It
// returns the value of the whole number and its end. No literal has more than
// ten digits: longer reads at most three after the first seven or eight. If a
// digit follows even then, it is no separator, and the careful path reads the
// number.
func longer(buf []byte, v uint64, end int) (uint64, int) {
	for stop := end + 3; end < stop && buf[end]-'0' <= 9; end++ {
		v = 10*v + uint64(buf[end]-'0')
	}
	return v, end
}
