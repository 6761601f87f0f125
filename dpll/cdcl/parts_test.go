package cdcl

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

func TestReluctant(t *testing.T) {
	r := newReluctant(10, 80)
	var got []int64
	conflicts := int64(0)
	for len(got) < 20 {
		conflicts++
		if r.tick(); r.triggered() {
			got = append(got, conflicts/10)
			conflicts = 0
		}
	}
	// The sequence starts again after its first 16, which exceeds 8.
	want := []int64{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1, 1, 2, 1, 1}
	if !slices.Equal(got, want) {
		t.Errorf("intervals %v, want %v", got, want)
	}
}

func TestEMA(t *testing.T) {
	e := newEMA(10)
	for range 500 {
		e.update(3)
		if math.Abs(e.value-3) > 1e-9 {
			t.Fatalf("the average of threes is %v", e.value)
		}
	}
	for range 500 {
		e.update(7)
	}
	if math.Abs(e.value-7) > 1e-6 {
		t.Errorf("after 500 sevens the average is %v", e.value)
	}
}

func TestIntegerLogarithms(t *testing.T) {
	for n := int64(1); n < 1<<50; n += 1 + n/7 {
		if got, want := float64(log10(n))/1024, math.Log10(float64(n)); math.Abs(got-want) > 0.05 {
			t.Errorf("log10(%d) is %.3f, want %.3f", n, got, want)
		}
		if r := isqrt(n); r*r > n || (r+1)*(r+1) <= n {
			t.Errorf("isqrt(%d) is %d", n, r)
		}
	}
	if got := logPower(1, 3); got < 900 || got > 1024 {
		t.Errorf("the power of the logarithm begins at %d of 1024", got)
	}
}

// TestWatchPool checks that lists keep their watches while they move in the pool.
func TestWatchPool(t *testing.T) {
	s := New(Options{})
	s.Grow(20)
	rng := rand.New(rand.NewPCG(3, 3))
	want := make([][]watch, 40)
	for i := range 5000 {
		l := rng.IntN(40)
		if rng.IntN(50) == 0 {
			h := &s.clauses.watches[l]
			s.clauses.release(h)
			*h = watchList{}
			want[l] = nil
			continue
		}
		w := mkWatch(0, uint32(2*i))
		s.clauses.push(literal(uint32(l/2), int8(1-2*(l&1))), w)
		want[l] = append(want[l], w)
	}
	check := func(when string) {
		for l := range want {
			if !slices.Equal(s.clauses.list(literal(uint32(l/2), int8(1-2*(l&1)))), want[l]) {
				t.Fatalf("%s: list %d differs", when, l)
			}
		}
	}
	check("after pushing")
	s.defragment(true)
	check("after defragmenting")
}

// plain returns the options without inprocessing, for tests of a single pass.
func plain() Options {
	o := Options{}
	for _, k := range PassKnobs() {
		if k.Min == 0 && k.Name != "simplify" {
			o.Set(k.Name, 0)
		}
	}
	return o
}

// TestPasses checks that a round runs the passes that are on, in order and at the root,
// with budgets in proportion to the ticks of search, and stops after a refutation.
func TestPasses(t *testing.T) {
	o := plain()
	o.NoWalk, o.Lucky = true, LuckyOff
	defer func(old []pass) { passes = old }(passes)
	var ran []string
	note := func(name string, effort int64, on bool) pass {
		return pass{name: name, letter: Event(name[0]), on: func(*Options) bool { return on }, effort: effort, run: func(s *Solver, budget int64) {
			if len(s.trail.levels) != 1 || s.trail.propagated != len(s.trail.lits) || !s.decisions.quiet {
				t.Errorf("%s runs at level %d", name, len(s.trail.levels)-1)
			}
			if want := (s.stats.Ticks - s.schedule.due.lastRoundTicks) * effort / 1000; budget != want || budget <= 0 {
				t.Errorf("%s has a budget of %d ticks, want %d", name, budget, want)
			}
			s.stats.Ticks += 1e6
			ran = append(ran, name)
		}}
	}
	end := note("end", 10, true)
	run := end.run
	end.run = func(s *Solver, budget int64) {
		run(s, budget)
		s.inconsistent = true
	}
	passes = []pass{note("one", 100, true), note("off", 100, false), note("two", 50, true), end, note("late", 1, true)}

	letters := ""
	o.Progress = func(e Event, _ Stats) { letters += string(rune(e)) }
	s := New(o)
	rng := rand.New(rand.NewPCG(9, 9))
	for range 1300 {
		s.Add(dimacs.Lit(rng.IntN(600)), dimacs.Lit(rng.IntN(600)), dimacs.Lit(rng.IntN(600)))
	}
	s.SetLimits(Limits{Conflicts: int64(s.opts.InprocessInterval) + 1000})
	s.Solve(context.Background())
	if want := []string{"one", "two", "end"}; !slices.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	if got := s.stats.PassTicks; got != 3e6 {
		t.Errorf("passes spent %d ticks, want 3 million", got)
	}
	if !strings.Contains(letters, "ote0") {
		t.Errorf("events %q", letters)
	}
}
