package versus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sator/dimacs"
)

// An Outcome is how a run ended.
type Outcome string

// The outcomes: an answer within the limits, none within the solver's own, a limit that was passed,
// or an end that means nothing.
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

// Answer returns the answer that an outcome is.
func (o Outcome) Answer() dimacs.Status {
	switch o {
	case Satisfiable:
		return dimacs.Satisfiable
	case Unsatisfiable:
		return dimacs.Unsatisfiable
	}
	return dimacs.Unknown
}

// A Check is what became of the evidence for an answer.
type Check string

// The checks. The evidence is a model or a proof.
const (
	NoCheck    Check = ""        // there was no answer
	NoEvidence Check = "bare"    // the solver gave no evidence, or was not asked for a proof
	Checked    Check = "checked" // it is right
	Undecided  Check = "open"    // it could not be checked, or not within the time for that
	Refuted    Check = "refuted" // it is wrong, or the solver contradicts itself
)

var checks = []Check{NoCheck, NoEvidence, Checked, Undecided, Refuted}

// A Run is what is written down of a run.
type Run struct {
	Solver string
	File   string // the name of the instance
	Round  int    // from 1

	Outcome Outcome
	CPU     time.Duration // user and system time, with that of child processes
	Wall    time.Duration
	Memory  int64 // peak of one process, in bytes; 0 if the system does not tell
	Exit    int   // the exit code, -1 for a signal
	Check   Check
	Note    string // a line on what is odd

	Known   dimacs.Status // the answer that was known before
	Limits  Limits        // those of time and memory
	Command string
}

// A key names a run.
type key struct {
	solver, file string
	round        int
}

func (r *Run) key() key { return key{r.Solver, r.File, r.Round} }

// columns is the table of what records have as CSV, in this order.
var columns = []struct {
	name string
	get  func(*Run) string
	set  func(*Run, string) error
}{
	{"solver", func(r *Run) string { return r.Solver }, func(r *Run, s string) error { return named(&r.Solver, s) }},
	{"file", func(r *Run) string { return r.File }, func(r *Run, s string) error { return named(&r.File, s) }},
	{"round", func(r *Run) string { return strconv.Itoa(r.Round) }, func(r *Run, s string) error { return number(&r.Round, s) }},
	{"outcome", func(r *Run) string { return string(r.Outcome) }, func(r *Run, s string) error { return oneOf(&r.Outcome, s, outcomes) }},
	{"cpu_s", func(r *Run) string { return inSeconds(r.CPU) }, func(r *Run, s string) error { return seconds(&r.CPU, s) }},
	{"wall_s", func(r *Run) string { return inSeconds(r.Wall) }, func(r *Run, s string) error { return seconds(&r.Wall, s) }},
	{"memory_kb", func(r *Run) string { return kilobytes(r.Memory) }, func(r *Run, s string) error { return kilobytesOf(&r.Memory, s) }},
	{"exit", func(r *Run) string { return strconv.Itoa(r.Exit) }, func(r *Run, s string) error { return number(&r.Exit, s) }},
	{"check", func(r *Run) string { return string(r.Check) }, func(r *Run, s string) error { return oneOf(&r.Check, s, checks) }},
	{"note", func(r *Run) string { return r.Note }, func(r *Run, s string) error { r.Note = s; return nil }},
	{"known", func(r *Run) string { return r.Known.String() }, func(r *Run, s string) error { return answer(&r.Known, s) }},
	{"cpu_limit_s", func(r *Run) string { return inSeconds(r.Limits.CPU) }, func(r *Run, s string) error { return seconds(&r.Limits.CPU, s) }},
	{"wall_limit_s", func(r *Run) string { return inSeconds(r.Limits.Wall) }, func(r *Run, s string) error { return seconds(&r.Limits.Wall, s) }},
	{"memory_limit_kb", func(r *Run) string { return kilobytes(r.Limits.Memory) }, func(r *Run, s string) error { return kilobytesOf(&r.Limits.Memory, s) }},
	{"command", func(r *Run) string { return r.Command }, func(r *Run, s string) error { return named(&r.Command, s) }},
}

// header returns the names of the columns.
func header() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// fields returns the record as a row of a table. No field has a line end.
func (r *Run) fields() []string {
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = oneLine(c.get(r))
	}
	return row
}

// parseRecord reads a row of a table.
func parseRecord(row []string) (Run, error) {
	var r Run
	if len(row) != len(columns) {
		return r, fmt.Errorf("there are %d values; a run has %d", len(row), len(columns))
	}
	for i, c := range columns {
		if err := c.set(&r, row[i]); err != nil {
			return r, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return r, nil
}

// oneLine replaces line ends, which would make a record several lines.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == 0 }), " ")
}

// inSeconds writes a time with a resolution of microseconds, which is that of the system's
// accounting.
func inSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }

// kilobytes writes a number of bytes in units of 1024.
func kilobytes(n int64) string { return strconv.FormatInt(n>>10, 10) }

func named(to *string, s string) error {
	if *to = s; s == "" {
		return errors.New("it is missing")
	}
	return nil
}

func number(to *int, s string) error {
	n, err := strconv.Atoi(s)
	if *to = n; err != nil {
		return fmt.Errorf("%q is no integer", s)
	}
	return nil
}

func seconds(to *time.Duration, s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e9) {
		return fmt.Errorf("%q is no number of seconds", s)
	}
	*to = time.Duration(x*1e6+0.5) * time.Microsecond
	return nil
}

func kilobytesOf(to *int64, s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > 1<<50 {
		return fmt.Errorf("%q is no number of kilobytes", s)
	}
	*to = n << 10
	return nil
}

func oneOf[T ~string](to *T, s string, all []T) error {
	for _, x := range all {
		if string(x) == s {
			*to = x
			return nil
		}
	}
	return fmt.Errorf("%q is none of %q", s, all)
}

func answer(to *dimacs.Status, s string) error {
	known, ok := answers[s]
	if *to = known; !ok {
		return fmt.Errorf("%q is no answer", s)
	}
	return nil
}
