package portfolio

import (
	"context"
	"slices"
	"sync"
)

// Solvers that run freely take in what is there when they happen to look, so that no
// run is as another. In lockstep they do not: time is cut into rounds, by the ticks of
// each solver, and only between rounds do clauses change hands, in the order of the
// solvers. Who comes to the end of a round waits for the others. If solvers have an
// answer in the same round, it is that of the first of them in their order that
// counts, and all stop where they are. So each solver sees the same clauses at the
// same place in its search, on whatever machine and however fast, and takes the same
// number of conflicts to the same answer (Hamadi, Jabbour, Piette and Sais,
// "Deterministic parallel DPLL", JSAT 2011; Nabeshima and Inoue, "Reproducible
// efficient parallel SAT solving", SAT 2020).
//
// That has its price, since ticks are no time: the fastest waits for the slowest in
// each round, one that has an answer for the end of the round, and all for one that is
// in the midst of a long simplification. Two solvers on two cores, on the files of
// configurations.go and by the clock, take 193 s for all of them in step, 184 s if they
// run freely, and 188 s if they share nothing; by the geometric mean it is 1.11 times as
// long in step as freely.
//
// Limits of time and signals end a run wherever it happens to be; and the steps of a
// proof, though each solver's are the same, come in an order that differs from run to
// run.

// roundExchanges is the length of a round, in intervals at which solvers look for
// clauses. Shorter ones cost more waiting, since the speed of a solver changes from
// moment to moment; longer ones bring clauses late.
const roundExchanges = 5

// A lockstep holds solvers together. The zero number of them is none.
type lockstep struct {
	pool  *pool
	round int64              // ticks
	ctx   context.Context    // of the call
	stop  context.CancelFunc // ends it

	mu      sync.Mutex // guards what follows
	running int        // solvers that have not ended their call
	waiting int        // of these, at the end of the round
	ended   chan struct{}
	answers []int // solvers that had an answer in this round
}

// begin prepares for a call of n solvers.
func (s *lockstep) begin(ctx context.Context, stop context.CancelFunc, n int) {
	s.ctx, s.stop = ctx, stop
	s.running, s.waiting, s.answers = n, 0, nil
	s.ended = make(chan struct{})
}

// awaitRound waits until all solvers have come to the end of the round. It reports false
// if the call is to end.
func (s *lockstep) awaitRound() bool {
	turned := s.enterWait()
	select {
	case <-turned:
	case <-s.ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		if turned == s.ended { // else the round has ended as well
			s.waiting--
		}
	}
	return s.ctx.Err() == nil
}

// enterWait counts one more who is at the end of the round, and returns what is closed when
// all are.
func (s *lockstep) enterWait() (turned <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	here := s.ended
	s.waiting++
	s.tryEndRound()
	return here
}

// leave takes solver i out, whose call has ended, perhaps with an answer.
func (s *lockstep) leave(i int, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if answered {
		s.answers = append(s.answers, i)
	}
	s.tryEndRound()
}

// tryEndRound ends the round if all are there.
func (s *lockstep) tryEndRound() {
	if s.waiting < s.running {
		return
	}
	if len(s.answers) > 0 {
		s.stop()
	} else {
		s.pool.publish()
	}
	s.waiting = 0
	close(s.ended)
	s.ended = make(chan struct{})
}

// winner returns the first solver of those that had an answer, or -1.
func (s *lockstep) winner() int {
	if len(s.answers) == 0 {
		return -1
	}
	return slices.Min(s.answers)
}

// publish hands on what solvers have exported, which all wait.
func (p *pool) publish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.maintain()
	for _, t := range p.ports {
		for _, o := range t.out {
			p.add(o)
		}
		clear(t.out)
		t.out = t.out[:0]
	}
}
