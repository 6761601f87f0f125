package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Verdict is the outcome of the tests of a mutant.
type Verdict int

const (
	Survived Verdict = iota // all tests passed
	Killed                  // a test failed, as it should
	Broken                  // the patch does not apply, or the result does not compile
	Stopped                 // the context ended first
)

// String returns the verdict in lower case.
func (v Verdict) String() string {
	return [...]string{"survived", "killed", "broken", "stopped"}[v]
}

// A Result is the outcome of the tests of a mutant.
type Result struct {
	Verdict Verdict
	By      string        // the first test that failed, if the mutant was killed
	Err     error         // why the mutant is broken
	CPU     time.Duration // user and system time of building and testing
}

// testTimeout ends a test that does not return because of the fault. The mutant
// then counts as killed.
const testTimeout = 2 * time.Minute

// Run applies the mutant to the module in the folder root and runs its tests until one
// fails. The files of the module are not changed.
func (m *Mutant) Run(ctx context.Context, root string) (r Result) {
	dir, err := os.MkdirTemp("", "sator-mutant-*")
	if err != nil {
		return Result{Verdict: Broken, Err: err}
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(root, dir)
	if err != nil {
		return Result{Verdict: Broken, Err: err}
	}
	for _, t := range m.Tests {
		t.run(ctx, root, overlay, &r)
		if r.Verdict != Survived {
			break
		}
	}
	return r
}

// overlay writes the changed files and the overlay file for the go command, and
// returns the name of the overlay file.
func (m *Mutant) overlay(root, dir string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, e := range m.Edits {
		name := filepath.Join(root, filepath.FromSlash(e.File))
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		changed, err := e.Apply(string(text))
		if err != nil {
			return "", err
		}
		replace[name] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(replace[name], []byte(changed), 0o666); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o666)
}

// run runs the test, whole unless it has the flag -short, and adds the outcome to r.
func (t *Test) run(ctx context.Context, root, overlay string, r *Result) {
	args := []string{"test", "-overlay", overlay, "-count=1", "-failfast", "-timeout", testTimeout.String(), "-run", t.Run}
	args = append(append(args, t.Flags...), t.Package)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "SATOR_TESTS=whole")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState != nil {
		r.CPU += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	text := out.String()
	switch {
	case ctx.Err() != nil:
		r.Verdict = Stopped
	case err == nil && strings.Contains(text, "no tests to run"):
		r.Verdict, r.Err = Broken, fmt.Errorf("%s has no test %s", t.Package, t.Run)
	case err == nil:
		r.Verdict = Survived
	case !ran(text):
		r.Verdict, r.Err = Broken, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	default:
		r.Verdict, r.By = Killed, failedTest(text)
	}
}

// ran reports whether the output of a failed go test shows that tests ran. For
// a package that does not build, the output reports a failed build instead.
func ran(out string) bool {
	return !strings.Contains(out, "[build failed]") && !strings.Contains(out, "[setup failed]") &&
		(strings.Contains(out, "--- FAIL: ") || strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "))
}

// failedTest returns the name of the test that failed, or how the tests ended.
func failedTest(out string) string {
	name := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		switch rest, is := strings.CutPrefix(line, "--- FAIL: "); {
		case is: // the last line names a subtest, if there is one
			name, _, _ = strings.Cut(rest, " ")
		case name == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")):
			name = line
		}
	}
	return name
}
