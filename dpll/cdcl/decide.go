package cdcl

import (
	"math/bits"
	"math/rand/v2"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
	"sator/dpll/cdcl/internal/radix"
)

// A decision assigns an unassigned variable at a new level. Assumptions are decided
// first, one per level, so that level i belongs to assumption i-1; an assumption that
// is already true gets a level without literals. Then the mode chooses the variable:
// focused mode the one bumped last (VMTF queue), stable mode the one with the highest
// score (VSIDS heap); package order has both. The phase is chosen in phase.go.
//
// In focused mode there are bursts of random decisions from time to time (as in
// Kissat). They lead the search to places that the order of variables would not.
//
// Tried in stable mode: a bandit that chooses between VSIDS and conflict history (CHB) at
// each restart (Cherif, Habet, Terrioux, "Combining VSIDS and CHB using restarts in SAT", CP
// 2021), rewarded by the number of decisions per conflict (no gain).
//
// Tried: a decay of scores of 3 or 8 percent (no gain).
//
// Tried: reordering by the formula, as in Kissat: variables in more and shorter clauses move
// to the end of the queue, or get higher scores (no gain).

// A decisions value holds the order and the phases of decisions.
type decisions struct {
	opts    *Options
	trail   *trail
	removal *removal

	queue  order.Queue
	heap   order.Heap
	inc    float64 // VSIDS increment
	stable bool
	phases phases
	quiet  bool // backtracking does not save phases
	random *rand.PCG

	keys, keys2 []uint64 // scratch memory of bump
}

// decide opens a level. It returns false if an assumption is refuted.
func (s *Solver) decide() bool {
	if n := len(s.trail.levels) - 1; n < len(s.call.assumptions) {
		return s.assume(s.call.assumptions[n])
	}
	s.stats.Decisions++
	if s.user != nil {
		if l, ok := s.user.decideExternal(); ok {
			s.decideLit(l)
			return true
		}
	}
	v, ok := s.randomVar()
	if !ok {
		v = s.decisions.nextVar()
	}
	s.decideLit(s.decisions.phase(v))
	return true
}

// randomVar returns a random unassigned variable during a burst.
func (s *Solver) randomVar() (v uint32, ok bool) {
	if s.decisions.stable || s.stats.Conflicts >= s.schedule.due.burstEnd {
		return 0, false
	}
	for range 10 { // late on the trail most variables are assigned
		hi, _ := bits.Mul64(s.decisions.random.Uint64(), uint64(len(s.trail.vars)))
		if v = uint32(hi); s.trail.vals[2*v] == 0 && s.removal.active(v) {
			return v, true
		}
	}
	return 0, false
}

func (h *schedule) bursting() bool {
	return !h.opts.NoRandomBursts && !h.decisions.stable && h.stats.Conflicts >= h.due.burst
}

// burst backtracks to the assumptions and begins a burst of random decisions.
func (s *Solver) burst() {
	s.backtrack(len(s.call.assumptions))
	s.stats.Bursts++
	n := s.stats.Bursts
	s.schedule.due.burstEnd = s.stats.Conflicts + times(burstLength, 1, logPower(n, 1))
	s.schedule.due.burst = s.stats.Conflicts + times(int64(s.opts.RandomInterval), n, logPower(n, 1))
}

// burstLength is the length of the first burst, in conflicts. The length of later
// bursts grows with a logarithm.
const burstLength = 10

// decideLit decides l at a new level.
func (s *Solver) decideLit(l dimacs.Lit) {
	s.trail.openLevel(l)
	s.assign(l, uint32(len(s.trail.levels)-1), 0)
}

// nextVar returns the unassigned variable to decide.
func (d *decisions) nextVar() uint32 {
	if d.stable {
		for {
			v := d.heap.Items[0]
			if d.trail.vals[2*v] == 0 {
				return v
			}
			d.heap.Pop()
		}
	}
	v := d.queue.Next
	for d.trail.vals[2*v] != 0 {
		v = d.queue.Links[v].Prev
	}
	d.queue.Next = v
	return v
}

// better reports whether the current mode decides a before b.
func (d *decisions) better(a, b uint32) bool {
	if d.stable {
		return d.heap.Before(a, b)
	}
	return d.queue.Links[a].Stamp > d.queue.Links[b].Stamp
}

// bump bumps the variables that took part in a conflict. In focused mode they move
// to the end of the queue and keep their relative order (VMTF). In stable mode their
// scores rise (VSIDS; Moskewicz and others, DAC 2001), with growing increments
// instead of a decay of all scores (Eén and Sörensson, SAT 2003).
func (d *decisions) bump(vars []uint32) {
	if d.stable {
		for _, v := range vars {
			d.bumpScore(v)
		}
		d.inc *= 1 / (1 - float64(d.opts.Decay)/1000)
		return
	}
	d.keys = d.keys[:0]
	for _, v := range vars {
		d.keys = append(d.keys, uint64(d.queue.Links[v].Stamp)<<32|uint64(v))
	}
	d.keys2 = radix.Sort(d.keys, d.keys2)
	for _, k := range d.keys {
		d.bumpQueue(uint32(k))
	}
}

func (d *decisions) bumpQueue(v uint32) {
	q := &d.queue
	if q.Links[v].Next == order.None {
		return
	}
	wasNext := q.Next == v
	prev := q.Links[v].Prev
	q.MoveToEnd(v)
	switch {
	case d.trail.vals[2*v] == 0:
		q.Next = v
	case wasNext:
		// v and all variables behind it are assigned: continue before v.
		if prev == order.None {
			prev = q.First
		}
		q.Next = prev
	}
}

func (d *decisions) bumpScore(v uint32) {
	h := &d.heap
	h.Score[v] += d.inc
	h.Raise(v)
	if h.Score[v] > maxScore {
		d.rescale()
	}
}

// maxScore is the score above which all scores are scaled down. It is far below the
// greatest number, and the increment grows by a factor of 2 at most per conflict.
const maxScore = 1e150

// rescale scales the scores and the increment so that they do not overflow.
func (d *decisions) rescale() {
	d.heap.Scale(1 / maxScore)
	d.inc *= 1 / maxScore
	if checking {
		d.checkHeap()
	}
}

// mode returns the index of the current mode: 0 focused, 1 stable.
func (d *decisions) mode() int {
	if d.stable {
		return 1
	}
	return 0
}

func (d *decisions) searchName() string {
	if d.stable {
		return "search-stable"
	}
	return "search-focused"
}
