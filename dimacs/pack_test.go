package dimacs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPack compares packed formulas with the same formulas unpacked, also with clauses that are
// added later, and checks that most shapes take less memory.
func TestPack(t *testing.T) {
	lengths := map[string]func(r *rand.Rand) int{
		"none to four": func(r *rand.Rand) int { return r.IntN(5) },
		"two":          func(*rand.Rand) int { return 2 },
		"long":         func(r *rand.Rand) int { return 40 * r.IntN(2) },
	}
	for name, length := range lengths {
		for _, spread := range []int{3, 1000, MaxVars} {
			r := rand.New(rand.NewPCG(1, uint64(spread)))
			f, want := new(Formula), new(Formula)
			add := func(clauses int) {
				for i := range clauses {
					c := make([]Lit, length(r))
					for k := range c {
						c[k] = Var((i+r.IntN(spread))%MaxVars).Lit() ^ Lit(r.IntN(2))
					}
					f.Add(c...)
					want.Add(c...)
				}
			}
			add(blockLen + 70)
			f.Pack(t.Context())
			if packed := f.blocks[0].packed != nil; !packed && spread < MaxVars {
				t.Errorf("%s, spread %d: not packed", name, spread)
			}
			samePacked(t, want, f)
			add(blockLen)
			samePacked(t, want, f)
			f.Pack(t.Context())
			samePacked(t, want, f)
			for i := range f.Clauses() {
				if i == 100 {
					break // an iteration may end early
				}
			}
		}
	}
}

// samePacked fails the test if the formulas differ. It reads only some clauses by index, since
// each is in a group that is decoded.
func samePacked(t *testing.T, f, packed *Formula) {
	t.Helper()
	if packed.Len() != f.Len() || packed.Size() != f.Size() {
		t.Fatalf("%d clauses and %d literals, want %d and %d", packed.Len(), packed.Size(), f.Len(), f.Size())
	}
	n := 0
	for i, c := range packed.Clauses() {
		n++
		if want := f.Clause(i); !slices.Equal(c, want) || i%7 == 0 && !slices.Equal(packed.Clause(i), want) {
			t.Fatalf("clause %d: %v and %v, want %v", i, c, packed.Clause(i), want)
		}
	}
	if n != f.Len() {
		t.Errorf("%d clauses in an iteration, want %d", n, f.Len())
	}
	for range 20 {
		from := rand.IntN(f.Len() + 1)
		to := from + rand.IntN(f.Len()+1-from)
		next := from
		for i, c := range f.Range(from, to) {
			if i != next || !slices.Equal(c, f.Clause(i)) {
				t.Fatalf("clause %d of the range from %d to %d: %v", i, from, to, c)
			}
			next++
		}
		if next != to {
			t.Fatalf("the range from %d to %d ends at %d", from, to, next)
		}
	}
}

// TestPackLimits checks that nothing is packed if the limit refuses it, or if ctx is done.
func TestPackLimits(t *testing.T) {
	f := sample(2)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	f.Pack(canceled)
	f.memory = func(int64) bool { return false }
	f.Pack(t.Context())
	if slices.ContainsFunc(f.blocks, func(b block) bool { return b.packed != nil }) {
		t.Error("packed without memory")
	}
}

// TestPackRepeated packs the clauses of random edges in four colors. The differences from the
// clause before, which are small in three of four clauses, must be found.
func TestPackRepeated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	f, want := new(Formula), new(Formula)
	for range (blockLen + 70) / 4 {
		a, b := r.IntN(1<<20), r.IntN(1<<20)
		for color := range 4 {
			for _, f := range []*Formula{f, want} {
				f.Add(Var(4*a+color).Lit(), Var(4*b+color).Lit())
			}
		}
	}
	f.Pack(t.Context())
	if b := &f.blocks[0]; !b.above || len(b.packed) > 4*blockLen {
		t.Errorf("%d bytes for %d clauses, above: %t", len(b.packed), blockLen, b.above)
	}
	samePacked(t, want, f)
}

func BenchmarkPack(b *testing.B) {
	for _, spread := range []int{1000, 5_000_000} {
		b.Run(fmt.Sprint(spread), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			f := new(Formula)
			for i := range 1_000_000 {
				c := make([]Lit, 3)
				for k := range c {
					c[k] = Lit(i/3 + r.IntN(spread))
				}
				f.Add(c...)
			}
			plain := slices.Clone(f.blocks)
			b.Run("pack", func(b *testing.B) {
				for b.Loop() {
					copy(f.blocks, plain)
					f.Pack(b.Context())
				}
				size := 0
				for i := range f.blocks {
					size += len(f.blocks[i].packed) + 4*len(f.blocks[i].groups)
				}
				b.ReportMetric(float64(size)/1e6, "bytes/clause")
			})
			b.Run("read", func(b *testing.B) {
				for b.Loop() {
					for range f.Clauses() {
					}
				}
			})
		})
	}
}
