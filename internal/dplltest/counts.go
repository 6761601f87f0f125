package dplltest

import "sator/dimacs"

// Counts are statistics of rounds.
type Counts struct {
	Formulas      int64                  // formulas drawn, without those of traces
	Satisfiable   int64                  // satisfiable formulas
	Unsatisfiable int64                  // unsatisfiable formulas
	Slow          int64                  // large formulas given up because an engine was too slow
	Traces        int64                  // traces replayed
	Calls         int64                  // calls of Solve
	Answers       int64                  // checked answers of all calls of Solve
	Models        int64                  // answers Satisfiable
	Refutations   int64                  // answers Unsatisfiable, with or without assumptions
	Unknowns      int64                  // answers Unknown, of canceled and limited calls
	Proofs        [len(proofKinds)]int64 // refutations with a checked proof, by [ProofKind]

	// Succeeded are the techniques that found something in a call, as bits that the
	// engine chooses; see [Reporter].
	Succeeded uint64
}

// A Reporter is an engine that reports its techniques. Rounds count those that found
// something, so that a technique that is never tested is noticed.
type Reporter interface {
	Succeeded() uint64 // the techniques that found something since the engine was made, as bits
}

// call counts a call of Solve.
func (c *Counts) call(e Engine) {
	c.Calls++
	if r, ok := e.(Reporter); ok {
		c.Succeeded |= r.Succeeded()
	}
}

// A CountRow is a count with its name.
type CountRow struct {
	Name string
	Part bool // the count is a part of the last one that is not
	N    *int64
}

// Label returns the name, indented for a part.
func (r CountRow) Label() string {
	if r.Part {
		return "  " + r.Name
	}
	return r.Name
}

// Rows returns all counts in the order in which they are printed.
func (c *Counts) Rows() []CountRow {
	rows := []CountRow{
		{"formulas", false, &c.Formulas},
		{"satisfiable", true, &c.Satisfiable},
		{"unsatisfiable", true, &c.Unsatisfiable},
		{"given up as too slow", true, &c.Slow},
		{"traces", false, &c.Traces},
		{"calls", false, &c.Calls},
		{"answers", false, &c.Answers},
		{"models", true, &c.Models},
		{"unknown", true, &c.Unknowns},
		{"refutations", true, &c.Refutations},
	}
	for k := PlainProof; int(k) < len(c.Proofs); k++ {
		rows = append(rows, CountRow{"proof " + k.String(), true, &c.Proofs[k]})
	}
	return rows
}

// Add adds the counts u, and the bits of Succeeded.
func (c *Counts) Add(u *Counts) {
	c.Succeeded |= u.Succeeded
	more := u.Rows()
	for i, row := range c.Rows() {
		*row.N += *more[i].N
	}
}

// formula counts a formula by its answer.
func (c *Counts) formula(s dimacs.Status) {
	c.Formulas++
	switch s {
	case dimacs.Satisfiable:
		c.Satisfiable++
	case dimacs.Unsatisfiable:
		c.Unsatisfiable++
	}
}

// answer counts a correct answer and its proof.
func (c *Counts) answer(s dimacs.Status, a *audit) {
	c.Answers++
	switch s {
	case dimacs.Unknown:
		c.Unknowns++
	case dimacs.Satisfiable:
		c.Models++
	case dimacs.Unsatisfiable:
		c.Refutations++
		if a != nil {
			c.Proofs[a.kind]++
		}
	}
}
