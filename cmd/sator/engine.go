package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// An engine is a way to decide formulas.
type engine struct {
	name, help string

	// flags returns the flags that are about this engine. Given with another
	// engine, they are an error.
	flags func() []cli.Flag

	// read reads these flags.
	read func(*cli.Context) (setup, error)

	// hints says that the engine tells a proof the antecedents of its lemmas.
	hints bool
}

// engines is the one table of the engines that --engine names; help texts and
// errors list it. To add an engine, add a line.
var engines = []engine{
	{"auto", "twosat or horn for formulas of their kind, else cdcl", learningFlags, readAuto, true},
	{"cdcl", "conflict-driven clause learning", learningFlags, readLearning, true},
	{"twosat", "implications, for clauses of up to 2 literals, in linear time", noFlags, readTwoSAT, true},
	{"horn", "unit propagation, for Horn formulas, in linear time", noFlags, readHorn, true},
	{"dpll", "the classic search, without learning", dpllFlags, readDPLL, false},
}

// A setup is an engine with values for its options.
type setup interface {
	// list returns the options, by their names in documents.
	list() properties

	// footprint returns about how many bytes a solver of a formula of this size
	// takes before it searches.
	footprint(vars, clauses, literals int) int64

	// start returns a solver without clauses.
	start(wires) solver
}

// A choice is a setup that depends on the formula.
type choice interface {
	setup

	// settle returns the engine for what was read, or an error if there is none.
	settle(in *input) (chosen, error)
}

// What is chosen: an engine by name, with its setup, and why if there is more to say
// than that it is the one for all formulas.
type chosen struct {
	name  string
	why   string
	setup setup
}

// wires are what a solver is connected to; what is nil, nobody wants to know.
type wires struct {
	proof    dimacs.Proof
	once     bool      // there will be one question, without assumptions
	trace    io.Writer // for the steps of the search
	progress func(event rune, s cli.Figures)
	activity func(name string)
}

// around tells of a call of an engine that tells nothing itself: its beginning
// and its end, with the statistics as they stand then.
func (w wires) around(s interface{ statistics() statistics }, call func() dimacs.Status) dimacs.Status {
	if w.activity != nil {
		w.activity("search")
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

func (w wires) event(event rune, s interface{ statistics() statistics }) {
	if w.progress != nil {
		w.progress(event, s.statistics())
	}
}

// A solver is what solve asks of an engine.
type solver interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit

	limit(conflicts int64) // of each call of Solve that follows; 0 is no limit
	statistics() statistics
}

// A loader is a solver that takes many clauses at once. It reports false if ctx ended
// before it had them all.
type loader interface {
	load(ctx context.Context, f *dimacs.Formula, from, to int) bool
}

// Statistics are what an engine counts, as it stands at a moment.
type statistics interface {
	// list returns all of them, for --stats and documents.
	list() properties

	// work returns what most engines do.
	work() (conflicts, propagations int64)

	cli.Figures
}

// findEngine returns the engine of that name.
func findEngine(name string) (*engine, error) {
	var names []string
	for i := range engines {
		if engines[i].name == name {
			return &engines[i], nil
		}
		names = append(names, engines[i].name)
	}
	return nil, cli.Usagef("there is no engine %q; there are %s", name, strings.Join(names, ", "))
}

// engineHelp lists the engines for a help text.
func engineHelp() string {
	var list []string
	for _, e := range engines {
		list = append(list, fmt.Sprintf("%s (%s)", e.name, e.help))
	}
	return strings.Join(list, ", ")
}

// engineFlagsOf returns the flags of all engines, each once.
func engineFlagsOf() []cli.Flag {
	var flags []cli.Flag
	for _, e := range engines {
		for _, f := range e.flags() {
			if cli.Find(flags, f.Names()[0]) == nil {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// setup reads the flags of the engine. One of another engine is an error.
func (e *engine) setup(c *cli.Context) (setup, error) {
	own := e.flags()
	for _, f := range engineFlagsOf() {
		name := f.Names()[0]
		if c.IsSet(name) && cli.Find(own, name) == nil {
			return nil, &cli.UsageError{Msg: fmt.Sprintf("the engine %s has no option --%s", e.name, name), Hint: "It is one of --engine " + strings.Join(havingFlag(name), " and ") + "."}
		}
	}
	return e.read(c)
}

// havingFlag lists the engines that have a flag; auto is none of its own.
func havingFlag(name string) []string {
	var names []string
	for _, e := range engines {
		if e.name != "auto" && slices.ContainsFunc(e.flags(), func(f cli.Flag) bool { return slices.Contains(f.Names(), name) }) {
			names = append(names, e.name)
		}
	}
	return names
}
