package versus

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The work directory of a killed bench is removed by the next bench; the directory of a running
// bench and other files with such a name are not.
func TestAbandonedWorkDirs(t *testing.T) {
	if dir := os.Getenv("BENCH_TO_BE_KILLED"); dir != "" {
		t.Setenv("TMPDIR", dir)
		newBench(formula(t, "f.cnf", unsatFormula), fake(t, "x", "sleep")).Run(t.Context())
		return
	}
	temp, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	killed := exec.Command(os.Args[0], "-test.run", "^TestAbandonedWorkDirs$")
	killed.Env = append(os.Environ(), "BENCH_TO_BE_KILLED="+temp)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	dir := ""
	for deadline := time.Now().Add(time.Minute); dir == ""; time.Sleep(5 * time.Millisecond) {
		if found, _ := filepath.Glob(filepath.Join(temp, workDirPrefix+"*", "run", "out")); len(found) == 1 {
			dir = filepath.Dir(filepath.Dir(found[0]))
		} else if time.Now().After(deadline) {
			killed.Process.Kill()
			t.Fatal("the bench to be killed did not start")
		}
	}

	link := filepath.Join(temp, workDirPrefix+"link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	bench := func() {
		t.Helper()
		if r := only(t, newBench(formula(t, "f.cnf", unsatFormula), fake(t, "y", "say 20 ''"))); r.Outcome != Unsatisfiable {
			t.Errorf("a bench beside others: %+v", r)
		}
	}
	there := func(name string) bool { _, err := os.Lstat(name); return err == nil }
	bench()
	if !there(dir) {
		t.Error("the work directory of a running bench was removed")
	}
	killed.Process.Kill()
	killed.Wait()
	if !there(dir) {
		t.Error("a killed bench removed its work directory: the test is void")
	}
	bench()
	if there(dir) {
		t.Error("the work directory of a killed bench was not removed")
	}
	if !there(elsewhere) || !there(link) {
		t.Error("the target of a link was removed")
	}
	if left, _ := filepath.Glob(filepath.Join(temp, workDirPrefix+"*")); len(left) != 1 {
		t.Errorf("remaining directories: %q", left)
	}
}
