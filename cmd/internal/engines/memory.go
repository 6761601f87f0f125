package engines

import (
	"fmt"

	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// A Go program cannot handle a failed allocation: the runtime ends the program
// with a stack trace, or the system kills it. Therefore commands estimate the
// size of the tables of a solver before they create it. The memory of the
// search itself is not known in advance.

// CheckMemory compares the estimated memory of a solver for the first vars
// variables of f with the limit and with the free memory. If the limit is too low
// it returns the reason for an unknown answer; a limit of 0 is no limit. If there
// is too little free memory it returns an error.
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
