package trace

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
)

// String returns the step as one line, as in "imply -4 by clause 7 at level 2".
func (s Step) String() string {
	switch s.Kind {
	case Assume, Decide:
		return fmt.Sprintf("%v %v at level %d", s.Kind, s.Lit, s.Level)
	case Imply:
		return fmt.Sprintf("imply %v by clause %d at level %d", s.Lit, s.Clause, s.Level)
	case Visit:
		return fmt.Sprintf("visit the watches of %v", s.Lit.Not())
	case Watch:
		return fmt.Sprintf("watch %s in clause %d", spaced(s.Lits), s.Clause)
	case Backtrack:
		return fmt.Sprintf("backtrack to level %d", s.Level)
	case Restart:
		return "restart"
	case Add, Learn:
		return fmt.Sprintf("%v clause %d: %s", s.Kind, s.Clause, spaced(s.Lits))
	}
	return fmt.Sprintf("%v clause %d", s.Kind, s.Clause)
}

// Text writes the trace as text, without the clauses of the formula, visits and watches:
//
//	decide 1 at level 1
//	  imply -2 by clause 3 (-1 -2)
//	conflict 1 in clause 4 (-1 2)
//	  resolve on 2 with clause 3 (-1 -2): -1, first UIP
//	  learn clause 5: -1
//	backtrack to level 0
//
// Caption is the last line.
func (t *Trace) Text(w io.Writer, caption string) error {
	b := bufio.NewWriter(w)
	var state State
	for _, step := range t.Steps {
		t.writeStep(b, &state, step)
		if err := state.Apply(step); err != nil {
			return err
		}
	}
	fmt.Fprintln(b, caption)
	return b.Flush()
}

// writeStep writes the lines of a step. The state is that before it.
func (t *Trace) writeStep(w io.Writer, s *State, step Step) {
	switch step.Kind {
	case Add, Visit, Watch:
	case Imply:
		fmt.Fprintf(w, "  imply %v by %s\n", step.Lit, s.cite(step.Clause))
	case Conflict:
		fmt.Fprintf(w, "conflict %d in %s\n", s.Conflicts+1, s.cite(step.Clause))
	case Learn:
		if s.Conflict != 0 {
			s.writeDerivation(w, step)
			fmt.Fprintf(w, "  %v\n", step)
			return
		}
		fmt.Fprintf(w, "%v, from %s\n", step, numbers("clause", step.Hints))
	default:
		fmt.Fprintln(w, step)
	}
}

// writeDerivation writes the derivation of a learned clause after a conflict.
func (s *State) writeDerivation(w io.Writer, learn Step) {
	resolutions, _ := s.Derive(learn) // Apply has the error
	for _, r := range resolutions[min(1, len(resolutions)):] {
		fmt.Fprintf(w, "  resolve on %v with %s: %s", r.Pivot, s.cite(r.Clause), spaced(r.Resolvent))
		if r.UIP {
			fmt.Fprint(w, ", first UIP")
		}
		fmt.Fprintln(w)
	}
}

// cite returns a clause by its number and its literals, as in "clause 3 (-1 -2)".
func (s *State) cite(n int) string {
	return fmt.Sprintf("clause %d (%s)", n, spaced(s.Clauses[n-1].Lits))
}

// numbers returns numbers behind a noun, as in "clauses 3 7".
func numbers(noun string, ns []int) string {
	if len(ns) != 1 {
		noun += "s"
	}
	return noun + " " + strings.Trim(fmt.Sprint(ns), "[]")
}

// spaced returns literals in DIMACS notation.
func spaced(lits []dimacs.Lit) string {
	if len(lits) == 0 {
		return "empty"
	}
	return strings.Trim(fmt.Sprint(lits), "[]")
}
