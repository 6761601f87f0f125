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

// A Study is an experiment.
type Study struct {
	Name, Help  string
	Description string // what it is for, in lines of a help text

	// Factors are what is varied, the slowest first. The last one is what is
	// compared in pairs.
	Factors []Factor

	Subject string   // what one of the things studied is called, as the column of their numbers is
	About   []string // columns of what is told of them
	More    []string // columns of what is counted besides the columns of an [Outcome]

	// Counts is what --count says, with its default, if the study makes its
	// subjects itself.
	CountHelp string
	Count     int

	// Conflicts is after how many a run is given up by default; 0 is never.
	Conflicts int64

	subjects func(context.Context, *Options) ([]*Subject, error)
	settle   func(*Run) bool   // puts what is meaningless to "-"; false if there is no such run
	lane     func(*Run) string // runs of a lane that has a name are done in turn, with its Weights; may be nil
	measure  func(context.Context, *bench, *Run, *Weights) Outcome
	tell     func(*Results, *Report) error
	puzzles  bool // the subjects may be puzzles from files
}

// TakesPuzzles reports whether the subjects may be puzzles from files.
func (s *Study) TakesPuzzles() bool { return s.puzzles }

// Studies lists the studies. To add one, write its file and add a line here.
var Studies []*Study

func init() {
	Studies = []*Study{
		givensStudy(),
		sizeStudy(),
		humanStudy(),
		familiesStudy(),
		encodingsStudy(),
		twosatStudy(),
		thresholdStudy(),
		passesStudy(),
	}
}

// Find returns the study of that name.
func Find(name string) (*Study, bool) {
	i := slices.IndexFunc(Studies, func(s *Study) bool { return s.Name == name })
	if i < 0 {
		return nil, false
	}
	return Studies[i], true
}

// A Factor is something that is varied.
type Factor struct {
	Name, Help string
	Default    []string
	Levels     []string // those that there are; nil if they are whole numbers from Min to Max
	Min, Max   int
	Switch     bool // the levels are no and yes, and the flag is one without a value
}

// parse returns the levels that a list between commas names; all is all there
// are.
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
			return nil, fmt.Errorf("%s stands there twice", level)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

func (f *Factor) check(level string) error {
	if f.Levels != nil {
		if !slices.Contains(f.Levels, level) {
			return fmt.Errorf("there is no %q; there are %s", level, strings.Join(f.Levels, ", "))
		}
		return nil
	}
	if n, err := strconv.Atoi(level); err != nil || n < f.Min || n > f.Max {
		return fmt.Errorf("%q is no whole number from %d to %d", level, f.Min, f.Max)
	}
	return nil
}

// Options say how a study is done.
type Options struct {
	Levels    map[string]string // by the name of the factor: a list between commas; those left out have their defaults
	Puzzles   []*sudoku.Grid    // the subjects, if the study takes puzzles; nil for puzzles made for it
	Source    string            // where those are from, for the report
	Count     int               // how many subjects are made; 0 for the default of the study
	Dir       string            // puzzles made for the study are taken from there, if it has been done there before
	Seed      uint64            // of all that is drawn
	Conflicts int64             // a run is given up after so many; 0 for the default of the study, less for never
}

// A Subject is what is studied: a puzzle or a formula.
type Subject struct {
	Number  int // from 1
	Text    string
	Formula *dimacs.Formula // nil for a puzzle
	Puzzle  *sudoku.Grid
	About   map[string]string // what is known of it

	puzzle *puzzleFacts
}

// An Outcome is what a run took.
type Outcome struct {
	Answer       dimacs.Status
	Evaluations  int64 // nodes of the search tree, or calls; of clause learning 1 + decisions + conflicts
	Decisions    int64
	Backtracks   int64 // second branches; of clause learning the same as conflicts
	Conflicts    int64
	Propagations int64
	Depth        int64 // most decisions above a node; not known of clause learning
	Capped       bool  // given up at the limit of conflicts
	Seconds      float64

	About []string // in the order of Study.About
	More  []int64  // in the order of Study.More
}

// A Measure is a column of an outcome that may be counted on.
type measure struct {
	name  string
	field func(*Outcome) *int64
}

// measures are the columns of what is counted.
var measures = []measure{
	{"evaluations", func(o *Outcome) *int64 { return &o.Evaluations }},
	{"decisions", func(o *Outcome) *int64 { return &o.Decisions }},
	{"backtracks", func(o *Outcome) *int64 { return &o.Backtracks }},
	{"conflicts", func(o *Outcome) *int64 { return &o.Conflicts }},
	{"propagations", func(o *Outcome) *int64 { return &o.Propagations }},
	{"depth", func(o *Outcome) *int64 { return &o.Depth }},
}
