package text

import "sort"

// A passage is a text of several lines with the positions of its bytes.
type passage struct {
	text  []byte
	lines []line // without their text
	from  []int  // index in text at which each line begins
}

// begin begins a line, whose text is appended to t.text afterwards.
func (t *passage) begin(l line) {
	t.lines, t.from = append(t.lines, line{nil, l.number, l.offset}), append(t.from, len(t.text))
}

// position returns the line and column of an index.
func (t *passage) position(index int) (line, column int) {
	i := sort.SearchInts(t.from, index+1) - 1
	l := t.lines[i]
	return l.number, l.offset + index - t.from[i] + 1
}

// symbol returns a symbol at an index. It stores a number of one digit as a character.
func (t *passage) symbol(c byte, n, index int) symbol {
	line, column := t.position(min(max(index, 0), len(t.text)-1))
	s := symbol{char: c, number: int32(n), line: int32(line), column: int32(column)}
	if c == 0 && n < 10 {
		s.char = byte('0' + n)
	}
	return s
}

// blank returns the symbol of a blank at the beginning of a line.
func (l line) blank() symbol {
	return symbol{char: '.', line: int32(l.number), column: int32(l.offset + 1)}
}

// set sets the digit of a symbol, or makes it a blank if the digit is 0.
func (s *symbol) set(digit int) {
	s.char, s.number = 0, int32(digit)
	switch {
	case digit == 0:
		s.char = '.'
	case digit < 10:
		s.char = byte('0' + digit)
	}
}
