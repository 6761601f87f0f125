package dimacs

// A Status is the answer of a solver. Its value is the exit code that the SAT
// competitions prescribe.
type Status int

// The answers. Unknown means that a limit ended the search.
const (
	Unknown       Status = 0
	Satisfiable   Status = 10
	Unsatisfiable Status = 20
)

// String returns the word of the "s" line: UNKNOWN, SATISFIABLE or
// UNSATISFIABLE.
func (s Status) String() string {
	switch s {
	case Satisfiable:
		return "SATISFIABLE"
	case Unsatisfiable:
		return "UNSATISFIABLE"
	}
	return "UNKNOWN"
}
