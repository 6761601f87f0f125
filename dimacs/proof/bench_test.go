package proof

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
)

// benchProof returns a proof similar to those of a solver, for a formula of
// 200,000 clauses: lemmas of about 25 literals with about 60 hints, and
// deletions of half of them.
func benchProof() *randomProof {
	rng := rand.New(rand.NewPCG(5, 5))
	p := &randomProof{originals: 200_000, vars: 50_000}
	id := int64(p.originals)
	for len(p.steps) < 10_000 {
		s := Step{ID: id + 1}
		for range 1 + rng.IntN(50) {
			s.Lits = append(s.Lits, dimacs.Lit(rng.IntN(2*p.vars)))
		}
		for range 1 + rng.IntN(120) {
			s.Hints = append(s.Hints, 1+rng.Int64N(id))
		}
		p.steps = append(p.steps, s)
		id++
		if rng.IntN(2) == 0 {
			p.steps = append(p.steps, Step{Delete: true, Lits: s.Lits, Hints: []int64{id}})
		}
	}
	return p
}

func BenchmarkRead(b *testing.B) {
	p := benchProof()
	for _, format := range formats {
		b.Run(format.String(), func(b *testing.B) {
			in := p.file(format)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(in), "", format)
				n := 0
				for {
					_, err := r.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n == 0 || n > len(p.steps) {
					b.Fatal(n, "steps")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.steps)), "ns/step")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	p := benchProof()
	for _, format := range formats {
		b.Run(format.String(), func(b *testing.B) {
			b.SetBytes(int64(len(p.file(format))))
			b.ReportAllocs()
			for b.Loop() {
				w := NewWriter(io.Discard, format, p.originals)
				p.replay(w)
				if err := w.Flush(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.steps)), "ns/step")
		})
	}
}
