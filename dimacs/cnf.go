package dimacs

import (
	"encoding/binary"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// This file reads formulas. A file is a stream of tokens between blanks and
// line ends: "c" begins a comment up to the end of its line, "p" the header,
// numbers are literals, and 0 ends a clause. The parser takes tokens one at a
// time and judges each with care (parse and what it calls). Nearly all of a
// large file is numbers that are literals, and for these there is a loop
// without questions (tokens), which hands over to the careful part at whatever
// it does not know: other tokens, errors, the end of the buffer.

// A Reader reads formulas, scripts and solutions. The zero Reader is strict
// and gives the input no name.
//
// # What is accepted
//
// The header is "p cnf VARIABLES CLAUSES" on a line of its own. Tokens are
// separated by spaces, tabs and line ends in any number; a line ends with a
// line feed, which one carriage return may precede; the last line may lack
// its end. A token that begins with c is a comment up to the end of the line,
// wherever it stands: before the header, between clauses, inside one, after
// the last. Clauses may share a line or cover many. Empty clauses, duplicate
// literals, tautologies and duplicate clauses are kept as they are. The
// trailer of the SATLIB collection is accepted, a "%" after the last clause
// with a 0 after it, and so is a byte order mark before everything, which
// editors on Windows write.
//
// # What is an error
//
// A missing or second header, more or fewer clauses than it announces, a
// literal above its variables, and a last clause that is not ended by 0: the
// file may be cut off. These are accepted by a relaxed reader. Errors for
// both are text that is no number, numbers out of range (see [MaxVars]), text
// after the header on its line, an input without header and clauses, and a
// carriage return alone, since a file with such line ends could be one long
// comment. A comment is not glued to a number: "1c" is no number. Numbers are digits, after a
// minus sign if a literal is negated: leading zeros are accepted, "+1" is no
// number of the format, and "-0" is an error because what was to be negated is
// lost. The "x" lines of some solvers (exclusive or) are not DIMACS, and
// skipping them would change the answer.
//
// Errors are of type *[SyntaxError] and carry the place; errors of the source
// are returned as they are.
type Reader struct {
	// Name is the name of the file, for messages.
	Name string

	// Relaxed accepts what other programs write by mistake: wrong numbers of
	// clauses, literals above the announced variables, a missing header,
	// further headers (files that were put one after the other), a missing
	// last 0. The formula has then as many variables as its largest literal or
	// header says.
	Relaxed bool

	// Warn, if not nil, is told what a relaxed reader repaired: one warning for
	// each kind of repair in an input, at the place where it was first needed.
	Warn func(*SyntaxError)
}

// Read reads a formula in DIMACS CNF strictly. See [Reader] for what that
// means.
func Read(src io.Reader) (*Formula, error) { return new(Reader).Read(src) }

// Read reads a formula in DIMACS CNF, in one pass over src up to its end. The
// time is linear; beside the formula, a buffer of fixed size is needed.
func (r *Reader) Read(src io.Reader) (*Formula, error) {
	f := new(Formula)
	if err := r.ReadInto(f, src); err != nil {
		return nil, err
	}
	return f, nil
}

// ReadInto reads a formula in DIMACS CNF and appends its clauses to f, which
// then has the variables of both: a formula that is spread over several files
// is their conjunction. The header of a file speaks of that file alone. On an
// error f has in addition the clauses before it.
func (r *Reader) ReadInto(f *Formula, src io.Reader) error {
	return r.parser(f, src).run()
}

// parser returns a parser that appends to f.
func (r *Reader) parser(f *Formula, src io.Reader) *parser {
	return &parser{
		scanner:   newScanner(src, r.Name),
		repairs:   repairs{relaxed: r.Relaxed, warn: r.Warn},
		f:         f,
		maxClause: math.MaxUint32 - pieceLen,
	}
}

// A repair is a kind of mistake that a relaxed reader forgives.
type repair uint

const (
	noHeader repair = 1 << iota
	secondHeader
	highLiteral
	wrongCount
	noLastZero
)

// repairs decides what becomes of mistakes.
type repairs struct {
	relaxed bool
	warn    func(*SyntaxError)
	done    repair // the kinds that were warned of
}

// forgive returns err if the reader is strict. Otherwise it warns of it, if it
// is the first of its kind, and returns nil.
func (r *repairs) forgive(kind repair, err *SyntaxError) error {
	if !r.relaxed {
		return err
	}
	if r.warn != nil && r.done&kind == 0 {
		r.warn(err)
	}
	r.done |= kind
	return nil
}

// A parser reads one input into a formula.
type parser struct {
	scanner
	repairs
	f      *Formula
	script *Script // where cubes go; nil if the input is no script
	stack  bool    // the clauses are records, see ReadReconstruction

	// What the header says. While counted is false it says nothing of clauses,
	// and while free is true nothing of variables.
	header    bool // a header was read, or its lack forgiven
	counted   bool
	free      bool
	announced int64
	left      int64 // clauses that may still come
	vars      int   // literals above are looked at with care

	trailer   int    // of SATLIB: 1 after "%", 2 after the 0 that follows
	maxClause uint64 // literals that a clause may have
	cubeLits  []Lit  // room for the literals of cubes
}

// run reads the whole input.
func (p *parser) run() error {
	p.skipOrderMark()
	err := p.parse()
	if n := len(p.f.blocks); n > 0 {
		b := &p.f.blocks[n-1]
		b.lits = b.lits[:b.start()] // a clause that an error left open
	}
	p.f.compact()
	return err
}

// parse reads tokens up to the end.
func (p *parser) parse() error {
	for {
		p.fast()
		if p.short() && p.fill() {
			continue
		}
		c, err := p.next()
		if err == nil && c == eof {
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
		p.skipLine()
		return nil
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
	p.word()
	return p.unknown(c)
}

// unknown complains of the token that was read last, which begins with c and
// has no place in the format.
func (p *parser) unknown(c int) error {
	switch {
	case !p.header:
		return p.errorf("%s where the header %q is expected", p.quoted(), p.format())
	case c == 'x':
		return p.errorf("%s: clauses of exclusive or are not DIMACS", p.quoted())
	}
	return p.errorf("%s is not a number", p.quoted())
}

// format returns what the header looks like.
func (p *parser) format() string {
	switch {
	case p.script != nil:
		return "p inccnf"
	case p.stack:
		return "p stack VARIABLES RECORDS"
	}
	return "p cnf VARIABLES CLAUSES"
}

// clauseWord returns what a clause of the format is called.
func (p *parser) clauseWord() string {
	if p.stack {
		return "record"
	}
	return "clause"
}

// readHeader reads the header at the mark.
func (p *parser) readHeader() error {
	at := p.mark
	if p.word() != "p" {
		return p.errorf("%s is not a number, nor the p of a header", p.quoted())
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
	if err := p.headerFormat(); err != nil {
		return err
	}
	if p.script == nil {
		if err := p.headerNumbers(); err != nil {
			return err
		}
	} else {
		p.noCount()
	}
	if c := p.gap(); c != '\n' && c != '\r' && c != eof {
		p.word()
		return p.errorf("%s after the header", p.quoted())
	}
	return nil
}

// headerFormat reads the second word of a header.
func (p *parser) headerFormat() error {
	p.gap()
	want := strings.Fields(p.format())[1]
	switch p.word() {
	case want:
		return nil
	case "":
		return p.errorf("the header is not %q", p.format())
	}
	return p.errorf("the format is %s, not %s: the header is not %q", p.quoted(), want, p.format())
}

// headerNumbers reads what a header announces.
func (p *parser) headerNumbers() error {
	vars, err := p.headerNumber("variables", MaxVars)
	if err != nil {
		return err
	}
	clauses, err := p.headerNumber(p.clauseWord()+"s", math.MaxInt64)
	if err != nil {
		return err
	}
	// A later header may announce fewer variables than one before.
	p.vars = max(p.vars, int(vars))
	p.f.Grow(p.vars)
	p.counted, p.free = true, false
	p.announced, p.left = int64(clauses), int64(clauses)
	return nil
}

// headerNumber reads the number of variables or clauses.
func (p *parser) headerNumber(what string, most uint64) (uint64, error) {
	switch p.gap() {
	case '\n', '\r', eof:
		return 0, p.errorf("no number of %s in the header", what)
	}
	n, neg, err := p.number()
	switch {
	case err != nil:
		return 0, err
	case neg:
		return 0, p.errorf("%s is not a number of %s", p.quoted(), what)
	case n > most:
		return 0, p.errorf("%s %s are more than %d", p.text[:min(len(p.text), textLen)], what, most)
	}
	return n, nil
}

// noCount is called where no header tells the number of clauses.
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
	case err != nil:
		return err
	case n == 0 && neg:
		return p.errorf("%s is not a literal", p.quoted())
	case n == 0:
		return p.endClause(b)
	}
	l, err := p.variable(n, neg)
	if err == nil {
		b.lits = append(b.lits, l)
	}
	return err
}

// clause returns where the literals of the clause go that has begun or begins
// at the mark.
func (p *parser) clause() (*block, error) {
	if !p.header {
		if err := p.forgive(noHeader, p.errorAt(p.mark, "a %s before the header %q", p.clauseWord(), p.format())); err != nil {
			return nil, err
		}
		p.header = true
		p.noCount()
	}
	b := p.block()
	if p.left == 0 && len(b.lits) == b.start() {
		if err := p.forgive(wrongCount, p.errorAt(p.mark, "more %ss than the %d announced", p.clauseWord(), p.announced)); err != nil {
			return nil, err
		}
		p.counted, p.left = false, math.MaxInt64
	}
	return b, nil
}

// block returns the block that the open clause is in, or the next will be.
func (p *parser) block() *block {
	if n := len(p.f.blocks); n > 0 {
		if b := &p.f.blocks[n-1]; len(b.lits) > b.start() {
			return b
		}
	}
	return p.f.open()
}

// endClause ends the clause at the end of b.
func (p *parser) endClause(b *block) error {
	switch size := uint64(len(b.lits) - b.start()); {
	case size > p.maxClause:
		return p.errorf("a %s of %d literals is above the limit of %d", p.clauseWord(), size, p.maxClause)
	case size == 0 && p.stack:
		return p.errorf("a record without a witness")
	}
	p.f.close(b)
	p.left--
	return nil
}

// variable returns the literal of variable n and grows the formula to it, if
// that is to be forgiven.
func (p *parser) variable(n uint64, neg bool) (Lit, error) {
	if n > MaxVars {
		return 0, p.errorf("literal %s is above the limit of %d variables", p.quoted(), MaxVars)
	}
	if n > uint64(p.vars) {
		if !p.free {
			if err := p.forgive(highLiteral, p.errorAt(p.mark, "literal %s is above the %d announced variables", p.text, p.vars)); err != nil {
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

// end is called at the end of the input.
func (p *parser) end() error {
	if !p.header {
		return p.errorf("neither the header %q nor %ss", p.format(), p.clauseWord())
	}
	return p.endPart(p.mark)
}

// endPart is called at the end of what a header is for.
func (p *parser) endPart(at mark) error {
	if b := p.block(); len(b.lits) > b.start() {
		if err := p.forgive(noLastZero, p.errorAt(at, "the last %s is not ended by 0", p.clauseWord())); err != nil {
			return err
		}
		if err := p.endClause(b); err != nil {
			return err
		}
	}
	if p.counted && p.left > 0 {
		return p.forgive(wrongCount, p.errorAt(at, "%d %ss, but the header announces %d", p.announced-p.left, p.clauseWord(), p.announced))
	}
	return nil
}

// readTrailer reads the "%" that ends the formulas of SATLIB.
func (p *parser) readTrailer() error {
	if p.word() != "%" || !p.header {
		return p.unknown('%')
	}
	p.trailer = 1
	return p.endPart(p.mark)
}

// afterTrailer reads what follows "%".
func (p *parser) afterTrailer() error {
	if word := p.word(); word != "0" || p.trailer == 2 {
		return p.errorf("%s after the %q that ends the formula", p.quoted(), "%")
	}
	p.trailer = 2
	return nil
}

// slack is the number of bytes that tokens may look at from the start of one:
// a sign, ten digits, a separator.
const slack = 16

// short reports whether fast needs more bytes than the buffer has.
func (p *parser) short() bool { return len(p.buf)-p.pos < slack }

// fast reads clauses up to something that is none or is rare, which it leaves
// for the careful part. It accepts nothing that the careful part would reject,
// and so no stack, where it could not tell an empty record.
func (p *parser) fast() {
	for p.header && p.trailer == 0 && p.left > 0 && !p.stack && !p.short() {
		b := p.block()
		if len(b.lits) == cap(b.lits) {
			b.lits = slices.Grow(b.lits, 1024)
		}
		if len(b.ends) == cap(b.ends) {
			b.ends = slices.Grow(b.ends, 64)
		}
		if !p.tokens(b) {
			return
		}
	}
}

// tokens reads clauses into the room that b has. It returns true if it could
// go on with more.
//
// Eight bytes are taken at once, as a 64-bit word whose lowest byte is the
// first. Where the first byte is that is no digit follows from one addition
// for all of them, and the bytes before it, shifted to the top of the word so
// that zeros lead, are a number in three multiplications. The length of a
// number is then no branch that the processor could guess wrong, which is what
// a loop over digits spends most of its time on. The function stays whole
// because its state has to stay in registers.
func (p *parser) tokens(b *block) bool {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
		low  = 0x000000ff000000ff
	)
	var (
		buf    = p.buf
		pos    = p.pos
		last   = len(buf) - slack
		lits   = b.lits[:cap(b.lits)]
		n      = len(b.lits)
		ends   = b.ends[:cap(b.ends)]
		m      = len(b.ends)
		bol    = -1 // where the current line begins, if that is in buf
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
		neg := uint(0)
		if byte(w) == '-' {
			neg = 1
		}
		// A byte is a digit if it is now at most 9. The addition may carry out
		// of bytes above 0x89, but only into those behind them. After a sign
		// the last byte is 0, no digit.
		x := w>>(8*neg&63) ^ '0'*ones
		stop := (x + (0x80-10)*ones | x) & high
		digits := uint(bits.TrailingZeros64(stop)) / 8
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
		x <<= (64 - 8*digits) & 63
		x = x*10 + x>>8 // pairs of digits, in every second byte
		v := ((x&low)*(100+1000000<<32) + (x>>16&low)*(1+10000<<32)) >> 32
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
		p.line += lines
		p.bol = p.off + int64(bol)
	}
	p.pos = pos
	p.left -= int64(m - before)
	b.lits, b.ends = lits[:n], ends[:m]
	p.f.lits += b.start() - begin
	return n == len(lits) || m == len(ends)
}

// longer returns the number that begins with v, whose digits go on at end of
// buf, and where they end. No literal has more than ten digits: it looks at
// three after the first seven or eight, and if a digit still follows, that is
// no separator, and the number is left for the careful part.
func longer(buf []byte, v uint64, end int) (uint64, int) {
	for stop := end + 3; end < stop && buf[end]-'0' <= 9; end++ {
		v = 10*v + uint64(buf[end]-'0')
	}
	return v, end
}
