package text

import (
	"fmt"
	"strings"
)

// Characters of digits.
//
// The usual alphabet is 1 to 9, then A for 10, B for 11 and so on up to Z for
// 35, in either case. Three other alphabets occur:
//
//   - Letters only, with A for 1: A to P in grids of size 16, A to Y in grids
//     of size 25. A grid uses this alphabet if it has no digit from 1 to 9 and
//     has a letter that the usual alphabet does not need for its size: any
//     letter up to size 9, a letter above G for size 16. A puzzle with one
//     solution lacks at most one symbol, so such a letter is present.
//   - Hexadecimal, with zero as a digit: 0 to 9 and A to F for the digits 1 to
//     16. Usually zero is a blank. In a grid of size 10 or more it is a digit
//     if another blank occurs too and the largest symbol of the usual alphabet
//     does not occur. The following puzzles of that size are read in the same
//     way unless they contain that symbol. [Reader.Zero] makes zero a digit at
//     every size.
//   - Decimal numbers, for every size, if blanks or commas separate the cells.
//
// Blanks are . 0 * _ - and the middle dot, and also x or X if it is no digit.
// Different blanks can be mixed. A run of the same blank in the place of a
// number is one blank, as in "__ 12 __"; "00" is one blank too.

// A symbol is the content of a cell.
type symbol struct {
	char   byte // 0 for a number of several digits
	found  bool // marked with SudoCue's prefix "u": found by the solver of the puzzle, not given
	number int32
	line   int32
	column int32
}

// blanks are the blanks that are no letters.
const blanks = ".0*_-"

// dot replaces the middle dot.
const dot = '.'

// kinds has the kind of each character in a cell.
var kinds = func() (t [256]kind) {
	for c := '1'; c <= '9'; c++ {
		t[c] = isDigit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = isLetter, isLetter
	}
	for _, c := range blanks {
		t[c] = isBlank
	}
	return t
}()

// A kind is a class of characters.
type kind uint8

const (
	isOther kind = iota
	isDigit
	isLetter
	isBlank
)

// value returns the digit of a symbol in the usual alphabet, or 0 for a blank.
func (s symbol) value() int {
	switch {
	case s.char == 0:
		return int(s.number)
	case kinds[s.char] == isDigit:
		return int(s.char - '0')
	case kinds[s.char] == isLetter:
		return int(s.char|0x20-'a') + 10
	}
	return 0
}

func (s symbol) isLetter() bool { return kinds[s.char] == isLetter }

// isX reports whether the symbol is a letter that can be a blank.
func (s symbol) isX() bool { return s.char|0x20 == 'x' }

// An alphabet maps symbols to digits.
type alphabet struct {
	size    int
	base    int  // offset added to the usual value: 1 if zero is a digit
	letters bool // letters only, with A for 1
}

// alphabet determines the alphabet of symbols in a grid of size n.
func (r *Reader) alphabet(symbols []symbol, n int) alphabet {
	var digits, zero, blank, largest, beyond bool
	for _, s := range symbols {
		switch {
		case s.char == '0':
			zero = true
		case s.char == 0 || kinds[s.char] == isDigit:
			digits = true
		case kinds[s.char] == isBlank:
			blank = true
		case s.isX() && n < 24:
			blank = true
		default:
			beyond = beyond || s.value() > n
		}
		largest = largest || s.value() == n
	}
	if beyond && !digits {
		return alphabet{size: n, letters: true}
	}
	zeroIsDigit := n >= 10 && zero && blank && !largest
	if zeroIsDigit && !r.Zero {
		r.zeros[n] = true
	}
	if r.Zero || zeroIsDigit || r.zeros[n] && !largest {
		return alphabet{size: n, base: 1}
	}
	return alphabet{size: n}
}

// digit returns the digit of a symbol, 0 for a blank, or a number outside of 0
// to size for a symbol that is no digit.
func (a alphabet) digit(s symbol) int {
	v := s.value()
	switch {
	case a.letters && s.isLetter():
		if v -= 9; s.isX() && v > a.size {
			return 0
		}
		return v
	case s.isX() && v+a.base > a.size:
		return 0
	case v > 0 || s.char == '0':
		return v + a.base
	}
	return 0
}

// symbols returns the characters of the digits in ascending order if they
// differ from the usual alphabet.
func (a alphabet) symbols() string {
	switch {
	case a.letters && a.size <= 26:
		return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:a.size]
	case a.base == 1 && a.size <= 36:
		return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:a.size]
	}
	return ""
}

// String returns the range of characters for messages.
func (a alphabet) String() string {
	s := a.symbols()
	if s == "" {
		s = digitChars[:min(a.size, len(digitChars))]
	}
	return fmt.Sprintf("%c to %c", s[0], s[len(s)-1])
}

// digitChars has the characters of the digits in the usual alphabet, from 1.
const digitChars = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// digits converts the symbols of a grid of size n to digits, which it stores in
// to.
func (r *Reader) digits(to []int, symbols []symbol, n int) (alphabet, error) {
	a := r.alphabet(symbols, n)
	for i, s := range symbols {
		digit := a.digit(s)
		if digit < 0 || digit > n {
			return a, r.digitError(s, a)
		}
		to[i] = digit
	}
	return a, nil
}

// digitError returns the error of a symbol that is no digit for the size.
func (r *Reader) digitError(s symbol, a alphabet) error {
	if s.char != 0 && a.size <= len(digitChars) {
		return r.in.errorf(int(s.line), int(s.column), "invalid digit %q for size %d: want %s or a blank (. 0 * _ -)", s.char, a.size, a)
	}
	return r.in.errorf(int(s.line), int(s.column), "%d is too large for a grid of size %d", s.value(), a.size)
}

// hasRepeatedSymbol reports whether a digit occurs twice among symbols, which
// cannot happen in a row.
func hasRepeatedSymbol(symbols []symbol) bool {
	var seen [256]bool
	for _, s := range symbols {
		v := s.value()
		if s.isX() || v == 0 || v >= len(seen) {
			continue
		}
		if seen[v] {
			return true
		}
		seen[v] = true
	}
	return false
}

// largestValue returns the largest value of the symbols.
func largestValue(symbols []symbol) int {
	most := 0
	for _, s := range symbols {
		if !s.isX() {
			most = max(most, s.value())
		}
	}
	return most
}

// quoted returns quoted text for a message, shortened.
func quoted(text []byte) string {
	if len(text) > 24 {
		return fmt.Sprintf("%q...", text[:24])
	}
	return fmt.Sprintf("%q", text)
}

// isSeparator reports whether a character ends a field of a line.
func isSeparator(c byte) bool { return strings.IndexByte(" \t,;|\"", c) >= 0 }
