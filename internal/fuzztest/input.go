package fuzztest

import (
	"math/rand/v2"
	"strconv"
)

// Most faults of readers show on short inputs, and the rate is that of the length. But some need
// two whole inputs, one behind the other, such as a drawing and a line behind it.
const (
	maxLen  = 160  // the greatest length of most inputs
	longest = 2000 // that of one in sixteen
)

// A generator draws inputs. It reuses its memory.
type generator struct {
	seeds [][]byte
	words []string
	pcg   *rand.PCG
	r     *rand.Rand
	in    []byte
	spare []byte
}

func newGenerator(seeds [][]byte, words []string) *generator {
	g := &generator{seeds: seeds, words: append([]string{" ", "\n", "0", "1", "-"}, words...), pcg: new(rand.PCG)}
	g.r = rand.New(g.pcg)
	return g
}

// input returns an input. It is a function of its number, and valid until the next call.
func (g *generator) input(number uint64) []byte {
	g.pcg.Seed(number, 0x9e3779b97f4a7c15)
	g.in = g.in[:0]
	most := maxLen
	if len(g.seeds) > 0 && g.r.IntN(16) == 0 {
		most = longest
		for range 1 + g.r.IntN(3) {
			g.in = append(g.in, g.seeds[g.r.IntN(len(g.seeds))]...)
			g.in = append(g.in, "\n"[:g.r.IntN(2)]...)
		}
	} else if len(g.seeds) > 0 && g.r.IntN(4) > 0 {
		g.in = append(g.in, g.part(g.seeds[g.r.IntN(len(g.seeds))])...)
	} else {
		for range g.r.IntN(24) {
			g.in = append(g.in, g.word()...)
			g.in = append(g.in, " \n"[g.r.IntN(8)/7])
		}
	}
	for range g.r.IntN(5) {
		g.change()
	}
	g.in = g.in[:min(len(g.in), most)]
	return g.in
}

// part returns b, or a part of it if it is long: mostly the start.
func (g *generator) part(b []byte) []byte {
	if len(b) <= maxLen {
		return b
	}
	from := 0
	if g.r.IntN(4) == 0 {
		from = g.r.IntN(len(b) - maxLen/2)
	}
	return b[from:min(len(b), from+g.r.IntN(maxLen))]
}

// word returns a word of the format, or a number.
func (g *generator) word() string {
	if g.r.IntN(3) > 0 {
		return g.words[g.r.IntN(len(g.words))]
	}
	return g.number()
}

// number returns a small number mostly, and one near a limit sometimes.
func (g *generator) number() string {
	if g.r.IntN(8) > 0 {
		return strconv.Itoa(g.r.IntN(20) - 10)
	}
	limits := [...]string{
		"2147483647", "2147483648", "-2147483648", "1073741823", "1073741824", "4294967296", "65536", "-255", "256",
		"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "00000000000000000001", "-0", "0x1", "1e9",
	}
	return limits[g.r.IntN(len(limits))]
}

// change changes the input at a random place.
func (g *generator) change() {
	if len(g.in) == 0 {
		g.in = append(g.in, g.word()...)
		return
	}
	at := g.r.IntN(len(g.in))
	end := min(len(g.in), at+1+g.r.IntN(1+g.r.IntN(16)))
	switch g.r.IntN(8) {
	case 0:
		g.in[at] ^= 1 << g.r.IntN(8)
	case 1:
		g.in[at] = byte(g.r.Uint32())
	case 2:
		g.in = append(g.in[:at], g.in[end:]...)
	case 3:
		g.replace(at, at, string(g.in[at:end])) // twice
	case 4:
		g.replace(at, at, g.word())
	case 5:
		g.replace(at, end, g.word())
	case 6:
		g.in = g.in[:at]
	case 7:
		if len(g.seeds) > 0 {
			other := g.part(g.seeds[g.r.IntN(len(g.seeds))])
			g.in = append(g.in[:at], other[g.r.IntN(len(other)+1):]...)
		}
	}
}

// replace replaces a part of the input by text.
func (g *generator) replace(from, to int, text string) {
	g.spare = append(append(append(g.spare[:0], g.in[:from]...), text...), g.in[to:]...)
	g.in, g.spare = g.spare, g.in
}
