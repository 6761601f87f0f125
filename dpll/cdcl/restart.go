package cdcl

// Restarts. In focused mode the solver restarts when the clauses it learned
// lately are worse than usual: when the fast average of their glue exceeds the
// slow one by a margin (Biere and Fröhlich, "Evaluating CDCL restart schemes",
// POS 2015, after Audemard and Simon's Glucose). In stable mode restarts are
// rare, by reluctant doubling (luby.go).
//
// The modes alternate (Oh, "Between SAT and UNSAT", SAT 2015): focused mode
// looks for refutations, stable mode for models. The first focused phase takes
// a number of conflicts, the stable phase after it as many ticks as that took,
// and so on with longer phases: conflicts of the two modes cost different time,
// ticks do not.

type averages struct {
	glueFast, glueSlow ema
	size               ema
	trail, level       ema
	decisions          ema // a conflict
	lastDecisions      int64
}

func newAverages(o *Options) averages {
	slow := newEMA(o.EmaSlow)
	return averages{glueFast: newEMA(o.EmaFast), glueSlow: slow, size: slow, trail: slow, level: slow, decisions: newEMA(1000)}
}

// due holds when the next of each comes, in conflicts unless said.
type due struct {
	restart            int64
	reduce             int64
	rephase            int64
	mode               int64 // in conflicts in focused mode, in ticks in stable mode
	tiers              int64
	burst              int64
	burstEnd           int64
	inprocess          int64
	exchange           int64 // in ticks
	lastFull           int64 // ticks at the last sweep
	inprocessByTicks   int64 // or in these ticks, if that is earlier
	lastRoundTicks     int64 // at the end of the last round
	lastRoundConflicts int64 // the same in conflicts
	lastWalkTicks      int64 // at the last walk

	focusedStart  int64 // when the present focused phase began
	focusedPhases int64 // focused phases begun
}

func (s *Solver) initSchedule() {
	o := &s.opts
	s.outOfOrder = noOutOfOrder
	s.phases.consistent = -1
	for i := range s.avg {
		s.avg[i] = newAverages(o)
		s.tier[i] = newTiers(o)
	}
	s.reluctant = newReluctant(o.ReluctantInterval, o.ReluctantMax)
	s.due.restart = int64(o.RestartInterval)
	s.due.reduce = int64(o.ReduceInterval)
	s.due.rephase = int64(o.RephaseInterval)
	s.due.mode = int64(o.ModeInterval)
	s.due.tiers = 1
	s.due.burst = int64(o.RandomInterval)
}

// updateAverages feeds the averages that restarts go by.
func (s *Solver) updateAverages(glue, size int) {
	a := &s.avg[s.mode()]
	a.glueFast.update(float64(glue))
	a.glueSlow.update(float64(glue))
	a.size.update(float64(size))
	if s.stable {
		s.reluctant.tick()
	}
}

func (s *Solver) restarting() bool {
	switch {
	case s.opts.Restart == 0 || len(s.levels)-1 < len(s.assumptions)+2:
		return false
	case s.stable:
		return s.reluctant.triggered()
	case s.stats.Conflicts < s.due.restart:
		return false
	}
	a := &s.avg[0]
	return float64(a.glueSlow.value*(1+float64(s.opts.RestartMargin)/100)) <= a.glueFast.value
}

// restart goes back to the assumptions, or to the level up to which the same
// decisions would be taken again (van der Tak, Ramos, Heule, "Reusing the
// assignment trail in CDCL solvers", JSAT 2011).
func (s *Solver) restart() {
	s.stats.Restarts++
	s.backtrack(s.reuseTrail())
	s.due.restart = s.stats.Conflicts + int64(s.opts.RestartInterval)
}

func (s *Solver) reuseTrail() int {
	to := len(s.assumptions)
	if s.opts.ReuseTrail == 0 {
		return to
	}
	v := s.nextVar()
	for to < len(s.levels)-1 && s.better(uint32(s.levels[to+1].decision>>1), v) {
		to++
	}
	if to > len(s.assumptions) {
		s.stats.ReusedTrails++
	}
	return to
}

func (s *Solver) switching() bool {
	switch {
	case s.opts.Stable != 1:
		return false
	case s.stable:
		return s.stats.Ticks >= s.due.mode
	}
	return s.stats.Conflicts >= s.due.mode
}

// switchMode begins a phase of the other mode.
func (s *Solver) switchMode() {
	s.backtrack(len(s.assumptions))
	s.stats.ModeSwitches++
	d := &s.due
	if s.stable {
		s.report(StableEnd)
		s.stable = false
		s.queue.Next = s.queue.Last
		d.focusedPhases++
		d.focusedStart = s.stats.Ticks
		d.mode = s.stats.Conflicts + times(int64(s.opts.ModeInterval), d.focusedPhases+1, logPower(d.focusedPhases+1, 4))
		s.report(FocusedBegin)
	} else {
		s.report(FocusedEnd)
		s.stable = true
		s.fillHeap()
		d.mode = s.stats.Ticks + (s.stats.Ticks - d.focusedStart)
		s.reluctant = newReluctant(s.opts.ReluctantInterval, s.opts.ReluctantMax)
		s.phases.targetLen = 0
		clear(s.phases.target)
		s.report(StableBegin)
	}
	s.due.restart = s.stats.Conflicts + int64(s.opts.RestartInterval)
	s.enter(s.searchName())
}

// fillHeap puts all unassigned variables that are missing into the heap, which
// focused mode leaves alone.
func (s *Solver) fillHeap() {
	for v := range uint32(len(s.vars)) {
		if s.vals[2*v] == 0 && s.active(v) && !s.heap.Contains(v) {
			s.heap.Push(v)
		}
	}
}
