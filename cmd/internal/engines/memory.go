package engines

import (
	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// printedModel returns the bytes of the values of variables that only a header declares, in
// the model that the run prints. A JSON document also holds them as numbers and as text.
func printedModel(r *cli.Run, vars int) int64 {
	switch {
	case vars <= 0 || r.Flags.Bool("no-model"):
		return 0
	case r.JSON:
		return 24 * int64(vars)
	}
	return int64(vars)
}

// CheckMemory asks for the memory of a solver for the first vars variables of f, before
// its tables exist. If there is too little, it ends the run and returns the reason, a
// [cli.StoppedError]. The solver asks for the memory of the search itself.
func CheckMemory(r *cli.Run, vars int, f *dimacs.Formula, u Setup) error {
	if r.Memory.HasRoom(u.Footprint(vars, f.Len(), f.Size()) + printedModel(r, f.Vars()-vars)) {
		return nil
	}
	r.Progress.Doing("adding clauses")
	return r.Memory.Stop()
}
