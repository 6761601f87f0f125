package study

import (
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

// FuzzRows checks that a file of rows with any content is read or is an error with a
// place.
func FuzzRows(f *testing.F) {
	p := paperPlan(f)
	header := strings.Join(p.study.header(), ",") + "\n"
	var seeds [][]byte
	rows := strings.SplitAfter(string(runAll(f, p, f.TempDir(), 1)), "\n")
	for i := 2; i < len(rows) && i < 8; i++ {
		seeds = append(seeds, []byte(strings.Join(rows[1:i], "")))
	}
	words := []string{"\"", "\"\"", ",", "\n", "\r\n", "sat", "unsat", "-", "yes", "no", "jw1", "\x00"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		r := &store{plan: p}
		err := r.parse([]byte(header + string(in)))
		if err != nil && !strings.HasPrefix(err.Error(), rowsFile+": line ") {
			t.Fatalf("%v: no place", err)
		}
		if n := strings.Count(string(in), "\n") + 1; len(r.rows) > n {
			t.Fatalf("%d rows in %d lines", len(r.rows), n)
		}
	})
}
