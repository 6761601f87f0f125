package cdcl

import (
	"math/bits"

	"sator/dimacs"
	"sator/dpll/cdcl/order"
	"sator/dpll/cdcl/radix"
)

// A decision assigns a variable that nothing implies. Assumptions are decided
// first, one a level, so that level i belongs to assumption i-1; one that is
// true already gets a level without literals. Then comes the variable that the
// mode prefers: in focused mode the one bumped last (queue.go), in stable mode
// the one of the highest score (heap.go), with the phase that phase.go
// chooses.
//
// In focused mode a burst of random decisions comes now and then (as in
// Kissat): it takes the search to places that its own scores would not.
//
// In stable mode a bandit that chooses between VSIDS and conflict history at each
// restart (Cherif, Habet, Terrioux, "Combining VSIDS and CHB using restarts in SAT",
// CP 2021; with it Kissat won in 2025) was tried, paid by the decisions for
// conflicts. On eight formulas that have models with three seeds each, 18 of which
// both ways answered, it took 0.99 times the ticks, from a seventh to six times. That
// is nothing but luck, and another order for each variable to keep.

// decide opens a level. It reports false if an assumption is refuted.
func (s *Solver) decide() bool {
	if n := len(s.levels) - 1; n < len(s.assumptions) {
		return s.assume(s.assumptions[n])
	}
	s.stats.Decisions++
	v, ok := s.randomVar()
	if !ok {
		v = s.nextVar()
	}
	s.decideLit(s.phase(v))
	return true
}

// randomVar returns a random unassigned variable while there is a burst.
func (s *Solver) randomVar() (v uint32, ok bool) {
	if s.stable || s.stats.Conflicts >= s.due.burstEnd {
		return 0, false
	}
	for range 10 { // late on the trail most variables are assigned
		hi, _ := bits.Mul64(s.random.Uint64(), uint64(len(s.vars)))
		if v = uint32(hi); s.vals[2*v] == 0 && s.active(v) {
			return v, true
		}
	}
	return 0, false
}

func (s *Solver) bursting() bool {
	return s.opts.RandomBursts != 0 && !s.stable && s.stats.Conflicts >= s.due.burst
}

// burst begins a burst of random decisions, at the assumptions.
func (s *Solver) burst() {
	s.backtrack(len(s.assumptions))
	s.stats.Bursts++
	n := s.stats.Bursts
	s.due.burstEnd = s.stats.Conflicts + times(burstLength, 1, logPower(n, 1))
	s.due.burst = s.stats.Conflicts + times(int64(s.opts.RandomInterval), n, logPower(n, 1))
}

// burstLength is the length of the first burst, in conflicts; later ones are
// longer by a logarithm.
const burstLength = 10

// decideLit begins a level with the decision l.
func (s *Solver) decideLit(l dimacs.Lit) {
	s.levels = append(s.levels, level{decision: l, trail: uint32(len(s.trail))})
	s.assign(l, uint32(len(s.levels)-1), 0)
}

// nextVar returns the unassigned variable to decide.
func (s *Solver) nextVar() uint32 {
	if s.stable {
		for {
			v := s.heap.Items[0]
			if s.vals[2*v] == 0 {
				return v
			}
			s.heap.Pop()
		}
	}
	v := s.queue.Next
	for s.vals[2*v] != 0 {
		v = s.queue.Links[v].Prev
	}
	s.queue.Next = v
	return v
}

// better reports whether the mode would decide a before b.
func (s *Solver) better(a, b uint32) bool {
	if s.stable {
		return s.heap.Before(a, b)
	}
	return s.queue.Links[a].Stamp > s.queue.Links[b].Stamp
}

// bump rewards the variables that took part in a conflict. In focused mode
// they go to the end of the queue in the order they have there; in stable mode
// their scores rise (Moskewicz and others, DAC 2001; with growing increments
// instead of decay, Eén and Sörensson, SAT 2003).
func (s *Solver) bump() {
	if s.stable {
		for _, v := range s.analyzed {
			s.bumpScore(v)
		}
		s.inc *= 1 / (1 - float64(s.opts.Decay)/1000)
		return
	}
	s.keys = s.keys[:0]
	for _, v := range s.analyzed {
		s.keys = append(s.keys, uint64(s.queue.Links[v].Stamp)<<32|uint64(v))
	}
	s.keys2 = radix.Sort(s.keys, s.keys2)
	for _, k := range s.keys {
		s.bumpQueue(uint32(k))
	}
}

func (s *Solver) bumpQueue(v uint32) {
	q := &s.queue
	if q.Links[v].Next == order.None {
		return
	}
	wasNext := q.Next == v
	prev := q.Links[v].Prev
	q.MoveToEnd(v)
	switch {
	case s.vals[2*v] == 0:
		q.Next = v
	case wasNext:
		// All after v are assigned, and v is: go on before it.
		if prev == order.None {
			prev = q.First
		}
		q.Next = prev
	}
}

func (s *Solver) bumpScore(v uint32) {
	h := &s.heap
	h.Score[v] += s.inc
	if h.Score[v] > 1e150 {
		for i := range h.Score {
			h.Score[i] *= 1e-150
		}
		s.inc *= 1e-150
	}
	h.Raise(v)
}
