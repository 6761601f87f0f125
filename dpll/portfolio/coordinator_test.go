package portfolio_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
)

// A disorder is a run whose tasks end in random order: the workers are drawn at random,
// results arrive twice or late, tasks are returned, and the coordinator starts again. The
// answers under cubes are those of an oracle.
type disorder struct {
	*portfolio.Coordinator
	t       *testing.T
	rng     *rand.Rand
	f       *dimacs.Formula
	cubes   [][]dimacs.Lit
	clauses map[int64][]dimacs.Lit // of the proof, by id
	kept    []portfolio.Result     // of the run
	running map[string]portfolio.Task
	ended   map[string]bool // cubes with results
	counts  map[string]int
}

// start starts a coordinator, which replays the results so far.
func (d *disorder) start() {
	d.running = map[string]portfolio.Task{}
	d.Coordinator = portfolio.NewCoordinator(d.cubes, portfolio.CoordinatorOptions{Formula: "f", Vars: d.f.Vars(), Budget: 7, Learn: d.learn})
	if err := d.Replay(d.kept); err != nil {
		d.t.Fatal(err)
	}
}

// learn checks that a clause is the resolvent of its hints.
func (d *disorder) learn(lits []dimacs.Lit, hints ...int64) int64 {
	if len(hints) != 2 {
		d.t.Fatalf("the resolvent %v has the hints %v", lits, hints)
	}
	both := slices.Concat(d.clauses[hints[0]], d.clauses[hints[1]])
	for _, l := range lits {
		if !slices.Contains(both, l) || slices.Contains(both, l^1) {
			d.t.Fatalf("%v is no resolvent of %v and %v", lits, d.clauses[hints[0]], d.clauses[hints[1]])
		}
	}
	return d.log(lits)
}

// log adds a clause, which must be implied by the formula, to the proof.
func (d *disorder) log(lits []dimacs.Lit) int64 {
	if !d.refuted(complements(lits)) {
		d.t.Fatalf("the formula does not imply %v", lits)
	}
	id := int64(len(d.clauses) + 100)
	d.clauses[id] = slices.Clone(lits)
	return id
}

// refuted reports whether the formula has no model under assumptions.
func (d *disorder) refuted(assumed []dimacs.Lit) bool {
	status, _ := dplltest.Oracle(d.f, assumed...)
	return status == dimacs.Unsatisfiable
}

func complements(lits []dimacs.Lit) []dimacs.Lit {
	out := slices.Clone(lits)
	for i := range out {
		out[i] ^= 1
	}
	return out
}

// solve returns a result for a task: it splits the cube, or has the oracle's answer with
// as few failed literals as one pass finds.
func (d *disorder) solve(t portfolio.Task) portfolio.Result {
	r := portfolio.Result{Formula: t.Formula, Cube: t.Cube, Conflicts: 1}
	if l := dimacs.Lit(d.rng.IntN(2 * d.f.Vars())); d.rng.IntN(3) == 0 && !slices.Contains(t.Cube, l) && !slices.Contains(t.Cube, l^1) {
		r.Split = portfolio.Literals{l}
		return r
	}
	var m dimacs.Model
	if r.Status, m = dplltest.Oracle(d.f, t.Cube...); r.Status == dimacs.Satisfiable {
		r.Model = m.Lits()
		return r
	}
	r.Failed = slices.Clone(t.Cube)
	for _, i := range d.rng.Perm(len(t.Cube)) {
		rest := slices.DeleteFunc(slices.Clone(r.Failed), func(l dimacs.Lit) bool { return l == t.Cube[i] })
		if d.refuted(rest) {
			r.Failed = rest
		}
	}
	if len(r.Failed) > 0 {
		r.Clause = d.log(complements(r.Failed))
	}
	return r
}

// next takes the next task, or a random one out of turn.
func (d *disorder) next() {
	t, ok := d.Next()
	if !ok {
		return
	}
	k := fmt.Sprint(t.Cube)
	if _, twice := d.running[k]; twice || d.ended[k] || d.Cancelled(t) || t.Budget != 7 {
		d.t.Fatalf("the task %v is given out twice, has a result or is covered", t)
	}
	d.running[k] = t
	if d.rng.IntN(5) == 0 {
		d.counts["returned"]++
		d.Requeue(t)
		delete(d.running, k)
		again, ok := d.Take(t.Cube)
		if !ok || fmt.Sprint(again) != fmt.Sprint(t) {
			d.t.Fatalf("the task %v is not waiting", t)
		}
		if _, ok := d.Take(t.Cube); ok {
			d.t.Fatalf("the task %v is taken twice", t)
		}
		d.running[k] = t
	}
}

// finish ends a random running task, or repeats a result.
func (d *disorder) finish() {
	if len(d.kept) > 0 && d.rng.IntN(8) == 0 {
		r := d.kept[d.rng.IntN(len(d.kept))]
		before := d.Stats()
		before.Conflicts++
		if err := d.Finish(&r); err != nil || d.Stats() != before {
			d.t.Fatalf("a repeated result: %v, %+v, want %+v", err, d.Stats(), before)
		}
		return
	}
	keys := make([]string, 0, len(d.running))
	for k := range d.running {
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return
	}
	slices.Sort(keys)
	k := keys[d.rng.IntN(len(keys))]
	r := d.solve(d.running[k])
	delete(d.running, k)
	if err := d.Finish(&r); err != nil {
		d.t.Fatal(err)
	}
	d.kept, d.ended[k] = append(d.kept, r), true
	d.stopCovered()
}

// stopCovered ends the running tasks that are covered, which must be those of Covered.
func (d *disorder) stopCovered() {
	for _, t := range d.Covered() {
		k := fmt.Sprint(t.Cube)
		if _, ok := d.running[k]; !ok || !d.Cancelled(t) {
			d.t.Fatalf("%v is not running or not covered", t.Cube)
		}
		d.counts["covered"]++
		delete(d.running, k)
	}
	for _, t := range d.running {
		if d.Status() == dimacs.Unknown && d.Cancelled(t) {
			d.t.Fatalf("%v is covered and still running", t.Cube)
		}
	}
}

// run lets up to five tasks run at the same time until the coordinator is done.
func (d *disorder) run() {
	for d.start(); !d.Done(); {
		switch d.rng.IntN(12) {
		case 0:
			d.counts["restarts"]++
			d.start()
		case 1, 2, 3, 4, 5:
			if len(d.running) < 5 {
				d.next()
			}
		default:
			d.finish()
		}
		if d.Stats().Running != len(d.running) {
			d.t.Fatalf("%d tasks are running, want %d", d.Stats().Running, len(d.running))
		}
	}
}

// answer returns the answer of a run that is done.
func (d *disorder) answer() dimacs.Status {
	if d.Status() != dimacs.Unknown {
		return d.Status()
	}
	g := dimacs.NewFormula(d.f.Vars())
	g.Append(d.f)
	for _, r := range d.Cover() {
		if !slices.Equal(r.Clause, d.clauses[r.ID]) {
			d.t.Fatalf("the clause %v has the id of %v", r.Clause, d.clauses[r.ID])
		}
		g.Add(r.Clause...)
	}
	status, _ := dplltest.Oracle(g)
	return status
}

// The answer of a coordinator does not depend on the order in which tasks end, and each
// cube is solved once.
func TestCoordinator(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 13))
		n := 10 + rng.IntN(4)
		f := conquertest.Uniform(seed, n, n*(40+rng.IntN(12))/10)
		cubes, kind := conquertest.Cubes(rng, f)
		d := &disorder{t: t, rng: rng, f: f, cubes: cubes, clauses: map[int64][]dimacs.Lit{}, ended: map[string]bool{}, counts: counts}
		d.run()
		want, _ := dplltest.Oracle(f)
		if got := d.answer(); got != want {
			t.Fatalf("seed %d, %s: got %v, want %v", seed, kind, got, want)
		}
		if d.Status() == dimacs.Satisfiable && d.Model().Falsified(f) >= 0 {
			t.Fatalf("seed %d, %s: the model is wrong", seed, kind)
		}
		counts[kind+" "+want.String()]++
	}
	for _, what := range []string{"returned", "covered", "restarts", "tree SATISFIABLE", "tree UNSATISFIABLE", "list UNSATISFIABLE", "missing UNSATISFIABLE"} {
		if counts[what] < 20 {
			t.Errorf("%s: only %d times in %v", what, counts[what], counts)
		}
	}
}

// A result counts for all nodes with its cube: a split of the cube 1 by 2 makes a leaf
// that equals the given cube 1 2.
func TestTwins(t *testing.T) {
	given := [][]dimacs.Lit{dimacs.Lits(1), dimacs.Lits(1, 2), dimacs.Lits(1), dimacs.Lits(3)}
	c := portfolio.NewCoordinator(given, portfolio.CoordinatorOptions{Formula: "f", Vars: 3})
	if n := c.Stats().Cubes; n != 3 {
		t.Fatalf("%d cubes, want 3", n)
	}
	next := func(want ...int) {
		t.Helper()
		if task, ok := c.Next(); !ok || !slices.Equal(task.Cube, dimacs.Lits(want...)) {
			t.Fatalf("the next cube is %v, want %v", task.Cube, want)
		}
	}
	finish := func(r portfolio.Result) {
		t.Helper()
		r.Formula = "f"
		if err := c.Finish(&r); err != nil {
			t.Fatal(err)
		}
	}
	next(1)
	next(1, 2)
	finish(portfolio.Result{Cube: dimacs.Lits(1), Split: dimacs.Lits(2)})
	next(1, -2) // 1 2 is running
	finish(portfolio.Result{Cube: dimacs.Lits(1, -2), Status: dimacs.Unsatisfiable, Failed: dimacs.Lits(-2)})
	c.Requeue(portfolio.Task{Cube: dimacs.Lits(1, 2)})
	next(1, 2)
	finish(portfolio.Result{Cube: dimacs.Lits(1, 2), Status: dimacs.Unsatisfiable, Failed: dimacs.Lits(1, 2)})
	next(3)
	finish(portfolio.Result{Cube: dimacs.Lits(3), Status: dimacs.Unsatisfiable, Failed: dimacs.Lits(3)})
	if !c.Done() || c.Status() != dimacs.Unknown || len(c.Cover()) != 3 {
		t.Errorf("%+v, %v", c.Stats(), c.Status())
	}
}

// TestTakeEnded tests that a cube that ended in an earlier run cannot be taken; it would be
// running for ever.
func TestTakeEnded(t *testing.T) {
	lits := dimacs.Lits(1, 2, 3)
	cubes := [][]dimacs.Lit{{lits[0]}, {lits[0] ^ 1}}
	c := portfolio.NewCoordinator(cubes, portfolio.CoordinatorOptions{Formula: "f", Vars: 3})
	known := []portfolio.Result{
		{Formula: "f", Cube: cubes[0], Split: lits[1:2]},
		{Formula: "f", Cube: cubes[1], Status: dimacs.Unsatisfiable, Failed: cubes[1]},
	}
	if err := c.Replay(known); err != nil {
		t.Fatal(err)
	}
	for _, cube := range cubes {
		if task, ok := c.Take(cube); ok {
			t.Errorf("%v is running again", task.Cube)
		}
	}
	for range 2 {
		task, ok := c.Next()
		if !ok || len(task.Cube) != 2 {
			t.Fatalf("task %v, %v; want one below the split", task.Cube, ok)
		}
		if err := c.Finish(&portfolio.Result{Formula: "f", Cube: task.Cube, Status: dimacs.Unsatisfiable, Failed: task.Cube}); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Done() || c.Status() != dimacs.Unsatisfiable || c.Stats().Running != 0 {
		t.Errorf("done %v, %v, %+v", c.Done(), c.Status(), c.Stats())
	}
}

// A result that does not fit is an error and changes nothing.
func TestFinishRefuses(t *testing.T) {
	c := portfolio.NewCoordinator(conquertest.Tree(0, 1), portfolio.CoordinatorOptions{Formula: "f", Vars: 3, Learn: func([]dimacs.Lit, ...int64) int64 { return 9 }})
	c.Next()
	before := c.Stats()
	for _, bad := range []struct {
		result portfolio.Result
		want   string
	}{
		{portfolio.Result{Formula: "g", Cube: dimacs.Lits(1)}, "checksum"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(2)}, "not a cube of this run"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(1), Status: 7}, "unknown status"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(1), Status: dimacs.Unsatisfiable, Failed: dimacs.Lits(2), Clause: 7}, "not in the cube"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(1), Status: dimacs.Unsatisfiable, Failed: dimacs.Lits(1)}, "no clause of the proof"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(1), Status: dimacs.Satisfiable, Model: dimacs.Lits(1, 4)}, "no variable 4"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(1), Split: dimacs.Lits(-1)}, "is split by"},
		{portfolio.Result{Formula: "f", Cube: dimacs.Lits(1), Split: dimacs.Lits(2, 3)}, "is split by"},
	} {
		err := c.Finish(&bad.result)
		if err == nil || !strings.Contains(err.Error(), bad.want) || c.Stats() != before {
			t.Errorf("%+v: %v, want an error with %q", bad.result, err, bad.want)
		}
	}
}
