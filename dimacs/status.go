package dimacs

// A Status is a solver's answer. Its value is the exit code that the SAT
// competitions ask for.
type Status int

// The answers: none was found within the limits, there is a model, there is
// none.
const (
	Unknown       Status = 0
	Satisfiable   Status = 10
	Unsatisfiable Status = 20
)

// String returns the word of the solution line: UNKNOWN, SATISFIABLE or
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
