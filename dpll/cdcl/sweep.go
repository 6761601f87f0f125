package cdcl

import (
	"math/rand/v2"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/circuit"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/kitten"
)

// SAT sweeping (functional reduction, fraig). Two circuits for one function have many pairs of
// gates inside that are equal, and each equality follows from earlier ones by a short proof.
// Search on the whole formula finds such proofs by chance only. Sweeping recognizes the circuit in
// the formula (package circuit) and proves the equalities in order, from its inputs to its outputs
// (Kuehlmann and Krohm, "Equivalence checking using cuts and heaps", DAC 1997; Mishchenko,
// Chatterjee, Jiang and Brayton, "FRAIGs: a unifying representation for logic synthesis and
// verification", 2005):
//
//   - The circuit is simulated with random values of its inputs. Gates with the same values
//     in all patterns, or with complementary ones, may be equal.
//   - Each such gate is compared with the constant, and with earlier gates of the same values.
//     The kitten gets the two gates and the gates before them, up to a bound, and searches
//     for an assignment in which they differ. If there is one, and gates were left out, it gets
//     more of them.
//   - A gate that equals an earlier one is replaced by that one in later calls. So a call
//     needs only the gates after the last equal pairs, and two circuits with corresponding
//     gates take nearly linear time.
//
// A unit is assigned and propagated at once. Two equal literals get two learned binary
// clauses; substitution does the rest, and refutes the miter of two circuits.
//
// The proof gets only those learned clauses of the kitten that a derived clause depends
// on. They are deleted after each comparison.
//
// A pass ends after a budget that each equality extends. Circuits of hardware model checking
// have thousands of equal gates, too, but each takes ten to a hundred times the ticks, and
// the search gains little from them.
//
// Equalities that no function of the inputs explains are found by another pass (environment.go).

const (
	sweepConflicts = 200     // before the pass that comes before the first round
	sweepCallTicks = 5_000   // bound for one call of the kitten
	sweepBase      = 200_000 // ticks of a pass that finds nothing
	sweepEach      = 2_000   // ticks by which an equality or a unit extends the pass
	sweepWords     = 32      // words of values of a gate, of 64 patterns each
	sweepMemory    = 1 << 23 // words of values of all gates, at most
	sweepRivals    = 4       // gates of the same values that are compared with later ones
)

// sweepCones are the numbers of gates that the kitten gets, one after the other.
var sweepCones = [...]int{16, 64, 256, 1024}

// A sweeping is the state that a pass leaves to the next one.
type sweeping struct {
	backoff
	credit int64 // unused budget in ticks
	cost   int64 // of the search for gates for which the credit was too small, in ticks
	early  bool  // the pass ran, or was not due, before the first round
}

// A backoff skips rounds after passes without success.
type backoff struct {
	delay int // rounds to skip after the next such pass, less one
	wait  int // rounds still to be skipped
}

// A sweeper is a pass of SAT sweeping.
type sweeper struct {
	prover
	network *circuit.Network
	values  *circuit.Values
	reps    []dimacs.Lit            // by variable: the earlier literal that equals its positive literal, or that literal
	classes map[uint64][]dimacs.Lit // by hash of the values: literals with these values
	open    []uint32                // places of the gates that the kitten gets next, sorted
	pushed  []uint32                // by variable: the last cone that it was in
	cones   uint32
	inputs  []uint32 // by variable: the last gate of which it is an input or the output
	gates   uint32
}

// A prover proves units and equivalences with the kitten, and adds them to the formula.
type prover struct {
	s      *Solver
	limit  int64         // end of the pass, in ticks
	kitten kittenAdapter // holds clauses near the literals that are compared
	clause []dimacs.Lit  // scratch
}

// newProver returns a prover of a pass that ends after this many ticks.
func newProver(s *Solver, budget int64) prover {
	p := prover{s: s, limit: s.stats.Ticks + budget}
	p.kitten.host = s
	p.kitten.origin = func(ref uint32) uint32 { return ref }
	return p
}

// sweepingDue reports whether the pass is due before the first round: after so many conflicts that
// the formula is not trivial, and so much search that the search for gates costs half as much.
func (s *Solver) sweepingDue() bool {
	x := &s.passes.sweeping
	return !x.early && !s.opts.NoSweep && !s.opts.NoSimplify && s.stats.Conflicts >= sweepConflicts &&
		s.stats.Ticks >= max(2*x.cost, int64(s.clauses.size())) && !s.passes.keepsSymmetries()
}

// sweepEarly runs the pass before the first round, while all gates are in the formula.
func (s *Solver) sweepEarly() {
	x := &s.passes.sweeping
	switch p := passNamed("sweep"); {
	case s.stats.Rounds > 0 || !s.allows(p):
		x.early = true
	case s.toRoot():
		if s.user != nil {
			s.user.notify()
		}
		s.runPass([]*pass{p}, s.stats.Ticks/2-x.credit)
		s.collectChanged()
		x.early = x.cost == 0
	}
	s.opts.enter(s.decisions.searchName())
}

// sweep finds the circuit and compares its gates. Budgets are saved until they cover the search
// for gates.
func (s *Solver) sweep(budget int64) {
	x := &s.passes.sweeping
	if x.credit += budget; x.skips() || x.credit < max(x.cost, int64(s.clauses.size()/8)) {
		return
	}
	if s.collectRoot(); s.call.stopped || s.inconsistent {
		return
	}
	var n *circuit.Network
	if n, x.cost = circuit.Find(host{s}, x.credit); s.call.stopped || n == nil && x.cost > x.credit {
		return
	}
	x.credit, x.cost = 0, 0
	before := s.stats
	if n != nil {
		newSweeper(s, n).run()
	}
	x.delayNext(s.stats.swept() > before.swept())
	s.substituteSwept(before.SweepEquivalences, budget)
}

// swept returns the number of results of sweeping.
func (st *Stats) swept() int64 { return st.SweepEquivalences + st.SweepUnits }

// substituteSwept substitutes equal literals, if there are more than before.
func (s *Solver) substituteSwept(before, budget int64) {
	if s.stats.SweepEquivalences > before && s.substituting() {
		s.substitute(budget)
	}
}

// newSweeper returns a sweeper of a circuit.
func newSweeper(s *Solver, n *circuit.Network) *sweeper {
	s.stats.SweepGates += int64(n.Gates())
	vars := len(s.trail.vars)
	w := &sweeper{
		prover: newProver(s, sweepBase), network: n,
		values:  n.NewValues(host{s}, min(sweepWords, max(1, sweepMemory/len(n.Sorted)))),
		reps:    inprocess.Table[dimacs.Lit](host{s}, vars),
		classes: map[uint64][]dimacs.Lit{},
		pushed:  inprocess.Table[uint32](host{s}, vars),
		inputs:  inprocess.Table[uint32](host{s}, vars),
	}
	for v := range w.reps {
		w.reps[v] = dimacs.Lit(2 * v)
	}
	return w
}

// skips reports whether this round is skipped.
func (b *backoff) skips() bool {
	if b.wait == 0 {
		return false
	}
	b.wait--
	return true
}

// delayNext sets the number of rounds to skip: longer after each failure, half as long
// after a success.
func (b *backoff) delayNext(success bool) {
	if success {
		b.delay /= 2
		return
	}
	b.delay++
	b.wait = b.delay
}

// substituting reports whether equal literals may be substituted at once.
func (s *Solver) substituting() bool {
	return !s.opts.NoSubstitute && !s.removal.keepModels && len(s.call.assumptions) == 0 && !s.call.stopped && !s.inconsistent
}

// run simulates the circuit and compares its gates.
func (w *sweeper) run() {
	random := rand.NewPCG(w.s.opts.Seed, 0x5eeb)
	for _, v := range w.network.Sorted {
		w.values.Simulate(v, random)
		w.s.stats.Ticks += 1 + int64(len(w.values.Of(v))*len(w.network.Inputs(v))/8)
		if w.s.trail.vals[2*v] == 0 {
			w.compare(v)
		}
		if w.spent() || w.s.inconsistent {
			return
		}
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (p *prover) spent() bool {
	t := p.s.stats.Ticks
	return t >= p.limit || t >= p.s.call.pollAt && p.s.poll(t)
}

// compare compares the gate of v with the constant and with earlier gates of the same values.
func (w *sweeper) compare(v uint32) {
	hash, constant, l := w.hash(v)
	rivals := w.classes[hash]
	if w.network.Defined(v) {
		if constant && w.proveUnit(l^1) {
			return
		}
		for _, r := range rivals {
			if w.s.trail.vals[r] == 0 && w.proveSame(r, l) {
				w.reps[v] = r ^ l&1
				return
			}
		}
	}
	if len(rivals) < sweepRivals {
		w.classes[hash] = append(rivals, l)
	}
}

// hash returns a hash of the values of the literal of v that is false in the first pattern, whether
// it is false in all patterns, and the literal.
func (w *sweeper) hash(v uint32) (hash uint64, constant bool, l dimacs.Lit) {
	words := w.values.Of(v)
	flip := -(words[0] & 1)
	all := uint64(0)
	for _, x := range words {
		x ^= flip
		all |= x
		hash = (hash ^ x) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	return hash, all == 0, dimacs.Lit(2*v) | dimacs.Lit(flip&1)
}

// proveUnit reports whether it has proved l, and assigns it.
func (w *sweeper) proveUnit(l dimacs.Lit) (proved bool) {
	w.eachCone(func() bool {
		answer := w.solve(w.kitten.Lit(l ^ 1))
		if proved = answer == dimacs.Unsatisfiable; proved {
			w.addUnit()
		}
		return answer == dimacs.Satisfiable
	}, uint32(l>>1))
	return proved
}

// proveSame reports whether it has proved that a and b are equal, and adds the clauses for it.
func (w *sweeper) proveSame(a, b dimacs.Lit) (equal bool) {
	w.eachCone(func() bool {
		var answer dimacs.Status
		equal, answer = w.proveEqual(w.kitten.Lit(a), w.kitten.Lit(b))
		return answer == dimacs.Satisfiable
	}, uint32(a>>1), uint32(b>>1))
	if equal {
		w.s.stats.SweepEquivalences++
		w.limit += sweepEach
	}
	return equal
}

// eachCone calls prove with more and more gates before the variables vs in the kitten, as long as
// it returns true, there are more, and the pass may go on.
func (w *sweeper) eachCone(prove func() (more bool), vs ...uint32) {
	for _, size := range sweepCones {
		complete := w.load(size, vs)
		more := prove()
		w.kitten.deleteAuxiliary()
		if !more || complete || w.spent() || w.s.inconsistent {
			return
		}
	}
}

// solve calls the kitten.
func (p *prover) solve(assumptions ...kitten.Lit) dimacs.Status {
	p.s.stats.SweepSolved++
	return p.kitten.solveWithin(sweepCallTicks, assumptions...)
}

// load adds the gates of the variables vs to the kitten, and the gates before them, the latest
// first, up to a number of gates. It reports whether these are all.
func (w *sweeper) load(size int, vs []uint32) (complete bool) {
	w.kitten.reset()
	w.open = w.open[:0]
	w.cones++
	for _, v := range vs {
		w.kitten.Lit(dimacs.Lit(2 * v))
		w.push(v)
	}
	for ; len(w.open) > 0; size-- {
		if size == 0 {
			return false
		}
		last := len(w.open) - 1
		v := w.network.Sorted[w.open[last]]
		w.open = w.open[:last]
		w.loadGate(v)
	}
	return true
}

// push adds v to the open gates, if it is the output of a gate.
func (w *sweeper) push(v uint32) {
	if w.pushed[v] == w.cones || !w.network.Defined(v) || w.s.trail.vals[2*v] != 0 {
		return
	}
	w.pushed[v] = w.cones
	place := uint32(w.network.Place(v))
	i, _ := slices.BinarySearch(w.open, place)
	w.open = slices.Insert(w.open, i, place)
}

// loadGate adds the clauses of v and the inputs of its gate to the kitten, or those of v and its
// representative.
func (w *sweeper) loadGate(v uint32) {
	w.gates++
	w.inputs[v] = w.gates
	if r := uint32(w.reps[v] >> 1); r != v {
		w.loadInput(r)
	} else {
		for _, l := range w.network.Inputs(v) {
			w.loadInput(uint32(l >> 1))
		}
	}
	for _, l := range [2]dimacs.Lit{dimacs.Lit(2 * v), dimacs.Lit(2*v + 1)} {
		ws := w.s.clauses.list(l)
		w.s.stats.Ticks += 2 + int64(len(ws)>>3)
		for _, x := range ws {
			if b := x.blocker(); x.binary() && w.inputs[b>>1] == w.gates && w.s.trail.vals[b] == 0 {
				w.clause = append(w.clause[:0], l, b)
				w.kitten.Add(w.clause, x.ref())
			}
		}
		for _, r := range w.network.Clauses(l) {
			w.s.stats.Ticks++
			w.loadClause(r)
		}
	}
	if r := w.network.Wide(v); r != 0 {
		w.loadClause(r)
	}
}

// loadClause adds the clause at r to the kitten, if it is of the gate that is loaded.
func (w *sweeper) loadClause(r uint32) {
	if w.overInputs(r) && w.unassignedLits(r) {
		w.kitten.Add(w.clause, r)
	}
}

func (w *sweeper) loadInput(v uint32) {
	w.inputs[v] = w.gates
	w.push(v)
}

// overInputs reports whether all literals of the clause at r are of the gate that is loaded.
func (w *sweeper) overInputs(r uint32) bool {
	for _, k := range w.s.clauses.lits(r) {
		if w.inputs[k>>1] != w.gates {
			return false
		}
	}
	return true
}

// unassignedLits sets w.clause to the unassigned literals of the clause at r. It
// reports false if a literal is true.
func (p *prover) unassignedLits(r uint32) bool {
	p.clause = p.clause[:0]
	for _, k := range p.s.clauses.lits(r) {
		switch v := p.s.trail.vals[k]; {
		case v > 0:
			return false
		case v == 0:
			p.clause = append(p.clause, dimacs.Lit(k))
		}
	}
	return true
}

// proveEqual calls the kitten to test whether a and b differ in a model; if not, it adds the
// two binary clauses of their equivalence. It returns whether they are equal, and the last
// answer of the kitten.
func (p *prover) proveEqual(a, b kitten.Lit) (bool, dimacs.Status) {
	if answer := p.solve(a, b^1); answer != dimacs.Unsatisfiable {
		return false, answer
	}
	first := p.kitten.Refutation
	if len(p.kitten.Lits(first)) < 2 {
		p.addUnit()
		return false, dimacs.Unsatisfiable
	}
	if answer := p.solve(a^1, b); answer != dimacs.Unsatisfiable {
		return false, answer
	}
	second := p.kitten.Refutation
	if len(p.kitten.Lits(second)) < 2 {
		p.addUnit()
		return false, dimacs.Unsatisfiable
	}
	p.addBinary(first)
	p.addBinary(second)
	return true, dimacs.Unsatisfiable
}

// addUnit assigns the unit that the kitten has proved, or refutes the formula if the
// kitten has proved the empty clause.
func (p *prover) addUnit() {
	r := p.kitten.Refutation
	id := p.kitten.learn(r)
	c := p.kitten.Lits(r)
	if len(c) == 0 {
		p.s.inconsistent = true
		return
	}
	p.s.stats.SweepUnits++
	p.limit += sweepEach
	p.s.assignUnits([]inprocess.Unit{{Lit: p.kitten.Outer(kitten.Lit(c[0])), ID: id}})
}

// addBinary adds a binary clause that the kitten has proved as a learned clause, unless
// the formula has it already.
func (p *prover) addBinary(r uint32) {
	c := p.kitten.Lits(r)
	a, b := p.kitten.Outer(kitten.Lit(c[0])), p.kitten.Outer(kitten.Lit(c[1]))
	if !p.s.clauses.hasBinary(a, b) {
		p.s.clauses.watchBinary(a, b, p.s.clauses.binaryRef(true, p.kitten.learn(r)))
	}
}
