package text

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// The compression of lz-string (pieroxy, 2013), in its base64 form: a code of six bits for each
// character, highest bit first. It is LZ78 with words of growing length over units of UTF-16. The first
// three words are no entries of the dictionary: 0 announces a new unit of 8 bits, 1 one of 16 bits, and
// 2 ends the text.

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

const (
	word8   = 0
	word16  = 1
	wordEnd = 2
)

var errCode = errors.New("the code is damaged or incomplete")

// An unpacker decompresses a code.
type unpacker struct {
	code       string
	at         int // bits read
	dictionary [][]uint16
	width      int // bits of a word
	left       int // entries to come before words are longer
}

// unpack returns the text of a code, of at most maxLine bytes.
func unpack(code string) (string, error) {
	u := unpacker{code: code, dictionary: make([][]uint16, 3), width: 3, left: 4}
	first, err := u.bits(2)
	if err != nil || first == wordEnd {
		return "", err
	}
	last, err := u.unit(first)
	if err != nil {
		return "", err
	}
	u.left = 4
	text := append([]uint16(nil), last...)
	for len(text) <= maxLine {
		word, err := u.bits(u.width)
		if err != nil || word == wordEnd {
			return string(utf16.Decode(text)), err
		}
		entry, err := u.entry(word, last)
		if err != nil {
			return "", err
		}
		text = append(text, entry...)
		u.add(append(last[:len(last):len(last)], entry[0]))
		last = entry
	}
	return "", errCode
}

// entry returns the entry of a word: a new unit, an entry of the dictionary, or the next one, which
// is the last entry with its first unit again.
func (u *unpacker) entry(word int, last []uint16) ([]uint16, error) {
	switch {
	case word == word8 || word == word16:
		return u.unit(word)
	case word < len(u.dictionary):
		return u.dictionary[word], nil
	case word == len(u.dictionary):
		return append(last[:len(last):len(last)], last[0]), nil
	}
	return nil, errCode
}

// unit reads a new unit and enters it into the dictionary.
func (u *unpacker) unit(word int) ([]uint16, error) {
	size := 8
	switch word {
	case word16:
		size = 16
	case word8:
	default:
		return nil, errCode
	}
	value, err := u.bits(size)
	if err != nil {
		return nil, err
	}
	entry := []uint16{uint16(value)}
	u.add(entry)
	return entry, nil
}

// add adds an entry to the dictionary. Words grow when it is full.
func (u *unpacker) add(entry []uint16) {
	u.dictionary = append(u.dictionary, entry)
	if u.left--; u.left == 0 {
		u.left = 1 << u.width
		u.width++
	}
}

// bits reads a number of bits, lowest first.
func (u *unpacker) bits(n int) (value int, err error) {
	for i := range n {
		if u.at/6 >= len(u.code) {
			return 0, errCode
		}
		c := strings.IndexByte(base64Alphabet, u.code[u.at/6])
		if c < 0 {
			return 0, errCode
		}
		value |= c >> (5 - u.at%6) & 1 << i
		u.at++
	}
	return value, nil
}

// A packer compresses a text.
type packer struct {
	words map[string]int  // by entry: its word
	fresh map[string]bool // units that are not written yet
	width int
	left  int // entries to come before words are longer
	code  []byte
	bits  int // in the last character
}

// pack returns the code of a text.
func pack(text string) string {
	p := packer{words: make(map[string]int), fresh: make(map[string]bool), width: 2, left: 2, bits: 6}
	last := ""
	for _, unit := range utf16.Encode([]rune(text)) {
		c := string([]byte{byte(unit >> 8), byte(unit)}) // the key of a unit
		if _, known := p.words[c]; !known {
			p.enter(c)
			p.fresh[c] = true
		}
		if _, known := p.words[last+c]; known {
			last += c
			continue
		}
		p.write(last)
		p.enter(last + c)
		last = c
	}
	if last != "" {
		p.write(last)
	}
	p.add(wordEnd, p.width)
	if p.bits == 6 {
		p.code = append(p.code, 0)
	}
	for i, c := range p.code {
		p.code[i] = base64Alphabet[c]
	}
	return string(p.code) + "==="[:(4-len(p.code)%4)%4]
}

// write writes an entry as a word, or as a new unit.
func (p *packer) write(entry string) {
	if !p.fresh[entry] {
		p.add(p.words[entry], p.width)
		p.grow()
		return
	}
	unit := int(entry[0])<<8 | int(entry[1])
	if unit < 256 {
		p.add(word8, p.width)
		p.add(unit, 8)
	} else {
		p.add(word16, p.width)
		p.add(unit, 16)
	}
	delete(p.fresh, entry)
	p.grow()
	p.grow()
}

// enter gives an entry the next word.
func (p *packer) enter(entry string) { p.words[entry] = len(p.words) + 3 }

// grow counts an entry. Words grow when there are too many.
func (p *packer) grow() {
	if p.left--; p.left == 0 {
		p.left = 1 << p.width
		p.width++
	}
}

// add adds the bits of a value, lowest first.
func (p *packer) add(value, n int) {
	for ; n > 0; n-- {
		if p.bits == 6 {
			p.code, p.bits = append(p.code, 0), 0
		}
		p.code[len(p.code)-1] |= byte(value&1) << (5 - p.bits)
		p.bits++
		value >>= 1
	}
}
