package proof

import (
	"context"
	"fmt"
	"io"

	"sator/dimacs"
)

// Options say how [Check] works. The zero Options check a proof of any format
// against the formula alone, as the checkers of the SAT competitions do.
type Options struct {
	Name        string       // of the proof, for messages
	Format      Format       // of the proof; FormatUnknown: as its content tells
	Assumptions []dimacs.Lit // what is refuted is the formula with these literals

	// Forward checks each lemma of a DRAT proof as it comes. By default the
	// proof is first read to its end, and then only those lemmas are checked,
	// from the last to the first, that turn out to be needed. LRAT proofs are
	// always checked forward.
	Forward bool

	// StrictDeletions obeys all deletions of a DRAT proof. By default those of
	// clauses that are unit are ignored, since solvers delete such clauses but
	// go on using the unit.
	StrictDeletions bool

	// Trim keeps the lemmas that are needed, with their antecedents, for
	// [Result.Core] and [Result.Replay].
	Trim bool

	Warn     func(msg string) // called for what is odd but harmless; may be nil
	Progress func(Progress)   // called now and then; may be nil
}

// Progress says how far a check has come.
type Progress struct {
	Phase string // "formula", "reading", "forward" or "backward"
	Done  int64  // steps of this phase
	Total int64  // of them; 0 if not known
}

// A pace counts the steps of a check, in phases.
type pace struct {
	ctx  context.Context
	tell func(Progress) // may be nil
	done int64          // steps of this phase
}

// paceInterval is the number of steps after which the context is looked at:
// well below a second of them, unless lemmas are very long.
const paceInterval = 1 << 8

// begin begins a phase.
func (p *pace) begin() { p.done = 0 }

// step counts a step of a phase. Now and then it tells the progress, and returns
// an error if the context is done.
func (p *pace) step(phase string, total int64) error {
	p.done++
	if p.done%paceInterval != 1 {
		return nil
	}
	if p.tell != nil {
		p.tell(Progress{phase, p.done, total})
	}
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	return nil
}

// A Result is what is known of a proof that was found right.
type Result struct {
	Format  Format
	Lemmas  int // clauses that the proof adds, as far as it was read
	Deleted int // clauses that it deletes
	Ignored int // deletions that did nothing: of clauses that are not there, and of unit ones in DRAT
	Checked int // lemmas that were checked
	RAT     int // of these, such that do not follow by unit propagation alone

	trimmed refutation
}

// A CheckError is the error of [Check] for a proof that can be read but is wrong.
type CheckError struct {
	Name   string       // of the proof
	Place  Place        // of the first step that is wrong, or backward of the last; unset if it is the proof as a whole
	Clause []dimacs.Lit // of that step
	Msg    string
}

// Error returns "NAME:LINE: WHY" or "NAME: byte OFFSET: WHY", without what is not
// known.
func (r *CheckError) Error() string {
	switch {
	case r.Place.Line > 0 && r.Name != "":
		return fmt.Sprintf("%s:%v: %s", r.Name, r.Place, r.Msg)
	case r.Place.set() && r.Name != "":
		return fmt.Sprintf("%s: %v: %s", r.Name, r.Place, r.Msg)
	case r.Place.set():
		return fmt.Sprintf("%v: %s", r.Place, r.Msg)
	case r.Name != "":
		return r.Name + ": " + r.Msg
	}
	return r.Msg
}

// Check checks that a proof, read from src, refutes a formula. The error is
// nil if it does; a [*CheckError] if it does not; a [*dimacs.SyntaxError] if it
// cannot be read; the error of src; or the cause of ctx, which is looked at now
// and then. A result comes with a nil error alone.
func Check(ctx context.Context, f *dimacs.Formula, src io.Reader, opts Options) (*Result, error) {
	if opts.Format == FormatUnknown {
		format, whole, err := Sniff(src)
		if err != nil {
			return nil, err
		}
		opts.Format, src = format, whole
	}
	r := NewReader(src, opts.Name, opts.Format)
	if contradictory(opts.Assumptions) {
		return trivial(f, &opts), nil
	}
	if opts.Format.Hints() {
		return checkLRAT(ctx, f, r, &opts)
	}
	return checkDRAT(ctx, f, r, &opts)
}

// contradictory reports whether two of the assumptions exclude each other.
func contradictory(assumptions []dimacs.Lit) bool {
	have := map[dimacs.Lit]bool{}
	for _, l := range assumptions {
		if have[l] = true; have[l.Not()] {
			return true
		}
	}
	return false
}

// trivial is the result for such assumptions, whatever the proof: the clause of
// their complements is a tautology.
func trivial(f *dimacs.Formula, o *Options) *Result {
	r := &Result{Format: o.Format}
	if o.Trim {
		r.trimmed.formula = f
		r.trimmed.addHinted(complements(o.Assumptions), nil)
	}
	return r
}

// complements returns the complements of literals, each once.
func complements(lits []dimacs.Lit) []dimacs.Lit {
	var c []dimacs.Lit
	have := map[dimacs.Lit]bool{}
	for _, l := range lits {
		if !have[l] {
			have[l] = true
			c = append(c, l.Not())
		}
	}
	return c
}

// warn passes on a warning.
func (o *Options) warn(format string, args ...any) {
	if o.Warn != nil {
		o.Warn(fmt.Sprintf(format, args...))
	}
}

// checkError returns the error of a step that is wrong.
func (o *Options) checkError(at Place, clause []dimacs.Lit, format string, args ...any) *CheckError {
	return &CheckError{o.Name, at, append([]dimacs.Lit(nil), clause...), fmt.Sprintf(format, args...)}
}
