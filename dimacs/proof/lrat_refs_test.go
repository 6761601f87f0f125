package proof

import (
	"math/rand/v2"
	"testing"
)

// TestRefTable compares a table with a slice, while references are appended, changed and removed.
// Blocks without clauses have no memory of their own.
func TestRefTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		c := newHintChecker(nil)
		table, want := &c.refs, []uint32{unknownRef}
		share := rng.IntN(10)
		for range 2000 {
			switch at := rng.IntN(len(want)); {
			case rng.IntN(10) < share || want[at] < sourceRef:
				ref := []uint32{unknownRef, sourceRef, firstRef + rng.Uint32N(1000)}[rng.IntN(3)]
				want = append(want, ref)
				if index := table.append(ref); index != len(want)-1 {
					t.Fatalf("index %d, want %d", index, len(want)-1)
				}
			case rng.IntN(3) == 0:
				want[at] = firstRef + rng.Uint32N(1000)
				table.set(at, want[at])
			default:
				want[at] = deletedRef
				table.remove(at)
			}
		}
		for at, ref := range want {
			if got := table.at(at); got != ref && (ref >= sourceRef || got != goneRef) {
				t.Fatalf("reference %d is %d, want %d", at, got, ref)
			}
		}
		for at, ref := range want {
			if ref >= sourceRef {
				table.remove(at)
			}
		}
		for i, b := range table.blocks[:table.n>>refBits] {
			if b != uniform[unknownRef] && b != uniform[deletedRef] && b != uniform[goneRef] {
				t.Fatalf("block %d has memory, and no clause", i)
			}
		}
	}
}
