// Package radix sorts keys of 32 bits that carry a value of 32 bits.
//
//	keys := []uint64{3<<32 | 7, 1<<32 | 8} // value 7 under key 3, value 8 under key 1
//	radix.Sort(keys, nil)                  // 1<<32 | 8 comes first
//
// A solver sorts variables by stamps and clauses by hashes with it, often tens of entries
// at a time and sometimes millions.
package radix

import "slices"

// Sort sorts entries of a key, in the upper 32 bits, and a value, in the lower 32 bits, by
// key. It is a radix sort with one byte per round, and skips the bytes that are equal in
// all keys. Slices shorter than radixLeast are sorted by the standard library, by key and
// value. So the result is the same only if entries with equal keys are ordered by value in
// a, or if their order does not matter. Sort returns the scratch slice for the next call; nil is
// a valid scratch slice.
func Sort(a, scratch []uint64) []uint64 {
	if len(a) < radixLeast {
		slices.Sort(a)
		return scratch
	}
	or, and := uint64(0), ^uint64(0)
	for _, x := range a {
		or |= x
		and &= x
	}
	scratch = slices.Grow(scratch[:0], len(a))[:len(a)]
	from, to := a, scratch
	for shift := 32; shift < 64; shift += 8 {
		if (or^and)>>shift&255 == 0 {
			continue
		}
		var start [256]int
		for _, x := range from {
			start[x>>shift&255]++
		}
		sum := 0
		for i, n := range start {
			start[i] = sum
			sum += n
		}
		for _, x := range from {
			b := x >> shift & 255
			to[start[b]] = x
			start[b]++
		}
		from, to = to, from
	}
	if &from[0] != &a[0] {
		copy(a, from)
	}
	return scratch
}

// radixLeast is the length from which a radix sort of two rounds, the usual number, is
// faster than the standard library: at 100 entries it takes half the time, at 60 as much.
const radixLeast = 80
