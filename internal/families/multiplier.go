package families

import (
	"fmt"
	"math/big"
	"math/bits"

	"sator/dimacs"
)

// Factoring: a multiplier circuit has free inputs, its output is fixed to a
// number, and neither input may be 0 or 1. A model is a factorization, so the
// formula is satisfiable if and only if the number is composite.
//
// The smaller factor of an n-bit number has at most n/2 bits, rounded up; as it
// is at least 2, the larger one has at most n-1 bits. The inputs have these
// widths, as in the generator of Purdom and Sabry, so few factorizations have
// two models. Primes, and products of two primes of equal length, are the
// hardest numbers of their length.

var multiplier = &Family{
	Name:   "multiplier",
	Help:   "factoring by a multiplier circuit; unsatisfiable if the number is prime",
	Source: "Purdom and Sabry, CNF Generator for Factoring Problems, 2003",
	Params: []Param{
		{"bits", Int, 32, 4, 53, "bits of the random number"},
		{"prime", Switch, 0, 0, 1, "a random prime; instead of the product of two primes of half the length"},
		{"product", Int, 0, 0, 1 << 53, "the number, instead of its length"}},
	build: buildMultiplier,
}

func buildMultiplier(v Values, r *rng) (*Instance, error) {
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

// product returns the number to factor: the given one, and then it deletes its
// length from v, or a random one.
func (r *rng) product(v Values) (uint64, error) {
	switch n := uint64(v["product"]); {
	case n == 0 && v.on("prime"):
		return r.prime(v.int("bits")), nil
	case n == 0:
		return r.semiprime(v.int("bits")), nil
	case v.on("prime"):
		return 0, fmt.Errorf("product and prime are mutually exclusive: product is not random")
	case n < 4:
		return 0, fmt.Errorf("invalid value %d for product: want at least 4", n)
	default:
		delete(v, "bits")
		return n, nil
	}
}

// prime returns a random prime of exactly n bits, n >= 2.
func (r *rng) prime(n int) uint64 {
	for {
		top := uint64(1) << (n - 1)
		if p := top | r.below(top); isPrime(p) {
			return p
		}
	}
}

// semiprime returns a random product of two primes of half the length with
// exactly n bits, n >= 4.
func (r *rng) semiprime(n int) uint64 {
	for {
		if x := r.prime(n/2) * r.prime((n+1)/2); bits.Len64(x) == n {
			return x
		}
	}
}

// isPrime reports whether n is prime. ProbablyPrime is exact below 2^64.
func isPrime(n uint64) bool { return new(big.Int).SetUint64(n).ProbablyPrime(0) }

// factors returns x <= y above 1 with x*y = n, or zeros if n is prime. n must
// be at least 4.
func factors(n uint64) (x, y uint64) {
	if isPrime(n) {
		return 0, 0
	}
	d := divisor(n)
	return min(d, n/d), max(d, n/d)
}

// divisor returns a proper divisor of the composite number n by Pollard's rho
// (A Monte Carlo Method for Factorization, 1975), for the sequences x^2+c until
// one succeeds. It takes about n^(1/4) steps.
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
