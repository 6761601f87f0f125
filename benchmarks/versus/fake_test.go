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

// The test binary is also the solvers that the tests run: if this is its first argument, it does
// what the second says, and no tests.
const fakeArgument = "fake-solver"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == fakeArgument {
		os.Exit(beFake(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// beFake is a solver. The last argument is the formula.
func beFake(mode string, args []string) int {
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
	case "plain": // is the formula plain text, in a file named like one?
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
		room := make([]byte, atoi(args[0])<<20)
		for i := 0; i < len(room); i += 1024 {
			room[i] = 1
		}
		time.Sleep(200 * time.Millisecond)
		runtime.KeepAlive(room)
		return 20
	case "work": // MILLISECONDS of CPU time, or thereabouts
		for end := time.Now().Add(time.Duration(atoi(args[0])) * time.Millisecond); time.Now().Before(end); {
		}
		return 20
	case "sleep":
		time.Sleep(time.Hour)
	case "flood":
		for {
			os.Stdout.Write(make([]byte, 1<<16))
		}
	case "brood": // a child works on and on; its number is in the file NAME
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

// fake returns a solver of that name and mode. The mode is what follows the program in the command
// line.
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

// The formulas of the tests: one with models, one without.
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

// generous are limits that no honest fake meets.
var generous = Limits{CPU: 10 * time.Minute, Wall: 20 * time.Minute}

// newBench returns a bench of these solvers on an instance.
func newBench(in Instance, solvers ...*Solver) *Bench {
	return &Bench{Solvers: solvers, Instances: []Instance{in}, Rounds: 1, Limits: generous, Core: -1, CheckTime: 10 * time.Minute}
}

// only runs a bench that has one run.
func only(t *testing.T, b *Bench) Run {
	t.Helper()
	records, err := b.Run(t.Context())
	if err != nil || len(records) != 1 {
		t.Fatalf("%d records, error %v", len(records), err)
	}
	return records[0]
}
