package versus

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/stat"
)

// A Clock selects the time that limits and scores use.
type Clock string

// The clocks: CPU time and wall-clock time.
const (
	CPU  Clock = "CPU"
	Wall Clock = "wall"
)

// A Report compares solvers on the files that all of them have run on.
//
// With several rounds, the result of a solver on a file is the run with the
// median time; a run without an answer counts as the longest. For an even
// number of runs it is the faster of the two middle runs. A solver with a wrong
// answer in any round has not solved the file.
//
// If a command line has a seed, each round counts as a file of its own: "files" are pairs of a file
// and a seed then.
type Report struct {
	Faults  []string // one message per wrong answer; empty if there is none
	Notes   []string // provenance: the machine and the versions of the solvers
	Clock   Clock
	Limit   time.Duration // time limit of a run, by Clock
	Base    string        // the solver that the others are compared with
	Files   int           // files that all solvers have run on
	Skipped int           // files that some solver has not run on
	Rounds  int           // largest number of runs per file
	Seeded  bool          // the rounds have different seeds
	Proofs  bool          // proofs were requested
	Load    Load
	Rows    []Row // best PAR-2 first

	// The following are empty for a single solver.
	Best          *Best
	Contributions []Contribution // in the order of Rows
	Pairs         []Pair

	Families []Family
}

// A Row holds the results of one solver.
type Row struct {
	Solver     string
	Sat, Unsat int // files solved
	Wrong      int // files with a wrong or disputed answer
	TimeOuts   int // files not solved within the time limit
	MemoryOuts int // files not solved within the memory limit
	GaveUp     int // files that the solver answered with UNKNOWN
	Failed     int // files on which the solver failed or exceeded the output limit
	NoModel    int // files of Sat without a checked model
	Proven     int // files of Unsat with a checked proof
	PAR2       Estimate

	// Common is the number of files that the solver and the base both solve.
	// The ratios compare the solver with the base on these files; a value less
	// than 1 is better than the base. A ratio is NaN if there are no such files
	// or the memory is unknown.
	Common     int
	TimeRatio  Estimate
	SpaceRatio Estimate

	ConflictRatio, TickRatio Estimate // where both are known

	results map[string]result
}

// Solved returns the number of files solved.
func (r *Row) Solved() int { return r.Sat + r.Unsat }

// An Estimate is a mean, or a geometric mean of ratios, with its 95 % bootstrap confidence interval.
type Estimate struct{ Value, Low, High float64 }

// A result is the median run of a solver on a file.
type result struct {
	run    *Run
	wrong  bool
	solved bool
	time   float64 // in seconds, by the clock of the report

	fastest, slowest float64 // times of the fastest and the slowest round; infinite without an answer
}

// Ratios are computed from times plus 50 ms and memory plus 4 MB, because a run of a few
// milliseconds measures the start of the process, not the solver.
const (
	timeShift  = 0.05
	spaceShift = 4 << 20
)

// seed makes the bootstrap intervals reproducible.
const seed = 1

// NewReport compares solvers by their runs. It compares all solvers of the runs
// if solvers is empty. Base is the solver to compare with; if it is not one of
// the solvers, the first solver is the base. The runs should have the same
// limits; if not, the report uses the largest limit.
func NewReport(runs []Run, solvers []string, base string, clock Clock) *Report {
	if len(solvers) == 0 {
		solvers = solversOf(runs)
	}
	if !slices.Contains(solvers, base) && len(solvers) > 0 {
		base = solvers[0]
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return !slices.Contains(solvers, r.Solver) })
	v := judge(runs)
	p := &Report{Faults: v.faults, Clock: clock, Base: base, Load: loadOf(runs)}
	listed := map[string]string{}
	p.Seeded = slices.ContainsFunc(runs, func(r Run) bool { return strings.Contains(r.Command, seedWord) })
	for i := range runs {
		listed[p.item(&runs[i])] = cmp.Or(listed[p.item(&runs[i])], runs[i].Family)
		p.Proofs = p.Proofs || strings.Contains(runs[i].Command, "{proof}")
		p.Limit = max(p.Limit, limitBy(clock, runs[i].Limits))
		p.Rounds = max(p.Rounds, runs[i].Round)
	}
	files, groups := p.byFile(runs)
	all := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return len(groups[file]) < len(solvers) })
	p.Files, p.Skipped = len(all), len(files)-len(all)
	for _, s := range solvers {
		row := Row{Solver: s, results: map[string]result{}}
		for _, file := range all {
			row.results[file] = p.median(groups[file][s], v)
		}
		row.count(all, p.Limit)
		p.Rows = append(p.Rows, row)
	}
	p.compare(all)
	slices.SortStableFunc(p.Rows, func(a, b Row) int { return cmp.Compare(a.PAR2.Value, b.PAR2.Value) })
	p.contribute(all)
	p.comparePairs(all)
	p.groupFamilies(all, listed)
	return p
}

// item names the object of repeated runs: a file, or with seeds a file and a seed.
func (p *Report) item(r *Run) string {
	if p.Seeded {
		return fmt.Sprintf("%s seed %d", r.File, r.Round-1)
	}
	return r.File
}

// byFile groups runs by item and by solver. It also returns the items in order of first occurrence.
func (p *Report) byFile(runs []Run) (files []string, groups map[string]map[string][]*Run) {
	groups = map[string]map[string][]*Run{}
	for i := range runs {
		r := &runs[i]
		item := p.item(r)
		if groups[item] == nil {
			files, groups[item] = append(files, item), map[string][]*Run{}
		}
		groups[item][r.Solver] = append(groups[item][r.Solver], r)
	}
	return files, groups
}

// solversOf returns the solvers of runs in order of first occurrence.
func solversOf(runs []Run) []string {
	var names []string
	for i := range runs {
		if !slices.Contains(names, runs[i].Solver) {
			names = append(names, runs[i].Solver)
		}
	}
	return names
}

// limitBy returns the time limit for a clock.
func limitBy(clock Clock, l Limits) time.Duration {
	if clock == Wall {
		return l.Wall
	}
	return l.CPU
}

// median returns the result of a file: the run with the median time.
func (p *Report) median(runs []*Run, v *verdict) result {
	wrong := slices.ContainsFunc(runs, func(r *Run) bool { return v.wrong[r.key()] })
	var all []result
	for _, r := range runs {
		x := result{run: r, wrong: wrong, time: r.CPU.Seconds()}
		if p.Clock == Wall {
			x.time = r.Wall.Seconds()
		}
		x.solved = !wrong && (r.Outcome == Satisfiable || r.Outcome == Unsatisfiable)
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b result) int { return cmp.Compare(a.cost(), b.cost()) })
	x := all[(len(all)-1)/2]
	x.fastest, x.slowest = all[0].cost(), all[len(all)-1].cost()
	return x
}

// cost returns the key by which runs are sorted: the time, or infinity without an answer.
func (x result) cost() float64 {
	if !x.solved {
		return math.Inf(1)
	}
	return x.time
}

// count counts the outcomes and computes PAR-2.
func (row *Row) count(files []string, limit time.Duration) {
	for _, file := range files {
		x := row.results[file]
		switch checked := x.solved && x.run.Check == Checked; {
		case checked && x.run.Outcome == Unsatisfiable:
			row.Proven++
		case !checked && x.solved && x.run.Outcome == Satisfiable:
			row.NoModel++
		}
		switch o := x.run.Outcome; {
		case x.wrong:
			row.Wrong++
		case o == Satisfiable:
			row.Sat++
		case o == Unsatisfiable:
			row.Unsat++
		case o == TimeOut:
			row.TimeOuts++
		case o == MemoryOut:
			row.MemoryOuts++
		case o == GaveUp:
			row.GaveUp++
		default:
			row.Failed++
		}
	}
	row.PAR2 = par2Of(row.results, files, limit)
}

// compare computes the ratios of all rows to the base.
func (p *Report) compare(files []string) {
	if len(p.Rows) == 0 {
		return
	}
	base := p.row(p.Base).results
	for i := range p.Rows {
		row := &p.Rows[i]
		var times, spaces, conflicts, ticks sides
		for _, file := range files {
			x, y := row.results[file], base[file]
			if !x.solved || !y.solved {
				continue
			}
			row.Common++
			times.add(x.time, y.time, timeShift)
			spaces.addKnown(x.run.Memory, y.run.Memory, spaceShift)
			conflicts.addKnown(x.run.Conflicts, y.run.Conflicts, 0)
			ticks.addKnown(x.run.Ticks, y.run.Ticks, 0)
		}
		row.TimeRatio, row.SpaceRatio = times.ratio(), spaces.ratio()
		row.ConflictRatio, row.TickRatio = conflicts.ratio(), ticks.ratio()
	}
}

// row returns the row of a solver of the report.
func (p *Report) row(solver string) *Row {
	return &p.Rows[slices.IndexFunc(p.Rows, func(r Row) bool { return r.Solver == solver })]
}

// A sides value holds figures of a solver and of the base on the same files.
type sides struct{ a, b []float64 }

func (x *sides) add(a, b, shift float64) { x.a, x.b = append(x.a, a+shift), append(x.b, b+shift) }

// addKnown adds figures unless one is unknown (0).
func (x *sides) addKnown(a, b, shift int64) {
	if a > 0 && b > 0 {
		x.add(float64(a), float64(b), float64(shift))
	}
}

func (x *sides) ratio() Estimate { return ratioOf(x.a, x.b) }

func ratioOf(a, b []float64) Estimate {
	mean, low, high := stat.GeoMeanRatio(a, b, seed)
	return Estimate{mean, low, high}
}

// String returns the value with its interval in brackets, and a dash for NaN.
func (e Estimate) String() string {
	if math.IsNaN(e.Value) {
		return formatNumber(e.Value)
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", e.Value, e.Low, e.High)
}

// formatNumber formats a number, and NaN as a dash.
func formatNumber(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
