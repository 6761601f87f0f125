package cdcl

import "slices"

// sortKeys sorts entries of a key, in the upper 32 bits, and what it stands for.
// It is a radix sort of one byte a round over the key, without the rounds in
// which all bytes are equal; slices below radixLeast are left to the standard
// library, which compares whole entries. So entries with equal keys must come in the
// order of what they stand for, or have no order. The scratch slice is returned
// for the next call.
func sortKeys(a, scratch []uint64) []uint64 {
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

// radixLeast is where a radix sort of two rounds, the usual number, begins to be
// the faster one: at 100 entries it takes half the time, at 60 as much.
const radixLeast = 80
