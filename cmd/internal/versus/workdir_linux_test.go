package versus

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
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
	for deadline := time.Now().Add(5 * time.Minute); dir == ""; time.Sleep(5 * time.Millisecond) {
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

// work creates a directory with the name of a work directory and with files of all names that a
// bench uses, and returns it. If marked is set, it is the directory of a killed bench.
func work(t *testing.T, name string, marked bool) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), workDirPrefix+name)
	if err := os.MkdirAll(filepath.Join(dir, runDir), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{formulaFile, filepath.Join(runDir, outFile), filepath.Join(runDir, errFile), filepath.Join(runDir, modelFile),
		filepath.Join(runDir, proofFile), filepath.Join(runDir, ".proof.0a1b2c3d.tmp")} {
		put(t, filepath.Join(dir, name), "text")
	}
	if marked {
		release, err := hold(dir)
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	return dir
}

// put writes a file.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// names returns the names of all files below a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		all = append(all, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestForeignDirs checks that a bench leaves everything that no bench made, whatever its name.
func TestForeignDirs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	elsewhere := work(t, "renamed", true)
	moved := filepath.Join(t.TempDir(), "kept") // the target of a link below
	if err := os.Rename(elsewhere, moved); err != nil {
		t.Fatal(err)
	}
	foreign := map[string]func(dir string){
		"person":       nil,
		"empty marker": func(dir string) { put(t, filepath.Join(dir, markerFile), "") },
		"other marker": func(dir string) {
			info, err := os.Stat(dir)
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, markerFile), marker(moved, info.Sys().(*syscall.Stat_t).Ino))
		},
		"copy": func(dir string) { put(t, filepath.Join(dir, markerFile), marker(dir, 1)) },
		"linked marker": func(dir string) {
			target := filepath.Join(t.TempDir(), "marker")
			info, err := os.Stat(dir)
			if err != nil {
				t.Fatal(err)
			}
			put(t, target, marker(dir, info.Sys().(*syscall.Stat_t).Ino))
			if err := os.Symlink(target, filepath.Join(dir, markerFile)); err != nil {
				t.Fatal(err)
			}
		},
	}
	if os.Getuid() == 0 {
		foreign["other owner"] = func(dir string) {
			if release, err := hold(dir); err != nil {
				t.Fatal(err)
			} else {
				release()
			}
			if err := os.Chown(dir, 12345, -1); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := map[string][]string{}
	for name, change := range foreign {
		dir := work(t, name, false)
		if change != nil {
			change(dir)
		}
		before[dir] = names(t, dir)
	}
	link := filepath.Join(os.TempDir(), workDirPrefix+"link")
	if err := os.Symlink(moved, link); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(os.TempDir(), workDirPrefix+"file"), "text")
	before[moved] = names(t, moved)

	dir, remove, err := makeWorkDir()
	if err != nil {
		t.Fatal(err)
	}
	remove()
	if _, err := os.Stat(dir); err == nil {
		t.Error("the bench left its own directory")
	}
	for dir, want := range before {
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: files left are %q, want %q", dir, got, want)
		}
	}
	for _, name := range []string{link, filepath.Join(os.TempDir(), workDirPrefix+"file")} {
		if _, err := os.Lstat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestForeignFiles checks that of the directory of a killed bench only the files of the bench are
// removed, and that symbolic links are not followed.
func TestForeignFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	whole := work(t, "whole", true)
	mixed := work(t, "mixed", true)
	put(t, filepath.Join(mixed, "notes"), "text")
	put(t, filepath.Join(mixed, runDir, "proof.bak"), "text")
	linked := work(t, "linked", true)
	outside := t.TempDir()
	put(t, filepath.Join(outside, outFile), "text")
	if err := os.RemoveAll(filepath.Join(linked, runDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(linked, formulaFile)); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{runDir: outside, formulaFile: filepath.Join(outside, outFile)} {
		if err := os.Symlink(target, filepath.Join(linked, name)); err != nil {
			t.Fatal(err)
		}
	}
	busy := work(t, "busy", true)
	f, err := lock(busy, 0)
	if err != nil {
		t.Skipf("no locks here: %v", err)
	}
	defer f.Close()
	held := names(t, busy)

	_, remove, err := makeWorkDir()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	if _, err := os.Stat(whole); err == nil {
		t.Errorf("%s stays: %q", whole, names(t, whole))
	}
	for dir, want := range map[string][]string{
		mixed:   {"", "/notes", "/run", "/run/proof.bak"},
		linked:  {"", "/formula.cnf", "/run"},
		outside: {"", "/out"},
		busy:    held,
	} {
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: files left are %q, want %q", dir, got, want)
		}
	}
}
