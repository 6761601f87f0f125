package study

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/text"
)

// samplePuzzles returns three puzzles of the paper's experiment.
func samplePuzzles(t testing.TB) []*sudoku.Grid {
	t.Helper()
	const lines = `.94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8
............942.8.16.....29........89.6.....14..25......4.......2...8.9..5....7..
.....7....9...1.......45..6....2.....36...41.5.....8.9........4....18....815...32
`
	var puzzles []*sudoku.Grid
	for in := text.NewReader(strings.NewReader(lines), "test"); ; {
		p, err := in.Next()
		if err != nil {
			return puzzles
		}
		puzzles = append(puzzles, p.Grid)
	}
}

// paperLevels includes the paper's program and DPLL.
var paperLevels = map[string]string{"propagation": "single-round,fixpoint", "accumulate": "yes", "across": "yes", "heuristic": "first,jw1,jw2,moh,mom,random", "add": "0,6"}

// paperPlan returns a plan with independent runs and runs in chains.
func paperPlan(t testing.TB) *Plan {
	t.Helper()
	p, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: samplePuzzles(t), Source: "three puzzles", Levels: paperLevels, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runAll executes a plan in a directory and returns the content of the file of
// rows.
func runAll(t testing.TB, p *Plan, dir string, jobs int) []byte {
	t.Helper()
	if _, err := (&Runner{Plan: p, Dir: dir, Jobs: jobs, Untimed: true}).Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, rowsFile))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestJobs(t *testing.T) {
	one := runAll(t, paperPlan(t), t.TempDir(), 1)
	if n := bytes.Count(one, []byte("\n")); n != 1+paperPlan(t).Len() || n < 60 {
		t.Errorf("%d lines for %d runs", n, paperPlan(t).Len())
	}
	if four := runAll(t, paperPlan(t), t.TempDir(), 4); !bytes.Equal(one, four) {
		t.Error("with four jobs the rows differ")
	}
}

// A study resumes with the same rows after any truncation of the rows.
func TestResume(t *testing.T) {
	p := paperPlan(t)
	dir := t.TempDir()
	want := runAll(t, p, dir, 2)
	r := rand.New(rand.NewPCG(5, 6))
	for range 3 {
		if err := os.WriteFile(filepath.Join(dir, rowsFile), want[:r.IntN(len(want))], 0o666); err != nil {
			t.Fatal(err)
		}
		if got := runAll(t, p, dir, 2); !bytes.Equal(got, want) {
			t.Fatal("the rows differ")
		}
	}
}

// TestKilled kills a process several times at random moments.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("STUDY_TO_BE_KILLED"); dir != "" {
		runAll(t, paperPlan(t), dir, 2)
		return
	}
	begin := time.Now()
	want := runAll(t, paperPlan(t), t.TempDir(), 2)
	took := time.Since(begin)
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(7, uint64(begin.UnixNano())))
	killed := 0
	for range 5 {
		process := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
		process.Env = append(os.Environ(), "STUDY_TO_BE_KILLED="+dir)
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(took/2)))+20*time.Millisecond, func() { process.Process.Kill() })
		if process.Wait() != nil {
			killed++
		}
		timer.Stop()
	}
	if got := runAll(t, paperPlan(t), dir, 2); !bytes.Equal(got, want) {
		t.Errorf("after being killed %d times the rows differ", killed)
	}
}

// A directory with rows of another plan, or with changed rows, is rejected.
func TestOtherRows(t *testing.T) {
	p := paperPlan(t)
	dir := t.TempDir()
	whole := string(runAll(t, p, dir, 2))
	lines := strings.SplitAfter(whole, "\n")
	for _, tt := range []struct {
		name, rows, want string
	}{
		{"another header", strings.Replace(whole, "puzzle", "formula", 1), "line 1: not a row of this study"},
		{"a line left out", lines[0] + strings.Join(lines[2:], ""), "line 2: not a row of this study"},
		{"a line too many", whole + lines[1], "more rows than runs"},
		{"a column less", lines[0] + "1,24\n", "line 2: 2 columns, want"},
		{"a quote alone", lines[0] + "\"\n", "line 2, column "},
		{"a bare quote in the first field", lines[0] + "1\"2,3\n", "line 2, column 2: bare "},
		{"a quote that begins a row", lines[0] + lines[1] + "\"1,2\n", "line 3, column "},
		{"an invalid answer", lines[0] + strings.Replace(lines[1], "sat", "perhaps", 1), `invalid answer "perhaps"`},
		{"an invalid count", lines[0] + strings.Replace(lines[1], "sat,", "sat,x", 1), "invalid syntax"},
	} {
		if err := os.WriteFile(filepath.Join(dir, rowsFile), []byte(tt.rows), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := (&Runner{Plan: p, Dir: dir, Untimed: true}).Do(context.Background())
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, ",yes,yes,-,0,-,jw1,sat,") })
	changed := slices.Clone(lines[:2*len(lines)/3]) // the chains have runs of the last puzzle left
	changed[at] = strings.Replace(changed[at], "sat,", "sat,9", 1)
	if err := os.WriteFile(filepath.Join(dir, rowsFile), []byte(strings.Join(changed, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Runner{Plan: p, Dir: dir, Untimed: true}).Do(context.Background()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("row %d is not reproducible", at)) {
		t.Errorf("with a row of a lane changed error %v", err)
	}
	other, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: samplePuzzles(t), Levels: paperLevels, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Runner{Plan: other, Dir: dir}).Do(context.Background()); err == nil || !strings.Contains(err.Error(), "has another study") {
		t.Errorf("with another seed error %v", err)
	}
}

func TestPlan(t *testing.T) {
	plan := func(levels map[string]string) (int, error) {
		p, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: samplePuzzles(t), Levels: levels})
		if err != nil {
			return 0, err
		}
		return p.Len(), nil
	}
	for _, tt := range []struct {
		levels map[string]string
		want   int
	}{
		{nil, 3 * 8},
		{map[string]string{"heuristic": "mom"}, 3},
		{map[string]string{"heuristic": "all", "engine": "cdcl"}, 3},                        // clause learning has no heuristics
		{map[string]string{"heuristic": "all", "propagation": "single-round"}, 3 * 6},       // the paper has six
		{map[string]string{"heuristic": "mom,random", "draw": "1,2,3"}, 3 * 4},              // mom does not draw
		{map[string]string{"heuristic": "mom", "propagation": "all", "pure": "all"}, 3 * 4}, // single rounds have no pure literals
		{map[string]string{"heuristic": "mom", "add": "0, 5"}, 3 * 2},
	} {
		if n, err := plan(tt.levels); n != tt.want || err != nil {
			t.Errorf("%v: %d runs, %v; not %d", tt.levels, n, err, tt.want)
		}
	}
	for _, tt := range []struct {
		levels map[string]string
		want   string
	}{
		{map[string]string{"heuristic": "mom,best"}, `--heuristic: invalid level "best": want one of dlcs`},
		{map[string]string{"heuristic": "mom,mom"}, "--heuristic: duplicate level mom"},
		{map[string]string{"add": "-1"}, `--add: invalid level "-1": want an integer from 0 to 10000`},
		{map[string]string{"height": "1"}, "--height: unknown factor"},
		{map[string]string{"heuristic": "random", "propagation": "single-round"}, "no valid combination"},
	} {
		if _, err := plan(tt.levels); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want %q", tt.levels, err, tt.want)
		}
	}
}

func TestPuzzlesMustBeGood(t *testing.T) {
	rules := sudoku.Must(sudoku.Standard(4))
	several, none := sudoku.NewGrid(rules), sudoku.NewGrid(rules)
	none.Cells[0], none.Cells[1] = 1, 1
	for _, tt := range []struct {
		g    *sudoku.Grid
		want string
	}{{several, "puzzle 1 has several solutions"}, {none, "puzzle 1 has no solution"}} {
		_, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: []*sudoku.Grid{tt.g}})
		if err == nil || err.Error() != tt.want {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

// A panic in a run is raised in the caller of Do.
func TestPanic(t *testing.T) {
	s := &Study{Name: "test", Subject: "n", Factors: []Factor{{Name: "f", Default: []string{"1"}, Max: 9}},
		subjects: func(context.Context, *Options) ([]*Subject, error) { return []*Subject{{}, {}}, nil },
		measure:  func(context.Context, *cache, *Run, *Weights) Outcome { panic("as asked") },
	}
	p, err := NewPlan(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "as asked") {
			t.Errorf("it panics with %q", got)
		}
	}()
	(&Runner{Plan: p, Dir: t.TempDir()}).Do(context.Background())
}

// A row is parsed back from its fields.
func TestRowsRead(t *testing.T) {
	p := paperPlan(t)
	row := &Row{p.runs[5], Outcome{Answer: dimacs.Unknown, Evaluations: 1, Decisions: 2, Backtracks: 3, Conflicts: 4, Propagations: 5, Depth: 6,
		Capped: true, Seconds: 0.25, Attributes: []string{"24", "no"}, Extra: []int64{}}}
	got, err := p.runs[5].parse(row.fields())
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got.Outcome) != fmt.Sprint(row.Outcome) {
		t.Errorf("%+v is parsed as %+v", row.Outcome, got.Outcome)
	}
}
