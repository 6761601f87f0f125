package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/journal"
	"sator/dimacs/proof"
	"sator/internal/effort"
)

// A damageTest damages the directory of a finished run in many ways.
type damageTest struct {
	run       // with the finished directory's identity, and the directory of damaged copies
	whole     folder
	lines     []string // of results
	ends      []int    // position in the proof after each line
	continued map[resumption]bool
	damages   int // number of damaged directories
}

// A resumption is a kind of run from a damaged directory.
type resumption struct {
	known      int // number of results
	wholeProof bool
}

func newDamageTest(t *testing.T, format proof.Format, budget int64) *damageTest {
	f, cubes := instance(22, 2)
	d := &damageTest{continued: map[resumption]bool{}}
	d.run = run{disk: unsynchronized(), dir: t.TempDir(), formula: f, cubes: cubes, format: format, budget: budget}
	d.mustRefute(t)
	d.whole = readFolder(t, d.dir)
	d.lines = strings.SplitAfter(strings.TrimSuffix(d.whole["results"], "\n"), "\n")
	d.lines[len(d.lines)-1] += "\n"
	d.ends = []int{0}
	for _, r := range resultsOf(t, d.whole["results"]) {
		end := 0
		if r.Proof != nil {
			end = int(r.Proof.Bytes)
		}
		d.ends = append(d.ends, end)
	}
	if len(d.lines) < 5 {
		t.Fatalf("only %d results", len(d.lines)-1)
	}
	return d
}

// intact returns the number of results before the first difference of a file.
func (d *damageTest) intact(name, content string) int {
	whole := d.whole[name]
	offset := 0
	for offset < len(content) && offset < len(whole) && content[offset] == whole[offset] {
		offset++
	}
	if name == "proof" {
		i, _ := slices.BinarySearch(d.ends, offset+1)
		return i - 1
	}
	for i, line := range d.lines {
		if offset < len(line) {
			return i - 1
		}
		offset -= len(line)
	}
	return len(d.lines) - 1
}

// try opens a damaged directory. It must have the results before the damage, or give an
// error that names the directory and changes no file if want is -1. The run that resumes
// from these results must have the right answer and a right proof.
func (d *damageTest) try(t *testing.T, what string, files folder, want int) {
	t.Helper()
	d.damages++
	files.write(t, d.dir)
	j, err := journal.Open(context.Background(), d.disk, d.dir, d.identity())
	if err != nil {
		if want >= 0 || !strings.Contains(err.Error(), d.dir) || !strings.Contains(err.Error(), "use another directory") {
			t.Errorf("%s: %v; want %d results", what, err, want)
		}
		after := readFolder(t, d.dir)
		for name, content := range files {
			if after[name] != content {
				t.Errorf("%s: the file %s is changed, in spite of the error %v", what, name, err)
			}
		}
		return
	}
	known, damage := j.Results(), j.Damage()
	if err := j.Close(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if len(known) != want {
		t.Errorf("%s: got %d results, want %d", what, len(known), want)
		return
	}
	// The files are cut off behind these results, whatever was behind, so it is enough to
	// resume once with and once without a damaged proof.
	after := readFolder(t, d.dir)
	if after["results"] != strings.Join(d.lines[:want+1], "") || after["proof"] != d.whole["proof"][:d.ends[want]] {
		t.Errorf("%s: the files are not cut off behind %d results", what, want)
	}
	dropped := strings.Count(files["results"], "\n") > want+1
	if dropped != (damage != nil) {
		t.Errorf("%s: the damage is reported as %v", what, damage)
	}
	if k := (resumption{want, files["proof"] == d.whole["proof"]}); !d.continued[k] {
		d.continued[k] = true
		files.write(t, d.dir)
		r := d.run
		r.mustRefute(t)
	}
}

// changed returns the whole directory with another content of a file.
func (d *damageTest) changed(name, content string) folder {
	files := folder{name: content}
	for other := range d.whole {
		if other != name {
			files[other] = d.whole[other]
		}
	}
	return files
}

// TestDamage flips a bit of each byte, cuts the files off at each length, and overwrites
// their ends by zeros. The results before the damage are kept, and all others dropped.
// Unless it runs whole, it leaves most bytes of the results out.
func TestDamage(t *testing.T) {
	whole := effort.Whole()
	for _, format := range formats {
		d := newDamageTest(t, format, 3)
		rng := rand.New(rand.NewPCG(1, uint64(format)))
		for name, content := range d.whole {
			try := func(what, damaged string) {
				want := d.intact(name, damaged)
				first := strings.TrimRight(damaged, "\x00")
				if name == "results" && format == proof.FormatUnknown && strings.HasPrefix(d.lines[0], first) {
					want = 0 // an incomplete first line, as of a new directory
				}
				d.try(t, fmt.Sprintf("%v, %s, %s", format, name, what), d.changed(name, damaged), want)
			}
			step := 1
			if name == "results" && !whole {
				step = 7 // to save time: the lines differ little
			}
			for i := rng.IntN(step); i < len(content); i += step {
				flipped := []byte(content)
				flipped[i] ^= 1 << rng.IntN(8)
				try(fmt.Sprintf("byte %d flipped", i), string(flipped))
				try(fmt.Sprintf("cut off at byte %d", i), content[:i])
				if i%4 == 0 {
					try(fmt.Sprintf("zeros from byte %d on", i), content[:i]+strings.Repeat("\x00", len(content)-i))
				}
			}
			try("with zeros at the end", content+strings.Repeat("\x00", 4096))
		}
		for known := range len(d.lines) {
			if !d.continued[resumption{known, true}] || format != proof.FormatUnknown && !d.continued[resumption{known, false}] {
				t.Errorf("%v: no run was resumed with %d results", format, known)
			}
		}
		t.Logf("%v: %d damaged directories with up to %d results", format, d.damages, len(d.lines)-1)
	}
}

// TestDamagedLines repeats, removes and swaps lines, and takes lines of another run.
func TestDamagedLines(t *testing.T) {
	for _, format := range formats {
		d, other := newDamageTest(t, format, 5), newDamageTest(t, format, 3)
		all := len(d.lines) - 1
		try := func(what string, lines []string, want int) {
			t.Helper()
			d.try(t, fmt.Sprintf("%v, %s", format, what), d.changed("results", strings.Join(lines, "")), want)
		}
		empty := -1 // the first line is damaged, and a new one is written only if there is no proof
		for i := range d.lines {
			try(fmt.Sprintf("line %d twice", i+1), slices.Insert(slices.Clone(d.lines), i, d.lines[i]), i)
			try(fmt.Sprintf("line %d at the end", i+1), append(slices.Clone(d.lines), d.lines[i]), all)
			want := i - 1
			if i == 0 {
				want = empty
			}
			try(fmt.Sprintf("no line %d", i+1), slices.Delete(slices.Clone(d.lines), i, i+1), want)
			try(fmt.Sprintf("an empty line before line %d", i+1), slices.Insert(slices.Clone(d.lines), i, "\n"), want)
			for k := range i {
				swapped := slices.Clone(d.lines)
				swapped[i], swapped[k] = swapped[k], swapped[i]
				try(fmt.Sprintf("lines %d and %d swapped", k+1, i+1), swapped, k-1)
			}
			if i > 1 && i < len(other.lines) { // the first result of another run may be used
				foreign := slices.Clone(d.lines)
				foreign[i] = other.lines[i]
				try(fmt.Sprintf("line %d of another run", i+1), foreign, i-1)
			}
		}
	}
}

// TestDamagedFiles removes files, and takes files of other runs.
func TestDamagedFiles(t *testing.T) {
	for _, format := range formats[1:] {
		d, other := newDamageTest(t, format, 5), newDamageTest(t, format, 3)
		if d.whole["proof"] == other.whole["proof"] {
			t.Fatal("two runs have the same proof")
		}
		plain := newDamageTest(t, proof.FormatUnknown, 5)
		d.try(t, "no proof", folder{"results": d.whole["results"]}, 0)
		d.try(t, "no results", folder{"proof": d.whole["proof"]}, -1)
		d.try(t, "no files", folder{}, 0)
		d.try(t, "results of a run without a proof", folder{"results": plain.whole["results"]}, -1)
		d.try(t, "other files too", d.changed("run.json", "{}"), len(d.lines)-1)
		same := 0 // number of results with the same steps in both runs
		for same+1 < len(d.ends) && strings.HasPrefix(other.whole["proof"], d.whole["proof"][:d.ends[same+1]]) {
			same++
		}
		d.try(t, "the proof of another run", d.changed("proof", other.whole["proof"]), same)
	}
}

// TestDamageIsFound checks that the damages of TestDamage include lines that are still
// valid JSON with another meaning.
func TestDamageIsFound(t *testing.T) {
	d := newDamageTest(t, proof.LRAT, 5)
	for _, tt := range []struct{ from, to string }{
		{`"failed":[`, `"failed":[-`}, {`"conflicts":`, `"conflicts":1`}, {`"bytes":`, `"bytes":1`}, {`"clause":`, `"clause":1`},
	} {
		at := slices.IndexFunc(d.lines, func(line string) bool { return strings.Contains(line, tt.from) })
		lines := slices.Clone(d.lines)
		lines[at] = strings.Replace(lines[at], tt.from, tt.to, 1)
		if _, text, _ := bytes.Cut([]byte(lines[at]), []byte(" ")); !json.Valid(text) {
			t.Errorf("%s is not JSON", text)
		}
		d.try(t, tt.to, d.changed("results", strings.Join(lines, "")), at-1)
	}
}
