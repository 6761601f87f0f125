package engines

import (
	"fmt"

	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// A Go program that asks for more memory than there is gets no error: the
// runtime ends it with a dump of its stacks, or the system kills it. Hence the
// size of the solver's tables is worked out before they are made. What search
// takes beyond that is not known before.

// CheckMemory compares the memory that the solver needs at least, for a formula of which
// so many variables occur, with what it may have. It returns the reason of an
// unknown answer if that is more than the limit, which is none if it is 0, and an error if the
// system cannot give it.
func CheckMemory(e *cli.Env, vars int, f *dimacs.Formula, u Setup, limit int64) (reason string, err error) {
	need := u.Footprint(vars, f.Len(), f.Size())
	if limit > 0 && need > limit-cli.Memory() {
		return cli.MemoryReason(limit), nil
	}
	if free, known := e.Spare(); known && need > free {
		return "", fmt.Errorf("the formula needs about %d MB of memory, %d MB are free", need>>20, free>>20)
	}
	return "", nil
}
