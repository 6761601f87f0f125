package cdcl

import (
	"cmp"
	"strings"
)

// Observation of a run, for recordings and live displays (package record). An [Observer]
// receives samples of the solver's state at regular intervals of ticks, a report of each
// pass, and the statistics after each exchange with other solvers. Events such as reductions
// are reported by Options.Progress.
//
// Observation must not change the search, and without an observer it must cost nothing. So
// the solver takes samples where it polls its context, every few thousand ticks, and never
// in a loop of its own; it counts no effort for them in ticks.
//
// Two figures of the reports need a walk over clauses: the learned clauses of each tier, and
// the literals of the formula. Both walks are kept below half a percent of the time: samples
// are rarer if there are many learned clauses, and literals are counted only while the words
// visited so far are a share of the ticks.

// An Observer receives reports of a run. The solver calls it from its own goroutine. The
// observer must not call the solver.
type Observer interface {
	// Sample is called when a call of Solve or Simplify has added new clauses to its tables
	// and when it ends, and at intervals of at least Options.SampleTicks in between.
	Sample(Sample)

	// BeginPass is called at the beginning of each pass, and EndPass at its end. It is called
	// again after a garbage collection that the pass needs before its work: the report begins
	// after the collection.
	BeginPass(name string)
	EndPass(PassReport)

	// Exchanged is called at the end of each exchange with other solvers.
	Exchanged(Stats)
}

// DefaultSampleTicks is the least number of ticks between samples unless Options.SampleTicks
// has another value. It takes about a fifth of a second.
const DefaultSampleTicks = 2_000_000

// A Sample is the state of a solver. During propagation the counters of propagations and the
// trail are those of its start.
type Sample struct {
	Stats
	Modes [2]ModeState // focused, stable

	Assigned int // number of assigned variables
	Depth    int // decision level

	Tiers [3]int   // current learned clauses of three and more literals: tier 1, tier 2, others
	Used  [3]int64 // number of their uses in conflict analysis since the last sample

	Target, Best int // lengths of the trails of the target and the best phases

	Arena, Watches int64 // bytes of the clauses and of the watch lists
}

// A ModeState holds the averages and the tier limits of a mode.
type ModeState struct {
	Glue, GlueFast float64 // slow and fast average of the glue of learned clauses
	Size           float64 // average number of literals of learned clauses
	Trail          float64 // average share of assigned variables at conflicts, 0 to 1
	Level          float64 // average decision level at conflicts
	Tier1, Tier2   int     // current glue limits
}

// A PassReport describes one run of a pass.
type PassReport struct {
	Name   string // one of [Activities]; those of passes that alternate are joined by "+"
	Round  int64  // number of the round, from 1; 0 outside of rounds
	Budget int64  // ticks that the pass may spend
	Ticks  int64  // ticks that it has spent

	Before, After                 Stats
	LiteralsBefore, LiteralsAfter int64 // of irredundant clauses; -1 if counting them would take too long
}

// An observation is the state between two reports.
type observation struct {
	s          *Solver
	nextSample int64                       // ticks, with those of passes, at which a sample is due
	used       [2][len(tiers{}.used)]int64 // by mode and glue: uses at the last sample

	pass *PassReport // of the pass that runs, or nil

	visited    int64    // words visited to count literals
	literals   int64    // the last count
	literalsAt [3]int64 // Ticks, PassTicks and Collections at the last count
}

const (
	// A sample visits the learned clauses. It is delayed until the ticks since the last one
	// are at least this multiple of their words: visiting a word took half a nanosecond, a
	// tick 50 to 150.
	ticksPerLearnedWord = 1
	// wordsPerTick bounds the words visited to count literals.
	wordsPerTick = 0.04
	// firstWords are allowed from the start, so that small formulas are always counted.
	firstWords = 1 << 20
)

// sampleInterval returns the least number of ticks between samples.
func (o *Options) sampleInterval() int64 { return cmp.Or(o.SampleTicks, DefaultSampleTicks) }

// sampleNow reports a sample if there is an observer.
func (o *observation) sampleNow() {
	if o != nil {
		o.sample(o.s.stats.Ticks)
	}
}

// sample reports a sample at this number of ticks and schedules the next one. Clauses in an
// interrupted collection cannot be visited; then the sample is taken at a later poll.
func (o *observation) sample(ticks int64) {
	s := o.s
	if s.collecting != nil {
		return
	}
	x := Sample{
		Stats:    s.Stats(),
		Modes:    [2]ModeState{s.schedule.modeState(0), s.schedule.modeState(1)},
		Assigned: len(s.trail.lits),
		Depth:    len(s.trail.levels) - 1,
		Tiers:    o.countTiers(),
		Used:     o.countUses(),
		Target:   s.decisions.phases.target.size,
		Best:     s.decisions.phases.best.size,
		Arena:    4 * int64(len(s.clauses.arena)),
		Watches:  8 * int64(len(s.clauses.pool)),
	}
	x.Ticks = ticks
	o.nextSample = ticks + s.stats.PassTicks + max(s.opts.sampleInterval(), ticksPerLearnedWord*int64(len(s.clauses.arena)-int(s.clauses.learnedStart)))
	s.opts.Observer.Sample(x)
}

func (h *schedule) modeState(mode int) ModeState {
	a, t := &h.avg[mode], &h.tier[mode]
	return ModeState{a.glueSlow.value, a.glueFast.value, a.size.value, a.trail.value, a.level.value, t.one, t.two}
}

// countTiers counts the learned clauses in the arena by tier.
func (o *observation) countTiers() (n [3]int) {
	s := o.s
	limits := &s.schedule.tier[s.decisions.mode()]
	s.clauses.eachClause(s.clauses.learnedStart, func(r uint32) bool {
		if h := s.clauses.arena[r]; h&(garbageBit|redundantBit) == redundantBit {
			n[tierOf(h, limits)]++
		}
		return true
	})
	return n
}

// countUses returns the number of uses of learned clauses since the last call, by tier.
func (o *observation) countUses() (n [3]int64) {
	s := o.s
	for mode := range s.schedule.tier {
		t, last := &s.schedule.tier[mode], &o.used[mode]
		for glue, used := range t.used {
			n[tierOf(redundantBit|uint32(glue)<<glueShift, t)] += used - last[glue]
		}
		*last = t.used
	}
	return n
}

// passName joins the names of the rows of a stay in dense mode.
func passName(rows []*pass) string {
	var names []string
	for _, p := range rows {
		names = append(names, p.name)
	}
	return strings.Join(names, "+")
}

// beginPass begins the report of a pass if there is an observer.
func (o *observation) beginPass(name string, round, budget int64) {
	if o != nil {
		o.pass = &PassReport{Name: name, Round: round, Budget: budget}
		o.begin()
	}
}

// begin reports that the current pass begins with the formula as it is.
func (o *observation) begin() {
	o.s.opts.Observer.BeginPass(o.pass.Name)
	o.pass.Before, o.pass.LiteralsBefore = o.s.Stats(), o.countLiterals()
}

// beginAgain reports that the current pass begins only now. The ticks stay those of the whole pass.
func (o *observation) beginAgain() {
	ticks := o.pass.Before.Ticks
	o.begin()
	o.pass.Before.Ticks = ticks
}

// untouched reports whether a pass runs and has not changed the formula yet.
func (o *observation) untouched() bool {
	if o == nil || o.pass == nil {
		return false
	}
	a, b := &o.pass.Before, o.s.Stats()
	return a.Irredundant == b.Irredundant && a.Redundant == b.Redundant && a.Binary == b.Binary && a.Fixed == b.Fixed && a.Removed == b.Removed
}

// endPass completes the report of a pass. The statistics count its ticks already.
func (o *observation) endPass() {
	if o == nil {
		return
	}
	s, r := o.s, o.pass
	r.After, r.LiteralsAfter = s.Stats(), o.countLiterals()
	r.Ticks = r.After.PassTicks - r.Before.PassTicks
	s.opts.Observer.EndPass(*r)
	o.pass = nil
}

// countLiterals returns the number of literals in irredundant clauses, false and satisfied
// ones included, or -1 if counting them would take too long.
func (o *observation) countLiterals() int64 {
	s := o.s
	now := [3]int64{s.stats.Ticks, s.stats.PassTicks, s.stats.Collections}
	if o.literalsAt == now && now[1] > 0 { // nothing has changed since the last pass
		return o.literals
	}
	o.literals, o.literalsAt = -1, now
	if words := int64(len(s.clauses.arena)); s.collecting == nil && float64(o.visited+words) <= firstWords+wordsPerTick*float64(now[0]+now[1]) {
		o.visited += words
		o.literals = s.clauses.irredundantLiterals()
	}
	return o.literals
}
