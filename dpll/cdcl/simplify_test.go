package cdcl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// An activeRecorder is a recorder that counts the active clauses.
type activeRecorder struct {
	*dplltest.Recorder
	alive map[string]int
}

// newActiveRecorder returns a recorder of an empty proof, which may have RAT steps if once
// is true.
func newActiveRecorder(hints, once bool) *activeRecorder {
	if once {
		return &activeRecorder{dplltest.NewRATRecorder(hints), make(map[string]int)}
	}
	return &activeRecorder{dplltest.NewRecorder(hints), make(map[string]int)}
}

func (p *activeRecorder) Original(c []dimacs.Lit) int64 {
	p.alive[clauseKey(c)]++
	return p.Recorder.Original(c)
}

func (p *activeRecorder) Learn(c []dimacs.Lit, hints []int64) int64 {
	p.alive[clauseKey(c)]++
	return p.Recorder.Learn(c, hints)
}

func (p *activeRecorder) Delete(id int64, c []dimacs.Lit) {
	p.alive[clauseKey(c)]--
	p.Recorder.Delete(id, c)
}

func clauseKey(c []dimacs.Lit) string {
	c = slices.Clone(c)
	slices.Sort(c)
	return fmt.Sprint(c)
}

// simplifiedOf returns the simplified formula of a solver.
func simplifiedOf(s *cdcl.Solver, vars int) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for c := range s.Simplified() {
		f.Add(c...)
	}
	return f
}

// eachModel calls f with the models of g over all its variables.
func eachModel(g *dimacs.Formula, f func(dimacs.Model)) {
	m := make(dimacs.Model, g.Vars())
	for a := range uint32(1) << g.Vars() {
		for v := range m {
			m[v] = dimacs.Value(int(a>>v&1)*2 - 1)
		}
		if m.Satisfies(g) {
			f(m)
		}
	}
}

// extended extends a model from the top of the stack down.
func extended(m dimacs.Model, stack [][]dimacs.Lit) dimacs.Model {
	m = slices.Clone(m)
	for _, c := range slices.Backward(stack) {
		if !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return m.Lit(l) == dimacs.True }) {
			m.Set(c[0])
		}
	}
	return m
}

// drawSimplification returns a small random formula and options: passes are on with
// probability 1/2, and other knobs have their default or a random value.
func drawSimplification(r *rand.Rand) (*dimacs.Formula, cdcl.Options) {
	shape := dplltest.Families[r.IntN(len(dplltest.Families))]
	f := shape.Make(r, 3+r.IntN(8))
	for f.Vars() > 11 {
		f = shape.Make(r, 3+r.IntN(5))
	}
	o := cdcl.Options{}
	for _, k := range cdcl.Knobs {
		if k.Min == 0 && k.Max == 1 {
			o.Set(k.Name, r.IntN(2))
		}
	}
	o.NoSimplify, o.FactorGain = false, 1
	o.OneShot = r.IntN(2) == 0
	o.Seed = r.Uint64()
	return f, o
}

// TestSimplify checks that the simplified formula has a model if and only if the formula
// has one, that each of its models can be extended, and that the proof, with and without
// hints, derives its clauses.
func TestSimplify(t *testing.T) {
	counts := make(map[string]int)
	for _, seed := range effort.Seeds(500, 20_000) {
		f, o := drawSimplification(rand.New(rand.NewPCG(seed, 0x51)))
		if msg := simplification(f, o, seed, counts); msg != "" {
			t.Fatalf("seed %d: %s\nof %d variables: %v", seed, msg, f.Vars(), clausesOf(f))
		}
	}
	t.Log(counts)
	for _, what := range []string{"SATISFIABLE", "UNSATISFIABLE", "UNKNOWN", "removed", "fixed"} {
		if counts[what] < 20 {
			t.Errorf("%s: %d times is too few", what, counts[what])
		}
	}
	if counts["introduced"] == 0 {
		t.Error("no variable was introduced")
	}
}

func clausesOf(f *dimacs.Formula) (all [][]dimacs.Lit) {
	for _, c := range f.Clauses() {
		all = append(all, c)
	}
	return all
}

// simplification simplifies f and returns a description of the first error in the result.
func simplification(f *dimacs.Formula, o cdcl.Options, seed uint64, counts map[string]int) string {
	var p *activeRecorder
	if seed%3 > 0 {
		p = newActiveRecorder(seed%3 == 1, o.OneShot)
		o.Proof = p
	}
	s := cdcl.New(o)
	s.AddFormula(f)
	answer := s.Simplify(context.Background(), 1+int(seed%4))
	counts[answer.String()]++
	counts["removed"] += s.Stats().Removed
	counts["fixed"] += s.Stats().Fixed
	vars := s.Stats().Vars
	counts["introduced"] += vars - f.Vars()
	g := simplifiedOf(s, vars)
	var stack [][]dimacs.Lit
	records := dimacs.NewFormula(vars)
	for c := range s.ReconstructionStack() {
		stack = append(stack, c)
		records.Add(c...)
	}
	want, _ := dplltest.Brute(f)
	if got, _ := dplltest.Brute(g); got != want || answer != dimacs.Unknown && answer != want {
		return fmt.Sprintf("%v, simplified to %v: %v; but it is %v", answer, clausesOf(g), got, want)
	}
	if answer == dimacs.Satisfiable && (!s.Model().Satisfies(f) || len(s.Model()) != f.Vars()) {
		return fmt.Sprintf("%v is no model", s.Model())
	}
	wrong := ""
	eachModel(g, func(m dimacs.Model) {
		switch x := extended(m, stack); {
		case !x.Satisfies(f):
			wrong = fmt.Sprintf("simplified to %v with %v; model %v is extended to %v, which is none", clausesOf(g), stack, m, x)
		case !slices.Equal(x, m.Reconstruct(records)):
			wrong = fmt.Sprintf("%v is extended by %v to %v, want %v", m, stack, m.Reconstruct(records), x)
		}
	})
	if wrong != "" || p == nil {
		return wrong
	}
	return p.verify(g, answer, s)
}

// verify returns a description of the first error in the proof.
func (p *activeRecorder) verify(g *dimacs.Formula, answer dimacs.Status, s *cdcl.Solver) string {
	if err := p.Verify(answer, nil); err != nil {
		return err.Error()
	}
	for _, c := range g.Clauses() {
		if p.alive[clauseKey(c)] == 0 && !p.Refuted() {
			return fmt.Sprintf("the simplified clause %v is not in the proof", c)
		}
	}
	// The search must be able to continue.
	if answer == dimacs.Unknown {
		answer = s.Solve(context.Background())
		if err := p.Verify(answer, nil); err != nil {
			return "later: " + err.Error()
		}
	}
	return ""
}

// TestSimplifyIncremental checks that clauses can be added and formulas solved after a
// simplification.
func TestSimplifyIncremental(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0x52))
		f, o := drawSimplification(r)
		o.OneShot = false
		s := cdcl.New(o)
		given := dimacs.NewFormula(f.Vars())
		for i, c := range f.Clauses() {
			s.Add(c...)
			given.Add(c...)
			if i%7 != 0 {
				continue
			}
			if got := s.Simplify(context.Background(), 1); got == dimacs.Satisfiable && !s.Model().Satisfies(given) {
				t.Fatalf("seed %d: %v is no model of %v", seed, s.Model(), clausesOf(given))
			}
			want, _ := dplltest.Brute(given)
			if got := s.Solve(context.Background()); got != want {
				t.Fatalf("seed %d: %v is %v, want %v", seed, clausesOf(given), got, want)
			}
		}
	}
}

// TestFreeze checks that frozen variables are never removed: assumptions about them
// restore nothing, also if they were removed before they were frozen.
func TestFreeze(t *testing.T) {
	removed, restored := 0, int64(0)
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0x53))
		f, o := drawSimplification(r)
		o.OneShot = false
		s := load(o, f)
		if r.IntN(2) == 0 {
			s.Simplify(context.Background(), 1)
		}
		var frozen []dimacs.Lit
		for v := range f.Vars() + 1 { // one more than the solver has
			if r.IntN(3) == 0 {
				frozen = append(frozen, dimacs.Lit(2*v+r.IntN(2)))
			}
		}
		s.Freeze(frozen...)
		restored += s.Stats().Restored
		before := s.Stats().Restored
		s.Simplify(context.Background(), 2)
		removed += s.Stats().Removed
		for _, l := range frozen {
			want, _ := dplltest.Brute(f, l)
			if got := s.Solve(context.Background(), l); got != want {
				t.Fatalf("seed %d: %v under %v is %v, want %v", seed, clausesOf(f), l, got, want)
			}
		}
		if now := s.Stats().Restored; now != before {
			t.Fatalf("seed %d: %d of the frozen variables %v were removed", seed, now-before, frozen)
		}
	}
	if removed < 100 || restored < 100 {
		t.Errorf("%d removed and %d restored variables are too few", removed, restored)
	}
}

// TestSimplifiedAnyTime lists the simplified formula at any time: with unconnected
// clauses, after a search and after a call that a limit ended.
func TestSimplifiedAnyTime(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0x53))
		f, o := drawSimplification(r)
		o.OneShot = false
		for i := range f.Vars() {
			if r.IntN(8) == 0 {
				f.Add(dimacs.Var(i).Lit())
			}
		}
		s := cdcl.New(o)
		s.SetLimits(cdcl.Limits{Decisions: r.Int64N(3)})
		for i, c := range f.Clauses() {
			if s.Add(c...); i == f.Len()/2 {
				s.Solve(context.Background())
			}
		}
		if seed%2 == 0 {
			s.Solve(context.Background())
		}
		g := simplifiedOf(s, f.Vars())
		var stack [][]dimacs.Lit
		for c := range s.ReconstructionStack() {
			stack = append(stack, c)
		}
		want, _ := dplltest.Brute(f)
		if got, _ := dplltest.Brute(g); got != want {
			t.Fatalf("seed %d: %v, listed as %v: %v, want %v", seed, clausesOf(f), clausesOf(g), got, want)
		}
		eachModel(g, func(m dimacs.Model) {
			if !extended(m, stack).Satisfies(f) {
				t.Fatalf("seed %d: %v, listed as %v with %v; %v cannot be extended", seed, clausesOf(f), clausesOf(g), stack, m)
			}
		})
	}
}

// A fuse is a context that is done after a number of polls.
type fuse struct {
	context.Context
	left int
}

func (f *fuse) Err() error {
	if f.left--; f.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSimplifyStopped checks that a call that is stopped at once changes nothing, and that
// a call stopped later leaves an equally satisfiable formula.
func TestSimplifyStopped(t *testing.T) {
	var easy []dplltest.Family // easy for any number of variables
	for _, shape := range dplltest.Families {
		if slices.Contains([]string{"2sat", "implications", "horn"}, shape.Name) {
			easy = append(easy, shape)
		}
	}
	stopped := 0
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 0x54))
		shape := easy[seed%uint64(len(easy))]
		f := shape.Make(r, 800)
		_, o := drawSimplification(r)
		o.NoProbe, o.NoSubstitute = false, false
		if seed%2 == 0 {
			o.NoEliminate, o.NoSubsume = false, false
		}
		s := cdcl.New(o)
		s.AddFormula(f)
		ctx := &fuse{context.Background(), int(seed / 3)}
		if s.Simplify(ctx, 10); ctx.left < 0 {
			stopped++
		}
		g := simplifiedOf(s, f.Vars())
		if seed == 0 && (g.Len() != f.Len() || g.Size() != f.Size()) {
			t.Errorf("%s: %d clauses became %d without a step", shape.Name, f.Len(), g.Len())
		}
		records := dimacs.NewFormula(f.Vars())
		for c := range s.ReconstructionStack() {
			records.Add(c...)
		}
		want, got := cdcl.New(cdcl.Options{}), cdcl.New(cdcl.Options{})
		want.AddFormula(f)
		got.AddFormula(g)
		answer := want.Solve(context.Background())
		if x := got.Solve(context.Background()); x != answer {
			t.Errorf("seed %d, %s: simplified it is %v, not %v", seed, shape.Name, x, answer)
		} else if x == dimacs.Satisfiable && !got.Model().Reconstruct(records).Satisfies(f) {
			t.Errorf("seed %d, %s: the model cannot be extended", seed, shape.Name)
		}
		if x := s.Solve(context.Background()); x != answer {
			t.Errorf("seed %d, %s: later it is %v, not %v", seed, shape.Name, x, answer)
		}
	}
	if stopped < 4 {
		t.Errorf("%d calls were stopped", stopped)
	}
}

// TestSimplifyOff checks that units are removed even if all passes are off.
func TestSimplifyOff(t *testing.T) {
	o := cdcl.Options{}
	o.NoSimplify = true
	s := cdcl.New(o)
	s.Add(dimacs.Lits(1)...)
	s.Add(dimacs.Lits(-1, 2, 3)...)
	s.Add(dimacs.Lits(-1, -2, 3, 4)...)
	s.Add(dimacs.Lits(1, -2, 3, 4)...)
	if got := s.Simplify(context.Background(), 3); got != dimacs.Unknown {
		t.Fatalf("got %v", got)
	}
	g := simplifiedOf(s, 4)
	if got, want := fmt.Sprint(clausesOf(g)), "[[1] [2 3] [-2 3 4]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := s.Stats().Rounds; n != 0 {
		t.Errorf("%d rounds", n)
	}
}

func TestPassKnobs(t *testing.T) {
	var names []string
	for _, k := range cdcl.PassKnobs() {
		names = append(names, k.Name)
	}
	for _, name := range []string{"probe", "substitute"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing in %v", name, names)
		}
	}
	for _, name := range []string{"restart", "simplify", "stable"} {
		if slices.Contains(names, name) {
			t.Errorf("%s is not a knob of a pass", name)
		}
	}
}

// A named recorder knows the active clauses by id.
type named struct {
	*activeRecorder
	clauses map[int64]string
}

func (p named) Original(c []dimacs.Lit) int64 {
	id := p.activeRecorder.Original(c)
	p.clauses[id] = clauseKey(c)
	return id
}

func (p named) Learn(c []dimacs.Lit, hints []int64) int64 {
	id := p.activeRecorder.Learn(c, hints)
	p.clauses[id] = clauseKey(c)
	return id
}

func (p named) Delete(id int64, c []dimacs.Lit) {
	p.activeRecorder.Delete(id, c)
	delete(p.clauses, id)
}

// TestLeader checks that after a round the clauses of the simplified formula are
// in the proof, and that its models can be extended, also after more search.
func TestLeader(t *testing.T) {
	rounds, removed, later := 0, 0, 0
	for _, seed := range effort.Seeds(1000, 10_000) {
		r := rand.New(rand.NewPCG(seed, 0x54))
		f, o := drawSimplification(r)
		p := named{newActiveRecorder(seed%2 == 0, true), map[int64]string{}}
		o.OneShot, o.Proof, o.InprocessInterval, o.Lucky = true, p, 1, cdcl.LuckyOff
		s := cdcl.New(o)
		s.AddFormula(f)
		s.SetLimits(cdcl.Limits{Rounds: 1})
		if s.Solve(context.Background()) != dimacs.Unknown {
			continue
		}
		if rounds++; !cdcl.LeaderOf(s).Ready() || s.Stats().Rounds != 1 {
			t.Fatalf("seed %d: Ready is %v after %d rounds", seed, cdcl.LeaderOf(s).Ready(), s.Stats().Rounds)
		}
		g := dimacs.NewFormula(s.Stats().Vars)
		for c, id := range cdcl.LeaderOf(s).Clauses() {
			named := slices.Clone(c)
			cdcl.LeaderOf(s).ProofLits(named)
			if p.clauses[id] != clauseKey(named) {
				t.Fatalf("seed %d: clause %v is %d in the proof, which is %q", seed, c, id, p.clauses[id])
			}
			g.Add(c...)
		}
		height := cdcl.LeaderOf(s).Height()
		removed += s.Stats().Removed
		s.Solve(context.Background())
		if cdcl.LeaderOf(s).Height() > height {
			later++
		}
		eachModel(g, func(m dimacs.Model) {
			x := slices.Clone(m)
			if cdcl.LeaderOf(s).Reconstruct(x, height); !x[:f.Vars()].Satisfies(f) {
				t.Fatalf("seed %d: %v, simplified to %v: model %v is extended to %v", seed, clausesOf(f), clausesOf(g), m, x)
			}
		})
	}
	t.Logf("%d rounds, %d variables removed, %d times more later", rounds, removed, later)
	if rounds < 100 || removed < 100 || later < 5 {
		t.Errorf("%d rounds, %d variables removed, %d times more later", rounds, removed, later)
	}
}

// TestLeaderPanics checks that Leader.Clauses panics unless Ready.
func TestLeaderPanics(t *testing.T) {
	s := cdcl.New(cdcl.Options{})
	s.Add(dimacs.Lits(1)...)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	for range cdcl.LeaderOf(s).Clauses() {
	}
}
