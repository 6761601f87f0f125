package report

import (
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/record"
)

// TestNarration has a recording for each rule, with its sentence.
func TestNarration(t *testing.T) {
	zero, one := 0, 1
	unsat := func(phases map[string]float64) *record.End {
		return &record.End{Status: "UNSATISFIABLE", Time: 10, Phases: phases, Stats: []map[string]any{{"conflicts": 1000.0}}}
	}
	sat := &record.End{Status: "SATISFIABLE", Time: 10, Stats: []map[string]any{{"conflicts": 1000.0}}}
	pass := func(name string, seconds float64, did map[string]int64) *record.Pass {
		return &record.Pass{Name: name, Round: 3, Time: 5, Conflicts: 500, Seconds: seconds, Did: did}
	}
	grown := sampled(31, func(i int) int64 { return int64(1000 + min(i, 11)*100 + max(0, i-11)*10) })
	for i, l := range grown {
		s := l.(*record.Sample)
		s.Focused.Glue, s.Redundant, s.Propagations = 5, 50, 30*s.Conflicts
		if i > 10 {
			s.Focused.Glue, s.Redundant, s.Propagations = 9, 300, 30*2100+90*(s.Conflicts-2100)
		}
	}
	grown = slices.Insert(grown, 11, record.Line(&record.Event{Kind: record.Reduce, Reduce: &record.Reduction{Deleted: 1, Kept: 1}}))
	for _, c := range []struct {
		want  string
		lines []record.Line
	}{
		{"The formula of 20 variables and 1 clause is unsatisfiable; the refutation took 10.0 s and 1,000 conflicts.", []record.Line{&record.Formula{Vars: 20, Clauses: 1}, unsat(nil)}},
		{"The formula is satisfiable; a model was found after 10.0 s and 1,000 conflicts.", []record.Line{sat}},
		{"The formula was not decided in 5.00 s and 0 conflicts: time limit.", []record.Line{&record.End{Status: "UNKNOWN", Reason: "time limit", Time: 5}}},
		{"The recording ends after 3.00 s and 7 conflicts without an answer: the run was killed, or it is going on.", []record.Line{&record.Sample{Time: 3, Conflicts: 7}}},
		{"In the 9.00 s the process got 2.00 s of processor time: it waited for input, for output or for a processor.", []record.Line{&record.End{Status: "UNKNOWN", Time: 9, CPU: 2}}},
		{"The engine was twosat: no clause is longer than two literals.", []record.Line{&record.Run{Engine: "twosat", Why: "no clause is longer than two literals"}}},
		{"Of 2 solvers, number 2 (stable) gave the answer; the figures below are of that one.", []record.Line{&record.Run{Solvers: []string{"default", "stable"}}, &record.End{Status: "UNSATISFIABLE", Winner: &one}}},
		{"Search took half of the time, the phase read took 45 %.", []record.Line{unsat(map[string]float64{"search-focused": 5, "read": 4.5, "add": 0.5})}},
		{"Search took 60 % of the time (40 % in focused mode, 20 % in stable mode), simplification took 40 %.", []record.Line{pass("vivify", 4, nil), unsat(map[string]float64{"search-focused": 4, "search-stable": 2, "vivify": 4})}},
		{"Search took half of the time of all solvers, the phase read took half.", []record.Line{&record.Run{Solvers: []string{"a", "b"}}, unsat(map[string]float64{"search-stable": 5, "read": 5})}},
		{"The most expensive pass was vivify, with half of the time.", []record.Line{pass("vivify", 5, nil), unsat(map[string]float64{"search-focused": 5, "vivify": 5})}},
		{"A lucky phase found the model.", []record.Line{&record.End{Status: "SATISFIABLE", Stats: []map[string]any{{"lucky": 1.0}}}}},
		{"Cardinality detection refuted the formula.", []record.Line{&record.End{Status: "UNSATISFIABLE", Stats: []map[string]any{{"pigeonholes": 1.0}}}}},
		{"The answer came without a further conflict after the pass probe of round 3.", []record.Line{pass("probe", 1, nil), &record.End{Status: "UNSATISFIABLE", Stats: []map[string]any{{"conflicts": 500.0}}}}},
		{"Stable mode found the model.", []record.Line{&record.Event{Kind: record.Mode, Mode: "stable"}, sat}},
		{"The last conflict was in focused mode.", []record.Line{&record.Event{Kind: record.Mode, Mode: "focused"}, unsat(nil)}},
		{"Simplification removed almost no variables.", []record.Line{&record.Formula{Vars: 1000}, &record.Sample{Vars: 999}}},
		{"At the last sample 10 of 40 variables were left, 5 were fixed at the root, and 25 were eliminated or substituted.", []record.Line{&record.Formula{Vars: 40}, &record.Sample{Vars: 10, Fixed: 5, Removed: 25}}},
		{"Congruence closure merged 1,190 literals; probing found 12 failed literals.", []record.Line{pass("congruence", 1, map[string]int64{"congruence_merged": 1000}), pass("congruence", 1, map[string]int64{"congruence_merged": 190}), pass("probe", 1, map[string]int64{"failed_lits": 12, "vivify_lits": 1})}},
		{"These passes never changed the number of variables, clauses or literals: sweep (2 runs, 20 % of the time).", []record.Line{pass("sweep", 1, nil), pass("sweep", 1, nil), unsat(nil)}},
		{"Conflicts per second fell from 100 in the first third of the run to 10 in the last.", sampled(31, func(i int) int64 { return int64(min(i, 11)*100 + max(0, i-11)*10) })},
		{"Conflicts per second fell from 100 in the first third of the run to 10 in the last: learned clauses kept grew from 50 to 300, and a conflict took 90 propagations instead of 30.", grown},
		{"The average glue of learned clauses rose from 5.00 to 9.00 after reduction 1.", grown},
		{"At the last sample the average glue of learned clauses was 4.00 in focused mode and 12.0 in stable mode.", []record.Line{&record.Sample{Conflicts: 1000, Focused: record.Averages{Glue: 4}, Stable: record.Averages{Glue: 12}}}},
		{"At the last sample the average glue of learned clauses was 4.00.", []record.Line{&record.Sample{Conflicts: 1000, Focused: record.Averages{Glue: 4}}}},
		{"The longest trail without a conflict since the last reset to best phases had 80 of 100 literals.", []record.Line{&record.Sample{Best: 80, Vars: 90, Fixed: 10}, &record.End{Status: "UNKNOWN"}}},
		{"2 reductions deleted 40 learned clauses; on average 75 % of the learned clauses survived a reduction.", []record.Line{&record.Event{Kind: record.Reduce, Reduce: &record.Reduction{Deleted: 40, Kept: 40}}, &record.Event{Kind: record.Reduce, Reduce: &record.Reduction{Kept: 40}}}},
		{"The best of 2 local searches went from 90 falsified clauses to 3.", []record.Line{walked(80, 4), walked(90, 3)}},
		{"The solver gave 70 clauses to the others and imported 50, of which 20 took part in a conflict.", []record.Line{&record.Exchange{Exported: 70, Imported: 50, Used: 20}}},
		{"Memory reached 64.0 MB, of which clauses took 4.00 MB.", []record.Line{&record.Sample{Resident: 64 << 20, Arena: 4 << 20}}},
		{"The proof has 2.00 kB (LRAT).", []record.Line{&record.End{Winner: &zero, Proof: &record.ProofSize{Bytes: 2048, Format: "lrat"}}}},
	} {
		if got := Narrate(Of("run", made(c.lines...))); !slices.Contains(got, c.want) {
			t.Errorf("no sentence %q in\n%s", c.want, strings.Join(got, "\n"))
		}
	}
}

func walked(before, after int) *record.Event {
	return &record.Event{Kind: record.Rephase, Rephase: &record.PhaseReset{Kind: "walk", Walk: &record.Walk{Before: before, After: after}}}
}

// TestNarrationWithoutFigures checks that nothing is claimed without figures: about a
// recording with its first line alone there is one sentence.
func TestNarrationWithoutFigures(t *testing.T) {
	if got := Narrate(Of("run", made())); len(got) != 1 || !strings.HasPrefix(got[0], "The recording ends after") {
		t.Errorf("got %q", got)
	}
	got := Narrate(Of("run", made(&record.End{Status: "SATISFIABLE", Time: 1})))
	if len(got) != 1 || got[0] != "The formula is satisfiable; a model was found after 1.00 s and 0 conflicts." {
		t.Errorf("got %q", got)
	}
}

// TestNarrationBelowThresholds checks that small differences get no sentence.
func TestNarrationBelowThresholds(t *testing.T) {
	text := strings.Join(Narrate(Of("run", made(append(
		sampled(31, func(i int) int64 { return int64(10 * i) }),
		&record.Pass{Name: "sweep", Time: 5, Seconds: 0.1, Conflicts: 3},
		&record.End{Status: "UNSATISFIABLE", Time: 31, CPU: 30, Phases: map[string]float64{"search-focused": 30, "sweep": 0.1}},
	)...))), " ")
	for _, word := range []string{"per second", "processor", "expensive", "never changed", "glue", "proof", "simplification took"} {
		if strings.Contains(text, word) {
			t.Errorf("%q in %s", word, text)
		}
	}
}
