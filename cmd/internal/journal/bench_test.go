package journal_test

import (
	"context"
	"testing"

	"sator/cmd/internal/journal"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// BenchmarkKeep measures the cost of a result with 900 bytes of proof, without and with
// the proof. The last results are on the disk at the end.
func BenchmarkKeep(b *testing.B) {
	f, cubes := instance(60, 8)
	for _, format := range formats {
		b.Run(format.String(), func(b *testing.B) {
			r := run{dir: b.TempDir(), formula: f, cubes: cubes, format: format}
			j, err := journal.Open(context.Background(), nil, r.dir, r.identity())
			if err != nil {
				b.Fatal(err)
			}
			var steps dimacs.Proof
			if format != proof.FormatUnknown {
				steps = j.Proof(format, f.Len())
			}
			lemma := dimacs.Lits(-1, 20, -30, 41, 50)
			result := portfolio.Result{Formula: r.identity().Formula, Cube: cubes[0].Lits, Status: dimacs.Unsatisfiable, Failed: cubes[0].Lits}
			for b.Loop() {
				if steps != nil {
					for range 100 {
						steps.Learn(lemma, []int64{1, 2, 3})
					}
					at, err := j.Position()
					if err != nil {
						b.Fatal(err)
					}
					result.Proof = &at
				}
				if err := j.Keep(result); err != nil {
					b.Fatal(err)
				}
			}
			if err := j.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
