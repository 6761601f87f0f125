package dplltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// Every refutation is checked by all proof checkers. An engine under test logs its
// proof to an audit, which stores the steps and passes them on to checkers that check
// each step at once: to the naive checker, a [Recorder], as long as that is fast
// enough, and to [proof.Checker] if there are hints. When the engine answers
// Unsatisfiable, the audit collects the results of these checkers, writes the steps so
// far as a file, and calls [proof.Check] with the clauses so far as the formula and the
// failed assumptions as its assumptions.
//
// All checkers must accept. If one does not, the error contains the results of all:
// either the proof is wrong or one of the checkers is.

// ProofSupport describes the proofs of an engine, and thereby how they are checked.
type ProofSupport int

const (
	// FullProofs have hints if Hints of the [dimacs.Proof] returns true, have no RAT
	// steps, and continue over calls of Solve and Add.
	FullProofs ProofSupport = iota

	// PlainProofs have no hints and no RAT steps, and continue over calls of Solve
	// and Add.
	PlainProofs

	// RATProofs have hints if Hints of the [dimacs.Proof] returns true, and may have
	// RAT steps. They are checked if all clauses are added before the first call, and
	// that call has no assumptions.
	RATProofs

	// NoProofs means that Setup.Proof is always nil.
	NoProofs
)

// A ProofKind is a form of proof and the way in which it is checked.
type ProofKind int

// Kinds of proofs without a file. The others have numbers only.
const (
	NoProof     ProofKind = iota // no proof
	PlainProof                   // without hints
	HintedProof                  // with hints
)

// proofKinds lists the kinds by number.
var proofKinds = [...]struct {
	name   string // the name in traces
	hints  bool
	format proof.Format  // of the file; FormatUnknown without a file
	check  proof.Options // for the check of the file
}{
	NoProof:     {name: "none"},
	PlainProof:  {name: "plain"},
	HintedProof: {name: "hints", hints: true},

	3:  {"drat", false, proof.DRAT, proof.Options{}},
	4:  {"drat-trim", false, proof.DRAT, proof.Options{Trim: true}},
	5:  {"drat-strict", false, proof.DRAT, proof.Options{StrictDeletions: true}},
	6:  {"drat-forward", false, proof.DRAT, proof.Options{Forward: true}},
	7:  {"drat-forward-strict", false, proof.DRAT, proof.Options{Forward: true, StrictDeletions: true}},
	8:  {"binary-drat", false, proof.BinaryDRAT, proof.Options{}},
	9:  {"binary-drat-forward", false, proof.BinaryDRAT, proof.Options{Forward: true, Trim: true}},
	10: {"lrat", true, proof.LRAT, proof.Options{}},
	11: {"lrat-trim", true, proof.LRAT, proof.Options{Trim: true}},
	12: {"binary-lrat", true, proof.BinaryLRAT, proof.Options{}},
}

// String returns the name of the kind in traces.
func (k ProofKind) String() string { return proofKinds[k].name }

// Format returns the format of the file, or FormatUnknown if there is none.
func (k ProofKind) Format() proof.Format { return proofKinds[k].format }

// parseProof returns the kind with that name.
func parseProof(name string) (ProofKind, error) {
	for k := range proofKinds {
		if proofKinds[k].name == name {
			return ProofKind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown kind of proof %q", name)
}

// randomProof draws a kind that proves allows, or NoProof.
func randomProof(r *rand.Rand, proves ProofSupport) ProofKind {
	for {
		k := ProofKind(r.IntN(len(proofKinds)))
		if k == NoProof || proves.allows(k) {
			return k
		}
	}
}

// allows reports whether the engine can log proofs of that kind.
func (e ProofSupport) allows(k ProofKind) bool {
	switch e {
	case PlainProofs:
		return !proofKinds[k].hints
	case NoProofs:
		return false
	}
	return true
}

// naiveWork is the limit of clause visits of the naive checker per proof. It takes some
// milliseconds.
const naiveWork = 100_000

// An audit is a [dimacs.Proof] that checks the proof of an engine under test.
type audit struct {
	kind   ProofKind
	rat    bool           // RAT steps are accepted
	naive  *Recorder      // nil if it was too slow
	online *proof.Checker // nil without hints

	// The steps, with their literals and hints one after the other.
	steps []auditStep
	lits  []dimacs.Lit
	hints []int64
	last  int64 // the last id

	originals     [][]dimacs.Lit // the original clauses, in order
	compared      int            // number of original clauses that were compared with the formula
	checkedSteps  int            // number of steps of the file that was accepted last
	checkedFailed []dimacs.Lit   // failed assumptions of that check
}

// An auditStep is a step of a proof.
type auditStep struct {
	kind        stepKind
	id          int64 // id of the clause in the audit
	lits, hints int   // ends of its literals and hints in the lists of the audit
}

type stepKind uint8

const (
	originalStep stepKind = iota
	learnedStep
	deletedStep
)

// newAudit returns an empty proof of kind k, which is not NoProof.
func newAudit(k ProofKind, proves ProofSupport) *audit {
	a := &audit{kind: k, rat: proves == RATProofs}
	a.naive = &Recorder{hints: proofKinds[k].hints, rat: a.rat}
	if proofKinds[k].hints {
		a.online = proof.NewChecker()
	}
	return a
}

// Hints implements [dimacs.Proof].
func (a *audit) Hints() bool {
	if a.naive != nil {
		a.naive.Hints()
	}
	if a.online != nil {
		a.online.Hints()
	}
	return proofKinds[a.kind].hints
}

// Original implements [dimacs.Proof].
func (a *audit) Original(lits []dimacs.Lit) int64 {
	a.originals = append(a.originals, slices.Clone(lits))
	if a.naive != nil {
		a.naive.Original(lits)
	}
	if a.online != nil {
		a.online.Original(lits)
	}
	a.last++
	a.record(originalStep, a.last, lits, nil)
	return a.last
}

// Learn implements [dimacs.Proof].
func (a *audit) Learn(lits []dimacs.Lit, hints []int64) int64 {
	if a.naive != nil {
		a.naive.Learn(lits, hints)
		a.dropSlowNaive()
	}
	if a.online != nil {
		a.online.Learn(lits, hints)
	}
	a.last++
	a.record(learnedStep, a.last, lits, hints)
	return a.last
}

// Delete implements [dimacs.Proof].
func (a *audit) Delete(id int64, lits []dimacs.Lit) {
	if a.naive != nil {
		a.naive.Delete(id, lits)
	}
	if a.online != nil {
		a.online.Delete(id, lits)
	}
	a.record(deletedStep, id, lits, nil)
}

// dropSlowNaive drops the naive checker once it has exceeded naiveWork. A naive checker
// that has found an error stays.
func (a *audit) dropSlowNaive() {
	if a.naive.work > naiveWork && a.naive.Err() == nil {
		a.naive = nil
	}
}

// record stores a step.
func (a *audit) record(kind stepKind, id int64, lits []dimacs.Lit, hints []int64) {
	a.lits = append(a.lits, lits...)
	a.hints = append(a.hints, hints...)
	a.steps = append(a.steps, auditStep{kind, id, len(a.lits), len(a.hints)})
}

// replay logs the steps to another proof, which may have other ids.
func (a *audit) replay(p dimacs.Proof) {
	p.Hints()
	ids := make([]int64, 1, a.last+1)
	var hints []int64
	at := auditStep{}
	for _, s := range a.steps {
		lits := a.lits[at.lits:s.lits]
		hints = hints[:0]
		for _, h := range a.hints[at.hints:s.hints] {
			hints = append(hints, translateID(ids, h))
		}
		switch s.kind {
		case originalStep:
			ids = append(ids, p.Original(lits))
		case learnedStep:
			ids = append(ids, p.Learn(lits, hints))
		case deletedStep:
			p.Delete(translateID(ids, s.id), lits)
		}
		at = s
	}
}

// translateID returns the id of a clause in another proof. An id that the audit has not
// returned becomes an id that is too high.
func translateID(ids []int64, id int64) int64 {
	switch {
	case id < 0 && -id < int64(len(ids)):
		return -ids[-id]
	case 0 < id && id < int64(len(ids)):
		return ids[id]
	}
	return 1 << 40
}

// checkOriginals returns an error if the original clauses of the proof are not the
// clauses of f. It compares each clause once.
func (a *audit) checkOriginals(f *dimacs.Formula) error {
	if len(a.originals) != f.Len() {
		return fmt.Errorf("proof: %d clauses were logged as given, not %d", len(a.originals), f.Len())
	}
	for ; a.compared < f.Len(); a.compared++ {
		if c := a.originals[a.compared]; !slices.Equal(c, f.Clause(a.compared)) {
			return fmt.Errorf("proof: the clause (%s) was logged as given", literals(c))
		}
	}
	return nil
}

// A verdict is the result of a checker.
type verdict struct {
	checker string
	err     error
}

// verify returns an error if a step of the proof is wrong, or if the proof does not
// prove the answer for the clauses of f. Failed is nil unless the answer was
// Unsatisfiable. Without an audit there is no error.
func (a *audit) verify(status dimacs.Status, failed []dimacs.Lit, f *dimacs.Formula) error {
	if a == nil {
		return nil
	}
	if err := a.checkOriginals(f); err != nil {
		return err
	}
	var all []verdict
	if a.naive != nil {
		all = append(all, verdict{"the naive checker", a.naive.Verify(status, failed)})
	}
	if a.online != nil {
		err := a.online.Err()
		if err == nil && status == dimacs.Unsatisfiable {
			err = a.online.Refutes(failed)
		}
		all = append(all, verdict{"proof.Checker", err})
	}
	if format := a.file(); status == dimacs.Unsatisfiable && format != proof.FormatUnknown {
		all = append(all, verdict{fmt.Sprintf("proof.Check (%v)", a.kind), a.checkFile(format, failed, f)})
	}
	return disagreement(all)
}

// file returns the format in which the proof is checked as a file, or FormatUnknown. If
// no other checker is left, the format is DRAT.
func (a *audit) file() proof.Format {
	format := a.kind.Format()
	if format == proof.FormatUnknown && a.naive == nil && a.online == nil {
		format = proof.DRAT
	}
	return format
}

// disagreement returns the first error, with the results of the other checkers.
func disagreement(all []verdict) error {
	i := slices.IndexFunc(all, func(v verdict) bool { return v.err != nil })
	if i < 0 {
		return nil
	}
	var others []string
	for j, v := range all {
		switch {
		case j == i:
		case v.err == nil:
			others = append(others, v.checker+" accepts")
		default:
			others = append(others, fmt.Sprintf("%s: %v", v.checker, v.err))
		}
	}
	if others == nil {
		return fmt.Errorf("%s: %w", all[i].checker, all[i].err)
	}
	return fmt.Errorf("%s: %w\n(%s)", all[i].checker, all[i].err, strings.Join(others, "; "))
}

// checkFile writes the steps as a file and checks it, unless the same steps and failed
// assumptions were accepted before.
func (a *audit) checkFile(format proof.Format, failed []dimacs.Lit, f *dimacs.Formula) error {
	if a.checkedSteps == len(a.steps) && slices.Equal(a.checkedFailed, failed) {
		return nil
	}
	var file bytes.Buffer
	w := proof.NewWriter(&file, format, len(a.originals))
	a.replay(w)
	if err := w.Flush(); err != nil {
		return err
	}
	opts := proofKinds[a.kind].check
	opts.Assumptions = failed
	if format.Binary() {
		opts.Format = format // Check may not recognize the format of a short file
	}
	result, err := proof.Check(context.Background(), f, &file, opts)
	if err == nil && result.RAT > 0 && !a.rat {
		err = fmt.Errorf("%d of %d lemmas need RAT", result.RAT, result.Checked)
	}
	if err == nil && opts.Trim {
		err = checkTrimmed(result, failed, f)
	}
	if err == nil {
		a.checkedSteps, a.checkedFailed = len(a.steps), slices.Clone(failed)
	}
	return err
}

// checkTrimmed checks that the trimmed proof is a proof and that the core, the clauses
// that it uses, is unsatisfiable.
func checkTrimmed(result *proof.Result, failed []dimacs.Lit, f *dimacs.Formula) error {
	online := proof.NewChecker()
	result.Replay(online)
	if err := online.Refutes(failed); err != nil {
		return fmt.Errorf("the trimmed proof: %w", err)
	}
	core := dimacs.NewFormula(f.Vars())
	for _, i := range result.Core() {
		core.Add(f.Clause(i)...)
	}
	if oracleStatus(core, failed) == dimacs.Satisfiable {
		return errors.New("the core has a model")
	}
	return nil
}
