package count

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestCache stores, cleans and forgets. A number may be missing, but not wrong. With exact keys,
// four components share each key.
func TestCache(t *testing.T) {
	for _, exact := range []bool{false, true} {
		r := rand.New(rand.NewPCG(1, 1))
		c := newCache(200_000, exact)
		most := 20_000
		if !exact {
			most = 5000
		}
		value := func(k uint32) number {
			return arithmetic{}.fromInt(new(big.Int).Lsh(big.NewInt(int64(k)), uint(k%300)))
		}
		id := func(k uint32) key { return key{1, uint64(k % 5000)} }
		found := 0
		for range 200_000 {
			k := uint32(r.IntN(most))
			switch n := r.IntN(1000); {
			case n < 500:
				if x, ok := c.value(id(k), []uint32{k, 9}); ok {
					found++
					if w := value(k); w.int().Cmp(x.int()) != 0 {
						t.Fatalf("%d: %v, want %v", k, x, w)
					}
				}
			case n < 999:
				c.store(id(k), []uint32{k, 9}, value(k))
			default:
				m := c.mark()
				for k := range uint32(50) {
					c.store(key{2, uint64(k)}, []uint32{k}, value(299))
				}
				c.clean(m)
				for k := range uint32(50) {
					if _, ok := c.value(key{2, uint64(k)}, []uint32{k}); ok {
						t.Fatal("a number that was cleaned away is there")
					}
				}
			}
		}
		if c.forgotten == 0 || found < 1000 {
			t.Errorf("exact %v: %d forgotten, %d found", exact, c.forgotten, found)
		}
	}
}
