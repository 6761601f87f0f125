package families

import (
	"encoding/binary"
	"fmt"
	"slices"

	"sator/dimacs"
)

// Preimage attack on MD4: given the digest of a random message, find a message
// with this digest. The hash function has a reduced number of its 48 steps and
// is applied to a message of one block of 512 bits, without padding. The
// initial state is constant and added to the final state.
//
// The first 16 steps use a different message word each and leave much freedom,
// which every further step reduces. Up to about 28 steps the problem takes
// seconds; after that, each step multiplies the time. De, Kumarasubramanian and
// Venkatesan reached 39 steps with additional constraints (Inversion Attacks on
// Secure Hash Functions Using SAT Solvers, SAT 2007). If all but a few bits of
// the message are given, any number of steps is feasible, and search has to try
// these bits.

var md4 = &Family{
	Name:   "md4",
	Help:   "MD4 preimage: a message with a given digest, by a reduced number of steps; satisfiable",
	Source: "Rivest, The MD4 Message-Digest Algorithm, RFC 1320, 1992",
	Params: []Param{
		{"steps", Int, 20, 1, 48, "steps of the hash function, at most 48"},
		{"free", Int, 512, 1, 512, "number of unknown bits, the first ones of the message"}},
	build: buildMD4,
}

func buildMD4(v Values, r *rng) (*Instance, error) {
	c := &circuit{f: new(dimacs.Formula)}
	var message [16][]dimacs.Lit
	for i := range message {
		message[i] = constant(32, r.Uint64()>>32)
		for j := range message[i] {
			if 32*i+j < v.int("free") {
				message[i][j] = c.wire(message[i][j] == one)
			}
		}
	}
	digest := make([]byte, 0, 16)
	for _, word := range c.md4(message, v.int("steps")) {
		x := c.number(word)
		c.fix(word, x)
		digest = binary.LittleEndian.AppendUint32(digest, uint32(x))
	}
	return &Instance{Formula: c.f, Answer: dimacs.Satisfiable, Model: c.model, Comments: []string{
		fmt.Sprintf("a message with the digest %x by %d steps of MD4; %d bits of it are not given", digest, v.int("steps"), v.int("free")),
		"variables from 1 on: the bits of the message, by words, lowest first",
	}}, nil
}

// A round is 16 steps of MD4. A step replaces the first of four state words: it
// adds the function of the other three, a message word and a constant, and
// rotates the sum.
type round struct {
	function  func(c *circuit, x, y, z dimacs.Lit) dimacs.Lit
	words     [16]int // index of the message word, by step
	rotations [4]int  // by step modulo 4
	constant  uint64
}

var rounds = [3]round{
	{func(c *circuit, x, y, z dimacs.Lit) dimacs.Lit { return c.ite(x, y, z) },
		[16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		[4]int{3, 7, 11, 19}, 0},
	{func(c *circuit, x, y, z dimacs.Lit) dimacs.Lit { return c.majority(x, y, z) },
		[16]int{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
		[4]int{3, 5, 9, 13}, 0x5a827999},
	{func(c *circuit, x, y, z dimacs.Lit) dimacs.Lit { return c.parity(x, y, z) },
		[16]int{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15},
		[4]int{3, 9, 11, 15}, 0x6ed9eba1},
}

// md4 returns the four words of the digest after a number of steps.
func (c *circuit) md4(message [16][]dimacs.Lit, steps int) [4][]dimacs.Lit {
	start := [4]uint64{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
	var state [4][]dimacs.Lit
	for i, x := range start {
		state[i] = constant(32, x)
	}
	for step := range steps {
		round := &rounds[step/16]
		mixed := literals(32, func(i int) dimacs.Lit { return round.function(c, state[1][i], state[2][i], state[3][i]) })
		sum := c.addWord(state[0], mixed)
		sum = c.addWord(sum, message[round.words[step%16]])
		sum = c.addWord(sum, constant(32, round.constant))
		state = [4][]dimacs.Lit{state[3], rotate(sum, round.rotations[step%4]), state[1], state[2]}
	}
	// Each step rotated the four words; undo that.
	var digest [4][]dimacs.Lit
	for i := range digest {
		digest[i] = c.addWord(state[(i+steps)%4], constant(32, start[i]))
	}
	return digest
}

// rotate returns the word rotated left by n bits.
func rotate(word []dimacs.Lit, n int) []dimacs.Lit {
	return slices.Concat(word[len(word)-n:], word[:len(word)-n])
}
