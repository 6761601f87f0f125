package versus

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test binary is also the solver under test: if its first argument is fakeArgument, it executes
// the mode in its second argument instead of the tests.
const fakeArgument = "fake-solver"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == fakeArgument {
		os.Exit(runFake(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// runFake is the main function of the fake solver. The last argument is the formula.
func runFake(mode string, args []string) int {
	switch mode {
	case "say": // CODE TEXT, with / for line ends
		fmt.Print(strings.ReplaceAll(args[1], "/", "\n"))
		return atoi(args[0])
	case "write": // CODE TEXT NAME
		os.WriteFile(args[2], []byte(strings.ReplaceAll(args[1], "/", "\n")), 0o666)
		return atoi(args[0])
	case "complain":
		fmt.Fprint(os.Stderr, "first\nno such luck\n\n")
		return 3
	case "plain": // succeeds if the formula is plain text in a .cnf file
		f, err := os.Open(args[0])
		if err != nil {
			return 1
		}
		head := make([]byte, 5)
		if _, err := io.ReadFull(f, head); err == nil && bytes.Equal(head, []byte("p cnf")) && strings.HasSuffix(args[0], ".cnf") {
			return 20
		}
		return 1
	case "cores":
		fmt.Printf("c %d\n", runtime.NumCPU())
		return map[bool]int{true: 10, false: 20}[runtime.NumCPU() == 1]
	case "hold": // MEGABYTES, for a moment
		memory := make([]byte, atoi(args[0])<<20)
		for i := 0; i < len(memory); i += 1024 {
			memory[i] = 1
		}
		time.Sleep(200 * time.Millisecond)
		runtime.KeepAlive(memory)
		return 20
	case "work": // MILLISECONDS of CPU time, approximately
		for end := time.Now().Add(time.Duration(atoi(args[0])) * time.Millisecond); time.Now().Before(end); {
		}
		return 20
	case "sleep":
		time.Sleep(time.Hour)
	case "flood":
		for {
			os.Stdout.Write(make([]byte, 1<<16))
		}
	case "spawn": // starts a child that never ends and writes its process ID to the file NAME
		child := exec.Command(os.Args[0], fakeArgument, "work", "3600000")
		if child.Start() != nil {
			return 1
		}
		os.WriteFile(args[0], []byte(strconv.Itoa(child.Process.Pid)), 0o666)
		child.Wait()
	}
	return 1
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		os.Exit(99)
	}
	return n
}

// fake returns a solver with a name. The mode is the part of the command line after the program.
func fake(t testing.TB, name, mode string) *Solver {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(fmt.Sprintf("%s='%s' %s %s", name, program, fakeArgument, mode))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Find(""); err != nil {
		t.Fatal(err)
	}
	return s
}

// A satisfiable and an unsatisfiable formula.
const (
	satFormula   = "p cnf 2 2\n1 2 0\n-1 0\n"
	unsatFormula = "p cnf 1 2\n1 0\n-1 0\n"
)

// formula writes a formula to a file and returns it as an instance.
func formula(t testing.TB, name, text string) Instance {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Instance{Name: name, Path: path}
}

// generous limits are never reached by a fake solver that ends by itself.
var generous = Limits{CPU: 10 * time.Minute, Wall: 20 * time.Minute}

// newBench returns a bench of solvers on one instance.
func newBench(in Instance, solvers ...*Solver) *Bench {
	return &Bench{Solvers: solvers, Instances: []Instance{in}, Rounds: 1, Limits: generous, Core: -1, CheckTime: 10 * time.Minute}
}

// only executes a bench of a single run and returns that run.
func only(t *testing.T, b *Bench) Run {
	t.Helper()
	runs, err := b.Run(t.Context())
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, error %v", len(runs), err)
	}
	return runs[0]
}
