package cdcl

import (
	"math/bits"
	"math/rand/v2"
)

// A walk is a local search: all variables have a value, and as long as there are
// broken clauses, clauses without a true literal, one of them is picked at
// random and one of its literals is made true. Which one is up to chance again,
// and the better a literal, the more clauses stay whole when it changes: its
// weight is cb to the power of minus its break count, the number of clauses that
// its complement alone satisfies (ProbSAT; Balint and Schöning, "Choosing
// probability distributions for stochastic local search and the role of make
// versus break", SAT 2012). How greedy that should be depends on the length of
// clauses: cb is interpolated between the values that the authors found for
// uniform random ones, as in CaDiCaL and Kissat. On other formulas these are too
// timid by far, so that a walk tries higher powers of the weights too, and spends
// the rest of its effort with what has worked. Of Latin squares with holes, 74
// broken clauses became 72 without that, and at most 8 with it; of a colored
// graph, 16 became 8 and 0; of SHA-1, 105 stayed and became 60. What CaDiCaL does,
// a timid cb of 2 in every other walk, is a step to the wrong side there.
//
// A walk is no search of its own here but a way to good phases. It begins where
// the search is, at the saved phases, and when it saw an assignment with fewer
// broken clauses than at its start, the one with the fewest becomes the saved
// phases (Cai and Zhang, "Deep cooperation of CDCL and local search for SAT",
// SAT 2021). If none was broken, the decisions that follow need only repeat it.
//
// The formula is copied for a walk, without what is satisfied at the root or by
// the assumptions: what is fixed there does not take part. Learned clauses do
// not either; they follow from the others. For each clause the walk knows how
// many of its literals are true and the exclusive or of these, which is the
// literal itself when there is only one. So a flip changes break counts
// without a look at the literals of any clause (Balint, Biere, Fröhlich,
// Schöning, "Improving implementation of SLS solvers for SAT and new heuristics
// for k-SAT with long clauses", SAT 2014).
//
// Weights by a power of the break count are said to be better for clauses of three
// literals. They took 0.7 times the flips there, and for longer clauses found
// nothing at all where the others find models.
//
// The copy is given back at the end, and it is made only when search has spent
// so much since the last walk that the copy is a small part of the share of
// effort that walking has.

// A walker holds what one walk needs and is dropped afterwards.
type walker struct {
	solver *Solver
	random *rand.PCG
	limit  int64 // of steps
	steps  int64 // spent, one for each clause or literal that a flip looks at

	// The formula, in two directions.
	lits   []uint32 // the literals of all clauses
	starts []uint32 // by clause: where in lits it begins; and the end
	occs   []uint32 // the clauses of all literals
	from   []uint32 // by literal: where in occs its clauses begin; and the end

	refuted bool // the assumptions falsify a clause

	// The assignment, and what follows from it.
	vals   []int8        // by literal, those that are fixed included
	states []clauseState // by clause
	broken []uint32      // clauses without a true literal
	breaks []uint32      // by variable: clauses satisfied by it alone

	weights []uint64 // by break count, until they no longer differ

	// The best assignment so far.
	best       []int8   // by variable: as of the minimum
	flips      []uint32 // the literals made true since, in their order
	overflowed bool     // there were too many: best is to be copied as a whole
	minimum    int      // broken clauses
}

// A clauseState tells how many literals of a clause are true, and the exclusive
// or of them. A broken clause, which has none, has its place among the broken
// ones there.
type clauseState struct {
	count uint32
	xor   uint32
}

// walk searches for better saved phases around those that there are. It wants
// the trail to end with the assumptions.
func (s *Solver) walk() {
	limit := walkSteps * max((s.stats.Ticks-s.due.lastWalkTicks)*walkEffort/1000, walkLeast)
	if s.walkSetup() > limit/2 {
		return
	}
	s.due.lastWalkTicks = s.stats.Ticks
	s.stats.Walks++
	s.enter("walk")
	w := s.newWalker(limit)
	if w.load() && w.start() {
		w.run()
	}
	s.stats.PassTicks += w.steps / walkSteps
	s.enter(s.searchName())
}

const (
	walkEffort = 80     // thousandths of the ticks of search that walks may spend
	walkLeast  = 40_000 // ticks that a walk may spend however few those are: about three milliseconds
	// walkSteps is how many steps take as long as a tick of search. Steps are
	// short and what they touch is often close: 7 to 18 nanoseconds each, where
	// a tick, with all that search does besides, took 50 to 150.
	walkSteps = 8
)

func (s *Solver) newWalker(limit int64) *walker {
	return &walker{solver: s, random: rand.NewPCG(s.opts.Seed, uint64(s.stats.Walks)), limit: limit}
}

// run flips literals until no clause is broken or the effort is spent, and saves
// the best assignment.
func (w *walker) run() {
	s := w.solver
	initial := len(w.broken)
	w.copyBest()
	w.search()
	if checking {
		w.check()
	}
	s.stats.WalkBroken = w.minimum
	if w.minimum < initial || w.minimum == 0 {
		s.stats.WalksImproved++
		w.export()
	}
}

// powers are the powers to which weights are raised, from the least greedy on.
var powers = []int{1, 2, 4}

// search tries each of the greeds for a while, from the best assignment there is
// then, and goes on with the last one that has found a better one.
func (w *walker) search() {
	share := (w.limit - w.steps) / int64(len(powers)+2)
	best := powers[0]
	for _, greed := range powers {
		before := w.minimum
		w.setWeights(greed)
		w.walkTo(w.steps + share)
		w.restoreBest()
		if w.minimum < before {
			best = greed
		}
	}
	w.setWeights(best)
	w.walkTo(w.limit)
}

// walkTo flips literals until no clause is broken or so many steps are done.
func (w *walker) walkTo(limit int64) {
	s := w.solver
	for next := w.steps; len(w.broken) > 0 && w.steps < limit && !s.stopped; {
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

// randomBelow returns a random number randomBelow n.
func (w *walker) randomBelow(n uint64) uint64 {
	hi, _ := bits.Mul64(w.random.Uint64(), n)
	return hi
}

// pick returns a literal of the broken clause c, by chance according to the
// weights.
func (w *walker) pick(c uint32) uint32 {
	lits := w.lits[w.starts[c]:w.starts[c+1]]
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
	// What v alone satisfied is broken now.
	breaks.set(v, mended)
}

// repair takes the clause at this place out of the broken ones.
func (w *walker) repair(place uint32) {
	last := len(w.broken) - 1
	c := w.broken[last]
	w.broken[place] = c
	w.states[c].xor = place
	w.broken = w.broken[:last]
}

// updateBest remembers the assignment if it is the best one so far. Between two such
// the flips are kept and done again on the older one, unless they are so many
// that copying all is less work.
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

func (w *walker) copyBest() {
	w.minimum = len(w.broken)
	w.overflowed = false
	w.steps += int64(len(w.best) >> 5)
	for v := range w.best {
		w.best[v] = w.vals[2*v]
	}
}

// restoreBest returns to the best assignment. It takes less than it took to get away.
func (w *walker) restoreBest() {
	if w.overflowed {
		w.flips = w.flips[:0]
		for v, p := range w.best {
			if w.vals[2*v] != p {
				w.flips = append(w.flips, uint32(literal(uint32(v), -p)))
			}
		}
	}
	for i := len(w.flips) - 1; i >= 0 && !w.solver.pausing(i); i-- {
		w.flip(w.flips[i] ^ 1)
	}
	w.flips, w.overflowed = w.flips[:0], false
}

// export makes saved phases of the best assignment.
func (w *walker) export() {
	s := w.solver
	for v, p := range w.best {
		if s.vals[2*v] == 0 && p != 0 {
			s.phases.saved[v] = p
		}
	}
}

// cbs are the bases of the weights that Balint and Schöning (SAT 2012) found
// for uniform clauses of 3, 5 and 7 literals, with values of CaDiCaL between
// and before.
var cbs = []struct{ size, cb float64 }{{0, 2}, {3, 2.5}, {4, 2.85}, {5, 3.7}, {6, 5.1}, {7, 5.4}}

// setWeights makes the table of weights for the average size of the clauses. Weights
// are integers with the one of break count 0 at 2^32, and at least 1, so that
// no literal is excluded.
func (w *walker) setWeights(greed int) {
	size := float64(len(w.lits)) / float64(len(w.starts)-1)
	cb := cbs[len(cbs)-1].cb
	for i := 1; i < len(cbs); i++ {
		if a, b := cbs[i-1], cbs[i]; size < b.size {
			cb = a.cb + float64((size-a.size)/(b.size-a.size)*(b.cb-a.cb))
			break
		}
	}
	base := cb
	for range greed - 1 {
		base *= cb
	}
	w.weights = w.weights[:0]
	for x := float64(1 << 32); x > 1; x /= base {
		w.weights = append(w.weights, uint64(x))
	}
	w.weights = append(w.weights, 1)
}
