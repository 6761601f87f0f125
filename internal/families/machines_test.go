package families

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/bits"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// TestMD4 compares the full hash function with the test suite of RFC 1320, for
// given and for free message words.
func TestMD4(t *testing.T) {
	for message, want := range map[string]string{
		"":                           "31d6cfe0d16ae931b73c59d7e0c089c0",
		"a":                          "bde52cb31de33e46245e05fbdbd6fb24",
		"abc":                        "a448017aaf21d8525fc10ae87aa6729d",
		"message digest":             "d9130a8164549fe818874806e1c7014b",
		"abcdefghijklmnopqrstuvwxyz": "d79e1c308aa5bbcdeea8ed63df412da9",
	} {
		block := make([]byte, 64)
		copy(block, message)
		block[len(message)] = 0x80
		block[56] = byte(8 * len(message))
		for _, free := range []int{0, 5, 16} { // words
			c := &circuit{f: new(dimacs.Formula)}
			var words [16][]dimacs.Lit
			for i := range words {
				x := uint64(binary.LittleEndian.Uint32(block[4*i:]))
				if words[i] = constant(32, x); i < free {
					words[i] = c.inputs(32, x)
				}
			}
			var digest []byte
			for _, word := range c.md4(words, 48) {
				digest = binary.LittleEndian.AppendUint32(digest, uint32(c.number(word)))
			}
			if got := hex.EncodeToString(digest); got != want {
				t.Errorf("the digest of %q is %s, want %s", message, got, want)
			}
			checkCircuit(t, message, c)
			if (c.f.Len() == 0) != (free == 0) {
				t.Errorf("%d words are free, and there are %d clauses", free, c.f.Len())
			}
		}
	}
}

// TestMD4Inversion: the model is a message with the digest for any number of
// steps and free bits, and with few free bits it is the only one.
func TestMD4Inversion(t *testing.T) {
	for steps := 1; steps <= 48; steps++ {
		inst := mustMake(t, "md4", Values{"steps": float64(steps), "free": float64(1 + steps*37%512)}, uint64(steps))
		check(t, inst.Comments[0], inst)
	}
	for seed := range uint64(3) {
		inst := mustMake(t, "md4", Values{"steps": 48, "free": 5}, seed)
		if n := models(t, inst.Formula); n.Int64() != 1 {
			t.Errorf("seed %d: %v messages with the digest", seed, n)
		}
	}
}

// TestCounter covers all numbers of steps of a short counter.
func TestCounter(t *testing.T) {
	for steps := 1; steps <= 7; steps++ {
		for reachable := range 2 {
			v := Values{"bits": 3, "steps": float64(steps), "reachable": float64(reachable)}
			if steps+1-reachable > 7 {
				continue
			}
			inst := mustMake(t, "bmc-counter", v, 1)
			check(t, inst.Comments[0], inst)
			if got := decide(inst.Formula); got != inst.Answer || got != statusOf(reachable == 1) {
				t.Errorf("%v: the answer is %v, found %v", v, inst.Answer, got)
			}
		}
	}
	// The counter must be enabled in all steps: one model.
	if n := models(t, mustMake(t, "bmc-counter", Values{"bits": 4, "steps": 5, "reachable": 1}, 1).Formula); n.Int64() != 1 {
		t.Errorf("%v models for 5 in 5 steps, want 1", n)
	}
}

// TestPrimitive compares the number of primitive polynomials of each degree
// with theory, and the period with simulation.
func TestPrimitive(t *testing.T) {
	for n, want := range map[int]int{3: 2, 4: 2, 5: 6, 6: 6, 7: 18, 8: 16, 9: 48, 10: 60} {
		got := 0
		for p := uint64(1)<<n + 1; p < 2<<n; p += 2 {
			period, x := 1, uint64(2)
			for ; x != 1; period++ {
				if x <<= 1; x>>n != 0 {
					x ^= p
				}
			}
			if isPrimitive(p, n) != (period == 1<<n-1) {
				t.Errorf("%#x has the period %d", p, period)
			}
			if isPrimitive(p, n) {
				got++
			}
		}
		if got != want {
			t.Errorf("%d primitive polynomials of degree %d, want %d", got, n, want)
		}
	}
	// The polynomial of the Ethernet CRC.
	if !isPrimitive(0x104c11db7, 32) || isPrimitive(0x104c11db5, 32) {
		t.Error("0x104c11db7 is primitive")
	}
	for n := 3; n <= 32; n++ {
		if p := newRNG(1).primitive(n); bits.Len64(p) != n+1 || p&1 == 0 {
			t.Errorf("%#x has not degree %d", p, n)
		}
	}
}

// TestLFSR decides repetitions before, at and after the period, and compares
// the circuit with integer arithmetic.
func TestLFSR(t *testing.T) {
	for steps := 1; steps <= 9; steps++ {
		inst := mustMake(t, "bmc-lfsr", Values{"bits": 3, "steps": float64(steps)}, 1)
		check(t, inst.Comments[0], inst)
		if got := decide(inst.Formula); got != inst.Answer || got != statusOf(steps >= 7) {
			t.Errorf("%d steps: the answer is %v, found %v", steps, inst.Answer, got)
		}
	}
	for seed := range uint64(3) {
		inst := mustMake(t, "bmc-lfsr", Values{"bits": 6, "steps": 15}, seed)
		if got := decide(inst.Formula); got != dimacs.Unsatisfiable {
			t.Errorf("seed %d: %v", seed, got)
		}
	}
	c := &circuit{f: new(dimacs.Formula)}
	const p, n = 0x11d, 8
	state, x := c.inputs(n, 1), uint64(1)
	for range 300 {
		if c.number(state) != x {
			t.Fatalf("the state is %#x, want %#x", c.number(state), x)
		}
		state = c.shift(state, p)
		if x <<= 1; x>>n != 0 {
			x ^= p
		}
	}
}

// TestParity compares the number of secrets found by brute force with the
// number of models that differ in the secret.
func TestParity(t *testing.T) {
	const n, m = 5, 11
	for seed := range uint64(10) {
		for _, noise := range []float64{0, 0.1, 0.2, 0.3} {
			inst := mustMake(t, "parity", Values{"bits": n, "samples": m, "noise": noise}, seed)
			check(t, inst.Comments[0], inst)
			errors := int(math.Floor(noise * m))
			s := classic.New(classic.DefaultOptions())
			s.AddFormula(inst.Formula)
			got, _ := s.Count(context.Background(), []dimacs.Var{0, 1, 2, 3, 4})
			if want := secrets(seed, n, m, errors); got.Int64() != int64(want) {
				t.Errorf("seed %d, noise %g: %v secrets, want %d", seed, noise, got, want)
			}
		}
	}
}

// secrets regenerates the samples of an instance and counts the secrets that
// disagree with at most the given number of samples.
func secrets(seed uint64, n, m, errors int) int {
	r := newRNG(seed)
	wrong := make([]bool, m)
	for i := range errors {
		wrong[i] = true
	}
	shuffle(r, wrong)
	draw := func() (x uint) {
		for i := range n {
			if r.flip() {
				x |= 1 << i
			}
		}
		return x
	}
	hidden := draw()
	samples := make([]uint, m)
	for i := range samples {
		for samples[i] == 0 {
			samples[i] = draw()
		}
	}
	found := 0
	for secret := range uint(1) << n {
		disagree := 0
		for i, x := range samples {
			// The label is the parity in the hidden secret, or wrong.
			if (bits.OnesCount(x&(secret^hidden))%2 != 0) != wrong[i] {
				disagree++
			}
		}
		if disagree <= errors {
			found++
		}
	}
	return found
}
