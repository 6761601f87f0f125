package cdcl

import (
	"fmt"
	"math"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/cardinality"
	"sator/dpll/cdcl/internal/congruence"
)

// Inprocessing: passes simplify the formula between two decisions of the search. A
// round runs the passes that are on, in the order of the table and at the root. Each
// has a budget of ticks in proportion to the ticks of search since the last round.
// In builds with satcheck the invariants are checked after each pass. The ticks of
// passes are counted apart from the ticks of search and do not advance its schedules.
//
// Tried: ternary resolution, blocked and covered clause elimination, in CaDiCaL (no gain).
// Blocked and covered clauses would also exclude sharing of clauses (exchange.go), since what
// remains is no projection.
//
// Consecutive rows with a dense function share one stay in dense mode, in which they
// alternate; see alternate. The budget of the stay is that of the first of them.
type pass struct {
	name    string
	letter  Event // reported after the pass
	on      func(*Options) bool
	removes bool        // removes variables: not run with KeepModels, nor under many assumptions
	alone   bool        // not run under assumptions
	effort  int64       // budget in thousandths of the ticks of search
	least   int64       // smallest budget, in ticks
	memory  scratchSize // of the tables that the pass makes
	run     func(s *Solver, budget int64)
	dense   func(*eliminator) bool // one round in dense mode; false ends the stay
}

// passes lists the simplifications in the order in which a round runs them; passOrder says
// why. Passes that recognize structure come first, before others rewrite the clauses that it
// consists of.
var passes = []pass{
	{
		name: symmetryPass, letter: Symmetry, on: func(o *Options) bool { return !o.NoSymmetry }, removes: true, alone: true,
		least:  5e6, // a tenth of a second; ten times as much in the first round, if that was not enough
		memory: scratchSize{64, 64, 12},
		run:    (*Solver).breakSymmetries,
	},
	{
		name: "xor", letter: XOR, on: func(o *Options) bool { return !o.NoXOR },
		effort: 20, least: 2e6, // finding them costs a walk over the clauses in any case
		memory: scratchSize{32, 24, 12},
		run:    (*Solver).addXORs,
	},
	{
		name: "cardinality", letter: Cardinality, on: func(o *Options) bool { return !o.NoCardinality },
		effort: 50, least: 3e5, // unspent budget accumulates until twice the last one is there
		memory: scratchSize{64, 64, 12},
		run:    (*Solver).detectCardinality,
	},
	{
		name: "congruence", letter: Congruence, on: func(o *Options) bool { return !o.NoCongruence },
		effort: 50, least: 2e6, // 5% of the ticks of search where little is merged
		memory: scratchSize{64, 128, 16},
		run:    (*Solver).closeCongruence,
	},
	{
		name: "substitute", letter: Substitute, on: func(o *Options) bool { return !o.NoSubstitute }, removes: true,
		effort: 20, least: 2e4, // linear in the binary clauses
		memory: scratchSize{48, 24, 0},
		run:    (*Solver).substitute,
	},
	{
		name: "probe", letter: Probe, on: func(o *Options) bool { return !o.NoProbe },
		effort: 20, least: 2e4, // finds little beside substitution, elimination and vivification
		memory: scratchSize{16, 48, 0},
		run:    (*Solver).probe,
	},
	{
		name: "sweep", letter: Sweep, on: func(o *Options) bool { return !o.NoSweep },
		effort: 20, least: 2e4, // saved until they cover the search for gates; it also runs before the first round
		memory: scratchSize{384, 32, 8},
		run:    (*Solver).sweep,
	},
	{
		name: "environment", letter: Sweep, on: func(o *Options) bool { return !o.NoSweep && !o.NoSubstitute },
		removes: true, // by substitution, without which it would find the same equalities again
		effort:  120,  // at first; a twelfth of it later
		memory:  scratchSize{48, 0, 4},
		run:     (*Solver).exploreEnvironments,
	},
	{
		name: "transitive", letter: Transitive, on: func(o *Options) bool { return !o.NoTransitive },
		effort: 20, least: 2e4, // removes 2 or 3 of 100 binary clauses
		memory: scratchSize{48, 32, 0},
		run:    (*Solver).transitive,
	},
	{
		name: "subsume", letter: Eliminate, on: func(o *Options) bool { return !o.NoSubsume },
		effort: 100, least: 2e6, // entering dense mode alone costs a walk over the clauses
		memory: scratchSize{24, 24, 8},
		dense:  (*eliminator).subsume,
	},
	{
		name: "eliminate", letter: Eliminate, on: func(o *Options) bool { return !o.NoEliminate }, removes: true,
		effort: 100, least: 2e6, // of the stay that it shares with subsume
		memory: scratchSize{24, 24, 8},
		dense:  (*eliminator).tryAll,
	},
	{
		name: "vivify", letter: Vivify, on: func(o *Options) bool { return !o.NoVivify },
		effort: 200, least: 1e4, // half as much saves half as much
		memory: scratchSize{16, 16, 8},
		run:    (*Solver).vivify,
	},
	{
		name: "factor", letter: Factor, on: func(o *Options) bool { return !o.NoFactor }, removes: true, alone: true,
		effort: 50, least: 1e5, // successes extend it; see bva.go for the end
		memory: scratchSize{128, 32, 8},
		run:    (*Solver).factor,
	},
}

const (
	symmetryPass = "symmetry" // also runs alone, before the first round
	others       = "others"   // all other passes, in passOrder
)

// An ordering says that a pass must run before another one, and why.
type ordering struct{ first, then, reason string }

// passOrder lists what the order of passes must satisfy. It is verified when the program
// starts, so that a row of passes cannot move without a look at it.
var passOrder = []ordering{
	{symmetryPass, others, "others change the clauses, which destroys symmetries"},
	{"xor", "substitute", "it replaces the literals that are found equivalent"},
	{"xor", "eliminate", "it splits and merges XOR constraints"},
	{"cardinality", "eliminate", "it destroys at-most-one constraints"},
	{"congruence", "substitute", "it replaces the literals that are found equivalent"},
	{"congruence", "eliminate", "it deletes the gates"},
	{"substitute", "probe", "without equivalences the binary clauses have no cycles"},
	{"substitute", "transitive", "without equivalences the binary clauses have no cycles"},
	{"substitute", "eliminate", "equivalences shorten the clauses that it resolves"},
	{"probe", "eliminate", "units shorten the clauses that it resolves"},
	{"probe", "vivify", "it propagates the units"},
	{"sweep", "eliminate", "circuits are made of gates"},
	{"sweep", "transitive", "equivalences are new binary clauses"},
	{"sweep", "environment", "it finds the equal gates of circuits sooner"},
	{"environment", "transitive", "equivalences are new binary clauses"},
	{"subsume", "eliminate", "it is cheaper with fewer clauses"},
	{"eliminate", "vivify", "eliminate changes the clauses of the formula"},
	{"eliminate", "factor", "its bound keeps eliminate from undoing this"},
}

// A passMemory holds the state that passes keep between runs. The types elimination, sweeping,
// exploring, breaking and factoring are declared in the files of their passes; an eliminator or a sweeper is
// the state of a single run.
type passMemory struct {
	opts    *Options
	stats   *Stats
	trail   *trail
	removal *removal

	running     string      // name of the pass that runs, or of the first one in dense mode
	luckySize   int         // words of the formula when lucky phases were tried
	lookedAhead bool        // look-ahead has ended without an answer
	probed      []uint32    // by literal: roots + 1 when it last did not fail
	reduceFrom  dimacs.Lit  // where transitive reduction resumes
	lastXOR     formulaSize // size of the formula at the last run of the XOR pass

	scratch      []*reservation  // of large tables of the current pass
	graph        [3]*reservation // of a large implication graph
	elimination  elimination
	cardinality  cardinality.Detector
	assumedDelay int // doublings of the interval of detection under assumptions
	sweeping     sweeping
	exploring    exploring
	breaking     breaking
	factoring    factoring
	congruence   congruence.Closer
}

func init() {
	if err := checkOrder(passes, passOrder); err != nil {
		panic("cdcl: " + err.Error())
	}
}

// checkOrder returns an error if the rows do not satisfy an ordering.
func checkOrder(rows []pass, order []ordering) error {
	place := map[string]int{others: 1}
	for i, p := range rows {
		if _, ok := place[p.name]; ok {
			return fmt.Errorf("two passes are named %s", p.name)
		}
		place[p.name] = i
	}
	for _, o := range order {
		first, ok := place[o.first]
		then, both := place[o.then]
		switch {
		case !ok || !both:
			return fmt.Errorf("the order of %s and %s is about an unknown pass", o.first, o.then)
		case first >= then || o.then == others && first > 0:
			return fmt.Errorf("%s must run before %s: %s", o.first, o.then, o.reason)
		}
	}
	return nil
}

// inprocessing reports whether a round of simplification is due: after a number of conflicts,
// or when search has spent in ticks a multiple of the formula's size, since a thousand
// conflicts on a large formula can take a minute. So short searches simplify nothing.
func (h *schedule) inprocessing() bool {
	return h.stats.Conflicts >= h.due.inprocess && h.stats.Ticks >= h.due.inprocessLeast || h.stats.Ticks >= h.due.inprocessByTicks
}

// Simplifies reports whether any pass is on.
func (o *Options) Simplifies() bool {
	return !o.NoSimplify && slices.ContainsFunc(passes, func(p pass) bool { return p.on(o) })
}

// scheduleRound computes when the next round is due: after a number of conflicts, or after a
// number of ticks if that is earlier, as it is for large formulas. On a large formula the search
// before a round takes as many ticks as the round: before that was a condition, the first round of
// a block cipher took two thirds of the time to a model. Under assumptions rounds by ticks
// are as rare as if there had been some before, since callers make many short calls,
// and under many of them rounds by conflicts, too: without elimination a round pays less.
//
// Tried: a first round before the search (no gain).
func (s *Solver) scheduleRound() {
	const (
		roundCost   = 4 // ticks for each word of the clauses, as measured
		laterRounds = 16
		leastRound  = 2_000_000 // ticks

		assumedRounds = 3 // added to the number of rounds under assumptions
	)
	d := &s.schedule.due
	if !s.opts.Simplifies() {
		d.inprocess, d.inprocessByTicks = math.MaxInt64, math.MaxInt64
		return
	}
	n, ticked := s.stats.Rounds, s.stats.Rounds
	if len(s.call.assumptions) > 0 {
		ticked += assumedRounds
	}
	if s.assumesMany() {
		n += assumedRounds
	}
	size := int64(s.clauses.size() + 2*s.stats.Binary)
	d.inprocess = d.lastRoundConflicts + times(int64(s.opts.InprocessInterval), max(n, 1), logPower(max(n, 1), 1))
	d.inprocessLeast = d.lastRoundTicks
	if cost := roundCost * size; cost > leastRound {
		d.inprocessLeast += cost
	}
	d.inprocessByTicks = d.lastRoundTicks + max((roundCost+laterRounds*ticked)*size, leastRound*(1+ticked))
}

// inprocess runs a round of passes and schedules the next one.
func (s *Solver) inprocess() {
	if !s.toRoot() {
		return
	}
	if s.user != nil {
		s.user.notify()
	}
	s.removal.keep(s.call.assumptions)
	s.round(s.stats.Ticks - s.schedule.due.lastRoundTicks)
	s.schedule.due.lastRoundConflicts, s.schedule.due.lastRoundTicks = s.stats.Conflicts, s.stats.Ticks
	s.scheduleRound()
	s.opts.enter(s.decisions.searchName())
}

// round runs the passes that are on, with budgets for this many ticks of search.
func (s *Solver) round(spent int64) {
	s.clauses.discardArena(len(s.clauses.arena)) // passes need memory, and search will not go on soon
	for rest := passes; len(rest) > 0 && !s.call.stopped && !s.inconsistent; {
		n := 1
		for n < len(rest) && rest[n-1].dense != nil && rest[n].dense != nil {
			n++
		}
		if rows := s.allowed(rest[:n]); len(rows) > 0 {
			s.runPass(rows, max(spent*rows[0].effort/1000, rows[0].least))
		}
		rest = rest[n:]
	}
	s.stats.Rounds++
	s.collectChanged()
}

// allowed returns the rows that may run.
func (s *Solver) allowed(rows []pass) (allowed []*pass) {
	for i := range rows {
		if p := &rows[i]; s.allows(p) {
			allowed = append(allowed, p)
		}
	}
	return allowed
}

// allows reports whether a pass is on and may run in this call, and its scratch memory is
// there.
func (s *Solver) allows(p *pass) bool {
	return p.on(&s.opts) && !(p.removes && (s.removal.keepModels || s.assumesMany())) && !(p.alone && len(s.call.assumptions) > 0) && s.opts.Memory.Allows(s.scratch(p))
}

// assumesMany reports whether a large part of the variables are assumed, as where each clause has
// a selector: resolvents would have those of both clauses, and structure would be lost.
func (s *Solver) assumesMany() bool { return 16*len(s.call.assumptions) > len(s.trail.vars) }

// passNamed returns the row of this name.
func passNamed(name string) *pass {
	return &passes[slices.IndexFunc(passes, func(p pass) bool { return p.name == name })]
}

// runPass runs a pass, or the rows of a stay in dense mode, with a budget of ticks.
func (s *Solver) runPass(rows []*pass, budget int64) {
	p := rows[0]
	s.passes.running = p.name
	s.opts.enter(p.name)
	s.reports.beginPass(passName(rows), s.stats.Rounds+1, budget)
	before := s.stats.Ticks
	s.decisions.quiet = true
	if p.dense != nil {
		s.alternate(rows, budget)
	} else {
		p.run(s, budget)
	}
	s.decisions.quiet = false
	s.passes.running = ""
	s.passes.releaseScratch()
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.call.pollAt = before, before
	if checking && !s.call.stopped && !s.inconsistent {
		s.checkAll()
	}
	s.report(p.letter)
	s.reports.endPass()
}

// collectChanged runs a full collection if clauses were deleted or variables fixed.
func (s *Solver) collectChanged() {
	if s.clauses.garbage+s.clauses.formulaGarbage > 0 || s.trail.roots > s.trail.rootsRemoved {
		s.collectRoot()
	}
}

// collectRoot runs a full collection unless the call is stopped or the formula refuted.
// In a pass, neither its time nor its report include the collection that precedes its work.
func (s *Solver) collectRoot() {
	if s.call.stopped || s.inconsistent {
		return
	}
	untouched := s.reports.untouched()
	s.collect(true)
	if s.passes.running != "" {
		s.opts.enter(s.passes.running)
	}
	if untouched {
		s.reports.beginAgain()
	}
}

// toRoot backtracks to the root and propagates. It returns false if that refutes the
// formula or the call is stopped.
func (s *Solver) toRoot() bool {
	s.backtrack(0)
	if !s.propagate() {
		s.analyze()
		return false
	}
	return !s.call.stopped
}

// releaseGraph returns the memory of the last implication graph.
func (m *passMemory) releaseGraph() {
	for i, r := range m.graph {
		r.release()
		m.graph[i] = nil
	}
}

// scratchTable returns an empty table with this capacity for a pass. It is valid until
// releaseScratch. On the heap, large tables of passes would be garbage until the next garbage
// collection, together with those of the next passes, and the larger heap would delay it.
func scratchTable[T word](s *Solver, capacity int) []T {
	a, r := populatedTable[T](capacity)
	if r != nil {
		s.passes.scratch = append(s.passes.scratch, r)
	}
	return a
}

// releaseScratch returns the memory of scratch tables and of the implication graph.
func (m *passMemory) releaseScratch() {
	m.releaseScratchFrom(0)
	m.releaseGraph()
}

// releaseScratchFrom returns the memory of the scratch tables made since there were n.
func (m *passMemory) releaseScratchFrom(n int) {
	for _, r := range m.scratch[n:] {
		r.release()
	}
	m.scratch = m.scratch[:n]
}
