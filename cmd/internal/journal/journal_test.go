package journal_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sator/cmd/internal/journal"
	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// Formats of proofs under test; the first stands for no proof.
var formats = []proof.Format{proof.FormatUnknown, proof.BinaryDRAT, proof.LRAT}

// instance returns an unsatisfiable formula of so many variables, and its 2^depth cubes.
func instance(vars, depth int) (*dimacs.Formula, []dimacs.Cube) {
	r := rand.New(rand.NewPCG(1, 2))
	f := dimacs.NewFormula(vars)
	for range 5 * vars {
		c := r.Perm(vars)[:3]
		f.Add(dimacs.Lit(2*c[0]+r.IntN(2)), dimacs.Lit(2*c[1]+r.IntN(2)), dimacs.Lit(2*c[2]+r.IntN(2)))
	}
	var cubes []dimacs.Cube
	for i := range 1 << depth {
		var lits []dimacs.Lit
		for v := range depth {
			lits = append(lits, dimacs.Lit(2*v+i>>v&1))
		}
		cubes = append(cubes, dimacs.Cube{Lits: lits, Clauses: f.Len()})
	}
	return f, cubes
}

// A run is a cube-and-conquer run with a directory.
type run struct {
	disk    *file.Disk
	dir     string
	formula *dimacs.Formula
	cubes   []dimacs.Cube
	format  proof.Format
	threads int
	wait    func() // called after each result; may be nil
	budget  int64  // 0 is 5

	known []portfolio.Result // of earlier runs
	kept  []portfolio.Result // of this run
}

func (r *run) identity() journal.Identity { return journal.NewIdentity(r.formula, r.cubes, r.format) }

// conquer runs cube and conquer. If the answer is unsatisfiable, it checks the proof. It
// returns an error of the run; a wrong proof is an error of the test.
func (r *run) conquer(t *testing.T) (status dimacs.Status, err error) {
	t.Helper()
	j, err := journal.Open(context.Background(), r.disk, r.dir, r.identity())
	if err != nil {
		return dimacs.Unknown, err
	}
	defer func() {
		if e := j.Close(); e != nil && err == nil {
			status, err = dimacs.Unknown, e
		}
	}()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	j.Failed = cancel
	r.known, r.kept = j.Results(), nil
	o := portfolio.ConquerOptions{Threads: max(1, r.threads), Budget: cmp.Or(r.budget, 5), Known: r.known}
	o.Solver.Lucky, o.Solver.NoSimplify = cdcl.LuckyOff, true
	o.Keep = func(result portfolio.Result) error {
		r.kept = append(r.kept, result)
		err := j.Keep(result)
		if r.wait != nil {
			r.wait()
		}
		return err
	}
	if r.format != proof.FormatUnknown {
		o.Solver.Proof, o.Position = j.Proof(r.format, r.formula.Len()), j.Position
	}
	status, model, err := portfolio.Conquer(ctx, r.formula, r.cubes, o)
	switch {
	case err != nil:
		return dimacs.Unknown, err
	case status == dimacs.Unknown:
		return status, context.Cause(ctx)
	case status == dimacs.Satisfiable && !model.Satisfies(r.formula):
		t.Errorf("after %d known results: the model is wrong", len(r.known))
	case status == dimacs.Unsatisfiable && r.format != proof.FormatUnknown:
		steps, _, err := j.Steps()
		if err != nil {
			return dimacs.Unknown, err
		}
		if _, err := proof.Check(context.Background(), r.formula, steps, proof.Options{Format: r.format}); err != nil {
			t.Errorf("after %d known results: %v", len(r.known), err)
		}
	}
	return status, nil
}

// mustRefute runs cube and conquer with an unsatisfiable formula, twice. The first run
// solves no cube with a known result again, and the second one solves none.
func (r *run) mustRefute(t *testing.T) {
	t.Helper()
	if status, err := r.conquer(t); status != dimacs.Unsatisfiable {
		t.Fatalf("got %v, %v; want UNSATISFIABLE", status, err)
	}
	known := map[string]bool{}
	for _, k := range r.known {
		known[fmt.Sprint(k.Cube)] = true
	}
	for _, k := range r.kept {
		if known[fmt.Sprint(k.Cube)] {
			t.Errorf("cube %v is solved again", k.Cube)
		}
	}
	all := len(r.known) + len(r.kept)
	again := *r
	if status, err := again.conquer(t); status != dimacs.Unsatisfiable || len(again.known) != all || len(again.kept) > 0 {
		t.Errorf("after the end of the run: %v, %v, with %d known results and %d others; want %d known results",
			status, err, len(again.known), len(again.kept), all)
	}
}

// unsynchronized returns the disk of a file system that cannot synchronize, for tests
// that would take long otherwise.
func unsynchronized() *file.Disk {
	return &file.Disk{Fail: func(op file.Op, _ string) error {
		if op == file.OpSync || op == file.OpSyncDir {
			return syscall.EINVAL
		}
		return nil
	}}
}

// A folder is the files of a directory by name.
type folder map[string]string

// readFolder returns the files of a directory.
func readFolder(t *testing.T, dir string) folder {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := folder{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// write makes a directory contain these files alone.
func (f folder) write(t *testing.T, dir string) {
	t.Helper()
	for name := range readFolder(t, dir) {
		if _, ok := f[name]; !ok {
			os.Remove(filepath.Join(dir, name))
		}
	}
	for name, content := range f {
		w, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.WriteString(content)
		// Cutting the file off first would take long: some systems synchronize it then.
		if err := cmp.Or(err, w.Truncate(int64(len(content))), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// resultsOf returns the results in the lines of a file.
func resultsOf(t *testing.T, file string) (results []portfolio.Result) {
	t.Helper()
	for i, line := range strings.Split(file, "\n") {
		_, text, _ := strings.Cut(line, " ")
		if i == 0 || text == "" {
			continue // the first line, or the empty one behind the last newline
		}
		var r portfolio.Result
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		results = append(results, r)
	}
	return results
}

// A directory of another formula, of other cubes, with a proof in another format, of
// another version or of other programs is refused, and its files stay as they are.
func TestRefused(t *testing.T) {
	f, cubes := instance(30, 2)
	g := dimacs.NewFormula(f.Vars())
	g.Append(f)
	g.AddInts(1, 2, 3)
	plain := run{dir: t.TempDir(), formula: f, cubes: cubes}
	plain.mustRefute(t)
	files := readFolder(t, plain.dir)
	results := files["results"]
	proved := run{formula: f, cubes: cubes, format: proof.LRAT}
	for _, tt := range []struct {
		name  string
		files folder
		run   run
		want  string
	}{
		{"another formula", files, run{formula: g, cubes: cubes}, "DIR has results of another formula"},
		{"other cubes", files, run{formula: f, cubes: cubes[1:]}, "DIR has results of other cubes"},
		{"another format", files, proved, "DIR was begun with no proof, and this run is with LRAT"},
		{"damaged first line", folder{"results": strings.Replace(results, "conquer", "conqueR", 1)}, plain, "the first line is damaged"},
		{"old version", folder{"run.json": "{}", "results": "0123abcd {}\n"}, plain, "DIR was written by an older version of Sator, without checksums"},
		{"old version without results", folder{"run.json": "{}", "results": ""}, plain, "DIR was written by an older version of Sator"},
		{"a text", folder{"results": "60 percent\n"}, plain, "this is not a file of conquer"},
		{"a proof", folder{"proof": "of the theorem\n"}, proved, "DIR has a proof, but no results"},
	} {
		tt.run.dir = t.TempDir()
		tt.files.write(t, tt.run.dir)
		status, err := tt.run.conquer(t)
		if status != dimacs.Unknown || err == nil || !strings.Contains(err.Error(), strings.Replace(tt.want, "DIR", tt.run.dir, 1)) {
			t.Errorf("%s: got %v, %v; want %q", tt.name, status, err, tt.want)
		}
		for name, content := range tt.files {
			if b, err := os.ReadFile(filepath.Join(tt.run.dir, name)); string(b) != content {
				t.Errorf("%s: the file %s is %q, %v", tt.name, name, b, err)
			}
		}
	}
}

// Open stops with its context before it changes a file.
func TestStopped(t *testing.T) {
	f, cubes := instance(30, 2)
	r := run{dir: t.TempDir(), formula: f, cubes: cubes, format: proof.LRAT}
	r.mustRefute(t)
	files := readFolder(t, r.dir)
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped")
	cancel(stopped)
	if j, err := journal.Open(ctx, nil, r.dir, r.identity()); !errors.Is(err, stopped) {
		t.Errorf("%v, %v", j, err)
	}
	if after := readFolder(t, r.dir); !maps.Equal(after, files) {
		t.Error("the files are changed")
	}
	r.mustRefute(t)
}

// A model is known to the next run too.
func TestSatisfiable(t *testing.T) {
	f := dimacs.NewFormula(3)
	f.AddInts(1, 2)
	f.AddInts(-1, 3)
	r := run{dir: t.TempDir(), formula: f, cubes: []dimacs.Cube{{Lits: dimacs.Lits(1)}, {Lits: dimacs.Lits(-1)}}, format: proof.LRAT}
	for known := range 2 {
		if status, err := r.conquer(t); status != dimacs.Satisfiable || len(r.known) != known || len(r.kept) != 1-known {
			t.Errorf("%v, %v with %d known results and %d others", status, err, len(r.known), len(r.kept))
		}
	}
}

// Steps notices that the proof was changed behind the back of the journal.
func TestChangedSteps(t *testing.T) {
	f, cubes := instance(30, 2)
	r := run{dir: t.TempDir(), formula: f, cubes: cubes, format: proof.LRAT}
	r.mustRefute(t)
	j, err := journal.Open(context.Background(), nil, r.dir, r.identity())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	j.Proof(r.format, f.Len())
	name := filepath.Join(r.dir, "proof")
	steps, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(string(steps), " 0", " 1", 1)
	for _, tt := range []struct {
		content string
		right   bool
	}{{string(steps), true}, {string(steps[1:]), false}, {damaged, false}, {"", false}, {string(steps) + "x", true}} {
		if err := os.WriteFile(name, []byte(tt.content), 0o666); err != nil {
			t.Fatal(err)
		}
		reader, _, err := j.Steps()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(reader); (err == nil) != tt.right || tt.right && string(got) != string(steps) {
			t.Errorf("a file of %d bytes instead of %d: read %d bytes, %v", len(tt.content), len(steps), len(got), err)
		}
	}
}
