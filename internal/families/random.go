package families

import (
	"math/bits"
	"math/rand/v2"
)

// An rng is a PCG random number generator. It does not use the methods of
// [rand.Rand], whose results depend on the size of int, because a seed must
// give the same formula on every machine.
type rng struct{ rand.PCG }

// stream is the second half of the initial state. Its value is arbitrary, but
// changing it changes every formula.
const stream = 0x5a70_0000_0000_0001

func newRNG(seed uint64) *rng { return &rng{*rand.NewPCG(seed, stream)} }

// below returns a uniform random number below n, without modulo bias (Lemire,
// Fast Random Integer Generation in an Interval, 2019): the high word of n
// times 64 random bits; the few products that would cause a bias are rejected.
// It panics if n is 0.
func (r *rng) below(n uint64) uint64 {
	hi, lo := bits.Mul64(r.Uint64(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(r.Uint64(), n)
		}
	}
	return hi
}

// flip returns true with probability 1/2.
func (r *rng) flip() bool { return r.Uint64()>>63 != 0 }

// shuffle permutes xs uniformly at random (Fisher-Yates).
func shuffle[T any](r *rng, xs []T) {
	for i := len(xs) - 1; i > 0; i-- {
		j := r.below(uint64(i) + 1)
		xs[i], xs[j] = xs[j], xs[i]
	}
}
