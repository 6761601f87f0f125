package study

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
)

// A Study is a factorial experiment.
type Study struct {
	Name, Help  string
	Description string // help text

	// Factors are varied, the first one slowest. The levels of the last factor
	// are compared in pairs.
	Factors []Factor

	Subject    string   // name of a subject, and of the column with its number
	Attributes []string // columns that describe the subject
	Extra      []string // columns of counts in addition to those of [Outcome]

	// CountHelp is the help text of --count, the number of generated subjects.
	// It is empty if the study generates no subjects.
	CountHelp string
	Count     int

	// Conflicts is the default conflict limit of a run; 0 is no limit.
	Conflicts int64

	subjects  func(context.Context, *Options) ([]*Subject, error)
	normalize func(*Run) bool   // sets irrelevant factors to "-" and reports whether the combination is valid; may be nil
	chain     func(*Run) string // returns the name of the chain of a run, or "" if the run has no chain; may be nil
	measure   func(context.Context, *cache, *Run, *Weights) Outcome
	answer    func(*Results) string // answers the question of the study in the first paragraph of the report
	report    func(*Results, *Report) error
	puzzles   bool // the subjects may be puzzles from files
}

// TakesPuzzles reports whether the subjects may be puzzles from files.
func (s *Study) TakesPuzzles() bool { return s.puzzles }

// Studies lists the studies. To add one, write its file and add a line in init.
var Studies []*Study

func init() {
	Studies = []*Study{
		givensStudy(),
		mechanismStudy(),
		sizeStudy(),
		humanStudy(),
		familiesStudy(),
		encodingsStudy(),
		twosatStudy(),
		thresholdStudy(),
	}
}

// A Factor is an independent variable of a study.
type Factor struct {
	Name, Help string
	Default    []string
	Levels     []string // all levels; nil for the integers from Min to Max
	Min, Max   int
	Switch     bool // the levels are "no" and "yes", and the flag is boolean
}

// parse parses a comma-separated list of levels; "all" stands for all levels.
func (f *Factor) parse(list string) ([]string, error) {
	if list == "all" && f.Levels != nil {
		return f.Levels, nil
	}
	var levels []string
	for level := range strings.SplitSeq(list, ",") {
		level = strings.TrimSpace(level)
		if err := f.check(level); err != nil {
			return nil, err
		}
		if slices.Contains(levels, level) {
			return nil, fmt.Errorf("duplicate level %s", level)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// check returns an error unless the factor has that level.
func (f *Factor) check(level string) error {
	if f.Levels != nil {
		if !slices.Contains(f.Levels, level) {
			return fmt.Errorf("invalid level %q: want one of %s", level, strings.Join(f.Levels, ", "))
		}
		return nil
	}
	if n, err := strconv.Atoi(level); err != nil || n < f.Min || n > f.Max {
		return fmt.Errorf("invalid level %q: want an integer from %d to %d", level, f.Min, f.Max)
	}
	return nil
}

// Options are the parameters of a plan.
type Options struct {
	Levels    map[string]string // by factor name: a comma-separated list; missing factors have their defaults
	Puzzles   []*sudoku.Grid    // the subjects, if the study takes puzzles; nil to generate them
	Source    string            // origin of Puzzles, for the report
	Count     int               // number of generated subjects; 0 is the default of the study
	Dir       string            // if not empty, puzzles generated earlier for the same study in this directory are reused
	Seed      uint64            // seed of all random choices
	Conflicts int64             // conflict limit of a run; 0 is the default of the study, negative is no limit
}

// A Subject is the object of a run: a puzzle or a formula.
type Subject struct {
	Number     int // from 1
	Text       string
	Formula    *dimacs.Formula // nil for a puzzle
	Puzzle     *sudoku.Grid
	Attributes map[string]string // by column: its value

	puzzle *puzzleFacts
}

// An Outcome is the result of a run.
type Outcome struct {
	Answer       dimacs.Status
	Evaluations  int64 // nodes of the search tree, or calls; 1 + decisions + conflicts of clause learning
	Decisions    int64
	Backtracks   int64 // second branches; conflicts of clause learning
	Conflicts    int64
	Propagations int64
	Depth        int64 // maximum number of decisions above a node; unknown for clause learning
	Capped       bool  // the run ended at the conflict limit
	Seconds      float64

	Attributes []string // in the order of Study.Attributes
	Extra      []int64  // in the order of Study.Extra
}

// A measure is a count of an outcome.
type measure struct {
	name  string
	field func(*Outcome) *int64
}

// measures are the columns of counts.
var measures = []measure{
	{"evaluations", func(o *Outcome) *int64 { return &o.Evaluations }},
	{"decisions", func(o *Outcome) *int64 { return &o.Decisions }},
	{"backtracks", func(o *Outcome) *int64 { return &o.Backtracks }},
	{"conflicts", func(o *Outcome) *int64 { return &o.Conflicts }},
	{"propagations", func(o *Outcome) *int64 { return &o.Propagations }},
	{"depth", func(o *Outcome) *int64 { return &o.Depth }},
}
