package portfolio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// A laterProof is the proof of a worker that starts from a simplified formula: the clauses
// of its formula are in the proof already. Imported clauses belong to another worker, so
// their deletions are not logged.
type laterProof struct {
	dimacs.Proof
	ids []int64 // of the next clauses
	own map[int64]bool
}

func (p *laterProof) Original([]dimacs.Lit) int64 {
	id := p.ids[0]
	p.ids, p.own[id] = p.ids[1:], true
	return id
}

func (p *laterProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	id := p.Proof.Learn(lits, hints)
	p.own[id] = true
	return id
}

func (p *laterProof) Delete(id int64, lits []dimacs.Lit) {
	if p.own[id] {
		p.Proof.Delete(id, lits)
	}
}

// A mailbox is the exchange of one of two workers.
type mailbox struct {
	other *mailbox
	inbox []cdcl.Shared
}

// newMailboxes returns the mailboxes of two workers.
func newMailboxes() []*mailbox {
	a, b := &mailbox{}, &mailbox{}
	a.other, b.other = b, a
	return []*mailbox{a, b}
}

// isShort reports whether the workers share a clause.
func isShort(c cdcl.Shared) bool { return len(c.Lits) <= 2 }

func (m *mailbox) Export(c cdcl.Shared) bool {
	if !isShort(c) {
		return false
	}
	c.Lits = append([]dimacs.Lit(nil), c.Lits...)
	m.other.inbox = append(m.other.inbox, c)
	return true
}

func (m *mailbox) Pending(int64) bool { return len(m.inbox) > 0 }

func (m *mailbox) Import() (c cdcl.Shared, ok bool) {
	if len(m.inbox) == 0 {
		return c, false
	}
	c, m.inbox = m.inbox[0], m.inbox[1:]
	return c, true
}

func (m *mailbox) Used(int) {}

// stored returns a simplification after it is written and read.
func stored(t *testing.T, s *portfolio.Simplification) *portfolio.Simplification {
	t.Helper()
	var formula, rest bytes.Buffer
	if err := errors.Join(dimacs.Write(&formula, s.Formula), s.Write(&rest)); err != nil {
		t.Fatal(err)
	}
	f, err := dimacs.Read(&formula)
	if err != nil {
		t.Fatal(err)
	}
	again, err := portfolio.ReadSimplification(f, &rest, nil)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// Workers that start from a stored simplification and share clauses find the answer of the
// formula under each cube. Models are extended to models of the formula, and the steps of the
// simplification and of all workers are one proof.
func TestSimplification(t *testing.T) {
	effort.Sequential(t)
	rounds := uint64(400)
	if testing.Short() {
		rounds = 150
	}
	seen := map[string]int{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(seed, 12))
		family := dplltest.Families[rng.IntN(len(dplltest.Families))]
		f := family.Make(rng, 10+rng.IntN(60))
		var cubes [][]dimacs.Lit
		if f.Vars() >= 10 {
			cubes, _ = conquertest.Cubes(rng, f)
		}
		o := eager()
		o.Seed, o.NoFactor, o.FactorGain = seed, rng.IntN(2) == 0, 1
		check := proof.NewChecker()
		if rng.IntN(4) > 0 {
			o.Proof = check
		}
		s := portfolio.Simplify(context.Background(), f, cubes, 1+rng.IntN(3), o)
		again := stored(t, s)
		if !reflect.DeepEqual(s.IDs, again.IDs) || s.Status != again.Status || s.Last != again.Last || s.Vars != again.Vars {
			t.Fatalf("seed %d: the stored simplification differs: %+v, want %+v", seed, again, s)
		}
		got, m := conquerSimplified(t, again, f, cubes, o)
		if got == dimacs.Satisfiable && m.Falsified(f) >= 0 {
			t.Fatalf("seed %d, %s: the extended model is wrong", seed, family.Name)
		}
		if want := solved(f); got != want {
			t.Fatalf("seed %d, %s: %v, want %v", seed, family.Name, got, want)
		}
		err := check.Err()
		if err == nil && o.Proof != nil && got == dimacs.Unsatisfiable {
			err = check.Refutes(nil)
		}
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, family.Name, err)
		}
		seen[s.Status.String()]++
		seen["workers "+got.String()]++
	}
	if len(seen) != 5 {
		t.Errorf("answers of simplifications and of workers: %v", seen)
	}
}

// solved returns the answer of a formula.
func solved(f *dimacs.Formula) dimacs.Status {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	return s.Solve(context.Background())
}

// conquerSimplified solves the cubes of a simplified formula by two workers in turns. It
// checks each result against the original formula.
func conquerSimplified(t *testing.T, s *portfolio.Simplification, f *dimacs.Formula, cubes [][]dimacs.Lit, o cdcl.Options) (dimacs.Status, dimacs.Model) {
	t.Helper()
	switch s.Status {
	case dimacs.Unsatisfiable:
		return s.Status, nil
	case dimacs.Satisfiable:
		m := make(dimacs.Model, s.Vars)
		for _, c := range s.Formula.Clauses() {
			m.Set(c[0])
		}
		return s.Status, s.Extend(m)
	}
	co := portfolio.CoordinatorOptions{Formula: "f", Vars: s.Formula.Vars(), Budget: 5}
	if o.Proof != nil {
		co.Learn = func(lits []dimacs.Lit, hints ...int64) int64 { return o.Proof.Learn(lits, hints) }
	}
	c := portfolio.NewCoordinator(cubes, co)
	var workers []*portfolio.Worker
	for _, m := range newMailboxes() {
		o.Exchange = m
		workers = append(workers, laterWorker(s, s.Formula, s.IDs, o))
	}
	o.Exchange = nil
	for i := 0; ; i++ {
		task, ok := c.Next()
		if !ok {
			break
		}
		r := workers[i%2].Solve(context.Background(), task)
		if r.Status == dimacs.Satisfiable && len(cubes) > 0 {
			full := s.Extend(modelOf(r.Model, s.Formula.Vars()))
			for _, l := range task.Cube {
				if int(l>>1) < s.Vars && full.Lit(l) != dimacs.True {
					t.Fatalf("the extended model falsifies %v of the cube %v", l, task.Cube)
				}
			}
		}
		if err := c.Finish(&r); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Done() {
		t.Fatal("no task is left, and the coordinator is not done")
	}
	if c.Status() != dimacs.Unknown {
		return c.Status(), extended(s, c.Model())
	}
	g, ids := dimacs.NewFormula(0), append([]int64(nil), s.IDs...)
	g.Append(s.Formula)
	for _, r := range c.Cover() {
		g.Add(r.Clause...)
		ids = append(ids, r.ID)
	}
	r := laterWorker(s, g, ids, o).Solve(context.Background(), portfolio.Task{})
	return r.Status, extended(s, modelOf(r.Model, g.Vars()))
}

// laterWorker returns a worker for the simplified formula, or for one with more clauses.
func laterWorker(s *portfolio.Simplification, f *dimacs.Formula, ids []int64, o cdcl.Options) *portfolio.Worker {
	if o.Proof != nil {
		o.Proof = &laterProof{o.Proof, ids, map[int64]bool{}}
	}
	return portfolio.NewWorker(context.Background(), f, portfolio.WorkerOptions{Solver: o, Vars: s.Formula.Vars(), Pin: isShort})
}

func extended(s *portfolio.Simplification, m dimacs.Model) dimacs.Model {
	if m == nil {
		return nil
	}
	return s.Extend(m)
}

func modelOf(lits []dimacs.Lit, vars int) dimacs.Model {
	m := make(dimacs.Model, vars)
	for _, l := range lits {
		m.Set(l)
	}
	return m
}

// The last id is right although a clause of the formula is logged after a lemma that has a
// higher id.
func TestSimplificationLast(t *testing.T) {
	f := conquertest.Uniform(3, 60, 200)
	f.AddInts(1, 2, 2)
	f.AddInts(2, 3)
	o := eager()
	o.NoSimplify, o.Proof = true, proof.NewWriter(io.Discard, proof.BinaryLRAT, f.Len())
	s := portfolio.Simplify(context.Background(), f, nil, 1, o)
	if last := int64(f.Len() + 1); s.Last != last || slices.Max(s.IDs) != last {
		t.Errorf("the last id is %d, and the last clause has id %d, want %d", s.Last, slices.Max(s.IDs), last)
	}
}

// A simplification asks for memory, and returns nil if its context ends.
func TestSimplificationLimits(t *testing.T) {
	f := conquertest.Uniform(3, 60, 200)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s := portfolio.Simplify(ctx, f, nil, 1, eager()); s != nil {
		t.Errorf("%v after the end of the context", s.Status)
	}
	o := eager()
	asked := false
	o.Memory = func(int64) bool {
		asked = true
		return false
	}
	defer func() {
		if _, ok := recover().(*dimacs.MemoryError); !ok || !asked {
			t.Error("no memory error")
		}
	}()
	portfolio.Simplify(context.Background(), f, nil, 1, o)
}

// Damaged texts and texts of another formula are errors.
func TestReadSimplification(t *testing.T) {
	f := conquertest.Uniform(3, 60, 200)
	o := eager()
	o.Proof = proof.NewChecker()
	s := portfolio.Simplify(context.Background(), f, nil, 1, o)
	var text bytes.Buffer
	if err := s.Write(&text); err != nil || s.Status != dimacs.Unknown || s.Stack.Len() == 0 {
		t.Fatalf("%v, %v, %d clauses on the stack", err, s.Status, s.Stack.Len())
	}
	whole := text.String()
	read := func(f *dimacs.Formula, text string, m dimacs.MemoryLimit) error {
		_, err := portfolio.ReadSimplification(f, strings.NewReader(text), m)
		return err
	}
	if err := read(s.Formula, whole, nil); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(whole, "\n")
	for i := range lines[:len(lines)-1] {
		if err := read(s.Formula, strings.Join(lines[:i], ""), nil); err == nil {
			t.Errorf("the first %d lines are accepted", i)
		}
	}
	for i, line := range lines[:len(lines)-1] {
		if read(s.Formula, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""), nil) == nil {
			t.Errorf("the text without %q is accepted", line)
		}
	}
	for _, change := range []struct{ from, to string }{
		{"sator simplification 2", "sator simplification 3"},
		{`"status":0`, `"status":7`},
		{`"last":`, `"last":-`},
		{`"vars":`, `"other":`},
		{`"ids":[`, `"ids":[[0,0],`},
		{`"ids":[`, `"ids":[[1,99999999],`},
		{`"ids":[`, `"ids":[[9,8],`},
		{`"ids":[`, `"other":[`},
	} {
		if text := strings.Replace(whole, change.from, change.to, 1); text == whole || read(s.Formula, text, nil) == nil {
			t.Errorf("%q instead of %q is accepted", change.to, change.from)
		}
	}
	if read(f, whole, nil) == nil {
		t.Error("the simplification of another formula is accepted")
	}
	var refused *dimacs.MemoryError
	if err := read(s.Formula, whole, func(int64) bool { return false }); !errors.As(err, &refused) {
		t.Errorf("no memory: %v", err)
	}
}
