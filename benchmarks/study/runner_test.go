package study

import (
	"bytes"
	"context"
	"errors"
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

// somePuzzles are puzzles of the paper's experiment.
func somePuzzles(t testing.TB) []*sudoku.Grid {
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

// paperLevels are those of the paper's program beside DPLL.
var paperLevels = map[string]string{"propagation": "single-round,fixpoint", "accumulate": "yes", "across": "yes", "heuristic": "first,jw1,jw2,moh,mom,random", "add": "0,6"}

// paperPlan is a plan with lanes and without.
func paperPlan(t testing.TB) *Plan {
	t.Helper()
	p, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: somePuzzles(t), Source: "three puzzles", Levels: paperLevels, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// all does a plan in a folder and returns the file of rows.
func all(t testing.TB, p *Plan, dir string, jobs int) []byte {
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
	one := all(t, paperPlan(t), t.TempDir(), 1)
	if n := bytes.Count(one, []byte("\n")); n != 1+paperPlan(t).Len() || n < 60 {
		t.Errorf("there are %d lines for %d runs", n, paperPlan(t).Len())
	}
	if four := all(t, paperPlan(t), t.TempDir(), 4); !bytes.Equal(one, four) {
		t.Error("with four jobs the rows differ")
	}
}

// Whatever was lost of the end of the rows, and whatever was saved of the weights
// before, the same rows come out.
func TestResume(t *testing.T) {
	p := paperPlan(t)
	dir := t.TempDir()
	want := all(t, p, dir, 2)
	weights, err := os.ReadFile(filepath.Join(dir, weightsFile))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 3 {
		if err := os.WriteFile(filepath.Join(dir, rowsFile), want[:r.IntN(len(want))], 0o666); err != nil {
			t.Fatal(err)
		}
		os.Remove(filepath.Join(dir, weightsFile))
		if got := all(t, p, dir, 2); !bytes.Equal(got, want) {
			t.Fatal("the rows differ")
		}
		if got, _ := os.ReadFile(filepath.Join(dir, weightsFile)); !bytes.Equal(got, weights) {
			t.Fatal("the weights differ")
		}
	}
}

// A runner that is stopped in the middle is gone on with from the weights that it
// had saved.
func TestResumeFromWeights(t *testing.T) {
	p := paperPlan(t)
	want := all(t, p, t.TempDir(), 2)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rec, err := openRecorder(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	stopping := &Runner{Plan: p, Dir: dir, Jobs: 1, Untimed: true, Progress: func(done int) {
		if done == 40 {
			cancel()
		}
	}}
	rec.close()
	if _, err := stopping.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	// As if the weights had been saved after 30 rows, and the rows went on.
	s := &schedule{}
	rec, err = openRecorder(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.rows) < 40 {
		t.Fatalf("%d rows were written", len(rec.rows))
	}
	if err := s.plan(p, rec); err != nil {
		t.Fatal(err)
	}
	b := newBench()
	for _, task := range s.tasks {
		if task.lane != nil && task.run.number < 30 {
			task.do(context.Background(), p.study, b, true)
			task.lane.saved = laneState{task.lane.saved.Runs + 1, task.after}
		}
	}
	if err := rec.saveLanes(s.states()); err != nil {
		t.Fatal(err)
	}
	rec.close()
	if got := all(t, p, dir, 2); !bytes.Equal(got, want) {
		t.Fatal("the rows differ")
	}
}

// TestKilled kills a process that does a study, several times at random moments.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("STUDY_TO_BE_KILLED"); dir != "" {
		all(t, paperPlan(t), dir, 2)
		return
	}
	begin := time.Now()
	want := all(t, paperPlan(t), t.TempDir(), 2)
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
	if got := all(t, paperPlan(t), dir, 2); !bytes.Equal(got, want) {
		t.Errorf("after being killed %d times the rows differ", killed)
	}
}

// A study may not be gone on with in the folder of another one, nor with rows
// that somebody has changed.
func TestOtherRows(t *testing.T) {
	p := paperPlan(t)
	dir := t.TempDir()
	whole := string(all(t, p, dir, 2))
	lines := strings.SplitAfter(whole, "\n")
	for _, tt := range []struct {
		name, rows, want string
	}{
		{"another header", strings.Replace(whole, "puzzle", "formula", 1), "line 1: these are not the rows of this study"},
		{"a line left out", lines[0] + strings.Join(lines[2:], ""), "line 2: these are not the rows of this study"},
		{"a line too many", whole + lines[1], "there are more rows than runs"},
		{"a column less", lines[0] + "1,24\n", "line 2: there are 2 columns, not"},
		{"no answer", lines[0] + strings.Replace(lines[1], "sat", "perhaps", 1), `"perhaps" is no answer`},
		{"a count that is none", lines[0] + strings.Replace(lines[1], "sat,", "sat,x", 1), "invalid syntax"},
	} {
		if err := os.WriteFile(filepath.Join(dir, rowsFile), []byte(tt.rows), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := (&Runner{Plan: p, Dir: dir, Untimed: true}).Do(context.Background())
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, not %q", tt.name, err, tt.want)
		}
	}
	os.Remove(filepath.Join(dir, weightsFile))
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, ",yes,yes,-,0,-,jw1,sat,") })
	changed := slices.Clone(lines[:len(lines)-3])
	changed[at] = strings.Replace(changed[at], "sat,", "sat,9", 1)
	if err := os.WriteFile(filepath.Join(dir, rowsFile), []byte(strings.Join(changed, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Runner{Plan: p, Dir: dir, Untimed: true}).Do(context.Background()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("row %d does not come out the same", at)) {
		t.Errorf("with a row of a lane changed the error is %v", err)
	}
	other, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: somePuzzles(t), Levels: paperLevels, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Runner{Plan: other, Dir: dir}).Do(context.Background()); err == nil || !strings.Contains(err.Error(), "has another study") {
		t.Errorf("with another seed the error is %v", err)
	}
}

func TestPlan(t *testing.T) {
	plan := func(levels map[string]string) (int, error) {
		p, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: somePuzzles(t), Levels: levels})
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
		{map[string]string{"heuristic": "all", "engine": "cdcl"}, 3},                        // learning has no heuristic
		{map[string]string{"heuristic": "all", "propagation": "single-round"}, 3 * 6},       // the paper has six
		{map[string]string{"heuristic": "mom,random", "draw": "1,2,3"}, 3 * 4},              // mom does not draw
		{map[string]string{"heuristic": "mom", "propagation": "all", "pure": "all"}, 3 * 4}, // single rounds know no pure literals
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
		{map[string]string{"heuristic": "mom,best"}, `--heuristic: there is no "best"; there are dlcs`},
		{map[string]string{"heuristic": "mom,mom"}, "--heuristic: mom stands there twice"},
		{map[string]string{"add": "-1"}, `--add: "-1" is no whole number from 0 to 10000`},
		{map[string]string{"height": "1"}, "--height: the study has no such factor"},
		{map[string]string{"heuristic": "random", "propagation": "single-round"}, "there is nothing to run"},
	} {
		if _, err := plan(tt.levels); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: the error is %v, not %q", tt.levels, err, tt.want)
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
			t.Errorf("the error is %v, not %q", err, tt.want)
		}
	}
}

// A panic in a run is one of the caller.
func TestPanic(t *testing.T) {
	s := &Study{Name: "test", Subject: "n", Factors: []Factor{{Name: "f", Default: []string{"1"}, Max: 9}},
		subjects: func(context.Context, *Options) ([]*Subject, error) { return []*Subject{{}, {}}, nil },
		measure:  func(context.Context, *bench, *Run, *Weights) Outcome { panic("as asked") },
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

// A row that is read is the one that was written.
func TestRowsRead(t *testing.T) {
	p := paperPlan(t)
	row := &Row{p.runs[5], Outcome{Answer: dimacs.Unknown, Evaluations: 1, Decisions: 2, Backtracks: 3, Conflicts: 4, Propagations: 5, Depth: 6,
		Capped: true, Seconds: 0.25, About: []string{"24", "no"}, More: []int64{}}}
	got, err := p.runs[5].parse(row.fields())
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got.Outcome) != fmt.Sprint(row.Outcome) {
		t.Errorf("%+v is read as %+v", row.Outcome, got.Outcome)
	}
}
