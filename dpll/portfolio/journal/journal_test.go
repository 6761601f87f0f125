package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/dpll/portfolio/journal"
)

// instance returns an unsatisfiable formula and its cubes.
func instance() (*dimacs.Formula, []dimacs.Cube) {
	r := rand.New(rand.NewPCG(1, 2))
	f := dimacs.NewFormula(60)
	for range 300 {
		c := r.Perm(60)[:3]
		f.Add(dimacs.Lit(2*c[0]+r.IntN(2)), dimacs.Lit(2*c[1]+r.IntN(2)), dimacs.Lit(2*c[2]+r.IntN(2)))
	}
	var cubes []dimacs.Cube
	for i := range dimacs.Lit(8) {
		cubes = append(cubes, dimacs.Cube{Lits: []dimacs.Lit{i >> 2, 2 + i>>1&1, 4 + i&1}, Clauses: f.Len()})
	}
	return f, cubes
}

// A run has the refuted cubes of a cube-and-conquer run.
type run struct {
	known  []string // in earlier runs
	solved []string // in this run
}

// conquer runs cube and conquer with a directory, and checks the answer and the proof.
func conquer(t *testing.T, dir string, f *dimacs.Formula, cubes []dimacs.Cube, format proof.Format) run {
	t.Helper()
	j, err := journal.Open(dir, journal.NewIdentity(f, cubes, format))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	o := portfolio.ConquerOptions{Threads: 2, Budget: 5, Solver: cdcl.DefaultOptions(), Known: j.Results()}
	o.Solver.Lucky, o.Solver.Simplify = 0, 0
	var got run
	for _, r := range o.Known {
		if r.Status == dimacs.Unsatisfiable {
			got.known = append(got.known, fmt.Sprint(r.Cube))
		}
	}
	o.Keep = func(r portfolio.Result) error {
		if r.Status == dimacs.Unsatisfiable {
			got.solved = append(got.solved, fmt.Sprint(r.Cube))
		}
		return j.Keep(r)
	}
	if format != proof.FormatUnknown {
		o.Solver.Proof, o.Position = j.Proof(format, f.Len()), j.Position
		info, err := os.Stat(filepath.Join(dir, "proof"))
		if err != nil {
			t.Fatal(err)
		}
		if at, err := j.Position(); err != nil || info.Size() != at.Bytes {
			t.Errorf("the proof file has %d bytes at the start, and its steps end at %d, %v", info.Size(), at.Bytes, err)
		}
	}
	answer, _, err := portfolio.Conquer(context.Background(), f, cubes, o)
	if err != nil || answer != dimacs.Unsatisfiable {
		t.Fatalf("%v, %v", answer, err)
	}
	if format != proof.FormatUnknown {
		steps, _, err := j.Steps()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Check(context.Background(), f, steps, proof.Options{Format: format}); err != nil {
			t.Fatalf("after %d known results: %v", len(o.Known), err)
		}
	}
	return got
}

// copyDir returns a copy of a directory in which one file is changed.
func copyDir(t *testing.T, from, file string, change func([]byte) []byte) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{"run.json", "results", "proof"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if name == file {
			b = change(b)
		}
		if err := os.WriteFile(filepath.Join(to, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// After a file is cut off or damaged anywhere, the answer and the proof are right, and
// cubes with a known result are not solved again.
func TestCutOff(t *testing.T) {
	f, cubes := instance()
	for _, format := range []proof.Format{proof.FormatUnknown, proof.BinaryDRAT, proof.LRAT} {
		t.Run(format.String(), func(t *testing.T) {
			whole := t.TempDir()
			first := conquer(t, whole, f, cubes, format)
			if len(first.known) != 0 || len(first.solved) < 5 {
				t.Fatalf("%d known, %d solved", len(first.known), len(first.solved))
			}
			files := []string{"results"}
			if format != proof.FormatUnknown {
				files = append(files, "proof")
			}
			r := rand.New(rand.NewPCG(3, 4))
			most := 0
			for _, file := range files {
				for i := range 24 {
					var cut = func(b []byte) []byte { return b[:r.IntN(len(b)+1)] }
					if i%4 == 3 && file == "results" {
						cut = func(b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b }
					}
					dir := copyDir(t, whole, file, cut)
					again := conquer(t, dir, f, cubes, format)
					most = max(most, len(again.known))
					known := map[string]bool{}
					for _, c := range again.known {
						known[c] = true
					}
					for _, c := range again.solved {
						if known[c] {
							t.Errorf("cube %s is solved again", c)
						}
					}
					// The next run starts from the results of this one.
					if last := conquer(t, dir, f, cubes, format); len(last.solved) > 0 {
						t.Errorf("%d cubes are solved after the end of the run", len(last.solved))
					}
				}
			}
			if most == 0 {
				t.Error("no run had known results")
			}
		})
	}
}

// The checksum of a line detects a changed byte, even if the line is valid JSON. The
// result of this line and all later results are dropped, from the file too.
func TestChangedByte(t *testing.T) {
	f, cubes := instance()
	id := journal.NewIdentity(f, cubes, proof.FormatUnknown)
	whole := t.TempDir()
	j, err := journal.Open(whole, id)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		r := portfolio.Result{Formula: id.Formula, Cube: cubes[i].Lits, Status: dimacs.Unsatisfiable,
			Failed: cubes[i].Lits, Conflicts: 10 + int64(i)}
		if err := j.Keep(r); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	for _, tt := range []struct{ from, to string }{
		{`"conflicts":11`, `"conflicts":13`},
		{`"failed":[1,2,-3]`, `"failed":[1,2,-1]`},
	} {
		var first []byte
		dir := copyDir(t, whole, "results", func(b []byte) []byte {
			lines := bytes.SplitAfter(b, []byte("\n"))
			first = lines[0]
			changed := bytes.Replace(lines[1], []byte(tt.from), []byte(tt.to), 1)
			if _, text, _ := bytes.Cut(changed, []byte(" ")); bytes.Equal(changed, lines[1]) || !json.Valid(text) {
				t.Fatalf("%s does not is not changed to valid JSON", lines[1])
			}
			lines[1] = changed
			return bytes.Join(lines, nil)
		})
		j, err := journal.Open(dir, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Results(); len(got) != 1 || got[0].Conflicts != 10 {
			t.Errorf("%s: the results are %+v, want the first one only", tt.to, got)
		}
		j.Close()
		if b, err := os.ReadFile(filepath.Join(dir, "results")); err != nil || !bytes.Equal(b, first) {
			t.Errorf("%s: the file has %q, want the first line only", tt.to, b)
		}
	}
}

// A directory of another formula, of other cubes or with a proof in another format is
// refused, and so are results without an identity.
func TestRefused(t *testing.T) {
	f, cubes := instance()
	dir := t.TempDir()
	id := journal.NewIdentity(f, cubes, proof.FormatUnknown)
	j, err := journal.Open(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	g := dimacs.NewFormula(f.Vars())
	g.Append(f)
	g.AddInts(1, 2, 3)
	for _, other := range []journal.Identity{
		journal.NewIdentity(g, cubes, proof.FormatUnknown),
		journal.NewIdentity(f, cubes[1:], proof.FormatUnknown),
		journal.NewIdentity(f, cubes, proof.LRAT),
	} {
		if j, err := journal.Open(dir, other); err == nil {
			j.Close()
			t.Errorf("%+v is accepted", other)
		}
	}
	if j, err = journal.Open(dir, id); err != nil {
		t.Fatal(err)
	}
	j.Close()
	os.Remove(filepath.Join(dir, "run.json"))
	if j, err := journal.Open(dir, id); err == nil {
		j.Close()
		t.Error("results without an identity are accepted")
	}
}
