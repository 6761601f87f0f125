// Package engines adapts the engines of Sator to the command line: their flags, how
// much memory they need, their statistics, and the table of engines that --engine
// names.
package engines

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// An Engine is a way to decide formulas.
type Engine struct {
	Name, help string

	// flags returns the flags that are about this engine. Given with another
	// engine, they are an error.
	flags func() []cli.Flag

	// Read reads these flags.
	Read func(*cli.Context) (Setup, error)

	// Hints says that the engine tells a proof the antecedents of its lemmas.
	Hints bool
}

// All is the one table of the engines that --engine names; help texts and
// errors list it. To add an engine, add a line.
var All = []Engine{
	{"auto", "twosat or horn for formulas of their kind, else cdcl", learningFlags, readAuto, true},
	{"cdcl", "conflict-driven clause learning", learningFlags, readLearning, true},
	{"twosat", "implications, for clauses of up to 2 literals, in linear time", noFlags, readTwoSAT, true},
	{"horn", "unit propagation, for Horn formulas, in linear time", noFlags, readHorn, true},
	{"dpll", "the classic search, without learning", dpllFlags, readDPLL, false},
}

// A Setup is an engine with values for its options.
type Setup interface {
	// List returns the options, by their names in documents.
	List() Properties

	// Footprint returns about how many bytes a solver of a formula of this size
	// takes before it searches.
	Footprint(vars, clauses, literals int) int64

	// Start returns a solver without clauses.
	Start(Hooks) Solver
}

// A Choice is a setup that depends on the formula.
type Choice interface {
	Setup

	// Settle returns the engine for what was read, or an error if there is none.
	Settle(in *formula.Input) (Chosen, error)
}

// What is chosen: an engine by name, with its setup, and why if there is more to say
// than that it is the one for all formulas.
type Chosen struct {
	Name  string
	Why   string
	Setup Setup
}

// Hooks are what a solver is connected to; what is nil, nobody wants to know.
type Hooks struct {
	Proof    dimacs.Proof
	Once     bool      // there will be one question, without assumptions
	Trace    io.Writer // for the steps of the search
	Progress func(event rune, s cli.Figures)
	Activity func(name string)
}

// around tells of a call of an engine that tells nothing itself: its beginning
// and its end, with the statistics as they stand then.
func (w Hooks) around(s interface{ Statistics() Statistics }, call func() dimacs.Status) dimacs.Status {
	if w.Activity != nil {
		w.Activity("search")
	}
	w.event('*', s)
	answer := call()
	switch answer {
	case dimacs.Satisfiable:
		w.event('1', s)
	case dimacs.Unsatisfiable:
		w.event('0', s)
	default:
		w.event('?', s)
	}
	return answer
}

func (w Hooks) event(event rune, s interface{ Statistics() Statistics }) {
	if w.Progress != nil {
		w.Progress(event, s.Statistics())
	}
}

// A Solver is what solve asks of an engine.
type Solver interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit

	Limit(conflicts int64) // of each call of Solve that follows; 0 is no limit
	Statistics() Statistics
}

// A Loader is a solver that takes many clauses at once. It reports false if ctx ended
// before it had them all.
type Loader interface {
	Load(ctx context.Context, f *dimacs.Formula, from, to int) bool
}

// Statistics are what an engine counts, as it stands at a moment.
type Statistics interface {
	// List returns all of them, for --stats and documents.
	List() Properties

	// Work returns what most engines do.
	Work() (conflicts, propagations int64)

	cli.Figures
}

// Find returns the engine of that name.
func Find(name string) (*Engine, error) {
	var names []string
	for i := range All {
		if All[i].Name == name {
			return &All[i], nil
		}
		names = append(names, All[i].Name)
	}
	return nil, cli.InvalidName("engine", name, names)
}

// Help lists the engines for a help text.
func Help() string {
	var list []string
	for _, e := range All {
		list = append(list, fmt.Sprintf("%s (%s)", e.Name, e.help))
	}
	return strings.Join(list, ", ")
}

// Flags returns the flags of all engines, each once.
func Flags() []cli.Flag {
	var flags []cli.Flag
	for _, e := range All {
		for _, f := range e.flags() {
			if cli.Find(flags, f.Names()[0]) == nil {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// ReadSetup reads the flags of the engine. One of another engine is an error.
func (e *Engine) ReadSetup(c *cli.Context) (Setup, error) {
	own := e.flags()
	for _, f := range Flags() {
		name := f.Names()[0]
		if c.IsSet(name) && cli.Find(own, name) == nil {
			return nil, &cli.UsageError{Msg: fmt.Sprintf("the engine %s has no option --%s", e.Name, name), Hint: "It is one of --engine " + strings.Join(havingFlag(name), " and ") + "."}
		}
	}
	return e.Read(c)
}

// havingFlag lists the engines that have a flag; auto is none of its own.
func havingFlag(name string) []string {
	var names []string
	for _, e := range All {
		if e.Name != "auto" && slices.ContainsFunc(e.flags(), func(f cli.Flag) bool { return slices.Contains(f.Names(), name) }) {
			names = append(names, e.Name)
		}
	}
	return names
}
