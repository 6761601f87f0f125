package dplltest

import (
	"errors"
	"math/rand/v2"
)

// A Fuzzer tests engines in rounds: it compares their answers with one another and
// with the oracle, and checks their proofs. A round is a function of its seed. A
// Fuzzer may be used by several goroutines at once if the subjects may.
type Fuzzer struct {
	Subjects []*Subject
	Vars     int // size of the largest formulas; large ones are rarer than those of [RandomCase]
	Traces   int // percentage of the rounds that replay a trace
}

// A Round is the result of a round. If the round failed, Err and either Failure or
// Trace are not nil.
type Round struct {
	Seed    uint64
	Subject string // the name of the tested subject
	Counts  Counts
	Err     error
	Failure *Failure // the failure, in a round with a formula
	Trace   *Trace   // the failing trace, in a round with a trace

	shrink func(*Round)
}

// Shrink shrinks the failure of the round, if it has one that can be shrunk.
func (r *Round) Shrink() {
	if r.shrink != nil {
		r.shrink(r)
	}
}

// Round runs the round of a seed. A wrong result or a panic of an engine is the
// failure of the round, which is not shrunk.
func (f *Fuzzer) Round(seed uint64) *Round {
	s, traced := f.plan(seed)
	round := &Round{Seed: seed, Subject: s.Name}
	if traced {
		round.replay(s)
		return round
	}
	if v := s.check(seed, f.sizes(s), f.Subjects, &round.Counts); v != nil {
		round.Failure, round.Err = v.unshrunk(), v.err
		round.shrink = func(r *Round) {
			r.Failure = v.failure()
			r.Err = r.Failure.Err
		}
	}
	return round
}

// replay runs the round with a trace.
func (r *Round) replay(s *Subject) {
	tr := RandomTrace(r.Seed, s.Knobs, s.Proves)
	r.Counts.Traces++
	r.Err = replayed(tr, s.api, &r.Counts)
	if r.Err != nil {
		r.Trace = tr
		r.shrink = func(r *Round) { r.Trace, r.Err = shrunkTrace(s.api, s.Knobs, tr, r.Err) }
	}
}

// ErrHang is the error of an engine that does not return.
var ErrHang = errors.New("the engine does not return")

// Hang returns the failed round of a seed for which Round does not return. It
// contains the formula or the trace and is not shrunk.
func (f *Fuzzer) Hang(seed uint64) *Round {
	s, traced := f.plan(seed)
	round := &Round{Seed: seed, Subject: s.Name, Err: ErrHang}
	if traced {
		round.Trace = RandomTrace(seed, s.Knobs, s.Proves)
		return round
	}
	x, family, c := s.randomTrial(seed, f.sizes(s))
	v := violation{trial: x, property: property{name: "every call returns"}, family: family, c: c, err: ErrHang}
	round.Failure = v.unshrunk()
	return round
}

// plan returns the subject that a round tests, and whether it uses a trace.
func (f *Fuzzer) plan(seed uint64) (s *Subject, traced bool) {
	r := randomSource(seed, forFuzz)
	if r.IntN(100) < f.Traces {
		if s = pickSubject(r, f.traceable()); s != nil {
			return s, true
		}
	}
	return pickSubject(r, f.Subjects), false
}

// pickSubject draws one of the subjects by their shares. It returns nil if there is
// no subject.
func pickSubject(r *rand.Rand, subjects []*Subject) *Subject {
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

// traceable returns the subjects that can be tested with traces.
func (f *Fuzzer) traceable() []*Subject {
	var some []*Subject
	for _, s := range f.Subjects {
		if _, is := s.New(Setup{}).(API); is {
			some = append(some, s)
		}
	}
	return some
}

// sizes returns the sizes of formulas for a subject.
func (f *Fuzzer) sizes(s *Subject) sizes {
	if s.Vars == 0 {
		return fuzzSizes(f.Vars)
	}
	return fuzzSizes(min(s.Vars, f.Vars))
}

// api returns a new engine for a trace.
func (s *Subject) api(setup Setup) API { return s.New(setup).(API) }

// randomTrial returns the trial of a round: the setup of the engine, the family of
// the formula, and the case.
func (s *Subject) randomTrial(seed uint64, z sizes) (x trial, family string, c Case) {
	families := s.Families
	if families == nil {
		families = Families
	}
	family, c = randomCase(families, seed, z)
	r := randomSource(seed, forEngine)
	x = trial{seed: seed, subject: s, setup: Setup{Settings: RandomSettings(r, s.Knobs), Seed: r.Uint64N(4)}, proof: randomProof(r, s.Proves)}
	return x, family, c
}
