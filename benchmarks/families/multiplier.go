package families

import (
	"fmt"
	"math/big"
	"math/bits"

	"sator/dimacs"
)

// Factoring: the inputs of a multiplier are free, its output is fixed to a
// number, and neither input may be 0 or 1. A model is a factorisation, so the
// formula is satisfiable if and only if the number is composite.
//
// The smaller factor of an n-bit number has at most half of the bits, rounded
// up, and as it is at least 2, the larger factor has at most n-1. The inputs
// have just these widths, as in the generator of Purdom and Sabry, so that few
// factorisations are found twice. Products of two primes of equal length and
// primes are the hardest for their length.

var multiplier = &Family{
	Name:   "multiplier",
	Help:   "factors of a number, by a multiplier circuit; unsatisfiable if the number is prime",
	Source: "Purdom and Sabry, CNF Generator for Factoring Problems, 2003",
	Params: []Param{
		{"bits", Int, 32, 4, 53, "length of the number, which is drawn"},
		{"prime", Switch, 0, 0, 1, "draw a prime, not the product of two primes of half the length"},
		{"product", Int, 0, 0, 1 << 53, "the number itself, in place of its length"}},
	build: buildMultiplier,
}

func buildMultiplier(v Values, r *source) (*Instance, error) {
	n, err := r.product(v)
	if err != nil {
		return nil, err
	}
	x, y := factors(n)
	c := &circuit{f: new(dimacs.Formula)}
	small := c.inputs((bits.Len64(n)+1)/2, x)
	large := c.inputs(bits.Len64(n)-1, y)
	c.f.Add(small[1:]...) // neither is 0 or 1
	c.f.Add(large[1:]...)
	c.fix(c.multiply(small, large), n)
	inst := &Instance{Formula: c.f, Answer: dimacs.Unsatisfiable, Comments: []string{
		fmt.Sprintf("factors of %d, by an array multiplier of %d times %d bits; neither factor is 0 or 1",
			n, len(small), len(large)),
		"variables from 1 on: the bits of the smaller factor, then those of the larger one, lowest first",
	}}
	if x != 0 {
		inst.Answer, inst.Model = dimacs.Satisfiable, c.model
	}
	return inst, nil
}

// product returns the number to be factored: the one that is given, and then
// its length is dropped from v, or one that is drawn.
func (r *source) product(v Values) (uint64, error) {
	switch n := uint64(v["product"]); {
	case n == 0 && v.on("prime"):
		return r.prime(v.int("bits")), nil
	case n == 0:
		return r.semiprime(v.int("bits")), nil
	case v.on("prime"):
		return 0, fmt.Errorf("product and prime exclude each other: nothing is drawn")
	case n < 4:
		return 0, fmt.Errorf("product is %d, not at least 4", n)
	default:
		delete(v, "bits")
		return n, nil
	}
}

// prime returns a prime of exactly n bits, n >= 2.
func (r *source) prime(n int) uint64 {
	for {
		top := uint64(1) << (n - 1)
		if p := top | r.below(top); isPrime(p) {
			return p
		}
	}
}

// semiprime returns a number of exactly n bits, n >= 4, that is the product of
// two primes of half the length.
func (r *source) semiprime(n int) uint64 {
	for {
		if x := r.prime(n/2) * r.prime((n+1)/2); bits.Len64(x) == n {
			return x
		}
	}
}

// isPrime reports whether n is prime. The test is exact below 2^64.
func isPrime(n uint64) bool { return new(big.Int).SetUint64(n).ProbablyPrime(0) }

// factors returns two numbers x <= y above 1 with x*y = n, or zeros if n is
// prime. n is at least 4.
func factors(n uint64) (x, y uint64) {
	if isPrime(n) {
		return 0, 0
	}
	d := divisor(n)
	return min(d, n/d), max(d, n/d)
}

// divisor returns a divisor of the composite n that is neither 1 nor n, by
// Pollard's rho (A Monte Carlo Method for Factorization, 1975) for each of the
// sequences x^2+c until one succeeds. It takes some n^(1/4) steps.
func divisor(n uint64) uint64 {
	if n%2 == 0 {
		return 2
	}
	for c := uint64(1); ; c++ {
		next := func(x uint64) uint64 {
			hi, lo := bits.Mul64(x, x)
			lo, carry := bits.Add64(lo, c, 0)
			return bits.Rem64(hi+carry, lo, n)
		}
		slow, fast, d := uint64(2), uint64(2), uint64(1)
		for d == 1 {
			slow, fast = next(slow), next(next(fast))
			d = gcd(max(slow, fast)-min(slow, fast), n)
		}
		if d != n {
			return d
		}
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
