package commands

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	exptrace "golang.org/x/exp/trace"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/engines"
)

// recordedTrace is what a test reads of an execution trace: the names of tasks, and the
// names of the regions of each task.
type recordedTrace struct {
	tasks   map[exptrace.TaskID]string
	parents map[exptrace.TaskID]exptrace.TaskID
	regions map[string][]string // by name of the task; without repetitions
}

// readTrace reads a trace. It fails the test if the regions of a goroutine do not nest, or
// if a region or a task does not end.
func readTrace(t *testing.T, name string) *recordedTrace {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := exptrace.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	x := &recordedTrace{map[exptrace.TaskID]string{}, map[exptrace.TaskID]exptrace.TaskID{}, map[string][]string{}}
	open := map[exptrace.GoID][]string{} // regions by goroutine, the innermost last
	ended := map[exptrace.TaskID]bool{}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		g := e.Goroutine()
		switch e.Kind() {
		case exptrace.EventTaskBegin:
			x.tasks[e.Task().ID], x.parents[e.Task().ID] = e.Task().Type, e.Task().Parent
		case exptrace.EventTaskEnd:
			ended[e.Task().ID] = true
		case exptrace.EventRegionBegin:
			task := x.tasks[e.Region().Task]
			if open[g] = append(open[g], e.Region().Type); !slices.Contains(x.regions[task], e.Region().Type) {
				x.regions[task] = append(x.regions[task], e.Region().Type)
			}
		case exptrace.EventRegionEnd:
			n := len(open[g])
			if n == 0 || open[g][n-1] != e.Region().Type {
				t.Fatalf("region %s ends in goroutine %d within regions %v", e.Region().Type, g, open[g])
			}
			open[g] = open[g][:n-1]
		}
	}
	for g, regions := range open {
		if len(regions) > 0 {
			t.Errorf("regions %v of goroutine %d do not end", regions, g)
		}
	}
	for id, task := range x.tasks {
		if !ended[id] {
			t.Errorf("task %s does not end", task)
		}
	}
	return x
}

// TestTracePhases checks, with two processors at least, that a trace has a task for the command and for each solver, and
// their phases as regions.
func TestTracePhases(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	hard := clitest.Write(t, "hard.cnf", formulaOf(t, "generate ksat --vars 150 --ratio 4.26 --seed 1"))
	cubes := clitest.Write(t, "cubes.icnf", "p inccnf\n1 2 3 0\n-1 2 0\n-2 3 0\na 1 0\n-3 1 0\na -1 0\n")
	puzzles := clitest.Write(t, "puzzles.txt", strings.Repeat("1.3..4.2.1..4.2.\n", 20))
	const command = "read choose add solve check"
	for _, c := range []struct {
		line  string
		tasks map[string]string // phases by task
	}{
		{"solve -q --set look-ahead=0 --verify " + hard, map[string]string{"sator solve": command, "cdcl": "connect search-focused search-stable reduce collect vivify eliminate"}},
		{"solve -q --threads 2 " + hard, map[string]string{"sator solve": command, "cdcl, solver 1": "search-focused reduce", "cdcl, solver 2": ""}},
		{"solve -q --threads 2 --deterministic " + hard, map[string]string{"sator solve": command, "cdcl, solver 1": "search-focused reduce", "cdcl, solver 2": ""}},
		{"solve -q --engine dpll --time 0.2 " + hard, map[string]string{"sator solve": "read solve", "dpll": "search"}},
		{"solve -q --engine cdcl " + cubes, map[string]string{"sator solve": command, "cdcl": "connect search-focused"}},
		{"sudoku solve -q -j 2 " + puzzles, map[string]string{"sator sudoku solve": "read solve write"}},
		{"sudoku count -q " + puzzles, map[string]string{"sator sudoku count": "read solve write"}},
	} {
		dir := t.TempDir()
		args := append(strings.Fields(c.line), "--profile", "trace", "--profile-dir", dir)
		if code, _, stderr := execute(t, &cli.Env{}, args...); code == cli.CodeInput || code == cli.CodeUsage || code == cli.CodeInternal {
			t.Fatalf("%s: exit code %d\n%s", c.line, code, stderr)
		}
		x := readTrace(t, filepath.Join(dir, "trace.out"))
		for task, phases := range c.tasks {
			for _, phase := range strings.Fields(phases) {
				if !slices.Contains(x.regions[task], phase) {
					t.Errorf("%s: task %s has the phases %v, want %s", c.line, task, x.regions[task], phase)
				}
			}
		}
		checkTasks(t, c.line, x, c.tasks)
	}
}

// checkTasks checks that the tasks are these, that those of solvers are parts of the
// command, and that the help text lists all phases.
func checkTasks(t *testing.T, line string, x *recordedTrace, want map[string]string) {
	t.Helper()
	listed := slices.Concat(strings.Fields("read choose add solve check write"), engines.Phases())
	for id, task := range x.tasks {
		if _, is := want[task]; !is {
			t.Errorf("%s: unexpected task %s", line, task)
		}
		if parent := x.tasks[x.parents[id]]; !strings.HasPrefix(task, "sator") && parent != "sator solve" {
			t.Errorf("%s: the parent of task %s is %q", line, task, parent)
		}
		for _, phase := range x.regions[task] {
			if !slices.Contains(listed, phase) {
				t.Errorf("%s: phase %s is not in the list", line, phase)
			}
		}
	}
}

// formulaOf returns the output of a command line.
func formulaOf(t *testing.T, line string) string {
	t.Helper()
	code, stdout, stderr := execute(t, &cli.Env{}, strings.Fields(line)...)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", line, code, stderr)
	}
	return stdout
}
