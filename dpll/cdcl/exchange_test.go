package cdcl_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// A fakeExchange records exported clauses and imports the clauses in next.
type fakeExchange struct {
	exported []cdcl.Shared
	next     []cdcl.Shared
	used     int
}

func (b *fakeExchange) Export(c cdcl.Shared) bool {
	c.Lits = slices.Clone(c.Lits)
	b.exported = append(b.exported, c)
	return true
}

func (b *fakeExchange) Pending(int64) bool { return len(b.next) > 0 }

func (b *fakeExchange) Import() (c cdcl.Shared, ok bool) {
	if len(b.next) == 0 {
		return c, false
	}
	c, b.next = b.next[0], b.next[1:]
	return c, true
}

func (b *fakeExchange) Used(int) { b.used++ }

// exportAndImport returns two solvers that write one proof, and their exchanges. The
// second solver can import clauses of the first.
func exportAndImport(f *dimacs.Formula, o cdcl.Options, p dimacs.Proof) (from, to *cdcl.Solver, lent, taken *fakeExchange) {
	lent, taken = new(fakeExchange), new(fakeExchange)
	o.Proof, o.ExchangeInterval = p, 1
	o.Exchange = lent
	from = cdcl.New(o)
	o.Exchange, o.Seed, o.Phase = taken, o.Seed+1, cdcl.PhaseFalse
	to = cdcl.New(o)
	from.AddFormula(f)
	to.AddFormula(f)
	return from, to, lent, taken
}

// noDeletions is a proof of two solvers that ignores deletions: a clause that one of them
// deletes may be in use by the other.
type noDeletions struct{ dimacs.Proof }

func (noDeletions) Delete(int64, []dimacs.Lit) {}

// TestExchange checks that imported clauses, whether satisfied, falsified or with removed
// variables, change no answer, and that the proof of a refutation includes them.
func TestExchange(t *testing.T) {
	var sum cdcl.Stats
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 77))
		n := 20 + rng.IntN(40)
		f := uniform(seed, n, n*43/10, nil)
		o := cdcl.Options{}
		o.InprocessInterval = 1 + rng.IntN(20)
		o.Lucky, o.ReduceInterval = cdcl.LuckyOff, 1+rng.IntN(50)
		check := proof.NewChecker()
		from, to, lent, taken := exportAndImport(f, o, noDeletions{check})
		want := from.Solve(context.Background())
		taken.next = lent.exported
		got := to.Solve(context.Background())
		if got != want {
			t.Fatalf("seed %d: %v, and %v with clauses from there", seed, want, got)
		}
		if err := check.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		switch got {
		case dimacs.Satisfiable:
			if i := to.Model().Falsified(f); i >= 0 {
				t.Fatalf("seed %d: the model falsifies clause %v", seed, f.Clause(i))
			}
		case dimacs.Unsatisfiable:
			if err := check.Refutes(nil); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		st := to.Stats()
		sum.Imported += st.Imported
		sum.ImportsRejected += st.ImportsRejected
		sum.ImportedUnits += st.ImportedUnits
		sum.ImportedUsed += st.ImportedUsed
		if int64(taken.used) != st.ImportedUsed {
			t.Fatalf("seed %d: %d uses were reported, not %d", seed, taken.used, st.ImportedUsed)
		}
	}
	if sum.Imported == 0 || sum.ImportsRejected == 0 || sum.ImportedUnits == 0 || sum.ImportedUsed == 0 {
		t.Errorf("too few: %d clauses, %d rejected, %d units, %d used", sum.Imported, sum.ImportsRejected, sum.ImportedUnits, sum.ImportedUsed)
	}
}

// TestExportsFollow checks that the formula implies all exported clauses, also after
// variable elimination.
func TestExportsFollow(t *testing.T) {
	units := 0
	for seed := range uint64(200) {
		f := uniform(seed, 14, 58, nil)
		o := cdcl.Options{}
		o.InprocessInterval, o.EliminateBound, o.Lucky, o.ExchangeInterval = 1, 8, cdcl.LuckyOff, 1
		lent := new(fakeExchange)
		o.Exchange = lent
		s := cdcl.New(o)
		s.AddFormula(f)
		s.Solve(context.Background())
		for _, c := range lent.exported {
			var negated []dimacs.Lit
			for _, l := range c.Lits {
				negated = append(negated, l.Not())
			}
			if status, _ := dplltest.Oracle(f, negated...); status != dimacs.Unsatisfiable {
				t.Fatalf("seed %d: %v does not follow from the formula", seed, c.Lits)
			}
			if len(c.Lits) == 1 {
				units++
			}
		}
	}
	if units == 0 {
		t.Error("no unit was exported")
	}
}

// TestExportsKnow checks that no clause with an extension variable is exported.
func TestExportsKnow(t *testing.T) {
	f := pigeons(7)
	o := cdcl.Options{}
	o.OneShot, o.FactorGain, o.InprocessInterval, o.NoCardinality, o.NoSymmetry, o.Lucky, o.ExchangeInterval = true, 1, 1, true, true, cdcl.LuckyOff, 1
	lent := new(fakeExchange)
	o.Exchange = lent
	s := cdcl.New(o)
	s.AddFormula(f)
	s.SetLimits(cdcl.Limits{Conflicts: 300})
	s.Solve(context.Background())
	if s.Stats().Factored == 0 || len(lent.exported) == 0 {
		t.Errorf("%d extension variables, %d clauses exported", s.Stats().Factored, len(lent.exported))
	}
	for _, c := range lent.exported {
		for _, l := range c.Lits {
			if int(l>>1) >= f.Vars() {
				t.Fatalf("%v is exported, and there are %d variables", c.Lits, f.Vars())
			}
		}
	}
}

// TestImportOfRemoved checks that clauses with removed variables are rejected.
func TestImportOfRemoved(t *testing.T) {
	offered := 0
	for seed := range uint64(50) {
		f := uniform(seed, 40, 140, nil)
		b := new(fakeExchange)
		o := cdcl.Options{}
		o.Exchange, o.ExchangeInterval, o.Lucky = b, 1, cdcl.LuckyOff
		s := cdcl.New(o)
		s.AddFormula(f)
		s.Simplify(context.Background(), 1)
		var left [40]bool
		for c := range s.Simplified() {
			for _, l := range c {
				left[l>>1] = true
			}
		}
		for _, c := range f.Clauses() {
			if slices.ContainsFunc(c, func(l dimacs.Lit) bool { return !left[l>>1] }) {
				b.next = append(b.next, cdcl.Shared{Lits: slices.Clone(c), Glue: 2})
			}
		}
		s.Solve(context.Background())
		st := s.Stats()
		if st.ImportsRejected != st.Imported {
			t.Errorf("seed %d: %d clauses are offered, and %d imported", seed, st.Imported, st.Imported-st.ImportsRejected)
		}
		offered += int(st.Imported)
	}
	if offered < 500 {
		t.Errorf("only %d clauses are offered", offered)
	}
}

// TestImportWithoutProof checks that the checker rejects the refutation if an imported
// clause is not in the proof, although the formula implies the clause.
func TestImportWithoutProof(t *testing.T) {
	f := pigeons(5)
	o := cdcl.Options{}
	o.NoSimplify, o.Lucky = true, cdcl.LuckyOff
	for _, unlogged := range []bool{false, true} {
		check := proof.NewChecker()
		from, to, lent, taken := exportAndImport(f, o, noDeletions{check})
		if unlogged { // log the first solver's clauses to another proof
			o.Proof, o.ExchangeInterval, o.Exchange = noDeletions{proof.NewChecker()}, 1, lent
			from = cdcl.New(o)
			from.AddFormula(f)
		}
		from.SetLimits(cdcl.Limits{Conflicts: 30})
		from.Solve(context.Background())
		taken.next = lent.exported
		to.Solve(context.Background())
		err := check.Err()
		if err == nil {
			err = check.Refutes(nil)
		}
		if to.Stats().Imported == 0 || (err != nil) != unlogged {
			t.Errorf("unlogged %v: %d clauses imported, error %v", unlogged, to.Stats().Imported, err)
		}
	}
}

// TestImport imports clauses at the root: satisfied and falsified ones, units, known and
// contradictory ones.
func TestImport(t *testing.T) {
	for _, tt := range []struct {
		name          string
		clauses       [][]int // exported by another solver
		refuted       bool
		vain, units   int64
		binary, added int
	}{
		{"a true literal", [][]int{{1, 5, 6}}, false, 1, 0, 0, 0},
		{"a false literal", [][]int{{-1, 5, 6, 7}}, false, 0, 0, 0, 1},
		{"two left", [][]int{{-1, 5, 6}}, false, 0, 0, 1, 1},
		{"one left", [][]int{{-1, 5}}, false, 0, 1, 0, 0},
		{"a unit", [][]int{{5}}, false, 0, 1, 0, 0},
		{"a known unit", [][]int{{1}}, false, 1, 0, 0, 0},
		{"a known binary clause", [][]int{{3, 2}}, false, 1, 0, 0, 0},
		{"no literal left", [][]int{{-1}}, true, 0, 0, 0, 0},
		{"contradictory units", [][]int{{5}, {-5}}, true, 0, 1, 0, 0},
		{"a conflict by propagation", [][]int{{-2}, {-3}}, true, 0, 2, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := dplltest.NewRecorder(true)
			b := new(fakeExchange)
			o := cdcl.Options{}
			o.Proof, o.Exchange, o.ExchangeInterval, o.Lucky = p, b, 1, cdcl.LuckyOff
			s := cdcl.New(o)
			for _, c := range [][]int{{1}, {2, 3}, {4, 5, 6}, {-4, 5, 7}, {8, 9, 10}, {-8, -9, 11}} {
				s.Add(dimacs.Lits(c...)...)
			}
			before := s.Stats()
			for _, c := range tt.clauses { // original clauses of the proof
				b.next = append(b.next, cdcl.Shared{Lits: dimacs.Lits(c...), Glue: 2, ID: p.Original(dimacs.Lits(c...))})
			}
			got := s.Solve(context.Background())
			st := s.Stats()
			if (got == dimacs.Unsatisfiable) != tt.refuted {
				t.Errorf("the answer is %v", got)
			}
			if err := p.Err(); err != nil {
				t.Error(err)
			}
			if tt.refuted != p.Refuted() {
				t.Errorf("the proof is refuted: %v", p.Refuted())
			}
			if st.ImportsRejected != tt.vain || st.ImportedUnits != tt.units || !tt.refuted && st.Imported != int64(len(tt.clauses)) {
				t.Errorf("%d imported, %d rejected, %d units", st.Imported, st.ImportsRejected, st.ImportedUnits)
			}
			if tt.refuted || tt.units > 0 {
				return
			}
			if b, r := st.Binary-before.Binary, st.Redundant-before.Redundant; b-1 != tt.binary || r != tt.added {
				t.Errorf("%d binary clauses, %d redundant ones", b, r)
			}
			s.Add(dimacs.Lits(5)...) // satisfies the imported clauses, which are deleted
			s.Simplify(context.Background(), 1)
			if err := p.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// An eagerExchange always claims to have something to import, and counts the exchanges.
type eagerExchange struct {
	watcher
	last      cdcl.Stats // at the last exchange
	early     int        // exchanges without a restart since the last one
	impatient int        // those of them that did not wait long
}

const eagerInterval = 20 // ticks between exchanges

func (e *eagerExchange) Export(cdcl.Shared) bool     { return false }
func (e *eagerExchange) Pending(int64) bool          { return true }
func (e *eagerExchange) Import() (cdcl.Shared, bool) { return cdcl.Shared{}, false }
func (e *eagerExchange) Used(int)                    {}

func (e *eagerExchange) Exchanged(s cdcl.Stats) {
	if e.exchanges++; e.exchanges > 1 && s.Restarts == e.last.Restarts {
		e.early++
		if s.Ticks < e.last.Ticks+100*eagerInterval {
			e.impatient++
		}
	}
	e.last = s
}

// TestExchangeWaits checks that exchanges wait for restarts, but not forever.
func TestExchangeWaits(t *testing.T) {
	for _, unit := range []int{4, 1e6} { // of the intervals between restarts
		e := &eagerExchange{watcher: watcher{t: t, interval: 1 << 40, passes: map[string]int{}}}
		o := cdcl.Options{}
		o.Exchange, o.ExchangeInterval, o.Observer, o.SampleTicks = e, eagerInterval, e, e.interval
		o.Stable, o.ReluctantInterval = cdcl.StableMode, unit
		s := load(o, uniform(1, 150, 660, nil))
		s.SetLimits(cdcl.Limits{Conflicts: 1500})
		s.Solve(context.Background())
		if mostly := 2*e.early > e.exchanges; e.impatient > 0 || e.exchanges < 10 || mostly != (unit > 1000) {
			t.Errorf("restarts %d conflicts apart: of %d exchanges %d came without a restart, %d of them early",
				unit, e.exchanges, e.early, e.impatient)
		}
	}
}
