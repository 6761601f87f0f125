package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sator/cmd/internal/record"
)

// Figures are the figures of a recording that its page shows in tables and words. They are
// those of one solver: of a race, the winner, or the first one if there is no winner.
type Figures struct {
	Name      string            // of the recording
	Run       *record.Run       // the first line
	Formula   *record.Formula   // nil if it is not known
	End       *record.End       // nil if the recording is truncated
	Solver    int               // index of the solver
	First     *record.Sample    // nil if there are no samples
	Last      *record.Sample    // the last sample of the solver
	Time      float64           // seconds of the run, as far as it is recorded
	Conflicts int64             // of the solver
	Phases    []Phase           // the longest first; empty if the recording is truncated
	Passes    []PassSum         // the longest first
	Modes     map[string]*Spell // search by mode, "focused" and "stable"; nil without events
	LastMode  string            // the last mode that began; empty if none is recorded
	LastPass  *record.Pass      // nil if there are no passes

	Uses          [3]int64 // uses of learned clauses in conflict analysis, by tier
	Reductions    int
	Deleted       int64   // learned clauses that reductions deleted
	Survival      float64 // mean share of learned clauses that a reduction kept
	Rephases      int
	Walks         []*record.Walk
	Exchange      record.Exchange // sums
	PeakArena     int64           // bytes
	PeakHeap      int64
	PeakResident  int64
	PeakRedundant int // learned clauses
	Trends        Trends
}

// A Phase is the time in one activity.
type Phase struct {
	Name    string
	Seconds float64
	Share   float64 // of the time of all activities, 0 to 1
	Group   string  // "search", "simplification", or the name itself
}

// A Spell is the search in one mode.
type Spell struct {
	Begins    int     // how often the mode began, at the start or by a switch
	Conflicts int64   // in the mode
	Seconds   float64 // between its begins and ends, passes included
}

// A PassSum is the sum of all runs of one pass of simplification.
type PassSum struct {
	Name    string
	Runs    int
	Idle    int // runs that left the sizes as they were
	Seconds float64
	Share   float64 // of the time of the run, 0 to 1
	Ticks   int64
	Budget  int64
	Change  record.Size      // growth of the sizes, negative where it removed; Literals is nil if not counted
	Did     map[string]int64 // sums of counters
}

// A Summary computes figures from the lines of a recording, one by one. Its memory does not
// grow with the number of samples.
type Summary struct {
	all     Figures     // those of the process: Run, Formula, End, Time and memory
	solvers []*gatherer // the figures of each solver
}

// A gatherer computes the figures of a solver.
type gatherer struct {
	Figures
	mode     *record.Event // by which the current mode began; nil if it is not known
	passes   map[string]*PassSum
	samples  []moment // every stride-th sample
	stride   int
	seen     int     // samples
	survival float64 // sum of the shares
}

// NewSummary returns a summary of no lines, for a recording that is named so.
func NewSummary(name string) *Summary { return &Summary{all: Figures{Name: name}} }

// Of returns the figures of a recording that is named so. The recording has a Run line. It
// takes linear time.
func Of(name string, r *record.Recording) *Figures {
	s := NewSummary(name)
	for _, l := range r.Lines {
		s.Add(l)
	}
	return s.Figures()
}

// Add adds a line. The first one is a *record.Run. It takes constant time.
func (s *Summary) Add(l record.Line) {
	switch l := l.(type) {
	case *record.Run:
		s.all.Run = l
		for range max(1, len(l.Solvers)) {
			s.solvers = append(s.solvers, &gatherer{passes: map[string]*PassSum{}, stride: 1})
		}
	case *record.Formula:
		s.all.Formula = l
	case *record.End:
		s.all.End = l
	case *record.Sample:
		s.all.Time = max(s.all.Time, l.Time)
		s.all.PeakHeap, s.all.PeakResident = max(s.all.PeakHeap, l.Heap), max(s.all.PeakResident, l.Resident)
		s.solvers[l.Solver].sample(l)
	case *record.Event:
		s.all.Time = max(s.all.Time, l.Time)
		s.solvers[l.Solver].event(l)
	case *record.Pass:
		s.all.Time = max(s.all.Time, l.Time)
		s.solvers[l.Solver].pass(l)
	case *record.Exchange:
		s.solvers[l.Solver].exchange(l)
	}
}

// Figures returns the figures of the lines so far, or nil if there are no lines. It takes
// linear time in the number of passes and kinds of phases.
func (s *Summary) Figures() *Figures {
	if s.all.Run == nil {
		return nil
	}
	solver := 0
	if e := s.all.End; e != nil && e.Winner != nil && *e.Winner >= 0 && *e.Winner < len(s.solvers) {
		solver = *e.Winner
	}
	g := *s.solvers[solver]
	f := &g.Figures
	f.Name, f.Run, f.Formula, f.End = s.all.Name, s.all.Run, s.all.Formula, s.all.End
	f.Solver, f.Time, f.PeakHeap, f.PeakResident = solver, s.all.Time, s.all.PeakHeap, s.all.PeakResident
	modes := f.Modes
	f.Modes = nil
	for name, m := range modes {
		g.spellOf(name, *m)
	}
	g.finish()
	return f
}

// mostSamples is the number of samples that a summary keeps of each solver, for trends.
const mostSamples = 1000

func (g *gatherer) sample(l *record.Sample) {
	if g.First == nil {
		g.First = l
	}
	if g.Last = l; g.seen%g.stride == 0 {
		g.samples = append(g.samples, moment{l, g.Reductions})
	}
	g.seen++
	if len(g.samples) > mostSamples {
		for i := range g.samples[:len(g.samples)/2] {
			g.samples[i] = g.samples[2*i]
		}
		g.samples = g.samples[:len(g.samples)/2]
		g.stride *= 2
	}
	if g.mode == nil && l.Mode != "" {
		g.mode, g.LastMode = &record.Event{Mode: l.Mode}, l.Mode // since the start
	}
	g.Conflicts = max(g.Conflicts, l.Conflicts)
	g.PeakArena, g.PeakRedundant = max(g.PeakArena, l.Arena), max(g.PeakRedundant, l.Redundant)
	for i, n := range []int64{l.Used1, l.Used2, l.Used3} {
		g.Uses[i] += n
	}
}

func (g *gatherer) exchange(l *record.Exchange) {
	g.Exchange.Exported += l.Exported
	g.Exchange.Imported += l.Imported
	g.Exchange.Rejected += l.Rejected
	g.Exchange.Units += l.Units
	g.Exchange.Used += l.Used
}

func (g *gatherer) event(l *record.Event) {
	g.Conflicts = max(g.Conflicts, l.Conflicts)
	switch l.Kind {
	case record.Mode:
		g.spell(l.Time, l.Conflicts)
		g.mode, g.LastMode = l, l.Mode
	case record.Rephase:
		g.Rephases++
		if l.Rephase != nil && l.Rephase.Walk != nil {
			g.Walks = append(g.Walks, l.Rephase.Walk)
		}
	case record.Reduce:
		if x := l.Reduce; x != nil && x.Deleted+int64(x.Kept) > 0 {
			g.Reductions++
			g.Deleted += x.Deleted
			g.survival += float64(x.Kept) / float64(x.Deleted+int64(x.Kept))
		}
	}
}

// spell adds the time since the current mode began to its sum.
func (g *gatherer) spell(end float64, conflicts int64) {
	if g.mode == nil || g.mode.Mode == "" {
		return
	}
	g.spellOf(g.mode.Mode, Spell{1, max(0, conflicts-g.mode.Conflicts), max(0, end-g.mode.Time)})
}

// spellOf adds to the sum of a mode.
func (g *gatherer) spellOf(mode string, add Spell) {
	if g.Modes == nil {
		g.Modes = map[string]*Spell{}
	}
	s := g.Modes[mode]
	if s == nil {
		s = new(Spell)
		g.Modes[mode] = s
	}
	s.Begins += add.Begins
	s.Conflicts += add.Conflicts
	s.Seconds += add.Seconds
}

// pass adds a run of a pass to the sums.
func (g *gatherer) pass(l *record.Pass) {
	g.Conflicts, g.LastPass = max(g.Conflicts, l.Conflicts), l
	p := g.passes[l.Name]
	if p == nil {
		p = &PassSum{Name: l.Name, Did: map[string]int64{}}
		g.passes[l.Name] = p
	}
	p.Runs++
	p.Seconds += l.Seconds
	p.Ticks += l.Ticks
	p.Budget += l.Budget
	a, b, c := l.After, l.Before, &p.Change
	c.Vars += a.Vars - b.Vars
	c.Irredundant += a.Irredundant - b.Irredundant
	c.Redundant += a.Redundant - b.Redundant
	c.Binary += a.Binary - b.Binary
	literals := int64(0)
	if a.Literals != nil && b.Literals != nil {
		if c.Literals == nil {
			c.Literals = new(int64)
		}
		literals = *a.Literals - *b.Literals
		*c.Literals += literals
	}
	if a.Vars == b.Vars && a.Irredundant == b.Irredundant && a.Redundant == b.Redundant && a.Binary == b.Binary && literals == 0 {
		p.Idle++
	}
	for name, n := range l.Did {
		p.Did[name] += n
	}
}

// finish computes the figures that depend on all lines.
func (g *gatherer) finish() {
	f := &g.Figures
	if f.End != nil {
		f.Time = f.End.Time
		f.PeakResident = max(f.PeakResident, f.End.PeakResident)
		if n, is := f.Stat("conflicts"); is {
			f.Conflicts = int64(n)
		}
	}
	g.spell(f.Time, f.Conflicts)
	if f.Reductions > 0 {
		f.Survival = g.survival / float64(f.Reductions)
	}
	f.Trends = trendsOf(g.samples, len(f.Run.Solvers) == 1)
	for _, p := range g.passes {
		sum := *p // shares nothing with the gatherer, which may go on
		if sum.Did = maps.Clone(p.Did); p.Change.Literals != nil {
			n := *p.Change.Literals
			sum.Change.Literals = &n
		}
		if f.Time > 0 {
			sum.Share = p.Seconds / f.Time
		}
		f.Passes = append(f.Passes, sum)
	}
	slices.SortFunc(f.Passes, func(a, b PassSum) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), strings.Compare(a.Name, b.Name))
	})
	f.sumPhases()
}

// Stat returns a final statistic of the solver, by its name in the recording.
func (f *Figures) Stat(name string) (value float64, is bool) {
	if f.End == nil || f.Solver >= len(f.End.Stats) {
		return 0, false
	}
	value, is = f.End.Stats[f.Solver][name].(float64)
	return value, is
}

// The groups of phases.
const (
	searchGroup = "search"
	passGroup   = "simplification"
)

// searchPhases are the activities of the search. charts.js has the same list.
var searchPhases = []string{"search-focused", "search-stable", "reduce", "collect", "walk", "lucky", "look-ahead"}

// sumPhases computes the shares of the activities.
func (f *Figures) sumPhases() {
	if f.End == nil {
		return
	}
	var passes []string
	for _, p := range f.Passes {
		passes = append(append(passes, p.Name), strings.Split(p.Name, "+")...)
	}
	all := 0.0
	for _, name := range slices.Sorted(maps.Keys(f.End.Phases)) {
		p := Phase{Name: name, Seconds: f.End.Phases[name], Group: name}
		if slices.Contains(passes, name) {
			p.Group = passGroup
		} else if slices.Contains(searchPhases, name) {
			p.Group = searchGroup
		}
		if p.Seconds > 0 {
			f.Phases = append(f.Phases, p)
			all += p.Seconds
		}
	}
	for i := range f.Phases {
		f.Phases[i].Share = f.Phases[i].Seconds / all
	}
	slices.SortStableFunc(f.Phases, func(a, b Phase) int { return cmp.Compare(b.Seconds, a.Seconds) })
}

// Group returns the share of the time in a group of phases, 0 to 1.
func (f *Figures) Group(name string) float64 {
	sum := 0.0
	for _, p := range f.Phases {
		if p.Group == name {
			sum += p.Share
		}
	}
	return sum
}

// phase returns the share of one activity, 0 to 1.
func (f *Figures) phase(name string) float64 {
	for _, p := range f.Phases {
		if p.Name == name {
			return p.Share
		}
	}
	return 0
}
