package families

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/file"
)

const folder = "../../benchmarks/instances"

// A listing is a row of the table of instances in benchmarks/README.md.
type listing struct{ file, command, answer string }

// listings parses the table.
func listings(t *testing.T) []listing {
	t.Helper()
	text, err := os.ReadFile("../../benchmarks/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []listing
	line := regexp.MustCompile("(?m)^\\| `([^`]+\\.cnf[^`]*)` \\| `([^`]+)` \\| ([A-Z]+) \\|\r?$")
	for _, m := range line.FindAllStringSubmatch(string(text), -1) {
		all = append(all, listing{m[1], m[2], m[3]})
	}
	if len(all) == 0 {
		t.Fatal("README.md lists no instances")
	}
	return all
}

// TestInstances generates each instance listed in README.md and compares the
// bytes with the file. UPDATE=1 writes the files instead.
func TestInstances(t *testing.T) {
	size := int64(0)
	for _, l := range listings(t) {
		inst := command(t, l.command)
		var want bytes.Buffer
		if err := dimacs.Write(&want, inst.Formula, inst.Comments...); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(folder, l.file)
		if os.Getenv("UPDATE") != "" {
			if err := write(name, want.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
		got, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s differs from the output of %q", l.file, l.command)
		}
		if inst.Comments[0] != l.command {
			t.Errorf("%s: the command is %q in README.md and %q in the file", l.file, l.command, inst.Comments[0])
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size >= 1_000_000 {
		t.Errorf("the instances have %d bytes, more than a megabyte", size)
	}
}

func read(name string) ([]byte, error) {
	f, err := file.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func write(name string, text []byte) error {
	f, err := file.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// TestInstancesAreListed: each file is listed in README.md.
func TestInstancesAreListed(t *testing.T) {
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := listings(t)
	for _, f := range files {
		if !slices.ContainsFunc(all, func(l listing) bool { return l.file == f.Name() }) {
			t.Errorf("%s is not listed in README.md", f.Name())
		}
	}
	if len(files) != len(all) {
		t.Errorf("%d files, %d lines in README.md", len(files), len(all))
	}
}

// TestInstanceAnswers compares the answers in README.md with the construction
// or, if that does not determine the answer, with a solver.
func TestInstanceAnswers(t *testing.T) {
	for _, l := range listings(t) {
		inst := command(t, l.command)
		check(t, l.file, inst)
		answer := inst.Answer
		if answer == dimacs.Unknown {
			answer = decide(inst.Formula)
		}
		if answer.String() != l.answer {
			t.Errorf("%s is %v, in README.md %s", l.file, answer, l.answer)
		}
	}
}
