package cdcl

// Restarts. In focused mode the solver restarts when the clauses that it learned
// lately are worse than usual: when the fast exponential moving average (EMA) of their
// glue exceeds the slow one by a margin (Biere and Fröhlich, "Evaluating CDCL restart
// schemes", POS 2015, after Audemard and Simon's Glucose). In stable mode restarts are
// rare and follow reluctant doubling (luby.go).
//
// The modes alternate (Oh, "Between SAT and UNSAT", SAT 2015): focused mode is better
// at refutations, stable mode at finding models. The first focused phase takes a fixed
// number of conflicts, the stable phase after it takes as many ticks (another share with
// the knob stable-share), and later phases are longer. Conflicts of the two modes take
// different time, ticks do not.
//
// Tried: margins of 5 and 20 percent, as a bandit might choose them (no gain).
//
// Tried: half and double the unit of reluctant doubling (no gain).
//
// Tried: intervals that grow with the logarithm of the number of restarts, as in Kissat (no
// gain); restarts at least six conflicts apart in long runs (no gain); new averages at each
// mode switch, as in Kissat (a loss).
//
// Tried: a clock that counts analyzed variables, too (no gain).
//
// Tried: stable phases of a half or three quarters of the length (refutations gain, models
// lose); longer ones (no gain).
//
// Hard satisfiable formulas can be told from refutations by the trail: in stable phases the
// longest trail without a conflict has nearly all unassigned variables on refutations of
// miters, sorting networks, queues and caches, and fewer on satisfiable formulas.
//
// Tried: shorter stable phases where the trail tells of a refutation (no gain).

// An averages value holds moving averages over the conflicts of one mode.
type averages struct {
	glueFast, glueSlow ema
	size               ema   // of learned clauses
	trail, level       ema   // assigned share of the variables, and level, at conflicts
	decisions          ema   // number of decisions per conflict
	lastDecisions      int64 // number of decisions at the last conflict
}

// A schedule holds averages and the times of restarts, reductions and so on.
type schedule struct {
	opts      *Options
	stats     *Stats
	decisions *decisions

	avg       [2]averages // focused, stable
	reluctant reluctant
	due       due
	tier      [2]tiers // focused, stable
}

func newAverages(o *Options) averages {
	slow := newEMA(o.EmaSlow)
	return averages{glueFast: newEMA(o.EmaFast), glueSlow: slow, size: slow, trail: slow, level: slow, decisions: newEMA(1000)}
}

// A due value holds when actions are due and, in the fields named last, when they were taken:
// as a number of conflicts unless the comment of the field names ticks.
type due struct {
	lastRestart        int64 // conflicts at the last restart or mode switch
	reduce             int64
	rephase            int64
	mode               int64 // conflicts in focused mode, ticks in stable mode
	tiers              int64
	burst              int64
	burstEnd           int64
	inprocess          int64
	lookAhead          int64
	assumed            int64
	exchange           int64 // ticks
	exchangeAfter      int64 // conflicts at the last exchange, or -1
	exchangeLatest     int64 // ticks at which an exchange waits no longer for a restart
	lastFull           int64 // ticks at the last full collection
	inprocessByTicks   int64 // ticks at which a round is due, if that is earlier
	inprocessLeast     int64 // ticks before which none is due
	lastRoundTicks     int64 // ticks at the end of the last round
	lastRoundConflicts int64 // conflicts at the end of the last round
	lastWalkTicks      int64 // ticks at the last walk
	walkHalvings       int   // how often the effort of walks is halved

	focusedStart  int64 // ticks at the start of the current focused phase
	focusedPhases int64 // number of focused phases begun
}

func (s *Solver) initSchedule() {
	o := &s.opts
	s.trail.outOfOrder = noOutOfOrder
	s.decisions.phases.consistent = -1
	for i := range s.schedule.avg {
		s.schedule.avg[i] = newAverages(o)
		s.schedule.tier[i] = tiers{one: o.Tier1, two: max(o.Tier1, o.Tier2)}
	}
	s.schedule.reluctant = newReluctant(o.ReluctantInterval, o.ReluctantMax)
	s.schedule.due.reduce = int64(o.ReduceInterval)
	s.schedule.due.rephase = int64(o.RephaseInterval)
	s.schedule.due.mode = int64(o.ModeInterval)
	s.schedule.due.tiers = 1
	s.schedule.due.burst = int64(o.RandomInterval)
	s.schedule.due.exchangeAfter = -1
}

// updateAverages updates the averages that decide restarts.
func (h *schedule) updateAverages(glue, size int) {
	a := &h.avg[h.decisions.mode()]
	a.glueFast.update(float64(glue))
	a.glueSlow.update(float64(glue))
	a.size.update(float64(size))
	if h.decisions.stable {
		h.reluctant.tick()
	}
}

// restarting reports whether a restart is due.
func (s *Solver) restarting() bool {
	switch {
	case s.opts.NoRestart || len(s.trail.levels)-1 < len(s.call.assumptions)+2:
		return false
	case s.decisions.stable:
		return s.schedule.reluctant.triggered()
	case s.stats.Conflicts < s.schedule.due.lastRestart+int64(s.opts.RestartInterval):
		return false
	}
	a := &s.schedule.avg[0]
	return float64(a.glueSlow.value*(1+float64(max(s.opts.RestartMargin, 0))/100)) <= a.glueFast.value
}

// restart backtracks to the assumptions, or reuses the levels whose decisions would be
// taken again (van der Tak, Ramos, Heule, "Reusing the assignment trail in CDCL
// solvers", JSAT 2011).
func (s *Solver) restart() {
	s.stats.Restarts++
	if s.tracer != nil {
		s.opts.Trace(Step{Kind: StepRestart})
	}
	s.backtrack(s.reuseTrail())
	s.schedule.due.lastRestart = s.stats.Conflicts
}

// restarted reports whether there was no conflict since the last restart or mode switch.
func (h *schedule) restarted() bool { return h.stats.Conflicts == h.due.lastRestart }

// reuseTrail returns the level that a restart backtracks to.
func (s *Solver) reuseTrail() int {
	to := len(s.call.assumptions)
	if s.opts.NoReuseTrail {
		return to
	}
	v := s.decisions.nextVar()
	for to < len(s.trail.levels)-1 && s.decisions.better(uint32(s.trail.levels[to+1].decision>>1), v) {
		to++
	}
	if to > len(s.call.assumptions) {
		s.stats.ReusedTrails++
	}
	return to
}

// switching reports whether a switch of modes is due.
func (h *schedule) switching() bool {
	switch {
	case h.opts.Stable != BothModes:
		return false
	case h.decisions.stable:
		return h.stats.Ticks >= h.due.mode
	}
	return h.stats.Conflicts >= h.due.mode
}

// switchMode begins a phase of the other mode.
func (s *Solver) switchMode() {
	s.backtrack(len(s.call.assumptions))
	s.stats.ModeSwitches++
	d := &s.schedule.due
	if s.decisions.stable {
		s.report(StableEnd)
		s.decisions.stable = false
		s.decisions.queue.Next = s.decisions.queue.Last
		d.focusedPhases++
		d.focusedStart = s.stats.Ticks
		d.mode = s.stats.Conflicts + times(int64(s.opts.ModeInterval), d.focusedPhases+1, logPower(d.focusedPhases+1, 4))
		s.report(FocusedBegin)
	} else {
		s.report(FocusedEnd)
		s.decisions.stable = true
		s.decisions.fillHeap()
		d.mode = s.stats.Ticks + (s.stats.Ticks-d.focusedStart)*int64(s.opts.StableShare)/100
		s.schedule.reluctant = newReluctant(s.opts.ReluctantInterval, s.opts.ReluctantMax)
		s.decisions.phases.target.clear()
		s.report(StableBegin)
	}
	s.schedule.due.lastRestart = s.stats.Conflicts
	s.opts.enter(s.decisions.searchName())
}

// fillHeap pushes the unassigned variables that are missing to the heap, since focused
// mode does not update the heap.
func (d *decisions) fillHeap() {
	for v := range uint32(len(d.trail.vars)) {
		if d.trail.vals[2*v] == 0 && d.removal.active(v) && !d.heap.Contains(v) {
			d.heap.Push(v)
		}
	}
}
