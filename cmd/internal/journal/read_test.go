package journal_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sator/cmd/internal/journal"
	"sator/dimacs"
)

// TestRead compares the results that Read returns with those that Open returns. Read
// ignores an incomplete last line and reports damage.
func TestRead(t *testing.T) {
	for _, format := range formats {
		f, cubes := instance(30, 3)
		r := &run{disk: unsynchronized(), dir: filepath.Join(t.TempDir(), "run"), formula: f, cubes: cubes, format: format}
		if status, err := r.conquer(t); err != nil || status == dimacs.Unknown || len(r.kept) == 0 {
			t.Fatalf("%v: %v after %d results, error %v", format, status, len(r.kept), err)
		}
		j, err := journal.Open(context.Background(), r.disk, r.dir, r.identity())
		if err != nil {
			t.Fatal(err)
		}
		want := j.Results()
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(r.dir, "results")
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := string(b)
		for _, test := range []struct{ name, file, wrong string }{
			{"whole", whole, ""},
			{"cut", whole + "77b2", ""},
			{"damaged", whole[:len(whole)-3] + "?}\n", "line "},
			{"another", "no results\n", "line 1: "},
			{"empty", "", "line 1: "},
		} {
			if err := os.WriteFile(name, []byte(test.file), 0o666); err != nil {
				t.Fatal(err)
			}
			id, got, err := journal.Read(r.dir)
			switch {
			case test.wrong != "":
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Errorf("%v, %s: error %v", format, test.name, err)
				}
			case err != nil || id != r.identity() || !reflect.DeepEqual(got, want):
				t.Errorf("%v, %s: %+v, %d results, error %v", format, test.name, id, len(got), err)
			}
		}
	}
	if _, _, err := journal.Read(t.TempDir()); err == nil {
		t.Error("no error for a directory without results")
	}
}
