package families

import (
	"math/bits"
	"math/rand/v2"
)

// A source draws random numbers from a PCG generator. It does not use the
// methods of [rand.Rand], since these give other numbers where an int has 32
// bits, and a seed has to mean the same formula everywhere.
type source struct{ rand.PCG }

// stream is the second half of the generator's first state. Its value means
// nothing, but a change of it changes every formula.
const stream = 0x5a70_0000_0000_0001

func newSource(seed uint64) *source { return &source{*rand.NewPCG(seed, stream)} }

// below returns a number from 0 to n-1, each as likely as the others. It panics
// if n is 0. The high word of n times 64 random bits is the number; the few
// products that would favour some numbers are drawn again (Lemire, Fast Random
// Integer Generation in an Interval, 2019).
func (r *source) below(n uint64) uint64 {
	hi, lo := bits.Mul64(r.Uint64(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(r.Uint64(), n)
		}
	}
	return hi
}

// flip returns true half of the time.
func (r *source) flip() bool { return r.Uint64()>>63 != 0 }

// shuffle puts xs into random order, each as likely as the others.
func shuffle[T any](r *source, xs []T) {
	for i := len(xs) - 1; i > 0; i-- {
		j := r.below(uint64(i) + 1)
		xs[i], xs[j] = xs[j], xs[i]
	}
}
