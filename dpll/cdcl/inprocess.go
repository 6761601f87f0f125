package cdcl

// A pass simplifies the formula between two decisions of the search. The driver
// runs those that are on in the order of the table, at the root, each with a
// budget of ticks that is a share of what search has spent since the last
// round; it reports what each did and has the invariants checked behind it.
type pass struct {
	name   string
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
	s.backtrack(0)
	spent := s.stats.Ticks - s.due.inprocessTicks
	for i := range passes {
		p := &passes[i]
		if !p.on(&s.opts) || s.stopped || s.inconsistent {
			continue
		}
		s.enter(p.name)
		p.run(s, spent*p.effort/1000)
	}
	s.due.rounds++
	s.due.inprocess = s.stats.Conflicts + times(inprocessInterval, s.due.rounds, logPower(s.due.rounds, 1))
	s.due.inprocessTicks = s.stats.Ticks
	s.enter(s.searchName())
}
