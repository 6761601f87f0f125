package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"testing"

	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/fuzztest"
)

// FuzzResults reads files of results without a proof. Lines of the input are texts, which
// get the right checksum, or whole lines behind an exclamation mark. The lines before the
// first damage are kept, and are read without damage once the others are cut off.
func FuzzResults(f *testing.F) {
	var id Identity
	var seeds [][]byte
	for _, r := range []portfolio.Result{{}, {Status: dimacs.Unsatisfiable, Cube: dimacs.Lits(1, -2), Failed: dimacs.Lits(-2)}, {Status: dimacs.Satisfiable, Model: dimacs.Lits(3), Split: dimacs.Lits(4)}} {
		text, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, text, append(append(text, '\n'), text...))
	}
	file, err := openFile(nil, f.TempDir(), resultsName)
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	load := func(t testing.TB, data []byte) *Journal {
		j := &Journal{results: file, hash: sha256.New()}
		if err := j.loadResults(context.Background(), data, id); err != nil {
			t.Fatal(err)
		}
		return j
	}
	words := []string{"!", "{", "}", ":", "null", "\"\"", ",", "1e99", "-1", "\"status\"", "\"cube\"", "\"proof\"", "00000000000000000000000000000000 {}"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		var data []byte
		var sum checksum
		for line := range bytes.Lines(in) {
			if raw, is := bytes.CutPrefix(line, []byte("!")); is {
				data = append(data, raw...)
				continue
			}
			text := bytes.TrimSuffix(line, []byte("\n"))
			sum = sum.next(text)
			data = append(append(append(append(data, sum.String()...), ' '), text...), '\n')
		}
		j := load(t, data)
		if j.size > int64(len(data)) || j.size > 0 && data[j.size-1] != '\n' {
			t.Fatalf("%d of %d bytes are kept, not whole lines", j.size, len(data))
		}
		again := load(t, data[:j.size])
		if again.damage != nil || again.size != j.size || len(again.known) != len(j.known) {
			t.Fatalf("%d results, then %d, damage %v", len(j.known), len(again.known), again.damage)
		}
	})
}
