package cdcl

import (
	"math/bits"
	"math/rand/v2"
)

// ProbSAT local search. A walk assigns all variables. As long as there are broken
// clauses, clauses without a true literal, it picks one of them at random and flips one
// of its literals. The literal is random too, with a weight that prefers few newly broken
// clauses: cb to the power of minus its break count, the number of clauses that only its
// complement satisfies (Balint and Schöning, "Choosing probability distributions for
// stochastic local search and the role of make versus break", SAT 2012). The best base cb
// depends on the length of clauses: it is interpolated between the authors' values for
// uniform random formulas, as in CaDiCaL and Kissat. On other formulas these values are far
// too small. So a walk also tries higher powers of the weights, and spends the rest of its
// effort with the power that worked best. CaDiCaL uses the small cb of 2 in every other walk,
// a step in the wrong direction on these formulas.
//
// A walk serves to find good phases. It starts at the saved phases. If it sees an
// assignment with fewer broken clauses than at its start, the one with the fewest
// becomes the saved phases (Cai and Zhang, "Deep cooperation of CDCL and local search
// for SAT", SAT 2021). If no clause is broken, the decisions that follow only repeat
// this assignment.
//
// A walk omits the clauses and literals whose value is fixed at the root or by the
// assumptions, and learned clauses, which follow from the others. It refers to the clauses in
// the arena, which does not change meanwhile, and copies only the binary clauses and those that
// get shorter. For each clause it stores the number of its true literals and
// their exclusive or, which is the literal itself if there is only one. So a flip
// updates break counts without a look at the literals of any clause (Balint, Biere,
// Fröhlich, Schöning, "Improving implementation of SLS solvers for SAT and new
// heuristics for k-SAT with long clauses", SAT 2014).
//
// Tried: weights polynomial in the break count (a loss on long clauses); weights of clauses
// (DDFW: Ishtaiwi, Thornton, Sattar, Pham, "Neighbourhood clause weight redistribution in
// local search for SAT", CP 2005), for a share of the effort (no gain); a start at the values that
// decisions and propagation give from the saved phases (no gain).
//
// The effort is halved after a walk that finds nothing better than its start, and doubled
// after any other, up to the whole: nearly all walks on satisfiable formulas improve their
// start, on multiplier miters one in three does.
//
// The first walk comes with the first reset of phases, after a thousand conflicts. With
// millions of variables those take minutes, while a walk alone may find a model. So it comes
// after a number of ticks, too, and may spend more then.
//
// The tables are dropped at the end. A walk waits until making them is a small part of the
// effort that walks may spend after the last one. The first walk of a huge formula would be
// the peak of the run, so the watches of longer clauses are dropped meanwhile.

// A walker is the state of one walk.
type walker struct {
	s      *Solver
	random *rand.PCG
	limit  int64 // end of the budget, in steps
	steps  int64 // spent: one for each clause or literal that a flip visits

	pairs  []uint32 // literals of the binary clauses, which come first
	refs   []uint32 // by clause after those: reference in the arena, or 2i+1 for index i of copies
	copies []uint32 // shortened clauses: the number of literals, and the literals
	size   int      // number of literals of all clauses
	occs   []uint32 // clauses of all literals
	from   []uint32 // by literal: where its clauses begin in occs; and the end

	refuted bool // the assumptions falsify a clause

	vals   []int8        // by literal, including fixed ones
	states []clauseState // by clause
	broken []uint32      // clauses without a true literal
	breaks []uint32      // by variable: number of clauses that only its literal satisfies

	weights []uint64 // by break count, as far as they differ

	best       []int8   // by variable: the best assignment, except for flips
	flips      []uint32 // literals made true since the best assignment, in order
	overflowed bool     // flips became too long and was dropped
	minimum    int      // broken clauses of the best assignment
}

// A clauseState is the number of true literals of a clause and their exclusive or. For
// a broken clause, xor is its index in broken instead.
type clauseState struct {
	count uint32
	xor   uint32
}

// walk replaces the saved phases by better ones that local search finds near them. The
// trail must end with the assumptions.
func (s *Solver) walk() {
	limit := walkSteps * max((s.stats.Ticks-s.schedule.due.lastWalkTicks)*walkEffort/1000>>s.schedule.due.walkHalvings, walkLeast)
	setup := s.walkSetup()
	if s.schedule.walkingEarly() {
		limit = max(limit, earlyWalkSetups*setup)
	}
	if setup > limit/2 || !s.opts.Memory.Allows(s.walkMemory()) {
		return
	}
	s.schedule.due.lastWalkTicks = s.stats.Ticks
	s.newWalker(limit).walk()
	s.opts.enter(s.decisions.searchName())
}

const (
	walkEffort = 80     // thousandths of the ticks of search that walks may spend
	walkLeast  = 40_000 // least ticks of a walk: about three milliseconds
	// earlyWalkTicks are the ticks of search at which the first walk comes in any case, and
	// earlyWalkSetups the steps of that walk, in terms of those before its first flip.
	earlyWalkTicks  = 20_000_000
	earlyWalkSetups = 3
	// mostHalvings limits how often the effort is halved. A walk that finds nothing better
	// than its start halves it, any other doubles it up to the whole.
	mostHalvings = 4
	// walkSteps is the number of steps that take as long as a tick of search. Steps are
	// short and touch nearby memory: they took 7 to 18 nanoseconds each, and a tick,
	// with everything else that search does, 50 to 150.
	walkSteps = 8
	// unwatchBytes is the memory of the watches of longer clauses from which a walk drops them.
	// The lists are in another order afterwards.
	unwatchBytes = 64 << 20
)

func (s *Solver) newWalker(limit int64) *walker {
	s.stats.Walks++
	return &walker{s: s, random: rand.NewPCG(s.opts.Seed, uint64(s.stats.Walks)), limit: limit}
}

// walk makes the tables, runs and drops the tables. It reports whether the saved phases are a model.
func (w *walker) walk() (found bool) {
	s := w.s
	s.opts.enter("walk")
	if s.unwatchLonger(unwatchBytes) {
		if found = w.load() && w.start(); found {
			w.run()
			found = w.minimum == 0
		}
		s.passes.releaseScratch()
		s.stats.PassTicks += w.steps / walkSteps
		if int(s.clauses.unwatched) < len(s.clauses.arena) {
			s.connect()
		}
	}
	return found
}

// run flips literals until no clause is broken or the effort is spent, and saves the
// best assignment.
func (w *walker) run() {
	s := w.s
	s.stats.WalkStart = len(w.broken)
	w.copyBest()
	w.search()
	if checking {
		w.check()
	}
	s.stats.WalkBroken = w.minimum
	if w.minimum < s.stats.WalkStart || w.minimum == 0 {
		s.stats.WalksImproved++
		s.schedule.due.walkHalvings = max(s.schedule.due.walkHalvings-1, 0)
		w.export()
	} else {
		s.schedule.due.walkHalvings = min(s.schedule.due.walkHalvings+1, mostHalvings)
	}
}

// powers are the exponents of the weights, the least greedy first.
var powers = []int{1, 2, 4}

// search tries each power for a share of the effort, always from the best assignment,
// and continues with the last one that improved it.
func (w *walker) search() {
	share := (w.limit - w.steps) / int64(len(powers)+2)
	best := powers[0]
	for _, power := range powers {
		before := w.minimum
		w.setWeights(power)
		w.walkTo(w.steps + share)
		w.restoreBest()
		if w.minimum < before {
			best = power
		}
	}
	w.setWeights(best)
	w.walkTo(w.limit)
}

// walkTo flips literals until no clause is broken or the limit of steps is reached.
func (w *walker) walkTo(limit int64) {
	s := w.s
	for next := w.steps; len(w.broken) > 0 && w.steps < limit && !s.call.stopped; {
		if w.steps >= next {
			next = w.steps + walkSteps*pollTicks
			s.poll(s.stats.Ticks)
		}
		l := w.pick(w.broken[w.randomBelow(uint64(len(w.broken)))])
		w.flip(l)
		w.updateBest(l)
		s.stats.WalkFlips++
	}
}

// randomBelow returns a random number below n.
func (w *walker) randomBelow(n uint64) uint64 {
	hi, _ := bits.Mul64(w.random.Uint64(), n)
	return hi
}

// pick returns a random literal of the broken clause c, according to the weights.
func (w *walker) pick(c uint32) uint32 {
	lits := w.clause(c)
	w.steps += 1 + int64(len(lits))
	sum := uint64(0)
	for _, l := range lits {
		sum += w.weight(l)
	}
	r := w.randomBelow(sum)
	for _, l := range lits {
		x := w.weight(l)
		if r < x {
			return l
		}
		r -= x
	}
	panic("cdcl: weights do not add up")
}

// weight returns the weight of a false literal.
func (w *walker) weight(l uint32) uint64 {
	return w.weights[min(int(w.breaks[l>>1]), len(w.weights)-1)]
}

// flip makes the false literal l true.
func (w *walker) flip(l uint32) {
	w.vals[l], w.vals[l^1] = 1, -1
	v := l >> 1
	breaks, states := unchecked(w.breaks), unchecked(w.states)
	gain := w.occs[w.from[l]:w.from[l+1]]
	loss := w.occs[w.from[l^1]:w.from[(l^1)+1]]
	w.steps += 2 + int64(len(gain)+len(loss))
	mended := uint32(0)
	for _, c := range gain {
		x := states.ptr(c)
		switch x.count++; x.count {
		case 1:
			w.repair(x.xor)
			x.xor = l
			mended++
		case 2:
			*breaks.ptr(x.xor >> 1)--
			x.xor ^= l
		default:
			x.xor ^= l
		}
	}
	for _, c := range loss {
		x := states.ptr(c)
		switch x.count--; x.count {
		case 0:
			x.xor = uint32(len(w.broken))
			w.broken = append(w.broken, c)
		case 1:
			x.xor ^= l ^ 1
			*breaks.ptr(x.xor >> 1)++
		default:
			x.xor ^= l ^ 1
		}
	}
	// The clauses that only v satisfied are broken now.
	breaks.set(v, mended)
}

// repair removes the clause at this index of broken.
func (w *walker) repair(index uint32) {
	last := len(w.broken) - 1
	c := w.broken[last]
	w.broken[index] = c
	w.states[c].xor = index
	w.broken = w.broken[:last]
}

// updateBest stores the current assignment, after the flip of l, if it is the best so far.
// Otherwise it records the flip. The recorded flips are applied to the stored assignment
// when the next best one is found, unless there are so many that a copy is cheaper.
func (w *walker) updateBest(l uint32) {
	switch {
	case len(w.broken) >= w.minimum:
		if w.overflowed {
			return
		}
		if len(w.flips) == len(w.best) {
			w.flips, w.overflowed = w.flips[:0], true
			return
		}
		w.flips = append(w.flips, l)
	case w.overflowed:
		w.copyBest()
	default:
		w.minimum = len(w.broken)
		for _, k := range append(w.flips, l) {
			w.best[k>>1] = 1 - 2*int8(k&1)
		}
		w.flips = w.flips[:0]
	}
}

// copyBest copies the current assignment.
func (w *walker) copyBest() {
	w.minimum = len(w.broken)
	w.overflowed = false
	w.steps += int64(len(w.best) >> 5)
	for v := range w.best {
		w.best[v] = w.vals[2*v]
	}
}

// restoreBest returns to the best assignment. It takes no longer than the flips since that
// assignment.
func (w *walker) restoreBest() {
	if w.overflowed {
		w.flips = w.flips[:0]
		for v, p := range w.best {
			if w.vals[2*v] != p {
				w.flips = append(w.flips, uint32(literal(uint32(v), -p)))
			}
		}
	}
	for i := len(w.flips) - 1; i >= 0 && !w.s.pausing(i); i-- {
		w.flip(w.flips[i] ^ 1)
	}
	w.flips, w.overflowed = w.flips[:0], false
}

// export makes the best assignment the saved phases.
func (w *walker) export() {
	s := w.s
	for v, p := range w.best {
		if s.trail.vals[2*v] == 0 && p != 0 {
			s.decisions.phases.saved[v] = p
		}
	}
}

// cbs are the bases of the weights by average clause length: those of Balint and
// Schöning (SAT 2012) for uniform clauses of 3, 5 and 7 literals, and CaDiCaL's values
// between and below them.
var cbs = []struct{ size, cb float64 }{{0, 2}, {3, 2.5}, {4, 2.85}, {5, 3.7}, {6, 5.1}, {7, 5.4}}

// setWeights computes the weights for the average length of the clauses. Weights are
// integers, 2^32 for break count 0, and at least 1, so that no literal is excluded.
func (w *walker) setWeights(power int) {
	size := float64(w.size) / float64(len(w.states))
	cb := cbs[len(cbs)-1].cb
	for i := 1; i < len(cbs); i++ {
		if a, b := cbs[i-1], cbs[i]; size < b.size {
			cb = a.cb + float64((size-a.size)/(b.size-a.size)*(b.cb-a.cb))
			break
		}
	}
	base := cb
	for range power - 1 {
		base *= cb
	}
	w.weights = w.weights[:0]
	for x := float64(1 << 32); x > 1; x /= base {
		w.weights = append(w.weights, uint64(x))
	}
	w.weights = append(w.weights, 1)
}
