package families

import (
	"math/bits"
	"testing"

	"sator/dimacs"
)

// TestMultiplierNumbers generates the formula of every number up to a bound:
// the answers agree with trial division, and models are factorizations.
func TestMultiplierNumbers(t *testing.T) {
	for n := uint64(4); n < 2000; n++ {
		inst := mustMake(t, "multiplier", Values{"product": float64(n)}, 1)
		check(t, inst.Comments[0], inst)
		if got, want := inst.Answer, answer(n); got != want {
			t.Errorf("%d: the answer is %v, want %v", n, got, want)
		}
		if inst.Model != nil {
			checkFactors(t, n, inst)
		}
	}
}

// answer returns Satisfiable for composite numbers.
func answer(n uint64) dimacs.Status {
	for d := uint64(2); d*d <= n; d++ {
		if n%d == 0 {
			return dimacs.Satisfiable
		}
	}
	return dimacs.Unsatisfiable
}

// checkFactors reads the factors from the model at the positions given in the
// comments.
func checkFactors(t *testing.T, n uint64, inst *Instance) {
	t.Helper()
	width := (bits.Len64(n) + 1) / 2
	x := number(inst.Model[:width])
	y := number(inst.Model[width : width+bits.Len64(n)-1])
	if x*y != n || x < 2 || y < 2 {
		t.Errorf("%d: the factors are %d and %d", n, x, y)
	}
}

func number(m dimacs.Model) uint64 {
	n := uint64(0)
	for i, v := range m {
		if v == dimacs.True {
			n |= 1 << i
		}
	}
	return n
}

// TestMultiplierDrawn checks length and kind of random numbers, from the
// shortest to the longest.
func TestMultiplierDrawn(t *testing.T) {
	for n := 4; n <= 53; n++ {
		for seed := range uint64(5) {
			r := newRNG(seed)
			if p := r.prime(n); bits.Len64(p) != n || !isPrime(p) {
				t.Errorf("%d is not a prime of %d bits", p, n)
			}
			s := r.semiprime(n)
			x, y := factors(s)
			if bits.Len64(s) != n || !isPrime(x) || !isPrime(y) || bits.Len64(y)-bits.Len64(x) > 1 || x*y != s {
				t.Errorf("%d of %d bits is %d times %d", s, n, x, y)
			}
			inst := mustMake(t, "multiplier", Values{"product": float64(s)}, 1)
			check(t, inst.Comments[0], inst)
			checkFactors(t, s, inst)
		}
	}
}

// TestDivisor covers all small composite numbers, including squares and powers,
// and the largest ones.
func TestDivisor(t *testing.T) {
	try := func(n uint64) {
		if d := divisor(n); d <= 1 || d >= n || n%d != 0 {
			t.Errorf("divisor(%d) is %d", n, d)
		}
	}
	for n := uint64(4); n < 20_000; n++ {
		if !isPrime(n) {
			try(n)
		}
	}
	for _, n := range []uint64{1 << 53, 94906249 * 94906249, 94906249 * 94906247, 3 * 3002399751580303} {
		if !isPrime(n) {
			try(n)
		}
	}
}
