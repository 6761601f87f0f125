package dplltest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"sator/dimacs"
)

// Further calls of incremental engines in traces. Groups are numbered from 0 in the order in
// which a trace makes them; a call with the number of no open group does nothing, so that
// traces stay valid when they are shrunk.
//
//	newvar                   add a variable
//	propagate 1 -3           propagate assumptions
//	group                    start a group of clauses
//	addto 0 1 -2             add a clause to group 0
//	within 0 1 -3            solve under assumptions with group 0 on
//	release 0                switch group 0 off for good
//	clone                    continue with a copy, after calls that spoil the original
//	terminate 2 1 -3         solve; SetTerminate's callback ends it when called the second time
//	short 2                  check learned clauses of at most 2 literals from now on

// A FullAPI is an [API] with the further calls.
type FullAPI interface {
	API
	NewVar() dimacs.Var
	Vars() int
	Propagate(assumptions ...dimacs.Lit) (implied []dimacs.Lit, status dimacs.Status)
	NewGroup() dimacs.Lit
	AddTo(group dimacs.Lit, lits ...dimacs.Lit)
	Release(group dimacs.Lit)
	SetTerminate(f func() bool)
	SetLearned(max int, f func(clause []dimacs.Lit))
	Copy() FullAPI // a copy of an engine without a proof
}

// further lists the further calls.
var further = []operation{
	{"newvar", 0, 0, (*replay).newVar},
	{"propagate", 0, anyLits, (*replay).propagate},
	{"group", 0, 0, (*replay).newGroup},
	{"addto", 1, anyLits, (*replay).addTo},
	{"within", 1, anyLits, (*replay).solveWithin},
	{"release", 1, 0, (*replay).release},
	{"clone", 0, 0, (*replay).clone},
	{"terminate", 1, anyLits, (*replay).solveTerminate},
	{"short", 1, 0, (*replay).short},
}

// engine returns the engine under test with its further calls.
func (p *replay) engine() (FullAPI, error) {
	if e, is := p.api.(FullAPI); is {
		return e, nil
	}
	return nil, errors.New("the engine has no such call")
}

// newVar calls NewVar.
func (p *replay) newVar([]int, []dimacs.Lit) error {
	e, err := p.engine()
	if err != nil {
		return err
	}
	p.numberAll(1) // so that clauses have the new one
	n := e.Vars()
	if v := e.NewVar(); int(v) != n || e.Vars() != n+1 || n < p.vars {
		return fmt.Errorf("variable %d of %d, and %d before", v, e.Vars(), n)
	}
	p.vars = e.Vars()
	return nil
}

// propagate calls Propagate. Implied literals must follow, and include all that naive unit
// propagation finds, as long as the engine has not searched.
func (p *replay) propagate(_ []int, assumptions []dimacs.Lit) error {
	e, err := p.engine()
	if err != nil {
		return err
	}
	p.growTo(assumptions)
	p.status, p.assumptions = dimacs.Unknown, slices.Clone(assumptions)
	implied, status := e.Propagate(assumptions...)
	naive, conflict := naiveUnits(p.formula, assumptions)
	switch status {
	case dimacs.Unsatisfiable:
		p.status = status
		core := e.Failed()
		if err := checkCore(nil, core, p.formula, p.assumptions); err != nil {
			return err
		}
		return p.audit.verify(status, core, p.formula)
	case dimacs.Unknown:
	default:
		return fmt.Errorf("status %v", status)
	}
	for _, l := range implied {
		if slices.Contains(assumptions, l) {
			return fmt.Errorf("%v is implied and an assumption", l)
		}
		if s, _ := Oracle(p.formula, append(slices.Clone(assumptions), l.Not())...); s == dimacs.Satisfiable {
			return fmt.Errorf("%v does not follow", l)
		}
	}
	if p.searched {
		return nil
	}
	if conflict {
		return errors.New("no conflict, but unit propagation has one")
	}
	for _, l := range naive {
		if !slices.Contains(implied, l) && !slices.Contains(assumptions, l) {
			return fmt.Errorf("%v is not implied, but unit propagation derives it", l)
		}
	}
	return nil
}

// naiveUnits returns the literals that unit propagation derives from the assumptions, and
// whether it ends in a conflict. A step takes time linear in the formula.
func naiveUnits(f *dimacs.Formula, assumptions []dimacs.Lit) (units []dimacs.Lit, conflict bool) {
	m := make(dimacs.Model, f.Vars())
	for _, l := range assumptions {
		for int(l.Var()) >= len(m) {
			m = append(m, dimacs.Unassigned)
		}
		if m.Lit(l) == dimacs.False {
			return nil, true
		}
		m.Set(l)
	}
	for again := true; again; {
		again = false
		for _, c := range f.Clauses() {
			var open []dimacs.Lit
			for _, l := range c {
				if m.Lit(l) == dimacs.Unassigned && !slices.Contains(open, l) {
					open = append(open, l)
				}
			}
			switch {
			case m.Clause(c) == dimacs.True:
			case len(open) == 0:
				return units, true
			case len(open) == 1:
				m.Set(open[0])
				units = append(units, open[0])
				again = true
			}
		}
	}
	return units, false
}

// newGroup calls NewGroup.
func (p *replay) newGroup([]int, []dimacs.Lit) error {
	e, err := p.engine()
	if err != nil {
		return err
	}
	p.numberAll(0)
	g := e.NewGroup()
	if int(g.Var()) < p.vars {
		return fmt.Errorf("the group has the literal %v of an old variable", g)
	}
	p.vars, p.status = e.Vars(), dimacs.Unknown
	p.groups = append(p.groups, group{lit: g, open: true})
	return nil
}

// A group is a group of clauses of a trace.
type group struct {
	lit  dimacs.Lit
	open bool
}

// group returns the open group with that number.
func (p *replay) group(number int) (*group, bool) {
	if number >= len(p.groups) || !p.groups[number].open {
		return nil, false
	}
	return &p.groups[number], true
}

// addTo calls AddTo.
func (p *replay) addTo(numbers []int, ls []dimacs.Lit) error {
	g, open := p.group(numbers[0])
	if !open {
		return nil
	}
	p.growTo(ls)
	p.formula.Add(append(slices.Clone(ls), g.lit.Not())...)
	p.status = dimacs.Unknown
	p.api.(FullAPI).AddTo(g.lit, ls...)
	clear(ls)
	if p.audit == nil {
		return nil
	}
	return p.audit.checkOriginals(p.formula)
}

// solveWithin calls Solve with a group switched on.
func (p *replay) solveWithin(numbers []int, assumptions []dimacs.Lit) error {
	if g, open := p.group(numbers[0]); open {
		assumptions = append([]dimacs.Lit{g.lit}, assumptions...)
	}
	return p.solve(nil, assumptions)
}

// release calls Release. Later calls for the group must panic.
func (p *replay) release(numbers []int, _ []dimacs.Lit) error {
	g, open := p.group(numbers[0])
	if !open {
		return nil
	}
	e := p.api.(FullAPI)
	p.formula.Add(g.lit.Not())
	p.status, g.open = dimacs.Unknown, false
	e.Release(g.lit)
	for _, call := range []func(){func() { e.Release(g.lit) }, func() { e.AddTo(g.lit) }} {
		if !panicsWithMessage(func() error { call(); return nil }) {
			return errors.New("no panic with a message after the release")
		}
	}
	if p.audit == nil {
		return nil
	}
	return p.audit.checkOriginals(p.formula)
}

// clone continues with a copy of the engine, and refutes the original.
func (p *replay) clone([]int, []dimacs.Lit) error {
	e, err := p.engine()
	if err != nil || p.audit != nil {
		return err
	}
	p.api = e.Copy()
	e.SetLearned(0, nil)
	e.Add()
	if status := e.Solve(context.Background()); status != dimacs.Unsatisfiable {
		return fmt.Errorf("%v with the empty clause", status)
	}
	return nil
}

// solveTerminate calls Solve, which a callback ends.
func (p *replay) solveTerminate(numbers []int, assumptions []dimacs.Lit) error {
	e, err := p.engine()
	if err != nil {
		return err
	}
	calls := 0
	e.SetTerminate(func() bool { calls++; return calls >= numbers[0] })
	defer e.SetTerminate(nil)
	err = p.solveAndCompare(context.Background(), assumptions, true)
	if err == nil && p.status == dimacs.Unknown && !p.limited && calls < numbers[0] {
		return errors.New("UNKNOWN before the callback ended the call")
	}
	return err
}

// short calls SetLearned with a callback that checks the clauses.
func (p *replay) short(numbers []int, _ []dimacs.Lit) error {
	e, err := p.engine()
	if err != nil {
		return err
	}
	most := numbers[0]
	e.SetLearned(most, func(c []dimacs.Lit) {
		if len(c) > most && p.fault == nil {
			p.fault = fmt.Errorf("the learned clause (%s) is too long", literals(c))
		}
		p.learned(c)
	})
	return nil
}

// addFurtherCalls inserts further calls into a trace.
func (t *Trace) addFurtherCalls(r *rand.Rand, vars int) {
	groups := 0
	for range 1 + r.IntN(8) {
		at := r.IntN(len(t.Ops) + 1)
		ops := []Op{{Name: "clone"}}
		switch r.IntN(7) {
		case 0:
			ops = []Op{{Name: "newvar"}}
		case 1, 2:
			ops = []Op{{Name: "propagate", Lits: randomAssumptions(r, vars)}, {Name: "failed"}}
		case 3:
			if groups++; groups <= 3 {
				ops = randomGroup(r, groups-1, vars)
			}
		case 4:
			ops = []Op{{Name: "terminate", Numbers: []int{1 + r.IntN(1<<r.IntN(10))}, Lits: randomAssumptions(r, vars)}}
		case 5:
			ops = []Op{{Name: "short", Numbers: []int{r.IntN(5)}}}
		}
		t.Ops = slices.Insert(t.Ops, at, ops...)
	}
}

// stopCalls ends most calls of Solve after some polls, except for the last one.
func (t *Trace) stopCalls(r *rand.Rand) {
	stop := false
	for i := len(t.Ops) - 1; i >= 0; i-- {
		op := &t.Ops[i]
		if op.Name != "solve" {
			continue
		}
		if stop && r.IntN(4) > 0 {
			*op = Op{Name: "terminate", Numbers: []int{1 + r.IntN(1<<r.IntN(13))}, Lits: op.Lits}
		}
		stop = true
	}
}

// randomGroup returns the calls for a group: clauses, calls of Solve with and without it,
// and in most cases its release.
func randomGroup(r *rand.Rand, number, vars int) []Op {
	ops := []Op{{Name: "group"}}
	for range 1 + r.IntN(6) {
		var c []dimacs.Lit
		for range r.IntN(4) {
			c = append(c, literal(r, vars))
		}
		ops = append(ops, Op{Name: "addto", Numbers: []int{number}, Lits: c})
		if r.IntN(3) == 0 {
			ops = append(ops, Op{Name: "within", Numbers: []int{number}, Lits: randomAssumptions(r, vars)}, Op{Name: "model"}, Op{Name: "failed"})
		}
	}
	if r.IntN(4) > 0 {
		ops = append(ops, Op{Name: "release", Numbers: []int{number}})
	}
	return append(ops, randomSolve(r, vars), randomRead(r, vars))
}
