package order

import (
	"cmp"
	"math"
	"slices"
)

// A Heap is an indexed binary heap of numbers, usually variables, by score, the highest
// first: the order of VSIDS (Moskewicz, Madigan, Zhao, Zhang and Malik, "Chaff", DAC
// 2001; as a heap, Eén and Sörensson, "An extensible SAT-solver", SAT 2003). Between
// equal scores the lower number comes first, so that the order is the same on every
// machine. A score may rise while its number is in the heap; [Heap.Raise] restores
// the order then. [Heap.Scale] scales all scores down before they overflow.
//
// It does not use container/heap, because that takes twice the time and one allocation
// per push. The zero value is an empty heap.
type Heap struct {
	Items []uint32  // the heap; Items[0] has the highest score
	Score []float64 // by number
	Pos   []uint32  // by number: its index in Items plus 1, or 0 if it is not there
}

// Grow extends the tables to numbers below n, with score 0, and pushes no number. It
// allocates nothing where the slices have the capacity.
func (h *Heap) Grow(n int) {
	h.Pos = lengthen(h.Pos, n)
	h.Score = lengthen(h.Score, n)
	h.Items = lengthen(h.Items, n)[:len(h.Items)]
}

// Fill pushes the numbers from n to end-1, all with score 0. If the heap is empty it
// appends them without comparisons, since equal scores are in the order of numbers.
func (h *Heap) Fill(n, end int) {
	sorted := len(h.Items) == 0
	for v := uint32(n); int(v) < end; v++ {
		if !sorted {
			h.Push(v)
			continue
		}
		h.Items = append(h.Items, v)
		h.Pos[v] = uint32(len(h.Items))
	}
}

// Contains reports whether v is in the heap.
func (h *Heap) Contains(v uint32) bool { return h.Pos[v] != 0 }

// Before reports whether a comes before b in the order of the heap.
func (h *Heap) Before(a, b uint32) bool {
	if x, y := h.Score[a], h.Score[b]; x != y {
		return x > y
	}
	return a < b
}

// Push adds v in logarithmic time. The heap must not contain v.
func (h *Heap) Push(v uint32) {
	h.Items = append(h.Items, v)
	h.up(len(h.Items) - 1)
}

// Pop removes and returns the number with the highest score in logarithmic time. The
// heap must not be empty.
func (h *Heap) Pop() uint32 {
	top := h.Items[0]
	last := len(h.Items) - 1
	v := h.Items[last]
	h.Items = h.Items[:last]
	h.Pos[top] = 0
	if last > 0 {
		h.Items[0] = v
		h.down(0)
	}
	return top
}

// Remove removes v, if the heap contains it, in logarithmic time.
func (h *Heap) Remove(v uint32) {
	p := h.Pos[v]
	if p == 0 {
		return
	}
	last := len(h.Items) - 1
	moved := h.Items[last]
	h.Items = h.Items[:last]
	h.Pos[v] = 0
	if i := int(p - 1); i < last {
		h.Items[i] = moved
		h.Pos[moved] = p
		h.Fix(moved)
	}
}

// Fix restores the order after the score of v rose or fell. The heap must contain v.
func (h *Heap) Fix(v uint32) {
	h.up(int(h.Pos[v] - 1))
	h.down(int(h.Pos[v] - 1))
}

// Raise restores the order after the score of v rose.
func (h *Heap) Raise(v uint32) {
	if p := h.Pos[v]; p != 0 {
		h.up(int(p - 1))
	}
}

// Scale multiplies all scores, which must not be negative, by a positive factor below 1,
// and keeps the order of the numbers where the products differ.
//
// Below the normal numbers products underflow: different ones would become equal, at last
// 0, and numbers that are bumped seldom would lose their order. Small products are
// therefore computed in ascending order, and each is at least the next floating-point
// number after the one before. Elsewhere only neighboring floating-point numbers can have
// the same product; then the order of the numbers decides, and the heap is repaired. The
// time is linear except for sorting the scores with small products.
func (h *Heap) Scale(factor float64) {
	var small []uint32
	for v, score := range h.Score {
		if p := score * factor; score == 0 || p >= smallProduct {
			h.Score[v] = p
		} else {
			small = append(small, uint32(v))
		}
	}
	slices.SortFunc(small, func(a, b uint32) int { return cmp.Compare(h.Score[a], h.Score[b]) })
	last, product := 0.0, 0.0
	for _, v := range small {
		if score := h.Score[v]; score > last {
			last, product = score, max(score*factor, math.Nextafter(product, 1))
		}
		h.Score[v] = product
	}
	for i := range h.Items {
		h.up(i)
	}
}

// smallProduct is so far above the least normal number, 2^-1022, that products that Scale
// raises in steps of 2^-1074 stay below it.
const smallProduct = 0x1p-1000

func (h *Heap) up(i int) {
	v := h.Items[i]
	for i > 0 {
		parent := (i - 1) / 2
		p := h.Items[parent]
		if !h.Before(v, p) {
			break
		}
		h.Items[i] = p
		h.Pos[p] = uint32(i + 1)
		i = parent
	}
	h.Items[i] = v
	h.Pos[v] = uint32(i + 1)
}

func (h *Heap) down(i int) {
	v := h.Items[i]
	for {
		child := 2*i + 1
		if child >= len(h.Items) {
			break
		}
		c := h.Items[child]
		if right := child + 1; right < len(h.Items) && h.Before(h.Items[right], c) {
			child, c = right, h.Items[right]
		}
		if !h.Before(c, v) {
			break
		}
		h.Items[i] = c
		h.Pos[c] = uint32(i + 1)
		i = child
	}
	h.Items[i] = v
	h.Pos[v] = uint32(i + 1)
}

// lengthen returns a with n elements, the new ones zero. The first growth allocates
// exactly n elements; later ones add a quarter, also to an empty slice.
func lengthen[T any](a []T, n int) []T {
	if n <= cap(a) {
		return a[:n]
	}
	size := n
	if cap(a) > 0 {
		size += n / 4
	}
	b := make([]T, n, size)
	copy(b, a)
	return b
}
