package proof

import (
	"context"
	"fmt"
	"io"

	"sator/dimacs"
)

// Options are the options of [Check]. The zero Options check a proof of any
// format against the formula alone, as the checkers of the SAT competitions do.
type Options struct {
	Name        string       // the name of the proof, for messages
	Format      Format       // the format of the proof; FormatUnknown means Sniff
	Assumptions []dimacs.Lit // the proof must refute the formula under these literals

	// Forward checks each lemma of a DRAT proof when it is read. By default the
	// whole proof is read first, and then only the needed lemmas are checked, from
	// the last to the first. LRAT proofs are always checked forward.
	Forward bool

	// StrictDeletions obeys all deletions of a DRAT proof. By default deletions of
	// unit clauses are ignored, since solvers delete such clauses but keep using
	// the unit.
	StrictDeletions bool

	// Trim stores the needed lemmas and their antecedents for [Result.Core] and
	// [Result.Replay].
	Trim bool

	// Memory, if not nil, is asked before the check extends its tables. If it refuses,
	// the error of the check is a [*dimacs.MemoryError].
	Memory dimacs.MemoryLimit

	Warn     func(msg string) // receives warnings about unusual but harmless steps; may be nil
	Progress func(Progress)   // called from time to time; may be nil
}

// Progress is the progress of a check.
type Progress struct {
	Phase string // "formula", "reading", "forward" or "backward"
	Done  int64  // the number of finished steps of the phase
	Total int64  // the number of steps of the phase; 0 if unknown
}

// A pace counts the steps of a phase of a check, reports progress, and checks
// whether the context is done.
type pace struct {
	ctx    context.Context
	report func(Progress) // may be nil
	done   int64          // the number of finished steps of the phase
}

// paceInterval is the number of steps between two checks of the context: well
// below a second, unless lemmas are very long.
const paceInterval = 1 << 8

// begin begins a phase.
func (p *pace) begin() { p.done = 0 }

// step counts a step of a phase. Every paceInterval steps it reports the
// progress, and returns an error if the context is done.
func (p *pace) step(phase string, total int64) error {
	p.done++
	if p.done%paceInterval != 1 {
		return nil
	}
	if p.report != nil {
		p.report(Progress{phase, p.done, total})
	}
	if dimacs.Canceled(p.ctx) {
		return context.Cause(p.ctx)
	}
	return nil
}

// A Result describes a correct proof.
type Result struct {
	Format  Format
	Lemmas  int // lemmas that were read
	Deleted int // clauses that were deleted
	Ignored int // deletions without effect: of unknown clauses, and of unit clauses in DRAT
	Checked int // lemmas that were checked
	RAT     int // lemmas that were checked and are RAT but not RUP

	trimmed refutation
}

// A CheckError is the error of [Check] for a proof that is well-formed but
// wrong.
type CheckError struct {
	Name   string       // the name of the proof
	Place  Place        // the first wrong step, or the last one if checked backward; zero if the whole proof is wrong
	Clause []dimacs.Lit // the clause of that step
	Msg    string
}

// Error returns "NAME:LINE: MSG" or "NAME: byte OFFSET: MSG" without the parts
// that are unknown.
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

// Check checks that the proof in src refutes f under the assumptions. The error
// is nil if it does, a [*CheckError] if it does not, a [*dimacs.SyntaxError] if
// the proof is malformed, the error of src, a [*dimacs.MemoryError], or the
// cause of ctx if that is done. The result is nil if there is an error.
func Check(ctx context.Context, f *dimacs.Formula, src io.Reader, opts Options) (result *Result, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *dimacs.MemoryError:
			result, err = nil, p
		default:
			panic(p)
		}
	}()
	if opts.Format == FormatUnknown {
		format, whole, err := Sniff(src)
		if err != nil {
			return nil, err
		}
		opts.Format, src = format, whole
	}
	r := NewReader(src, opts.Name, opts.Format)
	r.LimitMemory(opts.Memory)
	if contradictory(opts.Assumptions) {
		return trivial(f, &opts), nil
	}
	if opts.Format.Hints() {
		return checkLRAT(ctx, f, r, &opts)
	}
	return checkDRAT(ctx, f, r, &opts)
}

// readRest reads the steps after the refutation. It warns of lemmas after the empty clause, since they
// are not checked, and of a malformed rest.
func (o *Options) readRest(ctx context.Context, r *Reader) error {
	last := &r.step
	ended := last.Place.set() && !last.Delete && len(last.Lits) == 0 // by the empty clause
	for p := (pace{ctx: ctx}); ; {
		if err := p.step("", 0); err != nil {
			return err
		}
		switch step, err := r.Next(); {
		case err == io.EOF:
			return nil
		case err != nil:
			o.warn("%v; the refutation is complete before that", err)
			return nil
		case step.Delete:
		case ended:
			o.warn("%s: lemmas after the empty clause are not checked", step.Place)
			return nil
		default:
			ended = len(step.Lits) == 0
		}
	}
}

// contradictory reports whether the assumptions contain complementary literals.
func contradictory(assumptions []dimacs.Lit) bool {
	have := map[dimacs.Lit]bool{}
	for _, l := range assumptions {
		if have[l] = true; have[l.Not()] {
			return true
		}
	}
	return false
}

// trivial returns the result for contradictory assumptions. Any proof is correct
// for them: the clause of their complements is a tautology.
func trivial(f *dimacs.Formula, o *Options) *Result {
	r := &Result{Format: o.Format}
	if o.Trim {
		r.trimmed.formula = f
		r.trimmed.addHinted(complements(o.Assumptions), nil)
	}
	return r
}

// complements returns the complements of lits without duplicates.
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

// warn passes a warning to Warn.
func (o *Options) warn(format string, args ...any) {
	if o.Warn != nil {
		o.Warn(fmt.Sprintf(format, args...))
	}
}

// checkError returns the error for the step at a place.
func (o *Options) checkError(at Place, clause []dimacs.Lit, format string, args ...any) *CheckError {
	return &CheckError{o.Name, at, append([]dimacs.Lit(nil), clause...), fmt.Sprintf(format, args...)}
}
