package versus

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// What a bench that was killed has left is removed by the next one, and the folder of one that runs
// is not, nor what only has a name like that.
func TestLeftovers(t *testing.T) {
	if dir := os.Getenv("BENCH_TO_BE_KILLED"); dir != "" {
		t.Setenv("TMPDIR", dir)
		newBench(formula(t, "f.cnf", unsatFormula), fake(t, "x", "sleep")).Run(t.Context())
		return
	}
	temp, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	killed := exec.Command(os.Args[0], "-test.run", "^TestLeftovers$")
	killed.Env = append(os.Environ(), "BENCH_TO_BE_KILLED="+temp)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	room := ""
	for deadline := time.Now().Add(time.Minute); room == ""; time.Sleep(5 * time.Millisecond) {
		if found, _ := filepath.Glob(filepath.Join(temp, roomName+"*", "run", "out")); len(found) == 1 {
			room = filepath.Dir(filepath.Dir(found[0]))
		} else if time.Now().After(deadline) {
			killed.Process.Kill()
			t.Fatal("the bench to be killed has not begun")
		}
	}

	link := filepath.Join(temp, roomName+"link")
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
	if !there(room) {
		t.Error("the folder of a bench that runs was removed")
	}
	killed.Process.Kill()
	killed.Wait()
	if !there(room) {
		t.Error("a bench that is killed leaves no folder: this test shows nothing")
	}
	bench()
	if there(room) {
		t.Error("the folder of a bench that was killed is still there")
	}
	if !there(elsewhere) || !there(link) {
		t.Error("what a link leads to was removed")
	}
	if left, _ := filepath.Glob(filepath.Join(temp, roomName+"*")); len(left) != 1 {
		t.Errorf("there are %q", left)
	}
}
