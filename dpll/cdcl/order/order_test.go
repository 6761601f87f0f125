package order

import (
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
