package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/internal/dplltest"
)

// An exam runs all checkers on one proof.
type exam struct {
	script
	status dimacs.Status // of the formula under the assumptions, if known
	tally  *tally
}

// choices are the random choices of an exam.
type choices struct {
	binary   proof.Format // 1 for binary formats, otherwise 0
	strict   bool
	trim     bool
	replayed proof.Format // the format of the trimmed proof
}

func choose(r *rand.Rand) choices {
	formats := []proof.Format{proof.DRAT, proof.BinaryDRAT, proof.LRAT, proof.BinaryLRAT}
	return choices{proof.Format(r.IntN(2)), r.IntN(2) == 0, r.IntN(2) == 0, formats[r.IntN(4)]}
}

// A tally counts exams and their results.
type tally struct {
	mutants  int
	verdicts map[string]int
}

func (t *tally) count(what string) { t.verdicts[what]++ }

func newExam(s script, t *tally) *exam {
	x := &exam{script: s, tally: t}
	x.status, _ = dplltest.Oracle(s.formula, s.assumptions...)
	return x
}

// check runs Check.
func (x *exam) check(file []byte, opts proof.Options) (verdict, *proof.Result, error) {
	opts.Assumptions = x.assumptions
	res, err := proof.Check(context.Background(), x.formula, bytes.NewReader(file), opts)
	var syntax *dimacs.SyntaxError
	var wrong *proof.CheckError
	switch {
	case err == nil:
		return accepted, res, nil
	case errors.As(err, &wrong):
		return rejected, nil, err
	case errors.As(err, &syntax):
		return malformed, nil, err
	}
	panic(err)
}

// A tape is a proof in memory that can be read several times.
type tape struct {
	steps []proof.Step
	err   error // the error after the steps
	next  int
}

func newTape(file []byte, format proof.Format) *tape {
	t := new(tape)
	r := proof.NewReader(bytes.NewReader(file), "", format)
	for {
		s, err := r.Next()
		if err != nil {
			t.err = err
			return t
		}
		c := *s
		c.Lits, c.Hints = slices.Clone(s.Lits), slices.Clone(s.Hints)
		t.steps = append(t.steps, c)
	}
}

// Next returns the next step as a Reader does.
func (t *tape) Next() (*proof.Step, error) {
	if t.next == len(t.steps) {
		return nil, t.err
	}
	t.next++
	return &t.steps[t.next-1], nil
}

// checkLRAT compares Check with the naive checker on an LRAT file.
func (x *exam) checkLRAT(file []byte, format proof.Format, o choices) error {
	want, reason := checkHintsNaively(x.formula, x.assumptions, newTape(file, format))
	got, res, err := x.check(file, proof.Options{Format: format, Trim: o.trim})
	x.tally.count(fmt.Sprintf("%v: %v", format, got))
	if got != want {
		return fmt.Errorf("%v: %v (%v), naively %v (%v)", format, got, err, want, reason)
	}
	return x.confirm(got, res, o)
}

// checkDRAT compares Check with the naive checker on a DRAT file.
func (x *exam) checkDRAT(file []byte, format proof.Format, o choices) error {
	want, reason := checkNaively(x.formula, x.assumptions, o.strict, newTape(file, format))
	for _, forward := range []bool{true, false} {
		got, res, err := x.check(file, proof.Options{Format: format, Forward: forward, StrictDeletions: o.strict, Trim: o.trim})
		what := fmt.Sprintf("%v, forward %v, strict %v: %v", format, forward, o.strict, got)
		x.tally.count(what)
		// A backward check does not see wrong lemmas that are not needed.
		if got != want && (forward || want != rejected) {
			return fmt.Errorf("%s (%v), naively %v (%v)", what, err, want, reason)
		}
		if err := x.confirm(got, res, o); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

// confirm checks that the formula of an accepted proof is unsatisfiable, and
// that the trimmed proof is correct.
func (x *exam) confirm(got verdict, res *proof.Result, o choices) error {
	if got != accepted {
		return nil
	}
	if res.RAT > 0 {
		x.tally.count("accepted with RAT steps")
	}
	if x.status == dimacs.Satisfiable {
		return errors.New("accepted, but the formula is satisfiable")
	}
	if !o.trim {
		return nil
	}
	if !slices.IsSorted(res.Core()) {
		return fmt.Errorf("the core is not ascending: %v", res.Core())
	}
	core := dimacs.NewFormula(x.formula.Vars())
	for _, i := range res.Core() {
		core.Add(x.formula.Clause(i)...)
	}
	if status, _ := dplltest.Oracle(core, x.assumptions...); status == dimacs.Satisfiable {
		return fmt.Errorf("the core is satisfiable: %v", res.Core())
	}
	if err := x.replay(res, o.replayed, o.strict); err != nil {
		return fmt.Errorf("trimmed, as %v: %w", o.replayed, err)
	}
	return nil
}

// replay writes the trimmed proof in a format and checks it.
func (x *exam) replay(res *proof.Result, format proof.Format, strict bool) error {
	var b bytes.Buffer
	w := proof.NewWriter(&b, format, x.formula.Len())
	res.Replay(w)
	if err := w.Flush(); err != nil {
		return err
	}
	r := newTape(b.Bytes(), format)
	var v verdict
	var why error
	if format.Hints() {
		v, why = checkHintsNaively(x.formula, x.assumptions, r)
	} else {
		v, why = checkNaively(x.formula, x.assumptions, strict, r)
	}
	if v != accepted {
		return fmt.Errorf("naively %v, strict %v: %w\n%q", v, strict, why, b.Bytes())
	}
	if _, _, err := x.check(b.Bytes(), proof.Options{Format: format, Forward: true, StrictDeletions: strict}); err != nil {
		return fmt.Errorf("strict %v: %w\n%q", strict, err, b.Bytes())
	}
	return nil
}

// live logs the steps to a Checker, which has other ids, and compares its
// results with those of the naive checker after each step.
func (x *exam) live() error {
	checker := proof.NewChecker()
	naive := naiveLRAT{clauses: map[int64][]dimacs.Lit{}}
	ids := map[int64]int64{} // by id of the script: the id of the Checker
	add := func(id int64, lits []dimacs.Lit, own int64) {
		ids[id] = own
		naive.clauses[own] = lits
	}
	for i, c := range x.formula.Clauses() {
		add(int64(i)+1, c, checker.Original(c))
		naive.refuted = naive.refuted || len(c) == 0
	}
	for _, s := range x.steps {
		hints := make([]int64, len(s.Hints))
		for i, h := range s.Hints {
			if hints[i] = ids[h]; h < 0 {
				hints[i] = -ids[-h]
			}
		}
		if s.Delete {
			for _, id := range hints {
				if c, alive := naive.clauses[id]; alive {
					delete(naive.clauses, id)
					checker.Delete(id, c)
				}
			}
			continue
		}
		err := naive.check(s.Lits, hints)
		id := checker.Learn(s.Lits, hints)
		if (err == nil) != (checker.Err() == nil) {
			return fmt.Errorf("live, lemma %d: %v, naively %v", id, checker.Err(), err)
		}
		if err != nil {
			return nil
		}
		add(s.ID, s.Lits, id)
		if err := x.liveVerdict(checker, &naive, s.Lits); err != nil {
			return err
		}
	}
	return nil
}

// liveVerdict compares after a lemma whether the assumptions are refuted.
func (x *exam) liveVerdict(checker *proof.Checker, naive *naiveLRAT, last []dimacs.Lit) error {
	refuted := isGoal(last, x.assumptions)
	for _, c := range naive.clauses {
		refuted = refuted || isGoal(c, x.assumptions)
	}
	for _, p := range naive.pivots {
		refuted = refuted && !slices.Contains(x.assumptions, p.Not())
	}
	refuted = refuted || naive.refuted || contradictory(x.assumptions)
	err := checker.Refutes(x.assumptions)
	if (err == nil) != refuted {
		return fmt.Errorf("live: %v, but refuted: %v", err, refuted)
	}
	x.tally.count(fmt.Sprintf("live, refuted: %v", refuted))
	if refuted && x.status == dimacs.Satisfiable {
		return errors.New("live: refuted, but the formula is satisfiable")
	}
	return nil
}

// mutants returns the number of proofs to examine: n, or the value of
// SATOR_MUTANTS in the environment.
func mutants(t *testing.T, n int) int {
	if s := os.Getenv("SATOR_MUTANTS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal("SATOR_MUTANTS: ", err)
		}
		return n
	}
	if testing.Short() {
		return n / 5
	}
	return n
}

// TestMutants compares all checkers with the naive ones on correct and almost
// correct proofs. A seed is a script and some mutants of it.
func TestMutants(t *testing.T) {
	const perScript = 10
	// Nearly all garbage consists of buffers of readers.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	tally := &tally{verdicts: map[string]int{}}
	first := uint64(0)
	if s := os.Getenv("SATOR_SEED"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
	}
	n := 1000
	if os.Getenv("SATOR_TESTS") == "whole" {
		n = 2000
	}
	for seed := first; tally.mutants < mutants(t, n); seed++ {
		r := rand.New(rand.NewPCG(seed, 0))
		original := newScript(r)
		for i := range perScript {
			s := original
			if i > 0 {
				s = original.mutated(r)
			}
			examine(t, seed, s, r, tally)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(tally.verdicts)) {
		t.Logf("%8d %s", tally.verdicts[what], what)
	}
	t.Logf("%d mutants", tally.mutants)
}

// examine examines a script in all formats, and damaged files of it.
func examine(t *testing.T, seed uint64, s script, r *rand.Rand, tally *tally) {
	tally.mutants++
	x := newExam(s, tally)
	tally.count(fmt.Sprintf("formula %v", x.status))
	o := choose(r)
	files := [...]struct {
		format proof.Format
		exam   func(*exam, []byte, proof.Format, choices) error
	}{
		{proof.LRAT + o.binary, (*exam).checkLRAT},
		{proof.DRAT + o.binary, (*exam).checkDRAT},
	}
	if err := x.live(); err != nil {
		fail(t, seed, s, err, (*exam).live)
	}
	for _, f := range files {
		whole := func(x *exam) error { return f.exam(x, x.encode(f.format), f.format, o) }
		if err := whole(x); err != nil {
			fail(t, seed, s, err, whole)
		}
		file := damage(r, s.encode(f.format))
		if err := f.exam(x, file, f.format, o); err != nil {
			t.Fatalf("seed %d: %v\n%vdamaged: %q", seed, err, s, file)
		}
	}
}

// fail reports a script for which a checker is wrong, after shrinking it.
func fail(t *testing.T, seed uint64, s script, err error, check func(*exam) error) {
	t.Helper()
	fails := func(s script) bool {
		e := check(newExam(s, &tally{verdicts: map[string]int{}}))
		if e != nil {
			err = e
		}
		return e != nil
	}
	for before := -1; before != len(s.steps); {
		before = len(s.steps)
		for i := before - 1; i >= 0; i-- {
			less := s.clone()
			less.steps = slices.Delete(less.steps, i, i+1)
			if fails(less) {
				s = less
			}
		}
		c := dplltest.Shrink(dplltest.Case{Formula: s.formula, Assumptions: s.assumptions}, func(c dplltest.Case) bool {
			return fails(script{c.Formula, c.Assumptions, s.steps})
		})
		s.formula, s.assumptions = c.Formula, c.Assumptions
	}
	fails(s)
	t.Fatalf("seed %d: %v\n%v", seed, err, s)
}

// TestSmallProofs has cases that random proofs reach too rarely.
func TestSmallProofs(t *testing.T) {
	tests := []struct {
		name    string
		f       *dimacs.Formula
		proof   string
		assume  []dimacs.Lit
		lenient verdict
		strict  verdict
	}{
		{
			// Backward, the unit is restored before the lemmas are checked that
			// need its consequences.
			"a unit that is deleted after it was used twice",
			formula(1, 0, -1, 2, 0, -2, 3, 4, 5, 0, -2, 3, 4, -5, 0, -2, 3, -4, 5, 0, -2, 3, -4, -5, 0, -3, 6, 0, -3, -6, 0),
			"3 4 0\n3 -4 0\nd 1 0\n3 0\n", nil, accepted, accepted,
		},
		{
			"a unit that is deleted before it is used",
			formula(1, 0, -1, 2, 0, -2, 3, 4, 0, -2, 3, -4, 0, -3, 6, 0, -3, -6, 0),
			"d 1 0\n3 0\n", nil, accepted, rejected,
		},
		{
			"a unit that is deleted and added again",
			formula(1, 0, 1, 7, 0, 1, -7, 0, -1, 2, 0, -2, 3, 4, 0, -2, 3, -4, 0, -3, 6, 0, -3, -6, 0),
			"d 1 0\n1 0\nd 1 7 0\n3 0\n", nil, accepted, accepted,
		},
		{
			"RAT on the complement of a unit that was deleted",
			formula(1, 0, 2, 3, 0, 2, -3, 0, -2, 3, 0, -2, -3, 0),
			"d 1 0\n-1 4 0\n2 0\n", nil, rejected, accepted,
		},
		{
			"one copy of three is left",
			formula(2, 3, 0, 3, 2, 0, 2, 2, 3, 0, 2, -3, 0, -2, 3, 0, -2, -3, 0),
			"d 3 2 0\nd 3 2 3 0\n2 0\n", nil, accepted, accepted,
		},
		{
			"no copy of three is left",
			formula(2, 3, 0, 3, 2, 0, 2, 2, 3, 0, 2, -3, 0, -2, 3, 0, -2, -3, 0),
			"d 3 2 0\nd 3 2 3 0\nd 2 3 0\n2 0\n", nil, rejected, rejected,
		},
		{
			// The resolvent with the tautology is the lemma itself.
			"a tautology has to be resolved with",
			formula(2, 3, 0, 2, -3, 0, -2, 3, 0, -2, -3, 0, 5, -5, 0),
			"5 6 0\n2 0\n", nil, rejected, rejected,
		},
		{
			"a tautology after a deletion",
			formula(2, 3, 0, 2, -3, 0, -2, 3, 0, -2, -3, 0, 5, -5, 0),
			"d -5 5 0\n5 6 0\n2 0\n", nil, accepted, accepted,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := newExam(script{formula: test.f, assumptions: test.assume}, &tally{verdicts: map[string]int{}})
			for _, strict := range []bool{false, true} {
				want := test.lenient
				if strict {
					want = test.strict
				}
				if got, err := checkNaively(test.f, test.assume, strict, newTape([]byte(test.proof), proof.DRAT)); got != want {
					t.Errorf("naively, strict %v: %v (%v), not %v", strict, got, err, want)
				}
				for _, replayed := range []proof.Format{proof.DRAT, proof.LRAT} {
					if err := x.checkDRAT([]byte(test.proof), proof.DRAT, choices{strict: strict, trim: true, replayed: replayed}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

// TestRest checks that what follows a refutation is read, and that lemmas after the empty clause and
// a malformed rest are warned of.
func TestRest(t *testing.T) {
	f := dimacs.NewFormula(2)
	for _, c := range [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} {
		f.AddInts(c...)
	}
	for _, c := range []struct{ proof, want string }{
		{"1 0\n0\n", ""},
		{"1 0\n0\nd 1 0\n", ""},
		{"1 0\n2 0\n0\n", ""}, // unit propagation refutes after the first lemma
		{"1 0\n0\n2 0\n0\n", "3: lemmas after the empty clause are not checked"},
		{"1 0\n0\n2 x\n", "p:3:3: \"x\" is not a number; the refutation is complete before that"},
		{"5 1 0 1 2 0\n6 0 5 3 4 0\n7 2 0 6 0\n", "3: lemmas after the empty clause are not checked"},
	} {
		var warnings []string
		_, err := proof.Check(t.Context(), f, strings.NewReader(c.proof), proof.Options{Name: "p", Warn: func(msg string) { warnings = append(warnings, msg) }})
		if got := strings.Join(warnings, "|"); err != nil || got != c.want {
			t.Errorf("%q: %v, warnings %q, want %q", c.proof, err, got, c.want)
		}
	}
}
