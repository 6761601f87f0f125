package versus

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/tables"
)

// randomRuns returns runs of solvers on files, about a third of them without an answer.
func randomRuns(r *rand.Rand, solvers, files int) []Run {
	var runs []Run
	for f := range files {
		for s := range solvers {
			x := rec(string(rune('a'+s)), fmt.Sprint(f), Unsatisfiable, NoEvidence, 0.1*float64(1+r.IntN(99)))
			if r.IntN(3) == 0 {
				x.Outcome, x.Check = TimeOut, NoCheck
			}
			runs = append(runs, x)
		}
	}
	return runs
}

// TestBest compares the virtual best solver and the contributions with their definitions, written without the report.
func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 5 {
		const files = 12
		runs := randomRuns(r, 3, files)
		score := func(among string) (score float64, solved int) {
			best := map[string]float64{}
			for _, x := range runs {
				if at, ok := best[x.File]; strings.Contains(among, x.Solver) && x.Outcome == Unsatisfiable && (!ok || x.CPU.Seconds() < at) {
					best[x.File] = x.CPU.Seconds()
				}
			}
			score = 20 * float64(files-len(best))
			for _, x := range best {
				score += x
			}
			return score / files, len(best)
		}
		p := NewReport(runs, nil, "", CPU)
		all, solved := score("abc")
		if math.Abs(p.Best.PAR2.Value-all) > 1e-9 || p.Best.Solved != solved {
			t.Errorf("virtual best: %v, %d solved; want %v, %d", p.Best.PAR2, p.Best.Solved, all, solved)
		}
		for i, c := range p.Contributions {
			rest, restSolved := score(strings.ReplaceAll("abc", c.Solver, ""))
			if c.Solver != p.Rows[i].Solver || math.Abs(c.Without-rest) > 1e-9 || math.Abs(c.Loss-(rest-all)) > 1e-9 || c.Only != solved-restSolved {
				t.Errorf("%+v; want %v without, %v loss, %d alone", c, rest, rest-all, solved-restSolved)
			}
		}
	}
}

// One solver has no virtual best, no contribution and no pairs.
func TestBestOfOne(t *testing.T) {
	p := NewReport([]Run{rec("a", "1", Satisfiable, Checked, 1)}, nil, "", CPU)
	if p.Best != nil || p.Contributions != nil || p.Pairs != nil {
		t.Errorf("%+v", p)
	}
}

// TestPairs has pairs whose p-values follow from counting: the signed-rank test of 6 differences of one sign has
// p = 2/2^6, and 14/2^6 if the difference of rank 4 has the other sign, because 7 sets of ranks have a sum of at most 4.
// McNemar's test of 5 files of one solver has p = 2/2^5.
func TestPairs(t *testing.T) {
	var runs []Run
	for i := range 6 {
		file := fmt.Sprint(i)
		runs = append(runs, rec("a", file, Satisfiable, Checked, 1+0.5*float64(i)), rec("b", file, Satisfiable, Checked, 2.05+float64(i)))
		slow := rec("c", file, TimeOut, NoCheck, 10)
		if i == 0 {
			slow = rec("c", file, Satisfiable, Checked, 1)
		}
		runs = append(runs, slow)
	}
	p := NewReport(runs, nil, "", CPU)
	for i, want := range []Pair{
		{A: "a", B: "b", Files: 6, Faster: 6, Common: 6, Ratio: Estimate{0.5, 0.5, 0.5}, P: 0.03125, Holm: 0.09375, PSolved: 1, HolmSolved: 1},
		{A: "a", B: "c", Files: 6, Faster: 5, Common: 1, Ratio: Estimate{1, 1, 1}, OnlyA: 5, P: 0.0625, Holm: 0.125, PSolved: 0.0625, HolmSolved: 0.1875},
		{A: "b", B: "c", Files: 6, Faster: 5, Slower: 1, Common: 1, Ratio: Estimate{2, 2, 2}, OnlyA: 5, P: 0.21875, Holm: 0.21875, PSolved: 0.0625, HolmSolved: 0.1875},
	} {
		got := p.Pairs[i]
		for _, x := range [][2]float64{{got.Ratio.Value, want.Ratio.Value}, {got.P, want.P}, {got.Holm, want.Holm}, {got.PSolved, want.PSolved}, {got.HolmSolved, want.HolmSolved}} {
			if math.Abs(x[0]-x[1]) > 1e-9 {
				t.Errorf("%s: %v, want %v", want.name(), x[0], x[1])
			}
		}
		got.Ratio, got.P, got.Holm, got.PSolved, got.HolmSolved = want.Ratio, want.P, want.Holm, want.PSolved, want.HolmSolved
		if got != want {
			t.Errorf("%+v\nwant %+v", got, want)
		}
	}
}

// The results of each two solvers do not depend on the order of the files, and swapping two solvers swaps the columns.
func TestPairsSymmetry(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	runs := randomRuns(r, 2, 40)
	p := NewReport(runs, nil, "", CPU)
	a, b, files := &p.Rows[0], &p.Rows[1], []string{}
	for file := range a.results {
		files = append(files, file)
	}
	slices.Sort(files)
	x, y := p.pairOf(a, b, files), p.pairOf(b, a, files)
	if x.Faster != y.Slower || x.OnlyA != y.OnlyB || math.Abs(x.P-y.P) > 1e-12 || x.PSolved != y.PSolved || math.Abs(x.Ratio.Value*y.Ratio.Value-1) > 1e-9 {
		t.Errorf("%+v\n%+v", x, y)
	}
	if x.OnlyA+x.OnlyB+x.Common != x.Files || x.OnlyA+x.OnlyB == 0 {
		t.Errorf("%+v", x)
	}
}

func TestFamilies(t *testing.T) {
	for _, x := range []struct {
		files  string
		listed map[string]string
		want   string
	}{
		{"bmc__a.cnf __b.cnf", nil, "bmc __b.cnf"},
		{"uf250-01.cnf php-8.cnf 2sat-3000.cnf 17.cnf hole9 -x", nil, "uf php 2sat 17 hole -x"},
		{"x/a-1.cnf y/a-2.cnf x/bmc__1.cnf", nil, "x y bmc"},
		{"x/a-1.cnf x/b-2.cnf", nil, "a b"},
		{"a-1 bmc__1", map[string]string{"bmc__1": "hardware"}, "a hardware"},
	} {
		families := familiesOf(strings.Fields(x.files), x.listed)
		var got []string
		for _, file := range strings.Fields(x.files) {
			got = append(got, families[file])
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s: %q, want %s", x.files, got, x.want)
		}
	}
}

// The families have all files, and the mean of their scores, weighted with their files, is the score of the solver.
func TestFamilyTable(t *testing.T) {
	runs := randomRuns(rand.New(rand.NewPCG(15, 16)), 3, 30)
	for i := range runs {
		runs[i].Family = []string{"large", "small", "large"}[len(runs[i].File)] // the files have one or two digits
	}
	p := NewReport(runs, nil, "", CPU)
	if len(p.Families) != 2 || p.Families[0].Name != "large" || p.Families[0].Files != 20 || p.Families[1].Files != 10 {
		t.Fatalf("%+v", p.Families)
	}
	for i, row := range p.Rows {
		mean, solved := 0.0, 0
		for _, f := range p.Families {
			mean += f.PAR2[i] * float64(f.Files) / 30
			solved += f.Solved[i]
		}
		if math.Abs(mean-row.PAR2.Value) > 1e-9 || solved != row.Solved() {
			t.Errorf("%s: %v, %d solved; want %v, %d", row.Solver, mean, solved, row.PAR2.Value, row.Solved())
		}
	}
	if last := p.tables()[4]; last.title != "Families" || len(last.rows) != 2 || len(last.columns) != 6 {
		t.Errorf("%+v", last)
	}
}

// Answers UNSATISFIABLE with and without a checked proof are counted apart, and the summary says whether proofs were
// requested.
func TestProven(t *testing.T) {
	runs := []Run{
		rec("a", "1", Unsatisfiable, Checked, 1), rec("a", "2", Unsatisfiable, Undecided, 1), rec("a", "3", Satisfiable, NoEvidence, 1),
		rec("b", "1", Unsatisfiable, NoEvidence, 2), rec("b", "2", TimeOut, NoCheck, 10), rec("b", "3", Satisfiable, Checked, 3),
	}
	sentence := func() string { return NewReport(runs, nil, "", CPU).Summary()[2] }
	row := NewReport(runs, nil, "", CPU).Rows[0]
	if row.Solver != "a" || row.Unsat != 2 || row.Proven != 1 || row.NoModel != 1 {
		t.Errorf("%+v", row)
	}
	if want := "none of 3 answers UNSATISFIABLE has a checked proof, because proofs were not requested (--proofs)."; !strings.HasSuffix(sentence(), want) {
		t.Errorf("%s", sentence())
	}
	for i := range runs {
		runs[i].Command = "x {file} {proof}"
	}
	if want := "No answer was found wrong: the models of 1 of 2 answers SATISFIABLE were checked, and the proofs of 1 of 3 answers UNSATISFIABLE."; sentence() != want {
		t.Errorf("%s", sentence())
	}
}

// A load is noted, and with a high one the report warns.
func TestLoad(t *testing.T) {
	idle := []Run{rec("a", "1", Satisfiable, Checked, 1), rec("a", "2", Satisfiable, Checked, 1)}
	for i := range idle {
		idle[i].Wall = idle[i].CPU
	}
	others, waiting, unknown := slices.Clone(idle), slices.Clone(idle), slices.Clone(idle)
	others[0].Others = 2
	waiting[1].Wall *= 3
	unknown[0].Others, unknown[1].Others = unknownLoad, unknownLoad
	for _, x := range []struct {
		runs []Run
		want string
	}{
		{idle, "load: other processes kept 0.00 cores busy on average, and the solvers waited for 0 % of the wall-clock time"},
		{others, "WARNING: the machine was loaded: other processes kept 1.00 cores busy on average, and the solvers waited for 0 % of the wall-clock time; CPU time"},
		{waiting, "WARNING: the machine was loaded: other processes kept 0.00 cores busy on average, and the solvers waited for 50 % of"},
		{unknown, "load: the solvers waited for 0 %"},
	} {
		p := NewReport(x.runs, nil, "", CPU)
		for _, write := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return p.WriteText(b) },
			func(b *bytes.Buffer) error { return p.WriteMarkdown(b, nil, "") },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil || !strings.Contains(b.String(), x.want) {
				t.Errorf("want %q in\n%s", x.want, b.String())
			}
		}
	}
	short := idle[:1]
	short[0].Wall = minLoadTime / 2
	if notes := NewReport(short, nil, "", CPU).notes(); len(notes) != 0 {
		t.Errorf("%q", notes)
	}
}

func TestTables(t *testing.T) {
	t1 := &table{columns: []string{"name", "x", "y", "z"}}
	t1.add("a", 0, 1, 0)
	if tables.Uniform(t1.rows) {
		t.Error("a single row is uniform")
	}
	t1.add("b", 0, 1, 0)
	if !tables.Uniform(t1.rows) {
		t.Error("equal rows are not uniform")
	}
	t1.dropEmpty("0", "x", "y")
	if got := fmt.Sprint(t1.columns, t1.rows); got != "[name y z] [[a 1 0] [b 1 0]]" {
		t.Error(got)
	}
	t1.add("b", 2, 0)
	if tables.Uniform(t1.rows) {
		t.Error("different rows are uniform")
	}
	long := strings.Repeat("word ", 30)
	for line := range strings.Lines(cli.WrapText(long, textWidth)) {
		if len(line) > textWidth+1 {
			t.Errorf("line of %d bytes", len(line))
		}
	}
	if strings.Join(strings.Fields(cli.WrapText(long, textWidth)), " ") != strings.TrimSpace(long) {
		t.Error("wrapping changed the words")
	}
}
