package text

// A row is a line that was scanned as part of a grid: the characters of cells,
// grouped into tokens by separators, and the parts of a frame.
type row struct {
	line    line
	symbols []symbol // one per character of a cell
	tokens  []token
	bars    []bar
	bad     int  // index of a character that belongs to no grid, or -1
	frame   bool // has characters that occur in frames only
	digits  bool // has digits or letters
	blank   byte // if digits is false: the blank of all symbols, or dot if they differ; else 0
}

// A token is a run of adjacent symbols, as a range of their indices.
type token struct{ from, to int }

// A bar is the position of a bar: the numbers of tokens and symbols before it.
type bar struct{ tokens, symbols int }

// scan splits a line into tokens, up to a comment.
func (w *row) scan(l line) {
	*w = row{line: l, symbols: w.symbols[:0], tokens: w.tokens[:0], bars: w.bars[:0], bad: -1}
	within := false
	for i := 0; i < len(l.text); i++ {
		c, width := asciiChar(l.text[i:])
		at := i
		i += width - 1
		if kinds[c] != isOther {
			w.add(c, int32(l.number), int32(l.offset+at+1), within)
			within = true
			continue
		}
		if c == '#' && !within {
			break
		}
		within = false
		if !w.addSeparator(c) {
			w.bad = at
			break
		}
	}
	w.classify()
}

// asciiChar returns the first character of a text in ASCII, and its length in
// bytes. It replaces box drawing characters by bars and dashes, and the middle
// dot by a dot.
func asciiChar(text []byte) (byte, int) {
	switch {
	case text[0] < 0x80:
	case len(text) >= 2 && text[0] == 0xc2 && text[1] == 0xb7: // U+00B7
		return dot, 2
	case len(text) >= 2 && text[0] == 0xc2 && text[1] == 0xa0: // a space that does not break
		return ' ', 2
	case len(text) >= 3 && text[0] == 0xe2 && (text[1] == 0x94 || text[1] == 0x95): // U+2500 to U+257F
		switch rune(text[1]&1)<<6 | rune(text[2]&0x3f) {
		case 0x02, 0x03, 0x06, 0x07, 0x0a, 0x0b, 0x51, 0x4e, 0x4f:
			return '|', 3
		}
		return '+', 3
	}
	return text[0], 1
}

// add appends a symbol. With within it continues the last token.
func (w *row) add(c byte, line, column int32, within bool) {
	if !within {
		w.tokens = append(w.tokens, token{len(w.symbols), len(w.symbols)})
	}
	w.symbols = append(w.symbols, symbol{char: c, line: line, column: column})
	w.tokens[len(w.tokens)-1].to++
}

// addSeparator records a character between tokens. It returns false for a
// character that is no separator.
func (w *row) addSeparator(c byte) bool {
	switch c {
	case ' ', '\t', ',', ';', '{', '}', '[', ']', '(', ')', '"', '\'', '/':
		return true
	case '|', '!', ':':
		w.bars = append(w.bars, bar{len(w.tokens), len(w.symbols)})
		return true
	case '+', '=', '~', '`':
		w.frame = true
		return true
	}
	return false
}

// classify determines whether the row has digits, its blank, and whether it is
// part of a frame. A line without digits that has a dash and another blank is a
// frame, as in ".---.---.".
func (w *row) classify() {
	several := false
	for i, s := range w.symbols {
		w.digits = w.digits || kinds[s.char] != isBlank
		if i == 0 {
			w.blank = s.char
		} else if s.char != w.blank {
			several = true
		}
	}
	switch {
	case w.digits:
		w.blank = 0
	case several:
		for _, s := range w.symbols {
			w.frame = w.frame || isDash(s.char)
		}
		w.blank = dot
	}
}

// isEmpty reports whether the line has no cells.
func (w *row) isEmpty() bool { return len(w.symbols) == 0 || w.frame && !w.digits }

// tokenSymbol returns the symbol of a whole token: a character, a run of one
// blank, or a number. The second result is false if the token consists of
// several symbols.
func (w *row) tokenSymbol(t token) (symbol, bool) {
	s := w.symbols[t.from]
	if t.to-t.from == 1 {
		return s, true
	}
	text := w.symbols[t.from:t.to]
	if s.char|0x20 == 'u' {
		s.found, text = true, text[1:]
	}
	number, all := int64(0), true
	for _, c := range text {
		all = all && c.char == text[0].char
		if c.char != '0' && kinds[c.char] != isDigit {
			number = -1
		}
		if number >= 0 && number < 1<<31 {
			number = 10*number + int64(c.char-'0')
		}
	}
	switch {
	case all && kinds[text[0].char] == isBlank && !s.found:
		return s, true
	case number < 0 || number >= 1<<31:
		return s, false
	case number < 10:
		s.char = byte('0' + number)
		return s, true
	}
	s.char, s.number = 0, int32(number)
	return s, true
}

// tokenSymbols appends one symbol per token. It returns false if a token
// consists of several symbols.
func (w *row) tokenSymbols(to []symbol) ([]symbol, bool) {
	for _, t := range w.tokens {
		s, ok := w.tokenSymbol(t)
		if !ok {
			return to, false
		}
		to = append(to, s)
	}
	return to, true
}

// areNumbers reports whether each token is one symbol with a value of at most
// most.
func (w *row) areNumbers(most int) bool {
	for _, t := range w.tokens {
		s, ok := w.tokenSymbol(t)
		if !ok || s.value() > most && !s.isX() {
			return false
		}
	}
	return true
}

// areMarks reports whether each token has the possible digits of a cell, from 1
// to n, and at least one token has several.
func (w *row) areMarks(n int) bool {
	several := false
	for _, t := range w.tokens {
		s, ok := w.tokenSymbol(t)
		if !ok || !isAscending(s, n) {
			return false
		}
		several = several || s.value() > 9
	}
	return several && n <= 9
}

// hasUnevenNumbers reports whether the tokens are numbers of different lengths,
// so that they are no groups of characters.
func (w *row) hasUnevenNumbers() bool {
	uneven := false
	for _, t := range w.tokens {
		if _, ok := w.tokenSymbol(t); !ok {
			return false
		}
		uneven = uneven || t.to-t.from != w.tokens[0].to
	}
	return uneven
}

// isAscending reports whether the digits of a number are ascending and at most
// n.
func isAscending(s symbol, n int) bool {
	above := n + 1
	for v := s.value(); v > 0; v /= 10 {
		if v%10 == 0 || v%10 >= above {
			return false
		}
		above = v % 10
	}
	return s.value() > 0 && !s.isLetter()
}

// hasBlank reports whether a blank is among the symbols.
func (w *row) hasBlank(blank byte) bool {
	for _, s := range w.symbols {
		if s.char == blank {
			return true
		}
	}
	return false
}
