package program_test

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/card"
	"sator/dimacs/circuit"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/maxsat"
	"sator/dpll/mus"
)

// moves are the calls on the right of the tables "Moving here" of library.md, as the page
// prints them. Each reports whether it did what the call on its left does.
var moves = map[string]func() bool{
	"cdcl.New(cdcl.Options{Phase: cdcl.PhaseFalse})": func() bool {
		s := cdcl.New(cdcl.Options{Phase: cdcl.PhaseFalse})
		s.Grow(1)
		return s.Solve(ctx) == dimacs.Satisfiable && s.Value(l) == dimacs.False
	},
	"dimacs.FromInt(-1)": func() bool { return dimacs.FromInt(-1) == l.Not() },
	"l.Int()":            func() bool { return l.Int() == 1 },
	"s.NewVar().Lit()": func() bool {
		s := implication()
		return s.NewVar().Lit() == dimacs.FromInt(3)
	},
	"s.Add(l, m)": func() bool {
		s := cdcl.New(cdcl.Options{})
		s.Add(l, m)
		return s.Solve(ctx, l.Not()) == dimacs.Satisfiable && s.Value(m) == dimacs.True
	},
	"s.Solve(ctx, m)":          func() bool { return implication().Solve(ctx, m) == dimacs.Satisfiable },
	"s.Solve(ctx, l)":          func() bool { return implication().Solve(ctx, l) == dimacs.Satisfiable },
	"s.Solve(ctx, l, m)":       func() bool { return implication().Solve(ctx, l, m) == dimacs.Satisfiable },
	"s.Solve(ctx, l, m.Not())": func() bool { return len(refuted().Failed()) == 2 },
	"s.Failed()":               func() bool { return len(refuted().Failed()) == 2 },
	"s.Value(m)": func() bool {
		s := implication()
		s.Solve(ctx, l)
		return s.Value(m) == dimacs.True
	},
	"s.Propagate(l, m)": func() bool { _, status := implication().Propagate(l, m); return status != dimacs.Unsatisfiable },
	"s.Propagate(l)":    func() bool { implied, _ := implication().Propagate(l); return implied[len(implied)-1] == m },
	"s.NewGroup()":      group, "s.AddTo(g, l)": group, "s.Solve(ctx, g)": group, "s.Release(g)": group,
	"s.Clone()":                          func() bool { return implication().Clone().Solve(ctx, l, m.Not()) == dimacs.Unsatisfiable },
	"circuit.New()":                      gate,
	"c.And(a, b)":                        gate,
	"circuit.NewEncoder(c, s).Assert(a)": gate,
	"s.AddFormula(f)": func() bool {
		s := cdcl.New(cdcl.Options{})
		s.AddFormula(contradiction())
		return s.Solve(ctx) == dimacs.Unsatisfiable
	},
	"s.Model()":                    func() bool { s := implication(); s.Solve(ctx, l); return s.Model().Lit(m) == dimacs.True },
	"s.Enumerate(nil).Models(ctx)": func() bool { return models(implication()) == 3 },
	"card.NewEncoder(s).AtMost(lits, 1)": func() bool {
		s := free()
		card.NewEncoder(s).AtMost(lits, 1)
		return s.Solve(ctx, l, m) == dimacs.Unsatisfiable
	},
	"card.NewEncoder(s).SumAtLeast(terms, 2)": func() bool {
		s, terms := free(), []card.Term{{Lit: l, Weight: 1}, {Lit: m, Weight: 2}}
		card.NewEncoder(s).SumAtLeast(terms, 2)
		return s.Solve(ctx, m.Not()) == dimacs.Unsatisfiable
	},
	"maxsat.Solve(ctx, w, maxsat.Options{})": func() bool {
		w := dimacs.NewWeighted(2)
		w.Hard.AddInts(1, 2)
		w.AddSoft(5, l.Not())
		w.AddSoft(3, m.Not())
		return maxsat.Solve(ctx, w, maxsat.Options{}).Cost == 3
	},
	`circuit.ReadExpressions(r, "text")`: func() bool {
		_, err := circuit.ReadExpressions(strings.NewReader("a & (b | !c) -> d"), "text")
		return err == nil
	},
	"mus.Extract(ctx, mus.Clauses(f), mus.Options{})": func() bool {
		return len(mus.Extract(ctx, mus.Clauses(contradiction()), mus.Options{}).Groups) == 2
	},
	"s.SetPhase(l)": func() bool {
		s := free()
		s.SetPhase(l.Not())
		return s.Solve(ctx) == dimacs.Satisfiable && s.Value(l) == dimacs.False
	},
	"s.SetLimits(cdcl.Limits{Conflicts: 100})": func() bool {
		s := implication()
		s.SetLimits(cdcl.Limits{Conflicts: 100})
		return s.Solve(ctx) == dimacs.Satisfiable
	},
	"s.SetLearned(3, f)": func() bool {
		s, n := cdcl.New(cdcl.Options{}), 0
		s.SetLearned(3, func([]dimacs.Lit) { n++ })
		for _, c := range [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} {
			s.Add(dimacs.Lits(c...)...)
		}
		return s.Solve(ctx) == dimacs.Unsatisfiable && n > 0
	},
	"s.Connect(p)": propagator, "s.Observe(l)": propagator,
	"s.Simplify(ctx, 3)": simplified, "s.Simplified()": simplified,
	"cdcl.New(cdcl.Options{Proof: proof.NewWriter(w, proof.DRAT, 4)})": func() bool {
		var w bytes.Buffer
		log := proof.NewWriter(&w, proof.DRAT, 4)
		s := cdcl.New(cdcl.Options{Proof: log})
		for _, c := range [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} {
			s.Add(dimacs.Lits(c...)...)
		}
		return s.Solve(ctx) == dimacs.Unsatisfiable && log.Flush() == nil && strings.HasSuffix(w.String(), "0\n")
	},
	"dimacs.Names": func() bool {
		var names dimacs.Names
		v, ok := dimacs.Var(0), names.Add(l.Var(), "door") == nil
		return ok && names.Name(v) == "door"
	},
}

var (
	ctx  = context.Background()
	l, m = dimacs.FromInt(1), dimacs.FromInt(2)
	lits = []dimacs.Lit{l, m}
)

// free returns a solver of two free variables.
func free() *cdcl.Solver {
	s := cdcl.New(cdcl.Options{})
	s.Grow(2)
	return s
}

// implication returns a solver in which l implies m.
func implication() *cdcl.Solver {
	s := cdcl.New(cdcl.Options{})
	s.Add(l.Not(), m)
	return s
}

// refuted returns that solver after it has refuted l and the complement of m.
func refuted() *cdcl.Solver {
	s := implication()
	s.Solve(ctx, l, m.Not())
	return s
}

func contradiction() *dimacs.Formula {
	f := dimacs.NewFormula(2)
	f.AddInts(1)
	f.AddInts(2)
	f.AddInts(-1)
	return f
}

func group() bool {
	s := free()
	g := s.NewGroup()
	s.AddTo(g, l)
	on := s.Solve(ctx, g, l.Not())
	s.Release(g)
	return on == dimacs.Unsatisfiable && s.Solve(ctx, l.Not()) == dimacs.Satisfiable
}

func gate() bool {
	s, c := cdcl.New(cdcl.Options{}), circuit.New()
	a, b := c.Input("a"), c.Input("b")
	circuit.NewEncoder(c, s).Assert(c.And(a, b))
	return s.Solve(ctx) == dimacs.Satisfiable && models(s) == 1
}

func propagator() bool {
	s := free()
	s.Connect(cdcl.PassivePropagator{})
	s.Observe(l)
	return s.Solve(ctx) == dimacs.Satisfiable
}

func simplified() bool {
	s := implication()
	s.Add(l)
	s.Simplify(ctx, 3)
	n := 0
	for range s.Simplified() {
		n++
	}
	return n == 2
}

func models(s *cdcl.Solver) (n int) {
	for range s.Enumerate(nil).Models(ctx) {
		n++
	}
	return n
}

// TestMoving checks that each call that the tables name is one of moves, and runs it.
func TestMoving(t *testing.T) {
	page, err := os.ReadFile("../../../../dpll/docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Moving here\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := map[string]bool{}
	for line := range strings.Lines(section) {
		cells := strings.Split(line, " | ")
		if len(cells) != 2 {
			continue
		}
		for _, code := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cells[1], -1) {
			switch call := code[1]; {
			case call == "l" || call == "m": // names in a sentence
			case moves[call] == nil:
				t.Errorf("%q is not tested", call)
			case !moves[call]():
				t.Errorf("%q does something else", call)
			default:
				named[call] = true
			}
		}
	}
	for call := range moves {
		if !named[call] {
			t.Errorf("the page does not name %q", call)
		}
	}
}
