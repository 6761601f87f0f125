package trace

import (
	"encoding/json"
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A Kind is a kind of step.
type Kind uint8

// The kinds. Those of the search have the order of the kinds of package cdcl.
const (
	Assume    = Kind(cdcl.StepAssume)    // the assumption Lit is decided, at a new Level
	Decide    = Kind(cdcl.StepDecide)    // Lit is decided, at a new Level
	Imply     = Kind(cdcl.StepImply)     // Clause implies Lit at Level
	Visit     = Kind(cdcl.StepVisit)     // the clauses watched by the complement of Lit are visited
	Watch     = Kind(cdcl.StepWatch)     // Clause is watched by the two literals Lits
	Conflict  = Kind(cdcl.StepConflict)  // Clause is falsified
	Backtrack = Kind(cdcl.StepBacktrack) // the literals above Level are unassigned
	Restart   = Kind(cdcl.StepRestart)   // a restart follows

	Add    = Restart + 1 // Clause has the literals Lits of the formula
	Learn  = Restart + 2 // Clause, with the literals Lits, is derived from the clauses Hints
	Delete = Restart + 3 // Clause is deleted
)

// kindNames lists the names of the kinds in the order of the constants.
var kindNames = [...]string{"assume", "decide", "imply", "visit", "watch", "conflict", "backtrack", "restart", "add", "learn", "delete"}

// String returns the name of the kind, as in the JSON form.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", k)
	}
	return kindNames[k]
}

// hasLit reports whether steps of the kind have a literal.
func (k Kind) hasLit() bool { return k <= Visit }

// A Step is a step of a search.
type Step struct {
	Kind   Kind
	Lit    dimacs.Lit   // of Assume, Decide, Imply and Visit
	Level  int          // of Assume, Decide, Imply and Backtrack
	Clause int          // number of a clause, from 1, in the order of Add and Learn
	Lits   []dimacs.Lit // of Add and Learn, and the watched ones of Watch
	Hints  []int        // of Learn: clauses in the order in which they become unit, as in LRAT
}

// jsonStep is the JSON form of a step, with literals as in DIMACS.
type jsonStep struct {
	Event  string `json:"event"`
	Lit    int    `json:"lit,omitempty"`
	Level  *int   `json:"level,omitempty"`
	Clause int    `json:"clause,omitempty"`
	Lits   []int  `json:"lits,omitempty"`
	Hints  []int  `json:"hints,omitempty"`
}

// MarshalJSON implements [json.Marshaler], as in
//
//	{"event":"imply","lit":-4,"level":2,"clause":7}
//
// Members without a value are left out, and so is the member lits of an empty clause.
func (s Step) MarshalJSON() ([]byte, error) {
	j := jsonStep{Event: s.Kind.String(), Clause: s.Clause, Lits: dimacs.Ints(s.Lits), Hints: s.Hints}
	if s.Kind.hasLit() {
		j.Lit = s.Lit.Int()
	}
	if s.Kind <= Imply || s.Kind == Backtrack {
		j.Level = &s.Level
	}
	return json.Marshal(j)
}
