package versus

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// An experiment of two changes on ten formulas with two seeds each: every formula and seed is a pair, the figures of the
// solvers are read from their output, and the rows have verdicts with correction.
func TestRows(t *testing.T) {
	in := formula(t, "f.cnf", unsatFormula)
	b := newBench(in, fake(t, "x", "say 20 'c ticks 7/c pass ticks 5/c conflicts 1{seed}/c conflicts per second 99/'"), fake(t, "k", "say 20 'c conflicts:   12  3 per second/'"))
	b.Rounds = 2
	runs, err := b.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, fmt.Sprint(r.Solver, r.Round, " ", r.Conflicts, " ", r.Ticks))
	}
	if text := strings.Join(got, ", "); text != "x1 10 12, k1 12 0, k2 12 0, x2 11 12" {
		t.Error(text)
	}

	runs = nil
	for file := range 10 {
		for seed := range 2 {
			for i, name := range []string{"base", "fast", "same"} {
				r := rec(name, fmt.Sprint("f", file), Unsatisfiable, NoEvidence, 4)
				r.Round, r.Command = seed+1, "s --seed {seed} {file}"
				r.Conflicts = 100
				switch {
				case i == 1:
					r.CPU, r.Ticks = 2*time.Second, 50
				case i == 2 && (file+seed)%2 == 0:
					r.CPU = 5 * time.Second
				case i == 2:
					r.CPU = 3 * time.Second
				}
				if i == 0 {
					r.Ticks = 100
				}
				runs = append(runs, r)
			}
		}
	}
	p := NewReport(runs, nil, "base", CPU)
	p.Notes = []string{"fast: s (sator 0.1.0+0123456789ab, go)", "same: s (commit fedcba98, go)"}
	var w bytes.Buffer
	if err := p.WriteRows(&w); err != nil {
		t.Fatal(err)
	}
	about := "20 files, each a formula with one of 2 seeds, limit 10 s of CPU time: 20 solved, 20 without"
	for _, want := range []string{
		"| fast | gain | " + about + "; PAR-2 0.50, CPU 0.506 (s.e. 0.000), ticks 0.500 (s.e. 0.000), conflicts 1.000 (s.e. 0.000); p <0.001, <0.001 with Holm's correction | 0123456 |\n",
		"| same | no gain | " + about + "; PAR-2 1.00, CPU 0.969 (s.e. 0.",
		" with Holm's correction | fedcba9 |\n",
	} {
		if !strings.Contains(w.String(), want) {
			t.Errorf("no %q in\n%s", want, w.String())
		}
	}
	if strings.Count(w.String(), "\n") != 2 {
		t.Errorf("%s", w.String())
	}
	// Without seeds the rounds are repetitions, and the median counts.
	for i := range runs {
		runs[i].Command = "s {file}"
	}
	if p := NewReport(runs, nil, "base", CPU); p.Files != 10 || p.Seeded {
		t.Errorf("%d files", p.Files)
	}
}
