package cdcl

// A pass simplifies the formula between two decisions of the search. The driver
// runs those that are on in the order of the table, at the root, each with a
// budget of ticks that is a share of what search has spent since the last
// round, and has the invariants checked behind each.
type pass struct {
	name   string
	letter Event // reported behind it
	on     func(*Options) bool
	effort int64 // thousandths of the ticks of search
	run    func(s *Solver, budget int64)
}

// passes lists the simplifications in the order in which a round runs them.
var passes = []pass{}

// inprocessInterval is the base interval of rounds, in conflicts.
const inprocessInterval = 2000

func (s *Solver) inprocessing() bool {
	return len(passes) > 0 && s.stats.Conflicts >= s.due.inprocess
}

// inprocess runs a round of passes.
func (s *Solver) inprocess() {
	if !s.toRoot() {
		return
	}
	spent := s.stats.Ticks - s.due.inprocessTicks
	for i := range passes {
		p := &passes[i]
		if !p.on(&s.opts) || s.stopped || s.inconsistent {
			continue
		}
		s.enter(p.name)
		p.run(s, spent*p.effort/1000)
		if checking && !s.stopped && !s.inconsistent {
			s.checkPropagated()
		}
		s.report(p.letter)
	}
	s.due.rounds++
	s.due.inprocess = s.stats.Conflicts + times(inprocessInterval, s.due.rounds, logPower(s.due.rounds, 1))
	s.due.inprocessTicks = s.stats.Ticks
	s.enter(s.searchName())
}

// toRoot goes back to the root and propagates. It reports whether the solver is
// there with nothing left to propagate: neither refuted nor stopped.
func (s *Solver) toRoot() bool {
	s.backtrack(0)
	if !s.propagate() {
		s.analyze()
		return false
	}
	return !s.stopped
}
