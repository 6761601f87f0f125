package versus

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

func TestReadList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.cnf", "b c.cnf", "sat"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	absolute := filepath.Join(dir, "a.cnf")
	text := "# a comment\n\na.cnf UNSAT\na.cnf ? hard\nb c.cnf\tSAT  of-bmc\n  b c.cnf\tsatisfiable\r\nb c.cnf\nsat ?\nsat\n" + filepath.ToSlash(absolute) + " SAT\n"
	got, err := ReadList(strings.NewReader(text), "list", dir)
	want := []Instance{
		{"a.cnf", absolute, dimacs.Unsatisfiable, ""},
		{"a.cnf", absolute, dimacs.Unknown, "hard"},
		{"b c.cnf", filepath.Join(dir, "b c.cnf"), dimacs.Satisfiable, "of-bmc"},
		{"b c.cnf", filepath.Join(dir, "b c.cnf"), dimacs.Satisfiable, ""},
		{"b c.cnf", filepath.Join(dir, "b c.cnf"), dimacs.Unknown, ""},
		{"sat", filepath.Join(dir, "sat"), dimacs.Unknown, ""},
		{"sat", filepath.Join(dir, "sat"), dimacs.Unknown, ""},
		{filepath.ToSlash(absolute), absolute, dimacs.Satisfiable, ""},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, error %v; want %v", got, err, want)
	}
}

func TestReadListErrors(t *testing.T) {
	for _, text := range []string{"\nmissing.cnf SAT\n", "# x\n.\n"} {
		_, err := ReadList(strings.NewReader(text), "list", t.TempDir())
		var at *dimacs.SyntaxError
		if !errors.As(err, &at) || at.File != "list" || at.Line != 2 {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestDistinct(t *testing.T) {
	a := Instance{"a", "x/a", dimacs.Unknown, ""}
	sat, unsat, other := a, a, a
	sat.Answer, unsat.Answer, other.Path = dimacs.Satisfiable, dimacs.Unsatisfiable, "y/a"
	b := Instance{"b", "x/b", dimacs.Unknown, ""}
	named := sat
	named.Family = "small"
	renamed := named
	renamed.Family = "large"
	got, err := Distinct([]Instance{a, b, sat, named, a, sat})
	if err != nil || !slices.Equal(got, []Instance{named, b}) {
		t.Errorf("%v, error %v", got, err)
	}
	for _, bad := range [][]Instance{{sat, unsat}, {a, other}, {named, renamed}} {
		if _, err := Distinct(bad); err == nil {
			t.Errorf("no error for %v", bad)
		}
	}
}
