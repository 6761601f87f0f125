package dplltest

import (
	"errors"
	"math/rand/v2"

	"sator/dimacs"
)

// A Fuzzer tests engines against one another, against the oracles and against
// their proofs, round by round, each of which is a function of its seed. It may
// be used by several goroutines at once if the subjects may.
type Fuzzer struct {
	Subjects []*Subject
	Vars     int // of the largest formulas, as for [RandomCase]
	Traces   int // how many rounds in a hundred replay a trace
}

// A Round is what a round has found. Unless Err is nil it comes with a formula
// or with a trace.
type Round struct {
	Seed    uint64
	Subject string // the name of the engine
	Counts  Counts
	Err     error
	Failure *Failure // Err with all that belongs to it, if a formula failed
	Trace   *Trace   // what failed, if that is a trace

	shrink func(*Round)
}

// Shrink makes a finding smaller, as far as that is possible.
func (r *Round) Shrink() {
	if r.shrink != nil {
		r.shrink(r)
	}
}

// Counts counts what was tested.
type Counts struct {
	Formulas      int64 // that were drawn, without those of traces
	Satisfiable   int64 // of these
	Unsatisfiable int64 // of these
	Slow          int64 // large ones that were given up, since an engine took too long
	Traces        int64
	Answers       int64 // of all calls of Solve
	Refutations   int64 // of these, with assumptions or without
	Proofs        [len(proofKinds)]int64
}

// Add adds the counts of another tally.
func (t *Counts) Add(u *Counts) {
	t.Formulas += u.Formulas
	t.Satisfiable += u.Satisfiable
	t.Unsatisfiable += u.Unsatisfiable
	t.Slow += u.Slow
	t.Traces += u.Traces
	t.Answers += u.Answers
	t.Refutations += u.Refutations
	for k, n := range u.Proofs {
		t.Proofs[k] += n
	}
}

// formula counts a formula by its answer.
func (t *Counts) formula(s dimacs.Status) {
	t.Formulas++
	switch s {
	case dimacs.Satisfiable:
		t.Satisfiable++
	case dimacs.Unsatisfiable:
		t.Unsatisfiable++
	}
}

// answer counts an answer that was found right, and its proof.
func (t *Counts) answer(s dimacs.Status, a *audit) {
	t.Answers++
	if s != dimacs.Unsatisfiable {
		return
	}
	t.Refutations++
	if a != nil {
		t.Proofs[a.kind]++
	}
}

// Round runs the round of a seed. What an engine does wrong, be it a panic, is
// the finding, not yet shrunk.
func (f *Fuzzer) Round(seed uint64) *Round {
	s, traced := f.pick(seed)
	round := &Round{Seed: seed, Subject: s.Name}
	if traced {
		round.replay(s)
		return round
	}
	if b := s.check(seed, f.largest(s), f.Subjects, &round.Counts); b != nil {
		round.Failure, round.Err = b.asDrawn(), b.err
		round.shrink = func(r *Round) {
			r.Failure = b.failure()
			r.Err = r.Failure.Err
		}
	}
	return round
}

// replay makes it a round of a trace.
func (r *Round) replay(s *Subject) {
	tr := RandomTrace(r.Seed, s.Knobs, s.Proves)
	r.Counts.Traces++
	r.Err = replayed(tr, s.api, &r.Counts)
	if r.Err != nil {
		r.Trace = tr
		r.shrink = func(r *Round) { r.Trace, r.Err = shrunkTrace(s.api, s.Knobs, tr, r.Err) }
	}
}

// ErrHang is what is wrong with an engine that does not return.
var ErrHang = errors.New("the engine does not return")

// Hang returns the finding of a round that does not come to an end: what it
// is about. It cannot be shrunk.
func (f *Fuzzer) Hang(seed uint64) *Round {
	s, traced := f.pick(seed)
	round := &Round{Seed: seed, Subject: s.Name, Err: ErrHang}
	if traced {
		round.Trace = RandomTrace(seed, s.Knobs, s.Proves)
		return round
	}
	x, shape, c := s.draw(seed, f.largest(s))
	b := breach{trial: x, law: law{name: "every call returns"}, shape: shape, c: c, err: ErrHang}
	round.Failure = b.asDrawn()
	return round
}

// pick returns which subject a round tests, and whether with a trace.
func (f *Fuzzer) pick(seed uint64) (s *Subject, traced bool) {
	r := source(seed, forFuzz)
	if r.IntN(100) < f.Traces {
		if s = share(r, f.traceable()); s != nil {
			return s, true
		}
	}
	return share(r, f.Subjects), false
}

// share draws one of the subjects by their shares, or none of none.
func share(r *rand.Rand, subjects []*Subject) *Subject {
	total := 0
	for _, s := range subjects {
		total += max(1, s.Share)
	}
	for _, s := range subjects {
		if n := max(1, s.Share); r.IntN(total) < n {
			return s
		} else {
			total -= n
		}
	}
	return nil
}

// traceable returns the subjects that have all that traces call.
func (f *Fuzzer) traceable() []*Subject {
	var some []*Subject
	for _, s := range f.Subjects {
		if _, is := s.New(Setup{}).(API); is {
			some = append(some, s)
		}
	}
	return some
}

// largest returns the size of the largest formulas that a subject is asked.
func (f *Fuzzer) largest(s *Subject) int {
	if s.Vars == 0 {
		return f.Vars
	}
	return min(s.Vars, f.Vars)
}

func (s *Subject) api(setup Setup) API { return s.New(setup).(API) }

// draw returns what a round tests: how the engine is set up, and the case.
func (s *Subject) draw(seed uint64, largest int) (x trial, shape string, c Case) {
	shapes := s.Families
	if shapes == nil {
		shapes = Families
	}
	shape, c = draw(shapes, seed, largest)
	r := source(seed, forEngine)
	x = trial{seed: seed, subject: s, setup: s.drawSetup(r), proof: drawProof(r, s.Proves)}
	return x, shape, c
}

func (s *Subject) drawSetup(r *rand.Rand) Setup {
	return Setup{Settings: RandomSettings(r, s.Knobs), Seed: r.Uint64N(4)}
}
