package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"sator/cmd/internal/record"
)

// written returns the page of recordings.
func written(t *testing.T, sources ...Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, sources); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	f := planted(1, 80, 4, 600)
	text := written(t, Source{Name: "run.jsonl", Recording: whole(t), Formula: f})
	for _, want := range []string{
		"<title>Run of f.cnf</title>",
		"The formula of 2,000 variables and 8,500 clauses is unsatisfiable",
		`15 reductions deleted 9,152 learned clauses`,
		`There are 4 communities, the largest with 20 variables`,
		`<th scope="row">subsume&#43;eliminate</th><td>3</td><td>0</td>`,
		`<th scope="row">resident memory of the process</th><td>30.0 MB</td>`,
		`<dt>options</dt><dd>vivify 0, seed 0</dd>`,
		`<dt>cache misses</dt><dd>perf_event_open: permission denied</dd>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestPageIsAlone checks that a page loads nothing.
func TestPageIsAlone(t *testing.T) {
	text := written(t, Source{Name: "run.jsonl", Recording: whole(t)})
	text = strings.ReplaceAll(text, `"http://www.w3.org/2000/svg"`, "") // a name, not an address
	if m := regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?[^#"'{]|https?:|@import|url\([^#]`).FindString(strings.ReplaceAll(text, "url(#", "")); m != "" {
		t.Errorf("the page has %q", m)
	}
}

// TestPageEscapes checks that text of a recording is not markup.
func TestPageEscapes(t *testing.T) {
	evil := `</script><script>alert(1)</script><b onclick="x">`
	r := made(
		&record.Run{Version: 1, Sator: evil, Command: []string{evil}, Files: []string{evil}, Engine: evil, Solvers: []string{evil}, Options: map[string]any{evil: evil}},
		&record.Sample{Time: 1, Mode: evil},
		&record.Pass{Name: evil, Time: 2, Did: map[string]int64{evil: 1}},
		&record.End{Status: "UNKNOWN", Reason: evil, Phases: map[string]float64{evil: 1}},
	)
	text := written(t, Source{Name: evil, Recording: r, Cause: errors.New(evil), NoFormula: evil})
	if strings.Contains(text, "<script>alert") || strings.Contains(text, "<b onclick") {
		t.Error("text of a recording is markup")
	}
	if n := strings.Count(text, "</script>"); n != 2 {
		t.Errorf("%d script elements end, want 2", n)
	}
}

// TestPageOfTruncated checks the pages of recordings that end early, the shortest included.
func TestPageOfTruncated(t *testing.T) {
	all := whole(t)
	for n := 1; n < len(all.Lines); n += 7 {
		r := made(all.Lines[:n]...)
		r.Run, r.Lines = all.Run, all.Lines[:n]
		text := written(t, Source{Name: "run.jsonl", Recording: r, Cause: &record.TruncatedError{Line: n}})
		if !strings.Contains(text, "No answer") || !strings.Contains(text, "the recording is truncated after line") {
			t.Errorf("the page of %d lines does not say that it is truncated", n)
		}
	}
}

func TestComparison(t *testing.T) {
	slow := made(
		&record.Sample{Time: 9, Conflicts: 1000, Restarts: 100},
		&record.Pass{Name: "probe", Time: 1, Seconds: 1},
		&record.End{Status: "UNSATISFIABLE", Time: 10},
	)
	fast := made(
		&record.Run{Version: 1, Solvers: []string{"default"}, Options: map[string]any{"probe": 0.0}, Files: []string{"f.cnf"}},
		&record.Sample{Time: 4, Conflicts: 950, Restarts: 99},
		&record.Pass{Name: "probe", Time: 1, Seconds: 2},
		&record.End{Status: "UNSATISFIABLE", Time: 5},
	)
	text := written(t, Source{Name: "a.jsonl", Recording: slow}, Source{Name: "b.jsonl", Recording: fast})
	for _, want := range []string{
		"<title>Comparison of 2 runs</title>",
		"Run 2 took 0.50 times the time of run 1, with 0.95 times the conflicts.",
		`<th scope="row">time</th><td>10.0 s</td><td class="marked">5.00 s <span class="soft">× 0.50</span></td>`,
		`<th scope="row">conflicts</th><td>1,000</td><td>950 <span class="soft">× 0.95</span></td>`,
		`<td class="marked">2.00 s <span class="soft">× 2.00</span></td>`,
		`<td>seed 0</td><td>probe 0, seed 0</td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "resident memory</th>") {
		t.Error("a row without figures")
	}
}

func TestDifferences(t *testing.T) {
	sat := Of("a", made(&record.Formula{Vars: 3}, &record.End{Status: "SATISFIABLE", Time: 1}))
	other := Of("b", made(&record.Formula{Vars: 4}, &record.End{Status: "UNSATISFIABLE", Time: 1}))
	got := strings.Join(narrateDifference([]*Figures{sat, other}), " ")
	if want := "Runs 1 and 2 had different formulas. Run 2 ended with UNSATISFIABLE, run 1 with SATISFIABLE."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got = strings.Join(narrateDifference([]*Figures{sat, sat}), " ")
	if want := "Run 2 took about the time of run 1."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestThinned checks that a long recording makes a short page, and that the first and last
// lines of each kind are kept.
func TestThinned(t *testing.T) {
	lines := sampled(10*mostLines+1, func(i int) int64 { return int64(i) })
	text := thinned(made(append(lines, &record.End{Status: "UNKNOWN", Stats: []map[string]any{{"conflicts": 1.0}}})...))
	var rows []map[string]any
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	if n := len(rows); n < mostLines/2 || n > mostLines+3 {
		t.Errorf("%d lines", n)
	}
	if rows[0]["t"] != "run" || rows[len(rows)-1]["t"] != "end" || rows[len(rows)-2]["time"] != float64(len(lines)) {
		t.Error("the first or the last lines are missing")
	}
	if rows[len(rows)-1]["stats"] != nil {
		t.Error("the statistics are in the page")
	}
}
