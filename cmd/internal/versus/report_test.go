package versus

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
)

// rec returns a run.
func rec(solver, file string, outcome Outcome, check Check, cpu float64) Run {
	return Run{
		Solver: solver, File: file, Round: 1, Outcome: outcome, Check: check, CPU: time.Duration(cpu * 1e9), Wall: time.Duration(cpu * 2e9),
		Memory: 10 << 20, Limits: Limits{CPU: 10 * time.Second, Wall: 100 * time.Second},
	}
}

func knownToBe(r Run, answer dimacs.Status) Run {
	r.Known = answer
	return r
}

func TestJudge(t *testing.T) {
	sat := func(solver string, c Check) Run { return rec(solver, "f", Satisfiable, c, 1) }
	unsat := func(solver string, c Check) Run { return rec(solver, "f", Unsatisfiable, c, 1) }
	refuted := sat("c", Refuted)
	refuted.Note = "clause 3"
	for _, x := range []struct {
		why    string
		runs   []Run
		wrong  string // solvers
		faults []string
	}{
		{"all agree", []Run{sat("a", Checked), sat("b", NoEvidence)}, "", nil},
		{"no answers", []Run{rec("a", "f", TimeOut, NoCheck, 10), rec("b", "f", Failed, NoCheck, 1)}, "", nil},
		{"a checked model", []Run{sat("a", Checked), unsat("b", NoEvidence)}, "b", []string{"b answered UNSATISFIABLE for f, but the file has a model (found by a)"}},
		{"a checked proof", []Run{sat("a", NoEvidence), unsat("b", Checked)}, "a", []string{"a answered SATISFIABLE for f, but the file is UNSATISFIABLE by the proof of b"}},
		{"a known answer", []Run{knownToBe(sat("a", NoEvidence), dimacs.Unsatisfiable)}, "a", []string{"a answered SATISFIABLE for f, but the file is known to be UNSATISFIABLE"}},
		{"a known answer that is right", []Run{knownToBe(sat("a", NoEvidence), dimacs.Satisfiable)}, "", nil},
		{"a wrong known answer", []Run{knownToBe(sat("a", Checked), dimacs.Unsatisfiable)}, "", []string{"f is listed as UNSATISFIABLE, but has a model (found by a)"}},
		{"no evidence", []Run{sat("a", NoEvidence), unsat("b", Undecided), rec("c", "f", TimeOut, NoCheck, 10)}, "a b", []string{"the answers for f differ: SATISFIABLE by a, UNSATISFIABLE by b; neither has evidence"}},
		{"invalid evidence", []Run{refuted}, "c", []string{"c answered SATISFIABLE for f: clause 3"}},
		{"invalid evidence against another answer", []Run{unsat("a", NoEvidence), refuted}, "c", []string{"c answered SATISFIABLE for f: clause 3"}},
		{"contradictory evidence", []Run{sat("a", Checked), unsat("b", Checked)}, "a b", []string{"the answers for f differ: SATISFIABLE by a, UNSATISFIABLE by b; both have valid evidence: either the check is wrong or the file changed between the runs"}},
		{"another file", []Run{sat("a", NoEvidence), rec("b", "g", Unsatisfiable, NoEvidence, 1)}, "", nil},
	} {
		v := judge(x.runs)
		var wrong []string
		for k := range v.wrong {
			wrong = append(wrong, k.solver)
		}
		slices.Sort(wrong)
		if strings.Join(wrong, " ") != x.wrong || !slices.Equal(v.faults, x.faults) {
			t.Errorf("%s: wrong are %q, %q", x.why, wrong, v.faults)
		}
	}
}

func TestReport(t *testing.T) {
	runs := []Run{
		rec("base", "1", Satisfiable, Checked, 1), rec("fast", "1", Satisfiable, NoEvidence, 0.475),
		rec("base", "2", Unsatisfiable, Checked, 2), rec("fast", "2", Unsatisfiable, NoEvidence, 0.975),
		rec("base", "3", TimeOut, NoCheck, 10.5), rec("fast", "3", Unsatisfiable, Undecided, 9),
		rec("base", "4", MemoryOut, NoCheck, 3), rec("fast", "4", Failed, NoCheck, 1),
		rec("base", "5", GaveUp, NoCheck, 1), rec("fast", "5", OutputOut, NoCheck, 1),
		rec("base", "left", Satisfiable, Checked, 1),
	}
	p := NewReport(runs, nil, "base", CPU)
	if p.Files != 5 || p.Skipped != 1 || p.Rounds != 1 || p.Limit != 10*time.Second || p.Faults != nil {
		t.Errorf("%+v", p)
	}
	if p.Rows[0].Solver != "fast" || p.Rows[1].Solver != "base" {
		t.Fatalf("%v", p.Rows)
	}
	// The intervals of PAR-2 are the 2.5 % and 97.5 % quantiles of the means of all 5^5 samples of the five costs.
	tables := map[string]*table{}
	for _, x := range p.tables() {
		tables[x.title] = x
	}
	for title, want := range map[string][]string{
		"Answers": {
			"solver|solved|sat|no model|unsat proven|unsat unproven|time out|memory out|gave up|failed",
			"fast|3|1|1|0|2|0|0|0|2",
			"base|2|1|0|1|0|1|1|1|0",
		},
		"Time and memory": {
			"solver|PAR-2 (s)|common|time ratio|memory ratio",
			"fast|10.09 [2.38, 17.80]|2|0.50 [0.50, 0.50]|1.00 [1.00, 1.00]",
			"base|12.60 [5.00, 20.00]|2|1.00 [1.00, 1.00]|1.00 [1.00, 1.00]",
			"virtual best|10.09 [2.38, 17.80]|-|-|-",
		},
		"Contributions to the virtual best solver": {
			"without|only it solves|fastest on|PAR-2 of the rest (s)|loss (s)",
			"fast|1|3|12.60|2.51",
			"base|0|0|10.09|0.00",
		},
		"Paired tests": {
			"A-B|n|A faster|B faster|time A / time B|p|Holm|only A|only B|p solved|Holm solved",
			"fast-base|3|3|0|0.50 [0.50, 0.50]|0.250|0.250|1|0|1.000|1.000",
		},
	} {
		x := tables[title]
		if x == nil {
			t.Errorf("no table %s", title)
			continue
		}
		for i, row := range slices.Concat([][]string{x.columns}, x.rows) {
			if got := strings.Join(row, "|"); i >= len(want) || got != want[i] {
				t.Errorf("%s, row %d: %s", title, i, got)
			}
		}
		delete(tables, title)
	}
	for title := range tables {
		t.Errorf("table %s", title)
	}
	// Wall-clock times are twice the CPU times, with a limit of their own.
	if p := NewReport(runs, []string{"fast"}, "base", Wall); p.Base != "fast" || len(p.Rows) != 1 || math.Abs(p.Rows[0].PAR2.Value-(0.95+1.95+18+400)/5) > 1e-9 {
		t.Errorf("%+v", p)
	}
}

// A wrong answer is reported first and does not count as solved.
func TestReportWrong(t *testing.T) {
	p := NewReport([]Run{
		rec("a", "1", Satisfiable, Checked, 1), rec("b", "1", Unsatisfiable, NoEvidence, 1),
	}, nil, "", CPU)
	for _, write := range []func(*bytes.Buffer){
		func(b *bytes.Buffer) { p.WriteText(b) },
		func(b *bytes.Buffer) { p.WriteMarkdown(b, nil, "") },
	} {
		var b bytes.Buffer
		write(&b)
		// In Markdown the title comes before.
		_, after, markdown := strings.Cut(b.String(), "# Comparison of a and b\n\n")
		if !markdown {
			after = b.String()
		}
		if first, _, _ := strings.Cut(after, "\n"); !strings.Contains(first, "WRONG: b answered UNSATISFIABLE for 1") {
			t.Errorf("the first line is %s", first)
		}
	}
	row := p.Rows[1]
	if row.Solver != "b" || row.Solved() != 0 || row.Wrong != 1 || row.PAR2.Value != 20 || row.Common != 0 || !math.IsNaN(row.TimeRatio.Value) {
		t.Errorf("%+v", row)
	}
}

// The median of several rounds counts; a wrong answer in any round counts.
func TestReportRounds(t *testing.T) {
	rounds := func(runs ...Run) []Run {
		for i := range runs {
			runs[i].Round = i + 1
		}
		return runs
	}
	out := rec("a", "f", TimeOut, NoCheck, 10)
	for _, x := range []struct {
		runs   []Run
		par2   float64
		solved int
	}{
		{rounds(rec("a", "f", Satisfiable, Checked, 3), rec("a", "f", Satisfiable, Checked, 1), rec("a", "f", Satisfiable, Checked, 2)), 2, 1},
		{rounds(out, rec("a", "f", Satisfiable, Checked, 1), rec("a", "f", Satisfiable, Checked, 2)), 2, 1},
		{rounds(out, rec("a", "f", Satisfiable, Checked, 1), out), 20, 0},
		{rounds(rec("a", "f", Satisfiable, Checked, 4), rec("a", "f", Satisfiable, Checked, 3)), 3, 1},
		{rounds(rec("a", "f", Satisfiable, Checked, 3), rec("a", "f", Satisfiable, Refuted, 1), rec("a", "f", Satisfiable, Checked, 2)), 20, 0},
	} {
		row := NewReport(x.runs, nil, "", CPU).Rows[0]
		if math.Abs(row.PAR2.Value-x.par2) > 1e-9 || row.Solved() != x.solved {
			t.Errorf("PAR-2 is %v, solved %d; want %v, %d", row.PAR2, row.Solved(), x.par2, x.solved)
		}
	}
}

func TestFigures(t *testing.T) {
	runs := []Run{
		rec("a", "1", Satisfiable, Checked, 0), rec("b", "1", Satisfiable, Checked, 1), rec("c", "1", TimeOut, NoCheck, 10),
		rec("a", "2", Unsatisfiable, Checked, 5), rec("b", "2", TimeOut, NoCheck, 10), rec("c", "2", TimeOut, NoCheck, 10),
	}
	pictures := NewReport(runs, nil, "a", CPU).Figures()
	var names []string
	for _, p := range pictures {
		names = append(names, p.Name)
		var svg, png bytes.Buffer
		if err := p.Figure.SVG(&svg); err != nil || !bytes.Contains(svg.Bytes(), []byte("<svg")) {
			t.Errorf("%s as SVG: %v, %d bytes", p.Name, err, svg.Len())
		}
		if err := p.Figure.PNG(&png); err != nil || !bytes.HasPrefix(png.Bytes(), []byte("\x89PNG")) {
			t.Errorf("%s as PNG: %v, %d bytes", p.Name, err, png.Len())
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"cactus", "scatter-a-b", "scatter-a-c"}) {
		t.Errorf("%q", names)
	}
	if all := NewReport([]Run{runs[2], rec("a", "1", Failed, NoCheck, 1)}, nil, "", CPU).Figures(); all != nil {
		t.Errorf("no solved instances, but %d figures", len(all))
	}
}

// A report without common files has no ratios and no NaN.
func TestReportNothing(t *testing.T) {
	p := NewReport([]Run{rec("a", "1", Satisfiable, Checked, 1), rec("b", "2", Satisfiable, Checked, 1)}, nil, "", CPU)
	var b bytes.Buffer
	p.WriteText(&b)
	if text := b.String(); p.Files != 0 || p.Skipped != 2 || strings.Contains(text, "NaN") || !strings.Contains(text, "2 files skipped") {
		t.Errorf("%d files:\n%s", p.Files, text)
	}
}

func TestAbout(t *testing.T) {
	s := fake(t, "fake", "say 0 x [{proof}]")
	s.Version = "-test.list=^TestAbout$" // the first line that the test binary prints is TestAbout
	if got := s.About(false); !strings.HasPrefix(got, "fake: ") || strings.Contains(got, "{proof}") || !strings.HasSuffix(got, "(TestAbout)") {
		t.Errorf("%q", got)
	}
	if Machine() == "" {
		t.Error("empty description of the machine")
	}
	name := filepath.Join(t.TempDir(), "gone")
	if _, _, err := ReadLog(name); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}

// The cactus plot of repeated runs has a band from the fastest to the slowest run of each file, with the limit for a run
// without an answer. A single round has none.
func TestCactusBands(t *testing.T) {
	runs := []Run{
		rec("a", "1", Satisfiable, Checked, 3), rec("a", "1", Satisfiable, Checked, 1), rec("a", "1", Satisfiable, Checked, 2),
		rec("a", "2", Satisfiable, Checked, 5), rec("a", "2", TimeOut, NoCheck, 10), rec("a", "2", Satisfiable, Checked, 4),
	}
	for i := range runs {
		runs[i].Round = 1 + i%3
	}
	p := NewReport(runs, nil, "", CPU)
	for file, want := range map[string][3]float64{"1": {1, 2, 3}, "2": {4, 5, math.Inf(1)}} {
		if x := p.Rows[0].results[file]; [3]float64{x.fastest, x.time, x.slowest} != want {
			t.Errorf("file %s: %+v, want %v", file, x, want)
		}
	}
	cactus := func(p *Report) (svg string, note string) {
		f := p.Figures()[0].Figure
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			t.Fatal(err)
		}
		return b.String(), f.Note
	}
	const translucent = "fill-opacity" // only bands are
	if svg, note := cactus(p); !strings.Contains(svg, translucent) || !strings.Contains(note, "Bands: ") {
		t.Errorf("no band; the note is %s", note)
	}
	if svg, note := cactus(NewReport(runs[:1], nil, "", CPU)); strings.Contains(svg, translucent) || strings.Contains(note, "Bands: ") {
		t.Errorf("a band of one round; the note is %s", note)
	}
}
