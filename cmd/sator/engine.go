package main

import (
	"context"
	"fmt"
	"strings"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A solver is what solve asks of an engine.
type solver interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(lits ...dimacs.Lit)
	SetLimits(cdcl.Limits)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
	Stats() cdcl.Stats
}

// engines is the one table of the engines that --engine names; help texts and
// errors list it. To add an engine, add a line.
var engines = []struct {
	name, help string
	start      func(cdcl.Options) solver
}{
	{"auto", "chosen by the formula", startCDCL},
	{"cdcl", "conflict-driven clause learning", startCDCL},
}

func startCDCL(o cdcl.Options) solver { return cdcl.New(o) }

// findEngine returns the function that starts the engine of that name.
func findEngine(name string) (func(cdcl.Options) solver, error) {
	var names []string
	for _, e := range engines {
		if e.name == name {
			return e.start, nil
		}
		names = append(names, e.name)
	}
	return nil, usagef("there is no engine %q; there are %s", name, strings.Join(names, ", "))
}

// engineHelp lists the engines for a help text.
func engineHelp() string {
	var list []string
	for _, e := range engines {
		list = append(list, fmt.Sprintf("%s (%s)", e.name, e.help))
	}
	return strings.Join(list, ", ")
}
