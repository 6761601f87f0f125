package versus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each solver is first equally often.
func TestOrder(t *testing.T) {
	b := &Bench{Solvers: []*Solver{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	firsts := map[string]int{}
	for round := 1; round <= 2; round++ {
		for i := range 9 {
			order := b.order(round, i)
			firsts[order[0].Name]++
			names := []string{order[0].Name, order[1].Name, order[2].Name}
			if slices.Sort(names); !slices.Equal(names, []string{"a", "b", "c"}) {
				t.Errorf("round %d, file %d: %q", round, i, names)
			}
		}
	}
	if firsts["a"] != 6 || firsts["b"] != 6 || firsts["c"] != 6 {
		t.Errorf("first were %v", firsts)
	}
}

// TestResume truncates the log at random positions and resumes the bench: afterwards the log has
// all runs once, and no complete run was repeated.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "runs.csv")
	var instances []Instance
	for _, file := range []string{"a.cnf", "b.cnf"} {
		in := formula(t, file, unsatFormula)
		instances = append(instances, in)
	}
	made := 0
	bench := func() []Run {
		l := openLog(t, name)
		defer l.Close()
		b := &Bench{
			Solvers: []*Solver{fake(t, "x", "say 20 ''"), fake(t, "y", "say 20 ''")}, Instances: instances,
			Rounds: 2, Limits: generous, Core: -1, Log: l,
			Progress: func(p Progress) {
				if p.Run != nil {
					made++
				}
			},
		}
		runs, err := b.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return runs
	}
	want := keysOf(bench())
	if len(want) != 8 || made != 8 {
		t.Fatalf("%d runs made, %d recorded", made, len(want))
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 5 {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cut := len(headerLine()) + r.IntN(len(data)-len(headerLine()))
		os.WriteFile(name, data[:cut], 0o666)
		lost := 8 - strings.Count(string(data[len(headerLine()):cut]), "\n")
		made = 0
		if got := keysOf(bench()); !slices.Equal(got, want) || made != lost {
			t.Errorf("cut at %d of %d: %d runs made, want %d; recorded are %v", cut, len(data), made, lost, got)
		}
	}
	if runs, _, err := ReadLog(name); err != nil || !slices.Equal(keysOf(runs), want) {
		t.Errorf("the log has %v, error %v", keysOf(runs), err)
	}
}

// keysOf returns the sorted keys of runs.
func keysOf(runs []Run) []string {
	var keys []string
	for _, r := range runs {
		keys = append(keys, fmt.Sprint(r.key()))
	}
	slices.Sort(keys)
	return keys
}

// Logged runs with other settings are an error.
func TestCheckSettings(t *testing.T) {
	name := filepath.Join(t.TempDir(), "runs.csv")
	in := formula(t, "f.cnf", unsatFormula)
	run := func(s *Solver, change func(*Bench)) error {
		l := openLog(t, name)
		defer l.Close()
		b := newBench(in, s)
		b.Log = l
		change(b)
		_, err := b.Run(t.Context())
		return err
	}
	same := func(*Bench) {}
	s := fake(t, "x", "say 20 '' [{proof}]")
	if err := run(s, same); err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"":                  run(s, same),
		"command":           run(fake(t, "x", "say 20 'c '"), same),
		"{proof}":           run(s, func(b *Bench) { b.Proofs = true }),
		"CPU time limit":    run(s, func(b *Bench) { b.Limits.CPU += time.Second }),
		"wall-clock limit":  run(s, func(b *Bench) { b.Limits.Wall = 0 }),
		"memory limit":      run(s, func(b *Bench) { b.Limits.Memory = 1 << 30 }),
		"another file: nil": run(fake(t, "y", "say 20 ''"), same),
	} {
		fine := want == "" || strings.HasSuffix(want, ": nil")
		if fine != (err == nil) || (!fine && !strings.Contains(err.Error(), want)) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
