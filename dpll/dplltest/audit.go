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

// Refutations are checked by all means there are. An engine under test tells
// its proof to an audit, which keeps the steps and passes them on to checkers
// that go along: the naive one, a [Recorder], for as long as that is not too
// slow, and [proof.Checker] if there are hints. When the engine says that there
// is no model, they are asked whether that is proven. Then the steps up to that
// point are written as a file, and [proof.Check] reads it, with the clauses
// that were given so far for the formula and the failed assumptions for its
// assumptions.
//
// All have to accept. If one does not, the error says what the others think,
// since then either the proof is wrong or one of them.

// ProofSupport says what the proofs of an engine are made of, and so what is asked
// of them.
type ProofSupport int

const (
	// FullProofs have hints when the receiver wants them, no RAT steps, and go
	// on over calls of Solve and Add.
	FullProofs ProofSupport = iota

	// PlainProofs are the same without hints.
	PlainProofs

	// RATProofs have hints when the receiver wants them, and may have RAT steps.
	// They are asked for where all clauses are there before the first call, which
	// assumes nothing.
	RATProofs

	// NoProofs: the engine is never given a receiver.
	NoProofs
)

// A ProofKind says whether an engine has to prove its answers, and how that is
// checked.
type ProofKind int

// Some of the kinds: no proof, and those without a file, told without hints and
// with them.
const (
	NoProof ProofKind = iota
	PlainProof
	HintedProof
)

// proofKinds has the kinds by their numbers. Names are what a trace says. Of
// the files, LRAT is told with hints.
var proofKinds = [...]struct {
	name   string
	hints  bool
	format proof.Format // of the file; unknown for none
	check  proof.Options
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

// parseProof returns the kind of a name.
func parseProof(name string) (ProofKind, error) {
	for k := range proofKinds {
		if proofKinds[k].name == name {
			return ProofKind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown kind of proof %q", name)
}

// drawProof draws one of the kinds that an engine can give.
func drawProof(r *rand.Rand, proves ProofSupport) ProofKind {
	for {
		k := ProofKind(r.IntN(len(proofKinds)))
		if k == NoProof || proves.allows(k) {
			return k
		}
	}
}

// allows reports whether such proofs can be checked in that way.
func (e ProofSupport) allows(k ProofKind) bool {
	switch e {
	case PlainProofs:
		return !proofKinds[k].hints
	case NoProofs:
		return false
	}
	return true
}

// naiveWork bounds the looks at clauses that the naive checker may take for
// one proof. It is worth some milliseconds.
const naiveWork = 100_000

// An audit is the proof of an engine under test.
type audit struct {
	kind   ProofKind
	rat    bool           // there may be RAT steps
	naive  *Recorder      // nil if it is too slow
	online *proof.Checker // nil without hints

	// The steps, and the literals and hints in them one after the other.
	steps []auditStep
	lits  []dimacs.Lit
	hints []int64
	last  int64 // id handed out

	given    [][]dimacs.Lit // clauses, in order
	compared int            // of these, with what was really given
	written  int            // steps when a file was accepted
	assumed  []dimacs.Lit   // and the assumptions that it was about
}

// An auditStep is a step: what it is and where its literals and hints end.
type auditStep struct {
	what        stepKind
	id          int64 // of the clause, given by the audit
	lits, hints int
}

type stepKind uint8

const (
	givenStep stepKind = iota
	learnedStep
	deletedStep
)

// newAudit returns an empty proof of a kind, which is not NoProof.
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
	a.given = append(a.given, slices.Clone(lits))
	if a.naive != nil {
		a.naive.Original(lits)
	}
	if a.online != nil {
		a.online.Original(lits)
	}
	a.last++
	a.keep(givenStep, a.last, lits, nil)
	return a.last
}

// Learn implements [dimacs.Proof].
func (a *audit) Learn(lits []dimacs.Lit, hints []int64) int64 {
	if a.naive != nil {
		a.naive.Learn(lits, hints)
		a.relieve()
	}
	if a.online != nil {
		a.online.Learn(lits, hints)
	}
	a.last++
	a.keep(learnedStep, a.last, lits, hints)
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
	a.keep(deletedStep, id, lits, nil)
}

// relieve does without the naive checker once it has had its time. What it has
// found out by then stays.
func (a *audit) relieve() {
	if a.naive.work > naiveWork && a.naive.Err() == nil {
		a.naive = nil
	}
}

func (a *audit) keep(what stepKind, id int64, lits []dimacs.Lit, hints []int64) {
	a.lits = append(a.lits, lits...)
	a.hints = append(a.hints, hints...)
	a.steps = append(a.steps, auditStep{what, id, len(a.lits), len(a.hints)})
}

// tell repeats the steps to another proof, which may number clauses in its own
// way.
func (a *audit) tell(p dimacs.Proof) {
	p.Hints()
	ids := make([]int64, 1, a.last+1)
	var hints []int64
	at := auditStep{}
	for _, s := range a.steps {
		lits := a.lits[at.lits:s.lits]
		hints = hints[:0]
		for _, h := range a.hints[at.hints:s.hints] {
			hints = append(hints, translated(ids, h))
		}
		switch s.what {
		case givenStep:
			ids = append(ids, p.Original(lits))
		case learnedStep:
			ids = append(ids, p.Learn(lits, hints))
		case deletedStep:
			p.Delete(translated(ids, s.id), lits)
		}
		at = s
	}
}

// translated returns what another proof calls a clause. What was never handed
// out stays wrong: it becomes an id that is too high.
func translated(ids []int64, id int64) int64 {
	switch {
	case id < 0 && -id < int64(len(ids)):
		return -ids[-id]
	case 0 < id && id < int64(len(ids)):
		return ids[id]
	}
	return 1 << 40
}

// agrees returns an error if clauses were logged as given that were not, or the
// other way round. Each clause is looked at once.
func (a *audit) agrees(f *dimacs.Formula) error {
	if len(a.given) != f.Len() {
		return fmt.Errorf("proof: %d clauses were logged as given, not %d", len(a.given), f.Len())
	}
	for ; a.compared < f.Len(); a.compared++ {
		if c := a.given[a.compared]; !slices.Equal(c, f.Clause(a.compared)) {
			return fmt.Errorf("proof: the clause (%s) was logged as given", literals(c))
		}
	}
	return nil
}

// A verdict is what a checker thinks.
type verdict struct {
	who string
	err error
}

// verify returns an error if the proof so far has a fault or does not bear out
// the answer to the clauses of f. Failed is nil unless it was Unsatisfiable.
func (a *audit) verify(status dimacs.Status, failed []dimacs.Lit, f *dimacs.Formula) error {
	if a == nil {
		return nil
	}
	if err := a.agrees(f); err != nil {
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

// file returns the format in which the proof is to be checked as a file. Where
// there is none, but the naive checker gave up and there are no hints, DRAT has
// to stand in.
func (a *audit) file() proof.Format {
	format := a.kind.Format()
	if format == proof.FormatUnknown && a.naive == nil && a.online == nil {
		format = proof.DRAT
	}
	return format
}

// disagreement returns the first error, with what the others think of it.
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
			others = append(others, v.who+" accepts")
		default:
			others = append(others, fmt.Sprintf("%s: %v", v.who, v.err))
		}
	}
	if others == nil {
		return fmt.Errorf("%s: %w", all[i].who, all[i].err)
	}
	return fmt.Errorf("%s: %w\n(%s)", all[i].who, all[i].err, strings.Join(others, "; "))
}

// checkFile writes the steps and checks them as a file. It need not do so again
// while nothing has changed.
func (a *audit) checkFile(format proof.Format, failed []dimacs.Lit, f *dimacs.Formula) error {
	if a.written == len(a.steps) && slices.Equal(a.assumed, failed) {
		return nil
	}
	var file bytes.Buffer
	w := proof.NewWriter(&file, format, len(a.given))
	a.tell(w)
	if err := w.Flush(); err != nil {
		return err
	}
	opts := proofKinds[a.kind].check
	opts.Assumptions = failed
	if format.Binary() {
		opts.Format = format // a short one may look like the other
	}
	result, err := proof.Check(context.Background(), f, &file, opts)
	if err == nil && result.RAT > 0 && !a.rat {
		err = fmt.Errorf("%d of %d lemmas need RAT", result.RAT, result.Checked)
	}
	if err == nil && opts.Trim {
		err = checkTrimmed(result, failed, f)
	}
	if err == nil {
		a.written, a.assumed = len(a.steps), slices.Clone(failed)
	}
	return err
}

// checkTrimmed checks that what a check says is needed of a proof is one, and
// that what it says is needed of the formula is enough.
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
	if opinion(core, failed) == dimacs.Satisfiable {
		return errors.New("the core has a model")
	}
	return nil
}
