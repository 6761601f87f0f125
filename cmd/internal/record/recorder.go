package record

import (
	"io"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A Recorder writes the lines of a run. The order of the calls is [Recorder.Run],
// [Recorder.Formula], the callbacks of the solvers, and [Recorder.End]. Solvers may be
// attached before Run, whose line has their names, but must not run before it.
// The solvers of a race may call it at the same time: the lines are in the order of their
// times.
//
// A recorder keeps the first error of writing, and writes nothing after it. The errors of
// its writer should end the run; see [Recorder.Err].
type Recorder struct {
	meter Meter

	mu      sync.Mutex // guards the fields below
	w       *Writer
	begun   bool // the first line is written, so that there are no further solvers
	solvers []*solver
	phases  map[string]time.Duration // by activity: its total duration
	phase   span                     // the current activity outside of the solvers
}

// A Meter measures the process for a [Recorder]. The functions are called by one goroutine
// at a time.
type Meter struct {
	// Now returns the time since the start of the run.
	Now func() time.Duration

	// Read returns the resources that the process uses. It is called for each sample. It may
	// be nil.
	Read func() Usage
}

// Usage are the resources that a process uses. Unknown values are 0 or absent.
type Usage struct {
	CPU          time.Duration    // processor time since the start of the process
	Heap         int64            // bytes of the Go heap
	Resident     int64            // bytes of resident memory
	PeakResident int64            // largest value of Resident so far
	Counters     map[string]int64 // hardware counters since the start of the run
}

// A span is an activity that began at a time. The empty name stands for none.
type span struct {
	name  string
	begin time.Duration
}

// A solver is what the recorder knows about a solver.
type solver struct {
	recorder  *Recorder
	index     int
	activity  span
	pass      time.Duration // begin of the last pass
	last      cdcl.Stats    // at the last event
	exchanged cdcl.Stats    // at the last exchange
}

// NewRecorder returns a recorder that writes to w, with one call of w.Write for each line.
func NewRecorder(w io.Writer, m Meter) *Recorder {
	return &Recorder{meter: m, w: NewWriter(w), phases: map[string]time.Duration{}}
}

// Run writes the first line. It sets the version, and the interval of samples if that is 0
// and there are solvers.
func (r *Recorder) Run(l *Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.Version = Version
	if l.SampleTicks == 0 && len(l.Solvers) > 0 {
		l.SampleTicks = cdcl.DefaultSampleTicks
	}
	r.w.Write(l)
	r.grow(len(l.Solvers))
	r.begun = true
}

// grow adds solvers up to index n-1.
func (r *Recorder) grow(n int) {
	for i := len(r.solvers); i < n; i++ {
		r.solvers = append(r.solvers, &solver{recorder: r, index: i})
	}
}

// Formula writes the description of the formula.
func (r *Recorder) Formula(l *Formula) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.w.Write(l)
}

// Attach sets the callbacks in the options of a solver, an index of Run.Solvers. Progress and
// Activity call the callbacks that were set before, too.
func (r *Recorder) Attach(o *cdcl.Options, index int) {
	s := r.solver(index)
	o.Observer = s
	if before := o.Progress; before != nil {
		o.Progress = func(e cdcl.Event, st cdcl.Stats) { s.event(e, &st); before(e, st) }
	} else {
		o.Progress = func(e cdcl.Event, st cdcl.Stats) { s.event(e, &st) }
	}
	if before := o.Activity; before != nil {
		o.Activity = func(name string) { s.begin(name); before(name) }
	} else {
		o.Activity = s.begin
	}
}

// Observer returns the observer of a solver, for solvers whose options are not at hand.
// Their other callbacks must call [Recorder.Progress] and [Recorder.Activity].
func (r *Recorder) Observer(index int) cdcl.Observer { return r.solver(index) }

// Progress records an event of a solver.
func (r *Recorder) Progress(index int, e cdcl.Event, st cdcl.Stats) { r.solver(index).event(e, &st) }

// Activity records that an activity of a solver begins.
func (r *Recorder) Activity(index int, name string) { r.solver(index).begin(name) }

func (r *Recorder) solver(index int) *solver {
	r.mu.Lock()
	defer r.mu.Unlock()
	if index < 0 || r.begun && index >= len(r.solvers) {
		panic("record: the run has no solver of this index")
	}
	r.grow(index + 1)
	return r.solvers[index]
}

// Phase begins an activity of the program outside of the solvers, such as "read", and ends
// the one before. The empty name begins none. A solver that begins to solve ends the
// activity, too.
func (r *Recorder) Phase(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change(&r.phase, name)
}

// End writes the last line. It sets the times, the phases, the memory and the counters.
func (r *Recorder) End(l *End) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.change(&r.phase, "")
	for _, s := range r.solvers {
		r.change(&s.activity, "")
	}
	u := r.read()
	l.Time, l.CPU, l.PeakResident, l.HW = seconds(now), seconds(u.CPU), u.PeakResident, u.Counters
	l.Phases = map[string]float64{}
	for name, d := range r.phases {
		l.Phases[name] = seconds(d)
	}
	r.w.Write(l)
}

// Err returns the first error of writing.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.w.Err()
}

// change ends the activity of a span and begins the next one. It returns the time. The caller
// holds the lock.
func (r *Recorder) change(s *span, name string) time.Duration {
	now := r.meter.Now()
	if s.name != "" {
		r.phases[s.name] += now - s.begin
	}
	*s = span{name, now}
	return now
}

// read returns the resources in use.
func (r *Recorder) read() Usage {
	if r.meter.Read == nil {
		return Usage{}
	}
	return r.meter.Read()
}

// begin records that an activity begins.
func (s *solver) begin(name string) {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	s.recorder.change(&s.activity, name)
}

// event writes an event. Events of passes are reported by Pass, and root units are in the
// samples.
func (s *solver) event(e cdcl.Event, st *cdcl.Stats) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	l := s.newEvent(e, st)
	s.last = *st
	if l == nil {
		return
	}
	l.Solver, l.Conflicts, l.Ticks = s.index, st.Conflicts, st.Ticks
	switch l.Kind {
	case Start:
		r.change(&r.phase, "")
	case Answer:
		r.change(&s.activity, "")
	}
	l.Time = seconds(r.meter.Now())
	r.w.Write(l)
}

// answers are the status by the event at the end of a call.
var answers = map[cdcl.Event]dimacs.Status{
	cdcl.Satisfied: dimacs.Satisfiable,
	cdcl.Refuted:   dimacs.Unsatisfiable,
	cdcl.Stopped:   dimacs.Unknown,
}

// resets are the kinds of a [PhaseReset].
var resets = map[cdcl.Event]string{
	cdcl.RephaseBest:   "best",
	cdcl.RephaseFlip:   "flip",
	cdcl.RephaseInvert: "invert",
	cdcl.RephaseOrig:   "original",
	cdcl.RephaseWalk:   "walk",
}

// newEvent returns the line of an event without its solver, time and effort, or nil if the
// event has no line.
func (s *solver) newEvent(e cdcl.Event, st *cdcl.Stats) *Event {
	switch e {
	case cdcl.Start:
		return &Event{Kind: Start, Mode: modeName(st)}
	case cdcl.FocusedBegin, cdcl.StableBegin:
		return &Event{Kind: Mode, Mode: modeName(st)}
	case cdcl.Reduce:
		return &Event{Kind: Reduce, Reduce: &Reduction{st.ReducedClauses - s.last.ReducedClauses, st.Redundant}}
	case cdcl.Collect:
		return &Event{Kind: Collect}
	}
	if kind, is := resets[e]; is {
		l := &Event{Kind: Rephase, Rephase: &PhaseReset{Kind: kind}}
		if flips := st.WalkFlips - s.last.WalkFlips; flips > 0 {
			l.Rephase.Walk = &Walk{flips, st.WalkStart, st.WalkBroken}
		}
		return l
	}
	if status, is := answers[e]; is {
		return &Event{Kind: Answer, Status: status.String()}
	}
	return nil
}

func modeName(st *cdcl.Stats) string {
	if st.Stable {
		return "stable"
	}
	return "focused"
}

// Sample implements [cdcl.Observer].
func (s *solver) Sample(x cdcl.Sample) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	u := r.read()
	r.w.Write(&Sample{
		Solver:       s.index,
		Time:         seconds(r.meter.Now()),
		CPU:          seconds(u.CPU),
		Conflicts:    x.Conflicts,
		Decisions:    x.Decisions,
		Propagations: x.Propagations,
		Ticks:        x.Ticks,
		PassTicks:    x.PassTicks,
		Activity:     s.activity.name,
		Mode:         modeName(&x.Stats),
		Focused:      averages(&x.Modes[0]),
		Stable:       averages(&x.Modes[1]),
		Trail:        x.Assigned,
		Level:        x.Depth,
		Learned:      x.Learned,
		Tier1:        x.Tiers[0],
		Tier2:        x.Tiers[1],
		Tier3:        x.Tiers[2],
		Used1:        x.Used[0],
		Used2:        x.Used[1],
		Used3:        x.Used[2],
		Irredundant:  x.Irredundant,
		Redundant:    x.Redundant,
		Binary:       x.Binary,
		Vars:         left(&x.Stats),
		Fixed:        x.Fixed,
		Removed:      x.Removed,
		Restarts:     x.Restarts,
		Bursts:       x.Bursts,
		Target:       x.Target,
		Best:         x.Best,
		Arena:        x.Arena,
		Watches:      x.Watches,
		Heap:         u.Heap,
		Resident:     u.Resident,
		HW:           u.Counters,
	})
}

// seconds returns a duration in seconds, in whole microseconds.
func seconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e6 }

// averages returns the averages of a mode with four decimals.
func averages(m *cdcl.ModeState) Averages {
	round := func(x float64) float64 { return math.Round(1e4*x) / 1e4 }
	return Averages{round(m.Glue), round(m.GlueFast), round(m.Size), round(m.Trail), round(m.Level), m.Tier1, m.Tier2}
}

// left returns the number of variables in the search.
func left(st *cdcl.Stats) int { return st.Vars - st.Fixed - st.Removed }

// BeginPass implements [cdcl.Observer].
func (s *solver) BeginPass(string) {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	s.pass = s.recorder.meter.Now()
}

// EndPass implements [cdcl.Observer].
func (s *solver) EndPass(p cdcl.PassReport) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.meter.Now()
	r.w.Write(&Pass{
		Solver:    s.index,
		Time:      seconds(now),
		Conflicts: p.After.Conflicts,
		Name:      p.Name,
		Round:     p.Round,
		Seconds:   seconds(now - s.pass),
		Ticks:     p.Ticks,
		Budget:    p.Budget,
		Before:    sizeOf(&p.Before, p.LiteralsBefore),
		After:     sizeOf(&p.After, p.LiteralsAfter),
		Did:       increments(&p.Before, &p.After),
	})
}

func sizeOf(st *cdcl.Stats, literals int64) Size {
	z := Size{Vars: left(st), Irredundant: st.Irredundant, Redundant: st.Redundant, Binary: st.Binary}
	if literals >= 0 {
		z.Literals = &literals
	}
	return z
}

// increments returns the counters that differ, except those that other members have.
func increments(before, after *cdcl.Stats) map[string]int64 {
	did := map[string]int64{}
	x, y := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for i := range x.NumField() {
		name := x.Type().Field(i).Name
		if x.Field(i).Kind() != reflect.Int64 || name == "PassTicks" || name == "Bytes" {
			continue
		}
		if n := y.Field(i).Int() - x.Field(i).Int(); n != 0 {
			did[Name(name)] = n
		}
	}
	return did
}

// Exchanged implements [cdcl.Observer].
func (s *solver) Exchanged(st cdcl.Stats) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	last := &s.exchanged
	r.w.Write(&Exchange{
		Solver:    s.index,
		Time:      seconds(r.meter.Now()),
		Conflicts: st.Conflicts,
		Exported:  st.Exported - last.Exported,
		Imported:  st.Imported - last.Imported,
		Rejected:  st.ImportsRejected - last.ImportsRejected,
		Units:     st.ImportedUnits - last.ImportedUnits,
		Used:      st.ImportedUsed - last.ImportedUsed,
	})
	s.exchanged = st
}

// Stats returns the statistics of a solver as they are in End.Stats.
func Stats(st *cdcl.Stats) map[string]any {
	m := map[string]any{}
	v := reflect.ValueOf(st).Elem()
	for i := range v.NumField() {
		m[Name(v.Type().Field(i).Name)] = v.Field(i).Interface()
	}
	return m
}

// Name returns the name of a field in recordings and JSON documents: reused_trails for
// ReusedTrails. Runs of upper-case letters stay together: xor_units for XORUnits.
func Name(field string) string {
	var b strings.Builder
	rs := []rune(field)
	for i, r := range rs {
		upper := i > 0 && unicode.IsUpper(r)
		if upper && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && rs[i+1] != 's') {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
