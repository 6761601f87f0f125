package main

import (
	"fmt"
	"strconv"

	"sator/dimacs"
)

// A Go program that asks for more memory than there is gets no error: the
// runtime ends it with a dump of its stacks, or the system kills it. Hence the
// size of the solver's tables is worked out before they are made. What search
// takes beyond that is not known before.

// room compares the memory that the solver needs at least, for a formula of which
// so many variables occur, with what it may have. It returns the reason of an
// unknown answer if that is more than the limit, which is none if it is 0, and an error if the
// system cannot give it.
func (e *env) room(vars int, f *dimacs.Formula, u setup, limit int64) (reason string, err error) {
	need := u.footprint(vars, f.Len(), f.Size())
	if limit > 0 && need > limit-memory() {
		return memoryReason(limit), nil
	}
	if free, known := e.spare(); known && need > free {
		return "", fmt.Errorf("the formula needs about %d MB of memory, %d MB are free", need>>20, free>>20)
	}
	return "", nil
}

// On 32-bit systems a process has at most so many bytes of addresses.
const addresses32 = 3 << 30

// spare returns how many bytes the process can still get, if that is known.
func (e *env) spare() (bytes int64, known bool) {
	if e.free != nil {
		bytes, known = e.free()
	}
	if strconv.IntSize == 32 {
		left := max(0, addresses32-memory())
		if !known || left < bytes {
			bytes, known = left, true
		}
	}
	return bytes, known
}
