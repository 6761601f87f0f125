package versus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sator/dimacs"
)

// An Outcome is the way in which a run ended.
type Outcome string

// The outcomes: an answer, UNKNOWN from the solver itself, an exceeded limit, or an abnormal end.
const (
	Satisfiable   Outcome = "SATISFIABLE"
	Unsatisfiable Outcome = "UNSATISFIABLE"
	GaveUp        Outcome = "UNKNOWN"
	TimeOut       Outcome = "time"
	MemoryOut     Outcome = "memory"
	OutputOut     Outcome = "output"
	Failed        Outcome = "failed"
)

var outcomes = []Outcome{Satisfiable, Unsatisfiable, GaveUp, TimeOut, MemoryOut, OutputOut, Failed}

// Answer returns the answer of the outcome, or Unknown for an outcome without
// an answer.
func (o Outcome) Answer() dimacs.Status {
	switch o {
	case Satisfiable:
		return dimacs.Satisfiable
	case Unsatisfiable:
		return dimacs.Unsatisfiable
	}
	return dimacs.Unknown
}

// A Check is the result of checking the evidence (model or proof) for an answer.
type Check string

// The results of a check.
const (
	NoCheck    Check = ""        // there is no answer
	NoEvidence Check = "bare"    // the solver gave no evidence, or no proof was requested
	Checked    Check = "checked" // the evidence is valid
	Undecided  Check = "open"    // the evidence could not be checked, or not within Bench.CheckTime
	Refuted    Check = "refuted" // the evidence is invalid, or the output of the solver is contradictory
)

var checks = []Check{NoCheck, NoEvidence, Checked, Undecided, Refuted}

// A Run holds the results of one run of a solver on a file. It is a line of a [Log].
type Run struct {
	Solver string
	File   string // the name of the instance
	Round  int    // from 1

	Outcome Outcome
	CPU     time.Duration // user and system time, including descendants
	Wall    time.Duration
	Memory  int64 // peak RSS of the largest process, in bytes; 0 if unknown
	Exit    int   // exit code; -1 for a signal
	Check   Check
	Note    string // one line of details, for instance an error message

	Known   dimacs.Status // the known answer of the instance
	Limits  Limits        // CPU, Wall and Memory only
	Command string

	Family string  // the family of the instance in its list, or empty
	Others float64 // mean number of cores kept busy by other processes; negative if unknown

	Conflicts, Ticks int64 // of the statistics in the output; 0 if unknown
}

// A key identifies a run.
type key struct {
	solver, file string
	round        int
}

func (r *Run) key() key { return key{r.Solver, r.File, r.Round} }

// columns is the table of the CSV columns.
var columns = []struct {
	name string
	get  func(*Run) string
	set  func(*Run, string) error
}{
	{"solver", func(r *Run) string { return r.Solver }, func(r *Run, s string) error { return setText(&r.Solver, s) }},
	{"file", func(r *Run) string { return r.File }, func(r *Run, s string) error { return setText(&r.File, s) }},
	{"round", func(r *Run) string { return strconv.Itoa(r.Round) }, func(r *Run, s string) error { return setInt(&r.Round, s) }},
	{"outcome", func(r *Run) string { return string(r.Outcome) }, func(r *Run, s string) error { return setOneOf(&r.Outcome, s, outcomes) }},
	{"cpu_s", func(r *Run) string { return inSeconds(r.CPU) }, func(r *Run, s string) error { return setSeconds(&r.CPU, s) }},
	{"wall_s", func(r *Run) string { return inSeconds(r.Wall) }, func(r *Run, s string) error { return setSeconds(&r.Wall, s) }},
	{"memory_kb", func(r *Run) string { return kilobytes(r.Memory) }, func(r *Run, s string) error { return setKilobytes(&r.Memory, s) }},
	{"exit", func(r *Run) string { return strconv.Itoa(r.Exit) }, func(r *Run, s string) error { return setInt(&r.Exit, s) }},
	{"check", func(r *Run) string { return string(r.Check) }, func(r *Run, s string) error { return setOneOf(&r.Check, s, checks) }},
	{"note", func(r *Run) string { return r.Note }, func(r *Run, s string) error { r.Note = s; return nil }},
	{"known", func(r *Run) string { return r.Known.String() }, func(r *Run, s string) error { return setAnswer(&r.Known, s) }},
	{"cpu_limit_s", func(r *Run) string { return inSeconds(r.Limits.CPU) }, func(r *Run, s string) error { return setSeconds(&r.Limits.CPU, s) }},
	{"wall_limit_s", func(r *Run) string { return inSeconds(r.Limits.Wall) }, func(r *Run, s string) error { return setSeconds(&r.Limits.Wall, s) }},
	{"memory_limit_kb", func(r *Run) string { return kilobytes(r.Limits.Memory) }, func(r *Run, s string) error { return setKilobytes(&r.Limits.Memory, s) }},
	{"command", func(r *Run) string { return r.Command }, func(r *Run, s string) error { return setText(&r.Command, s) }},
	{"family", func(r *Run) string { return r.Family }, func(r *Run, s string) error { r.Family = s; return nil }},
	{"other_cores", func(r *Run) string { return otherText(r.Others) }, func(r *Run, s string) error { return setOthers(&r.Others, s) }},
	{"conflicts", func(r *Run) string { return strconv.FormatInt(r.Conflicts, 10) }, func(r *Run, s string) error { return setCount(&r.Conflicts, s) }},
	{"ticks", func(r *Run) string { return strconv.FormatInt(r.Ticks, 10) }, func(r *Run, s string) error { return setCount(&r.Ticks, s) }},
}

// widths are the numbers of columns of this version and of earlier ones. Their logs can be read, and get no further
// columns.
var widths = []int{len(columns), 17, 15}

// header returns the names of the first columns.
func header(width int) []string {
	names := make([]string, width)
	for i, c := range columns[:width] {
		names[i] = c.name
	}
	return names
}

// fields returns the run as a CSV row. No field contains a line end.
func (r *Run) fields() []string {
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = oneLine(c.get(r))
	}
	return row
}

// parseRun parses a CSV row with the first columns.
func parseRun(row []string, width int) (Run, error) {
	r := Run{Others: unknownLoad}
	if len(row) != width {
		return r, fmt.Errorf("%d values, want %d", len(row), width)
	}
	for i, c := range columns[:width] {
		if row[i] != oneLine(row[i]) {
			return r, fmt.Errorf("%s: a carriage return or a zero byte in the value", c.name)
		}
		if err := c.set(&r, row[i]); err != nil {
			return r, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return r, nil
}

// oneLine replaces line ends by blanks, so a run stays on one line.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == 0 }), " ")
}

// inSeconds formats a time with microseconds, the resolution of the CPU accounting.
func inSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }

// kilobytes formats a number of bytes in units of 1024.
func kilobytes(n int64) string { return strconv.FormatInt(n>>10, 10) }

func setText(to *string, s string) error {
	if *to = s; s == "" {
		return errors.New("empty value")
	}
	return nil
}

func setInt(to *int, s string) error {
	n, err := strconv.Atoi(s)
	if *to = n; err != nil {
		return fmt.Errorf("invalid integer %q", s)
	}
	return nil
}

func setCount(to *int64, s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if *to = n; err != nil || n < 0 {
		return fmt.Errorf("invalid number %q", s)
	}
	return nil
}

func setSeconds(to *time.Duration, s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e9) {
		return fmt.Errorf("invalid number of seconds %q", s)
	}
	*to = time.Duration(x*1e6+0.5) * time.Microsecond
	return nil
}

func setKilobytes(to *int64, s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > 1<<50 {
		return fmt.Errorf("invalid number of kilobytes %q", s)
	}
	*to = n << 10
	return nil
}

// otherText formats a load; an unknown load is empty.
func otherText(cores float64) string {
	if cores < 0 {
		return ""
	}
	return strconv.FormatFloat(cores, 'f', 2, 64)
}

func setOthers(to *float64, s string) error {
	if *to = unknownLoad; s == "" {
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e6) {
		return fmt.Errorf("invalid number of cores %q", s)
	}
	*to = x
	return nil
}

func setOneOf[T ~string](to *T, s string, all []T) error {
	for _, x := range all {
		if string(x) == s {
			*to = x
			return nil
		}
	}
	return fmt.Errorf("invalid value %q: want one of %q", s, all)
}

func setAnswer(to *dimacs.Status, s string) error {
	known, ok := answers[s]
	if *to = known; !ok {
		return fmt.Errorf("invalid answer %q", s)
	}
	return nil
}
