// Package engines adapts the engines of Sator to the command line: flags, memory,
// statistics, and the table of the engines for --engine.
//
//	engine, err := engines.Find(c.String("engine"))
//	if err != nil {
//		return err
//	}
//	setup, err := engine.ReadSetup(c)
//	if err != nil {
//		return err
//	}
//	choice, err := setup.Choose(input)
//	if err != nil {
//		return err
//	}
//	solver := choice.Setup.Start(engines.Hooks{})
//	solver.Load(ctx, f, f.Vars(), 0, f.Len())
//	fmt.Println(solver.Solve(ctx))
//
// A [Choice] is the setup for one formula: auto and portfolios choose it by the formula.
//
// # Files
//
//   - engines.go: the table of the engines and the interfaces.
//   - cdcl.go, dpll.go, horn.go, twosat.go: one engine each; twosat.go also has auto.
//   - race.go: portfolios; split.go: formulas of several components.
//   - fill.go, memory.go: adding clauses, and estimating memory.
//   - properties.go: options and statistics as JSON;
//     record.go: recordings of runs.
package engines

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// An Engine is a value of --engine: a name, flags, and a function that reads
// them.
type Engine struct {
	Name, help string

	// flags returns the flags of this engine. With another engine they are an
	// error.
	flags func() []cli.Flag

	// Read reads the flags of this engine. ReadSetup also rejects the flags of other engines.
	Read func(*cli.Context) (Setup, error)

	// Hints reports that the engine logs the antecedents of its lemmas (hints).
	Hints bool
}

// All is the table of the engines that --engine accepts. Help texts and errors
// list it. To add an engine, add a line.
var All = []Engine{
	{"auto", "twosat or horn for formulas of their kind, else cdcl", learningFlags, readAuto, true},
	{"cdcl", "conflict-driven clause learning", learningFlags, readLearning, true},
	{"twosat", "implications, for clauses of up to 2 literals, in linear time", noFlags, readTwoSAT, true},
	{"horn", "unit propagation, for Horn formulas, in linear time", noFlags, readHorn, true},
	{"dpll", "the classic search, without learning", cli.ClassicFlags, readDPLL, false},
}

// A Setup is an engine with values for its options.
type Setup interface {
	// List returns the options by their names in JSON documents.
	List() Properties

	// Footprint estimates the memory, in bytes, of a solver for a formula of the
	// given size before the search.
	Footprint(vars, clauses, literals int) int64

	// Choose returns the setup for an input, or an error if the engine cannot
	// solve it.
	Choose(in *formula.Input) (Choice, error)

	// Start returns a solver without clauses.
	Start(Hooks) Solver
}

// A Choice is the engine for a formula: its name, its setup, and the reason. The
// reason is empty for the engine of general formulas.
type Choice struct {
	Engine string
	Why    string
	Setup  Setup
}

// Hooks receive the proof and the progress of a solver. A hook may
// be nil.
type Hooks struct {
	Proof    dimacs.Proof
	Once     bool // Solve is called once, without assumptions
	Progress func(event rune, s cli.Figures)
	// Activity returns the callback for the phases of a solver; see [cdcl.Options].
	Activity func(solver string) func(phase string)
	Record   *record.Recorder
	First    int // index in Record of the first solver
	Memory   dimacs.MemoryLimit
}

// around calls a solver of this name that reports no progress itself, and reports the
// statistics before and after the call.
func (h Hooks) around(solver string, s interface{ Statistics() Statistics }, call func() dimacs.Status) dimacs.Status {
	if h.Activity != nil {
		enter := h.Activity(solver)
		enter("search")
		defer enter("")
	}
	h.event('*', s)
	answer := call()
	switch answer {
	case dimacs.Satisfiable:
		h.event('1', s)
	case dimacs.Unsatisfiable:
		h.event('0', s)
	default:
		h.event('?', s)
	}
	return answer
}

// Phases returns the names of the phases that solvers report to a profiler.
func Phases() []string { return append([]string{"search"}, cdcl.Activities()...) }

// event reports statistics.
func (h Hooks) event(event rune, s interface{ Statistics() Statistics }) {
	if h.Progress != nil {
		h.Progress(event, s.Statistics())
	}
}

// A Solver is a solver of any engine, with the methods that the command solve
// needs.
type Solver interface {
	// Load adds the clauses from..to-1 of a formula with the given number of variables. The
	// first call begins with clause 0, and each other one where the one before ended. It
	// returns false if ctx ends first.
	Load(ctx context.Context, f *dimacs.Formula, vars, from, to int) bool

	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit

	Limit(conflicts int64) // for each of the following calls of Solve; 0 is no limit
	Statistics() Statistics
}

// Statistics are the counters of an engine at one moment.
type Statistics interface {
	// List returns all counters, for --stats and JSON documents.
	List() Properties

	// Work returns the counters that most engines have.
	Work() (conflicts, propagations int64)

	cli.Figures
}

// Find returns the engine with the given name.
func Find(name string) (*Engine, error) {
	if i := slices.IndexFunc(All, func(e Engine) bool { return e.Name == name }); i >= 0 {
		return &All[i], nil
	}
	return nil, cli.InvalidName("engine", name, cli.Of(All, func(e Engine) string { return e.Name }))
}

// Help returns the list of engines for help texts.
func Help() string {
	return cli.ChoiceHelp(Choices())
}

// Choices returns the engines.
func Choices() []cli.Choice {
	return cli.Of(All, func(e Engine) cli.Choice { return cli.Choice{Name: e.Name, Help: e.help} })
}

// Flags returns the flags of all engines, each once.
func Flags() []cli.Flag {
	var flags []cli.Flag
	for _, e := range All {
		for _, f := range e.flags() {
			if cli.Find(flags, cli.FlagName(f)) == nil {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// ReadSetup reads the flags of the engine. A flag of another engine is an error.
func (e *Engine) ReadSetup(c *cli.Context) (Setup, error) {
	own, given := e.flags(), cli.GivenFlags(c)
	for _, f := range Flags() {
		name := cli.FlagName(f)
		if slices.Contains(given, name) && cli.Find(own, name) == nil {
			return nil, &cli.UsageError{Msg: fmt.Sprintf("the engine %s has no option --%s", e.Name, name), Hint: "It is an option of --engine " + strings.Join(havingFlag(name), " and ") + "."}
		}
	}
	return e.Read(c)
}

// havingFlag returns the names of the engines that have a flag, without auto.
func havingFlag(name string) []string {
	var names []string
	for _, e := range All {
		if e.Name != "auto" && slices.ContainsFunc(e.flags(), func(f cli.Flag) bool { return cli.FlagName(f) == name }) {
			names = append(names, e.Name)
		}
	}
	return names
}
