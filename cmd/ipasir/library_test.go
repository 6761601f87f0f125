package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// Tests of the C library. They build it by build.sh, and C programs with it, and are skipped
// where there is no cgo or no C compiler. They run only if SATOR_TESTS is whole, since all
// packages and the standard library are compiled once more for a shared library, which takes
// 15 s of CPU.

// tool skips the test if a program is missing.
func tool(t *testing.T, name string) string {
	t.Helper()
	p, err := exec.LookPath(name)
	if err != nil {
		t.Skip("skipped: no ", name)
	}
	return p
}

// output runs a command and returns its standard output.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", cmd.Args, err, out, stderr.Bytes())
	}
	return string(out)
}

// compiler returns the C compiler, or skips the test.
func compiler(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("skipped: the script builds for Linux alone")
	}
	env := strings.Fields(output(t, exec.Command("go", "env", "CGO_ENABLED", "CC")))
	if len(env) < 2 || env[0] != "1" {
		t.Skip("skipped: no cgo")
	}
	for _, name := range []string{"bash", "ld", "objcopy", "ar", "nm"} {
		tool(t, name)
	}
	return tool(t, env[1])
}

// build builds the library and returns its directory.
func build(t *testing.T, kind string) string {
	t.Helper()
	dir := t.TempDir()
	runBuild(t, kind, dir)
	return dir
}

// runBuild runs the script for a kind of library.
func runBuild(t *testing.T, kind string, args ...string) {
	t.Helper()
	cmd := exec.Command("bash", append([]string{"build.sh"}, args...)...)
	flags := os.Getenv("GOFLAGS")
	if !strings.Contains(flags, "-pgo=") {
		flags += " -pgo=off" // with a profile all packages would be compiled once more
	}
	cmd.Env = append(os.Environ(), "SATOR_LIBRARY="+kind, "GOFLAGS="+flags)
	output(t, cmd)
}

// compile compiles a C program with the library in dir.
func compile(t *testing.T, cc, dir, kind, source string) string {
	t.Helper()
	program := filepath.Join(dir, strings.TrimSuffix(filepath.Base(source), ".c"))
	args := []string{"-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-I", dir, "-o", program, source}
	if kind == "static" {
		args = append(args, filepath.Join(dir, "libsator.a"))
	} else {
		args = append(args, "-L", dir, "-lsator", "-Wl,-rpath,"+dir)
	}
	output(t, exec.Command(cc, append(args, "-pthread")...))
	return program
}

// TestLibrary builds the library and runs the C programs with it.
func TestLibrary(t *testing.T) {
	if !effort.Whole() {
		t.Skip("it compiles all packages for a shared library; run with SATOR_TESTS=whole")
	}
	cc := compiler(t)
	for _, kind := range []string{"shared", "static"} {
		t.Run(kind, func(t *testing.T) {
			dir := build(t, kind)
			t.Run("symbols", func(t *testing.T) { testSymbols(t, dir, kind) })
			contract := compile(t, cc, dir, kind, filepath.Join("testdata", "contract.c"))
			for _, name := range []string{"basics", "terminate", "learned", "options", "limits", "codes", "panics", "threads", "processes", "many", "numbers"} {
				t.Run(name, func(t *testing.T) {
					if out := output(t, exec.Command(contract, name)); out != "ok\n" {
						t.Errorf("it prints %q", out)
					}
				})
			}
			t.Run("misuse", func(t *testing.T) { testMisuse(t, contract) })
			if kind == "shared" {
				t.Run("dynamic", func(t *testing.T) { testDynamic(t, cc, dir) })
			}
			t.Run("document", func(t *testing.T) { testDocument(t, cc, dir, kind) })
			replay := compile(t, cc, dir, kind, filepath.Join("testdata", "replay.c"))
			for _, version := range []string{"1", "2"} {
				t.Run("replay"+version, func(t *testing.T) { testReplay(t, replay, version) })
			}
		})
	}
}

// TestInstall installs the shared library, and runs the program of the page with it.
func TestInstall(t *testing.T) {
	if !effort.Whole() {
		t.Skip("it compiles all packages for a shared library; run with SATOR_TESTS=whole")
	}
	cc, dir := compiler(t), t.TempDir()
	runBuild(t, "shared", "--install", dir)
	t.Setenv("LD_LIBRARY_PATH", filepath.Join(dir, "lib"))
	flags := []string{"-I" + filepath.Join(dir, "include"), "-L" + filepath.Join(dir, "lib"), "-lsator"}
	if _, err := exec.LookPath("pkg-config"); err == nil {
		t.Setenv("PKG_CONFIG_PATH", filepath.Join(dir, "lib", "pkgconfig"))
		flags = strings.Fields(output(t, exec.Command("pkg-config", "--cflags", "--libs", "sator")))
	}
	program := filepath.Join(dir, "document")
	output(t, exec.Command(cc, append([]string{"-o", program, documentProgram(t, dir)}, flags...)...))
	if out := output(t, exec.Command(program)); out != documentOutput {
		t.Errorf("it prints %q", out)
	}
}

// declared returns the functions that the headers declare.
func declared(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, header := range []string{"ipasir.h", "ipasir2.h", "ipasir_up.h"} {
		text, err := os.ReadFile(header)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			before, _, call := strings.Cut(line, "(")
			words := strings.Fields(strings.ReplaceAll(before, "*", " "))
			if call && len(words) > 1 && strings.HasPrefix(words[len(words)-1], "ipasir") && !strings.ContainsAny(line[:1], " \t/") && words[0] != "static" {
				names[words[len(words)-1]] = true
			}
		}
	}
	return names
}

// testSymbols checks that the library exports the functions of the headers and nothing else.
func testSymbols(t *testing.T, dir, kind string) {
	args := []string{"-D", "--defined-only", filepath.Join(dir, "libsator.so")}
	if kind == "static" {
		args = []string{"-g", "--defined-only", filepath.Join(dir, "libsator.a")}
	}
	want := declared(t)
	if len(want) < 20 {
		t.Fatalf("the headers declare %d functions", len(want))
	}
	for line := range strings.Lines(output(t, exec.Command("nm", args...))) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		if !want[f[2]] {
			t.Errorf("%s is exported", f[2])
		}
		delete(want, f[2])
	}
	for name := range want {
		t.Errorf("%s is not exported", name)
	}
}

// testMisuse checks that misuse of IPASIR prints the broken contract and aborts.
func testMisuse(t *testing.T, program string) {
	for _, c := range []struct{ how, want string }{
		{"Fork", "sator: called in a child of fork: the library works there after exec only\n"},
		{"val", "sator: ipasir_val: the last call was not an ipasir_solve that returned 10\n"},
		{"failed", "sator: ipasir_failed: the last call was not an ipasir_solve that returned 20\n"},
		{"state", "sator: ipasir_val: the last call was not an ipasir_solve that returned 10\n"},
		{"range", "sator: ipasir_add: the literal is out of range\n"},
		{"zero", "sator: ipasir_assume: the literal is out of range\n"},
		{"open", "sator: ipasir_solve: a clause is not ended by 0\n"},
		{"null", "sator: ipasir_add: the solver is null\n"},
		{"propagator", "sator: cdcl: Propagate of a propagator returned 2, which is not observed\n"},
		{"broken", "sator: cdcl: Propagate of a propagator returned 2, which is not observed\n" +
			"now sator: ipasir_add: an earlier call of IPASIR-2 returned IPASIR2_E_UNKNOWN\n"},
		{"callback", "sator: ipasir_val: called from a callback\n"},
		{"unassumed", "sator: ipasir_failed: the literal was not assumed\n"},
		{"lowest", "sator: ipasir_val: the literal is out of range\n"},
		{"hidden", "sator: ipasir_solve: a clause is not ended by 0\n"},
		{"add", "sator: ipasir_add: called from a callback\n"},
		{"decision", "sator: dimacs: -2147483648 is not a literal\n"},
		{"tautology", "sator: cdcl: Reason of a propagator returned for 2 a clause with -2, which was not false\n"},
	} {
		cmd := exec.Command(program, "misuse", c.how)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if err == nil || stdout.Len() > 0 || stderr.String() != c.want {
			t.Errorf("%s: error %v, output %q and %q, want %q", c.how, err, stdout.String(), stderr.String(), c.want)
		}
	}
}

// testDynamic loads the library by dlopen.
func testDynamic(t *testing.T, cc, dir string) {
	program := filepath.Join(dir, "dynamic")
	output(t, exec.Command(cc, "-Wall", "-Werror", "-o", program, filepath.Join("testdata", "dynamic.c"), "-ldl"))
	if out := output(t, exec.Command(program, filepath.Join(dir, "libsator.so"))); out != "10\n10\n10\n" {
		t.Errorf("it prints %q", out)
	}
}

// documentOutput is the output of the C program in dpll/docs/library.md.
const documentOutput = "x2 is true\nthe assumption failed\n"

// documentProgram writes that program to a file, and returns its name.
func documentProgram(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../dpll/docs/library.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```c\n")
	program, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("dpll/docs/library.md has no C program")
	}
	source := filepath.Join(dir, "document.c")
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	return source
}

// testDocument compiles and runs that program.
func testDocument(t *testing.T, cc, dir, kind string) {
	if out := output(t, exec.Command(compile(t, cc, dir, kind, documentProgram(t, dir)))); out != documentOutput {
		t.Errorf("it prints %q", out)
	}
}

// A question is a call of solve and the clauses before it.
type question struct {
	formula     *dimacs.Formula
	assumptions []dimacs.Lit
}

// questions returns random questions to several solvers, and the calls for replay.c.
func questions(rng *rand.Rand, solvers int) (calls string, all []question) {
	var b strings.Builder
	for range solvers {
		b.WriteString("n\n")
		vars := 1 + rng.IntN(12)
		lit := func() int { return (1 + rng.IntN(vars)) * (1 - 2*rng.IntN(2)) }
		f := dimacs.NewFormula(0)
		hide := rng.IntN(2) == 0
		for range 1 + rng.IntN(6) {
			for range rng.IntN(3 * vars) {
				var c []int
				for range 1 + rng.IntN(4) {
					c = append(c, lit())
				}
				f.AddInts(c...)
				call := "a"
				if hide && rng.IntN(3) == 0 && f.Len() < 90 {
					call = "h"
				}
				fmt.Fprintln(&b, call, strings.Trim(fmt.Sprint(c), "[]"), 0)
			}
			var assumptions []int
			for range rng.IntN(4) {
				assumptions = append(assumptions, lit())
			}
			fmt.Fprintln(&b, "s", strings.Trim(fmt.Sprint(assumptions), "[]"), 0)
			q := question{dimacs.NewFormula(0), dimacs.Lits(assumptions...)}
			for _, c := range f.Clauses() {
				q.formula.Add(c...)
			}
			all = append(all, q)
		}
	}
	return b.String(), all
}

// testReplay compares the answers to random calls with brute force.
func testReplay(t *testing.T, program, version string) {
	calls, all := questions(rand.New(rand.NewPCG(1, 22)), 400)
	cmd := exec.Command(program, version)
	cmd.Stdin = strings.NewReader(calls)
	lines := strings.Split(strings.TrimSuffix(output(t, cmd), "\n"), "\n")
	if len(lines) != len(all) {
		t.Fatalf("%d answers to %d questions", len(lines), len(all))
	}
	count := map[dimacs.Status]int{}
	for i, q := range all {
		answer, err := q.check(lines[i])
		if err != nil {
			t.Fatalf("question %d: %v\nassumptions %v\n%v", i, err, q.assumptions, q.formula.Clauses())
		}
		count[answer]++
	}
	if count[dimacs.Satisfiable] < 100 || count[dimacs.Unsatisfiable] < 100 {
		t.Errorf("answers %v: too few of a kind", count)
	}
}

// check checks a line of replay.c.
func (q *question) check(line string) (dimacs.Status, error) {
	want, _ := dplltest.Brute(q.formula, q.assumptions...)
	var numbers []int
	for _, w := range strings.Fields(line) {
		n, err := strconv.Atoi(w)
		if err != nil {
			return want, err
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 || numbers[0] != map[dimacs.Status]int{dimacs.Satisfiable: 10, dimacs.Unsatisfiable: 20}[want] {
		return want, fmt.Errorf("answer %q, want %v", line, want)
	}
	rest := dimacs.Lits(numbers[1 : len(numbers)-1]...)
	if want == dimacs.Unsatisfiable {
		for _, l := range rest {
			if !strings.Contains(fmt.Sprint(" ", q.assumptions, " "), l.String()) {
				return want, fmt.Errorf("failed literal %v is no assumption", l)
			}
		}
		if again, _ := dplltest.Brute(q.formula, rest...); again != dimacs.Unsatisfiable {
			return want, fmt.Errorf("a model has all failed assumptions %v", rest)
		}
		return want, nil
	}
	m := make(dimacs.Model, len(rest))
	for _, l := range rest {
		m.Set(l)
	}
	if i := m.Falsified(q.formula); i >= 0 {
		return want, fmt.Errorf("the model %v falsifies clause %d", rest, i)
	}
	for _, l := range q.assumptions {
		if m.Lit(l) != dimacs.True {
			return want, fmt.Errorf("the model %v falsifies assumption %v", rest, l)
		}
	}
	return want, nil
}
