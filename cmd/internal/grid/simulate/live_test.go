package simulate

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sator/dimacs"
)

// liveWorkload returns a workload of some seconds for ten workers, with splits.
func liveWorkload(roots int, seconds float64) *Workload {
	w := randomWorkload(rand.New(rand.NewPCG(1, 6)), roots).Closed()
	return w.Scaled(seconds / w.Work())
}

// TestLive runs ten real connections with sleeping workers. All cubes are solved once, and
// the run takes no less time than the longest path and the shared work. The comparison with
// the model depends on the load of the machine, so only a run with SATOR_LIVE=1 does it.
func TestLive(t *testing.T) {
	w := liveWorkload(40, 2)
	alone := os.Getenv("SATOR_LIVE") == "1"
	if alone {
		w = liveWorkload(400, 100)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	m, err := Live(ctx, w, LiveOptions{Workers: 10, Dir: filepath.Join(t.TempDir(), "store")})
	if err != nil {
		t.Fatal(err)
	}
	if least := max(w.Work()/10, w.CriticalPath()); m.Makespan < least || m.Slept < w.Work() || m.Cubes != len(w.Cubes) {
		t.Errorf("%+v: want at least %v s for %v s of work in %d cubes", m, least, w.Work(), len(w.Cubes))
	}
	model := m.Predict(w, DefaultCosts())
	t.Logf("measured %+v, model %v", m, model)
	if ratio := m.Makespan / model.Makespan; alone && (ratio < 0.8 || ratio > 1.2) {
		t.Errorf("the run took %v s, the model %v s", m.Makespan, model.Makespan)
	}
}

// TestLiveEnds checks that a live run ends with the cause of its context.
func TestLiveEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(300*time.Millisecond, func() { cancel(context.DeadlineExceeded) })
	_, err := Live(ctx, equal(4, 1000, 0), LiveOptions{Workers: 2, Dir: filepath.Join(t.TempDir(), "store")})
	if err != context.DeadlineExceeded {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestLiveNames checks that the cubes of a live run are the leaves of a tree: every two
// roots have complementary literals, and halves extend their parents.
func TestLiveNames(t *testing.T) {
	for roots := 1; roots < 20; roots++ {
		w := randomWorkload(rand.New(rand.NewPCG(uint64(roots), 7)), roots).Closed()
		l := &liveRun{workload: w, index: map[string]int32{}}
		l.name()
		if len(l.roots) != roots || len(l.index) != len(w.Cubes) {
			t.Fatalf("%d roots and %d cubes, want %d and %d", len(l.roots), len(l.index), roots, len(w.Cubes))
		}
		for i, a := range l.cubes {
			for _, b := range l.cubes[:i] {
				if shorter := min(len(a), len(b)); !complementary(a, b) && !equalLits(a[:shorter], b[:shorter]) {
					t.Errorf("cubes %v and %v overlap", a, b)
				}
			}
		}
		if got := l.formula().Vars(); got < l.vars {
			t.Errorf("%d variables, want at least %d", got, l.vars)
		}
	}
}

// complementary reports whether two cubes have complementary literals.
func complementary(a, b []dimacs.Lit) bool {
	for _, l := range a {
		for _, k := range b {
			if l == k^1 {
				return true
			}
		}
	}
	return false
}

func equalLits(a, b []dimacs.Lit) bool { return keyOf(a) == keyOf(b) }

// TestClosed checks that each split of a closed workload has two halves.
func TestClosed(t *testing.T) {
	w := randomWorkload(rand.New(rand.NewPCG(3, 8)), 50)
	c := w.Closed()
	for i, cube := range c.Cubes {
		if (cube.Halves[0] == 0) != (cube.Halves[1] == 0) {
			t.Errorf("cube %d has the halves %v", i, cube.Halves)
		}
	}
	if !near(c.Work(), w.Work()) || c.CriticalPath() != w.CriticalPath() || len(c.Cubes) <= len(w.Cubes) {
		t.Errorf("%d cubes, work %v, path %v; before %d, %v, %v", len(c.Cubes), c.Work(), c.CriticalPath(), len(w.Cubes), w.Work(), w.CriticalPath())
	}
}
