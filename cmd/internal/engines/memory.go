package engines

import (
	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// CheckMemory asks for the memory of a solver for the first vars variables of f, before
// its tables exist. If there is too little, it ends the run and returns the reason, a
// [cli.StoppedError]. The solver asks for the memory of the search itself.
func CheckMemory(r *cli.Run, vars int, f *dimacs.Formula, u Setup) error {
	if r.Memory.HasRoom(u.Footprint(vars, f.Len(), f.Size())) {
		return nil
	}
	r.Progress.Doing("adding clauses")
	return r.Memory.Stop()
}
