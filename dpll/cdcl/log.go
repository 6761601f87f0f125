package cdcl

import "math/bits"

// Integer logarithms for schedules. The floating-point logarithms of package math may
// differ in the last bit between machines, and so would the runs.

// log10 returns 1024 times the decimal logarithm of n, rounded down to within a few
// units. It interpolates linearly between powers of two.
func log10(n int64) int64 {
	if n < 1 {
		return 0
	}
	e := bits.Len64(uint64(n)) - 1
	fraction := int64(0) // position of n between 2^e and 2^(e+1), in 1024ths
	if e <= 10 {
		fraction = n<<(10-e) - 1024
	} else {
		fraction = n>>(e-10) - 1024
	}
	const log2 = 308 // 1024 times the decimal logarithm of 2
	return (int64(e)*1024 + fraction) * log2 / 1024
}

// logPower returns 1024 times the k-th power of the decimal logarithm of n+9, which
// is 1 for n = 1 and grows slowly.
func logPower(n int64, k int) int64 {
	p := int64(1024)
	for range k {
		p = p * log10(n+9) / 1024
	}
	return p
}

// isqrt returns the square root of n, rounded down.
func isqrt(n int64) int64 {
	if n < 2 {
		return max(n, 0)
	}
	x := int64(1) << ((bits.Len64(uint64(n)) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}
