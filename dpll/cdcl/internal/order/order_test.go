package order

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap compares the heap with a sorted list.
func TestHeap(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var h Heap
		n := 1 + rng.IntN(60)
		h.Grow(n)
		in := map[uint32]bool{}
		for range 400 {
			v := uint32(rng.IntN(n))
			switch {
			case rng.IntN(3) == 0 && len(in) > 0:
				best := slices.MinFunc(slices.Sorted(maps.Keys(in)), func(a, b uint32) int {
					if h.Before(a, b) {
						return -1
					}
					return 1
				})
				if got := h.Pop(); got != best {
					t.Fatalf("seed %d: popped %d, want %d", seed, got, best)
				}
				delete(in, best)
			case in[v]:
				h.Score[v] += float64(rng.IntN(5))
				h.Raise(v)
			default:
				h.Push(v)
				in[v] = true
			}
			for v := range uint32(n) {
				if h.Contains(v) != in[v] {
					t.Fatalf("seed %d: Contains(%d) is %v", seed, v, h.Contains(v))
				}
			}
		}
	}
}

// TestHeapScale scales scores from 2^-1074 to 2^500, neighboring floating-point numbers
// and equal ones among them, until the lowest would underflow. The order must stay,
// except that neighbors may become equal above the small products.
func TestHeapScale(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		const n = 300
		var h Heap
		h.Grow(n)
		for v := range h.Score {
			switch x := math.Ldexp(1+rng.Float64(), rng.IntN(1574)-1074); rng.IntN(4) {
			case 0:
				h.Score[v] = x
			case 1:
				h.Score[v] = h.Score[rng.IntN(v+1)]
			case 2:
				h.Score[v] = math.Nextafter(h.Score[rng.IntN(v+1)], 0)
			}
			h.Push(uint32(v))
		}
		for round := range 8 {
			before := slices.Clone(h.Score)
			h.Scale(1e-150)
			for i, v := range h.Items[1:] {
				if parent := h.Items[i/2]; h.Before(v, parent) {
					t.Fatalf("seed %d, round %d: %d with score %g is below %d with score %g", seed, round, v, h.Score[v], parent, h.Score[parent])
				}
			}
			for a := range before {
				for b := range before[:a] {
					if !sameOrder(before[a], before[b], h.Score[a], h.Score[b]) {
						t.Fatalf("seed %d, round %d: scores %g and %g became %g and %g", seed, round, before[a], before[b], h.Score[a], h.Score[b])
					}
				}
			}
		}
	}
}

// sameOrder reports whether scores a and b are in the order of x and y, to which they
// were scaled. Normal neighbors may become equal.
func sameOrder(a, b, x, y float64) bool {
	if x == y && x >= smallProduct && (math.Nextafter(a, b) == b) {
		return true
	}
	return cmp.Compare(a, b) == cmp.Compare(x, y)
}

// TestQueueRestamp checks that the queue keeps its order when stamps overflow.
func TestQueueRestamp(t *testing.T) {
	var q Queue
	q.Init()
	q.Grow(5)
	q.stamp = math.MaxUint32
	q.MoveToEnd(1)
	var order []uint32
	last := uint32(0)
	for v := q.First; v != None; v = q.Links[v].Next {
		order = append(order, v)
		if s := q.Links[v].Stamp; s <= last {
			t.Errorf("variable %d has stamp %d after %d", v, s, last)
		} else {
			last = s
		}
	}
	if want := []uint32{0, 2, 3, 4, 1}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}
