package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/effort"
)

// A fakeSolver returns the answer of a test.
type fakeSolver struct {
	stats  cdcl.Stats
	status dimacs.Status
	model  dimacs.Model
	panics bool
	solve  func(ctx context.Context) dimacs.Status
}

func (s *fakeSolver) Model() dimacs.Model            { return s.model }
func (s *fakeSolver) Failed() []dimacs.Lit           { return nil }
func (s *fakeSolver) Limit(int64)                    {}
func (s *fakeSolver) Statistics() engines.Statistics { return &engines.CDCLStatistics{Stats: s.stats} }
func (s *fakeSolver) Load(context.Context, *dimacs.Formula, int, int, int) bool {
	return true
}
func (s *fakeSolver) Solve(ctx context.Context, _ ...dimacs.Lit) dimacs.Status {
	switch {
	case s.panics:
		panic("deliberate")
	case s.solve != nil:
		return s.solve(ctx)
	}
	return s.status
}

// withEngine adds an engine to the table for the duration of a test.
func withEngine(t *testing.T, name string, s engines.Solver) {
	t.Helper()
	n := len(engines.All)
	engines.All = append(engines.All, engines.All[0])
	engines.All[n].Name, engines.All[n].Read = name, fakeSetup(func(engines.Hooks) engines.Solver { return s })
	t.Cleanup(func() { engines.All = engines.All[:n] })
}

// fakeSetup returns a setup without flags that starts solvers with start.
func fakeSetup(start func(engines.Hooks) engines.Solver) func(*cli.Context) (engines.Setup, error) {
	return func(*cli.Context) (engines.Setup, error) { return startFake(start), nil }
}

type startFake func(engines.Hooks) engines.Solver

func (f startFake) List() engines.Properties    { return nil }
func (f startFake) Footprint(_, _, _ int) int64 { return 0 }
func (f startFake) Choose(*formula.Input) (engines.Choice, error) {
	return engines.Choice{Engine: "fake", Setup: f}, nil
}
func (f startFake) Start(w engines.Hooks) engines.Solver { return f(w) }

// A fullSolver cannot hold the formula.
type fullSolver struct{ fakeSolver }

func (*fullSolver) Err() error { return cdcl.ErrFull }

// TestFullSolver checks that the reason of an unknown answer is that the formula is too large
// for the engine, not a limit that was not reached.
func TestFullSolver(t *testing.T) {
	withEngine(t, "full", &fullSolver{})
	f := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	for _, flags := range [][]string{{}, {"--conflicts", "5"}} {
		code, stdout, _ := execute(t, &cli.Env{}, append([]string{"solve", "--engine", "full", f}, flags...)...)
		if want := " s: " + cdcl.ErrFull.Error() + "\ns UNKNOWN\n"; code != 0 || !strings.HasSuffix(stdout, want) {
			t.Errorf("%v: exit code %d\n%swant the end%s", flags, code, stdout, want)
		}
	}
}

// TestWrongModel checks that a model that falsifies a clause or an assumption is an
// internal error and is not printed.
func TestWrongModel(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 2 2\n1 2 0\n-1 2 0\n")
	for _, tt := range []struct {
		name  string
		model dimacs.Model
		args  []string
		says  string
	}{
		{"clause", dimacs.Model{dimacs.True, dimacs.False}, nil, "does not satisfy clause 2, -1 2 0"},
		{"partial", dimacs.Model{dimacs.True}, nil, "does not satisfy clause 2, -1 2 0"},
		{"assumption", dimacs.Model{dimacs.True, dimacs.True}, []string{"--assume=-1"}, "does not satisfy the assumption -1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			withEngine(t, "liar", &fakeSolver{status: dimacs.Satisfiable, model: tt.model})
			for _, flag := range []string{"--json", "--no-model", "--quiet"} {
				args := append([]string{"solve", file, "--engine=liar", flag}, tt.args...)
				code, out, errs := execute(t, new(cli.Env), args...)
				if code != cli.CodeInternal || strings.Contains(out, "SATISFIABLE") || !strings.Contains(errs, tt.says) {
					t.Errorf("%v: exit code %d\nstandard output:\n%s\nstandard error:\n%s", args, code, out, errs)
				}
			}
		})
	}
}

// untilDone is a search that ends when its context does.
func untilDone(ctx context.Context) dimacs.Status {
	<-ctx.Done()
	return dimacs.Unknown
}

func TestTimeLimit(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	silent, open := io.Pipe() // a standard input that blocks
	defer open.Close()
	withEngine(t, "slow", &fakeSolver{solve: untilDone})
	for _, args := range [][]string{
		{"solve", "--engine=slow", "--time=0.1", file},
		{"solve", "--time", "100ms", "-"},
	} {
		code, out, errs := execute(t, &cli.Env{Stdin: silent}, args...)
		if code != 0 || errs != "" || !strings.HasSuffix(out, ": time limit of 100ms\ns UNKNOWN\n") {
			t.Errorf("%v: exit code %d\nstandard output:\n%s\nstandard error:\n%s", args, code, out, errs)
		}
	}
}

// TestMemoryLimit checks that --memory ends a search above the limit, and not below.
func TestMemoryLimit(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	debug.FreeOSMemory() // memory of other tests
	limit := cli.Memory()>>20 + 100
	var held [][]byte
	hold := func(enough func() bool) {
		for !enough() {
			block := make([]byte, 1<<20)
			for i := 0; i < len(block); i += 512 {
				block[i] = 1
			}
			held = append(held, block)
		}
	}
	early := false
	withEngine(t, "hungry", &fakeSolver{solve: func(ctx context.Context) dimacs.Status {
		hold(func() bool { return cli.Memory()>>20 >= limit-50 }) // the race detector needs memory too
		time.Sleep(3 * cli.MemoryInterval)
		early = ctx.Err() != nil
		end := len(held) + 200
		hold(func() bool { return len(held) >= end })
		return untilDone(ctx)
	}})
	code, out, errs := execute(t, new(cli.Env), "solve", "--engine=hungry", fmt.Sprint("--memory=", limit), file)
	if code != 0 || errs != "" || !strings.HasSuffix(out, fmt.Sprintf(": memory limit of %d MB reached while adding clauses\ns UNKNOWN\n", limit)) {
		t.Errorf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", code, out, errs)
	}
	if early {
		t.Error("stopped before the limit")
	}
	clear(held) // until here the blocks are live
}

// TestStatusLine checks that the status line is shown on a terminal only, and erased at
// the end.
func TestStatusLine(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	withEngine(t, "slow", &fakeSolver{solve: untilDone})
	for _, tt := range []struct {
		columns int
		flags   []string
		shown   bool
	}{
		{80, nil, true},
		{20, nil, true},
		{80, []string{"--json"}, true},
		{80, []string{"--quiet"}, false},
		{80, []string{"--verbose"}, false},
		{0, nil, false},
	} {
		t.Run(fmt.Sprint(tt.columns, tt.flags), func(t *testing.T) {
			var out, screen string
			clitest.Patiently(t, func(limit time.Duration) bool {
				limit = max(limit, 2*cli.StatusInterval)
				args := append([]string{"solve", "--engine=slow", fmt.Sprint("--time=", limit), file}, tt.flags...)
				_, out, screen = execute(t, &cli.Env{Columns: tt.columns}, args...)
				return screen != "" || !tt.shown
			})
			if strings.Contains(out, "\r") {
				t.Error("the status line is on standard output")
			}
			if !tt.shown {
				if screen != "" {
					t.Errorf("standard error has %q", screen)
				}
				return
			}
			if !strings.Contains(screen, " MB") {
				t.Errorf("there is no status line in %q", screen)
			}
			drawn := strings.Split(strings.ReplaceAll(screen, eraseLine, "\r"), "\r")
			for _, line := range drawn {
				if len(line) >= tt.columns || strings.Contains(line, "\n") {
					t.Errorf("%q does not fit the line", line)
				}
			}
			if !strings.HasSuffix(screen, eraseLine) {
				t.Errorf("the status line was not erased: %q", screen)
			}
		})
	}
}

// eraseLine is the text that removes a status line, as in package cli.
const eraseLine = "\r\x1b[K"

// TestStatusLineCloses checks that a status line drawn concurrently with Close is erased.
func TestStatusLineCloses(t *testing.T) {
	for range 200 {
		var screen strings.Builder
		p := cli.NewProgress(&cli.Env{Stderr: &screen, Columns: 80}, false, false, time.Now(), cli.NewPrinter(io.Discard))
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for range 50 {
					p.Draw()
				}
			})
		}
		for range 20 { // let the goroutines draw
			runtime.Gosched()
		}
		p.Close()
		group.Wait()
		p.Hide()
		if s := screen.String(); s != "" && !strings.HasSuffix(s, eraseLine) {
			t.Fatalf("the status line was not erased: %q", s)
		}
	}
}

// TestReportLines checks the alignment of report lines, and that the header is repeated.
func TestReportLines(t *testing.T) {
	var b strings.Builder
	p := cli.NewProgress(new(cli.Env), false, true, time.Now().Add(-time.Minute), cli.NewPrinter(&b))
	s := cdcl.Stats{Conflicts: 123456, Restarts: 7890, Redundant: 4321, Glue: 12.34, Trail: 0.5, Vars: 1000, Fixed: 10}
	for range 2*cli.LinesPerHeader + 1 {
		p.Event(rune(cdcl.Reduce), &engines.CDCLStatistics{Stats: s})
	}
	if n := strings.Count(b.String(), "conflicts"); n != 3 {
		t.Errorf("the header was printed %d times", n)
	}
	lines := strings.Split(b.String(), "\n")
	names, line := lines[1], lines[3]
	for name, value := range map[string]string{"conflicts": "123456", "restarts": "7890", "learned": "4321", "glue": "12.3", "trail": "50", "left": "990"} {
		end := strings.Index(names, name) + len(name)
		if !strings.HasSuffix(line[:min(end, len(line))], " "+value) {
			t.Errorf("%s is not under %s:\n%s\n%s", value, name, names, line)
		}
	}
	if !strings.HasPrefix(line, "c - ") {
		t.Errorf("the event is not at the left: %q", line)
	}
}

// TestDocument checks the values of the document, and that the help text lists each member.
func TestDocument(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 3 2\n1 2 0\n-1 2 0\n")
	code, out, errs := execute(t, new(cli.Env), "solve", "--json", "-v", "--engine=cdcl", "--seed=5", "--assume=1 -3", file)
	if code != 10 || !strings.Contains(errs, "c ") {
		t.Fatalf("exit code %d\n%s\n%s", code, out, errs)
	}
	var d struct {
		Status     string
		Model      []int
		Variables  int
		Clauses    int
		Options    map[string]any
		Times      map[string]float64
		Statistics map[string]any
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Status != "SATISFIABLE" || len(d.Model) != 3 || d.Model[0] != 1 || d.Model[1] != 2 || d.Model[2] != -3 {
		t.Errorf("status %q, model %v", d.Status, d.Model)
	}
	if d.Variables != 3 || d.Clauses != 2 || d.Options["seed"] != 5.0 || len(d.Times) != 4 {
		t.Errorf("unexpected document: %s", out)
	}
	if len(d.Options) != 9+len(cdcl.Knobs) {
		t.Errorf("%d options", len(d.Options))
	}
	if _, ok := d.Statistics["learned_lits"]; !ok {
		t.Errorf("statistics: %v", d.Statistics)
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(out), &members); err != nil {
		t.Fatal(err)
	}
	for name := range members {
		if !strings.Contains(solveDescription, name) {
			t.Errorf("the help text does not list %q", name)
		}
	}
}

// TestKnobs checks that each knob is a flag or a setting, and that its range is enforced.
func TestKnobs(t *testing.T) {
	effort.Sequential(t)
	for _, k := range cdcl.Knobs {
		for _, value := range []string{"x", "9999999999"} {
			flag := strings.Replace(engines.KnobArgument(k.Name, 0), "=0", "="+value, 1)
			code, out, errs := execute(t, new(cli.Env), "solve", flag)
			if code != cli.CodeUsage || out != "" || !strings.Contains(errs, k.Name) || !strings.Contains(errs, ": want ") {
				t.Errorf("%s: exit code %d, %q, %q", flag, code, out, errs)
			}
		}
	}
}

// TestMemoryOfTables checks that tables that exceed the memory are not allocated.
func TestMemoryOfTables(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 100000000 1\n-100000000 0\n")
	small := func() (cli.FreeMemory, bool) { return cli.FreeMemory{Bytes: 100 << 20, Source: "test"}, true }
	debug.FreeOSMemory() // that of earlier tests
	limit := fmt.Sprint(1000 + cli.Memory()>>20)
	for _, tt := range []struct {
		name      string
		e         *cli.Env
		args      []string
		code      int
		out, errs string
	}{
		{"limit", new(cli.Env), []string{"--memory=" + limit}, 0, "memory limit of " + limit + " MB reached while adding clauses\ns UNKNOWN\n", ""},
		{"system", &cli.Env{Free: small}, nil, 0, " MB (test) reached while adding clauses\ns UNKNOWN\n", ""},
		{"both", &cli.Env{Free: small}, []string{"--memory=" + limit}, 0, " MB (test) reached while adding clauses\ns UNKNOWN\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := execute(t, tt.e, append([]string{"solve", file}, tt.args...)...)
			if code != tt.code || !strings.HasSuffix(out, tt.out) || !strings.HasSuffix(errs, tt.errs) || tt.errs == "" && errs != "" {
				t.Errorf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", code, out, errs)
			}
			if strings.Count(errs, "\n") > 1 {
				t.Errorf("more than one line: %s", errs)
			}
		})
	}
}

// TestEmptyModel checks that the model of a formula without variables is printed.
func TestEmptyModel(t *testing.T) {
	for _, command := range []string{"solve", "conquer"} {
		if _, out, _ := execute(t, new(cli.Env), command, "-q", clitest.Write(t, "f.cnf", "p cnf 0 0\n")); out != "s SATISFIABLE\nv 0\n" {
			t.Errorf("%s: output %q", command, out)
		}
	}
}

// TestHeaderBeyond checks that variables of the header that do not occur cost no memory,
// and are false in a printed model.
func TestHeaderBeyond(t *testing.T) {
	huge := clitest.Write(t, "huge.cnf", "p cnf 1073741823 1\n1 0\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, args := range [][]string{{"solve", "--no-model", huge}, {"solve", "--json", "--no-model", huge}, {"info", huge}} {
		if code, _, errs := execute(t, new(cli.Env), args...); errs != "" || code != 10 && args[0] == "solve" {
			t.Errorf("%v: exit code %d, standard error %q", args, code, errs)
		}
	}
	runtime.ReadMemStats(&after)
	// One byte per variable would be 1024 MB. Parsing flags takes 100 MB under the race
	// detector, which disables the reuse of buffers in the library.
	if held := after.TotalAlloc - before.TotalAlloc; held > 500<<20 {
		t.Errorf("%d MB were allocated", held>>20)
	}

	file := clitest.Write(t, "f.cnf", "p cnf 4 1\n1 2 0\n")
	_, out, _ := execute(t, new(cli.Env), "solve", "-q", "--assume=1", "--assume=-2", file)
	if want := "s SATISFIABLE\nv 1 -2 -3 -4 0\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	_, out, _ = execute(t, new(cli.Env), "solve", "--json", "--assume=1 -2 3", file)
	if !strings.Contains(out, `"model":[1,-2,3,-4]`) {
		t.Errorf("no model with all variables: %s", out)
	}
}

// TestStatusFields checks that a narrow terminal shows fewer fields and no truncated field.
func TestStatusFields(t *testing.T) {
	s := &engines.CDCLStatistics{Stats: cdcl.Stats{Conflicts: 123456789, Vars: 1000000, Fixed: 1, Restarts: 1234567, Redundant: 654321}}
	held := regexp.MustCompile(`\d+ MB`) // changes meanwhile
	whole := held.ReplaceAllString(cli.StatusLine("", s, time.Hour, 1000), "100 MB")
	if !strings.HasSuffix(whole, ", 654321 learned, 1234567 restarts") {
		t.Fatalf("the fields are not all there: %q", whole)
	}
	for width := range len(whole) + 1 {
		line := cli.StatusLine("", s, time.Hour, width)
		long := len(line) > width
		line = held.ReplaceAllString(line, "100 MB")
		if long || line != "" && line != whole && strings.Count(whole, line+", ") != 1 {
			t.Errorf("%d columns: %q", width, line)
		}
	}
}

// TestStatsQuiet checks that --stats prints statistics even with --quiet.
func TestStatsQuiet(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	_, out, _ := execute(t, new(cli.Env), "solve", "--stats", "--quiet", file)
	if !strings.Contains(out, "\nc conflicts ") || strings.Contains(out, "c sator ") {
		t.Errorf("unexpected output:\n%s", out)
	}
}

// TestFailedOrder checks that failed assumptions are printed in the order of the command
// line.
func TestFailedOrder(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 4 1\n1 2 3 0\n")
	for _, order := range []string{"-3 -1 -2", "-2 -3 -1", "-1 -2 -3"} {
		_, out, _ := execute(t, new(cli.Env), "solve", "--assume", "4 "+order, file)
		if !strings.Contains(out, "the formula excludes the assumptions "+order+"\n") {
			t.Errorf("%s: unexpected output:\n%s", order, out)
		}
	}
}

func TestSmallTimes(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	withEngine(t, "slow", &fakeSolver{solve: untilDone})
	if _, out, _ := execute(t, new(cli.Env), "solve", "--engine=slow", "--time=1e-3", file); !strings.Contains(out, "time limit of 1ms") {
		t.Errorf("unexpected output:\n%s", out)
	}
	for _, bad := range []string{"0", "-1", "1e-12", "1e300", "nan", "inf", "soon"} {
		if code, _, errs := execute(t, new(cli.Env), "solve", "--time="+bad, file); code != cli.CodeUsage || !strings.Contains(errs, "want seconds or a duration") {
			t.Errorf("%q: exit code %d, standard error %q", bad, code, errs)
		}
	}
}

// TestClaim claims the latest lemma in the order of the steps of several solvers: the winner learns
// the clause of its failed assumptions again, deletes it, and then deletes its first copy.
func TestClaim(t *testing.T) {
	checker := proof.NewChecker()
	p := &cubeProof{Proof: checker, claimed: map[int64]bool{}}
	clause := dimacs.Lits(1, 2)
	longer := p.Original(dimacs.Lits(1, 2, 3))
	shorter := p.Original(dimacs.Lits(1, 2, -3))
	first := p.Learn(clause, []int64{longer, shorter})
	again := p.Learn(clause, []int64{first})
	p.Delete(again, clause)
	p.Delete(first, clause)
	if id := p.claim(clause); id != again {
		t.Fatalf("claimed clause %d, want %d", id, again)
	}
	p.Learn(clause, []int64{again})
	if err := checker.Err(); err != nil {
		t.Error(err)
	}
}
