package portfolio

import (
	"context"
	"slices"
	"sync"
)

// Lockstep makes a parallel run deterministic (Hamadi, Jabbour, Piette and Sais,
// "Deterministic parallel DPLL", JSAT 2011; Nabeshima and Inoue, "Reproducible
// efficient parallel SAT solving", SAT 2020). Solvers that run freely import the
// clauses that are in the pool at the moment, so every run differs. In lockstep, runs
// are divided into rounds by the ticks of each solver. Solvers exchange clauses between
// rounds only, in the order of their numbers, and a solver that reaches the end of a
// round waits for the others. If several solvers have an answer in the same round, the
// answer of the solver with the lowest number counts. The other solvers stop at the end
// of that round. So each solver imports the same clauses at the same point of its search
// on every machine, and has the same number of conflicts at the answer.
//
// Lockstep costs time, because a tick is not a constant amount of time: in each round the
// fastest solver waits for the slowest, a solver with an answer waits for the end of the
// round, and all wait for a solver in a long simplification.
//
// Time limits and signals end a run wherever it is. The proof steps of each solver are
// the same in every run, but their order in the shared proof differs from run to run.

// roundExchanges is the length of a round in exchange intervals of the solvers. Shorter
// rounds cost more waiting, since the speed of a solver varies from moment to moment;
// in longer rounds clauses arrive late.
const roundExchanges = 5

// A lockstep synchronizes the rounds of solvers.
type lockstep struct {
	pool  *pool
	round int64              // length in ticks
	ctx   context.Context    // of the call
	stop  context.CancelFunc // ends the call

	mu      sync.Mutex    // guards the fields below
	running int           // solvers that have not ended their call
	waiting int           // running solvers that have reached the end of the round
	ended   chan struct{} // closed at the end of the round
	answers []int         // solvers that had an answer in this round
}

// begin prepares for a call of n solvers.
func (s *lockstep) begin(ctx context.Context, stop context.CancelFunc, n int) {
	s.ctx, s.stop = ctx, stop
	s.running, s.waiting, s.answers = n, 0, nil
	s.ended = make(chan struct{})
}

// awaitRound waits until all solvers have reached the end of the round. It reports
// false if the call must end.
func (s *lockstep) awaitRound() bool {
	ended := s.enterWait()
	select {
	case <-ended:
	case <-s.ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		if ended == s.ended { // else the round has ended as well
			s.waiting--
		}
	}
	return s.ctx.Err() == nil
}

// enterWait counts one more waiting solver. It returns the channel that is closed when
// all solvers wait.
func (s *lockstep) enterWait() (ended <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	round := s.ended
	s.waiting++
	s.tryEndRound()
	return round
}

// leave removes solver i from the running solvers at the end of its call.
func (s *lockstep) leave(i int, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if answered {
		s.answers = append(s.answers, i)
	}
	s.tryEndRound()
}

// tryEndRound ends the round if all running solvers wait.
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

// winner returns the lowest number of a solver with an answer, or -1 if there is no
// answer.
func (s *lockstep) winner() int {
	if len(s.answers) == 0 {
		return -1
	}
	return slices.Min(s.answers)
}

// publish adds the clauses to the pool that the solvers have exported in a round. All
// solvers wait meanwhile.
func (p *pool) publish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.maintain()
	for _, t := range p.ports {
		for _, o := range t.exported {
			p.add(o)
		}
		clear(t.exported)
		t.exported = t.exported[:0]
	}
}
