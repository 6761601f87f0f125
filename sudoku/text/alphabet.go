package text

import (
	"fmt"
	"strings"
)

// How characters stand for digits.
//
// The usual way is 1 to 9 and then A for 10, B for 11 and so on, in letters of
// either case: up to Z for 35. Three others occur:
//
//   - Letters alone, A for 1: grids of size 16 with A to P, of size 25 with A to
//     Y. A grid has them if it has no digit from 1 to 9 and a letter that the
//     usual way does not need for its size: up to 9 any, for 16 one above G. A
//     puzzle with one solution lacks one symbol at most, so that one of them is
//     there.
//   - Zero as a value, hexadecimal: 0 to 9 and A to F for the digits 1 to 16.
//     Zero is usually a blank. In a grid of size 10 and more it is a value if
//     another blank occurs too and the largest symbol of the usual way does not;
//     the puzzles of that size after it are then read alike as long as that
//     symbol is not in them. [Reader.Zero] makes it a value at any size.
//   - Numbers in decimal, for any size, where blanks or commas separate the
//     cells.
//
// Blanks are . 0 * _ - and the dot in the middle, and x or X where it is no
// digit by the above. They may be mixed. A run of the same blank that stands
// where a number could is one blank, as in "__ 12 __"; so is 00.

// A symbol is what stands in a cell.
type symbol struct {
	char   byte // 0 for a number of several digits
	found  bool // by SudoCue's "u": found by who solved it, not given
	number int32
	line   int32
	column int32
}

// The blanks that are no letters.
const blanks = ".0*_-"

// dot is what a dot in the middle is taken for.
const dot = '.'

// kinds has the kind of each character of a cell.
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

// A kind of character.
type kind uint8

const (
	isOther kind = iota
	isDigit
	isLetter
	isBlank
)

// value returns what a symbol stands for in the usual way; 0 for a blank.
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

// isX reports whether the symbol is a letter that may be a blank.
func (s symbol) isX() bool { return s.char|0x20 == 'x' }

// An alphabet is a way to read symbols.
type alphabet struct {
	size    int
	base    int // what is added to the usual value: 1 if zero is a value
	letters bool
}

// alphabet finds the way in which symbols stand for the digits up to n.
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
	found := n >= 10 && zero && blank && !largest
	if found && !r.Zero {
		r.zeros[n] = true
	}
	if r.Zero || found || r.zeros[n] && !largest {
		return alphabet{size: n, base: 1}
	}
	return alphabet{size: n}
}

// digit returns the digit of a symbol, 0 for a blank; a number that is not from
// 0 to the size if there is none.
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

// symbols returns the characters of the digits in order where they are not
// those of the usual way.
func (a alphabet) symbols() string {
	switch {
	case a.letters && a.size <= 26:
		return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:a.size]
	case a.base == 1 && a.size <= 36:
		return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:a.size]
	}
	return ""
}

// String tells what stands for digits, for messages.
func (a alphabet) String() string {
	s := a.symbols()
	if s == "" {
		s = digitChars[:min(a.size, len(digitChars))]
	}
	return fmt.Sprintf("%c to %c", s[0], s[len(s)-1])
}

// usual has the characters of the digits from 1.
const digitChars = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// digits turns the symbols of a grid of size n into digits. The cells are set in
// to, which has their number.
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

// tooLarge returns the error of a symbol that is no digit of the size.
func (r *Reader) digitError(s symbol, a alphabet) error {
	if s.char != 0 && a.size <= len(digitChars) {
		return r.in.errorf(int(s.line), int(s.column), "%q is no digit of a grid of size %d; expected %s or a blank (. 0 * _ -)", s.char, a.size, a)
	}
	return r.in.errorf(int(s.line), int(s.column), "%d is too large for a grid of size %d", s.value(), a.size)
}

// repeated reports whether a digit occurs twice among symbols, as it cannot in
// one row.
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

// largest returns the largest value among symbols.
func largestValue(symbols []symbol) int {
	most := 0
	for _, s := range symbols {
		if !s.isX() {
			most = max(most, s.value())
		}
	}
	return most
}

// named returns characters for a message, shortened.
func quoted(text []byte) string {
	if len(text) > 24 {
		return fmt.Sprintf("%q...", text[:24])
	}
	return fmt.Sprintf("%q", text)
}

// separated reports whether a character ends a field of a line.
func isSeparator(c byte) bool { return strings.IndexByte(" \t,;|\"", c) >= 0 }
