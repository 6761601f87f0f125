package cdcl

// The heap orders variables by their VSIDS score, the highest first; between
// equal scores the lower variable comes first, so that the order is the same
// everywhere. It is binary and indexed: pos tells where a variable is, so that
// a score can rise in place. Scores only rise while a variable is in it, apart
// from rescaling, which keeps the order.
//
// Written out instead of container/heap, which costs twice the time and an
// allocation a push.
type heap struct {
	vars  []uint32  // the heap
	pos   []uint32  // by variable: index in vars plus 1, 0 if absent
	score []float64 // by variable
}

// grow makes room for variables up to n.
func (h *heap) grow(n int) {
	h.pos = lengthen(h.pos, n)
	h.score = lengthen(h.score, n)
	h.vars = lengthen(h.vars, n)[:len(h.vars)]
}

// fill pushes the variables from n to end-1, which were never bumped. Into an
// empty heap they go as they come: the lower ones are before the others.
func (h *heap) fill(n, end int) {
	sorted := len(h.vars) == 0
	for v := uint32(n); int(v) < end; v++ {
		if !sorted {
			h.push(v)
			continue
		}
		h.vars = append(h.vars, v)
		h.pos[v] = uint32(len(h.vars))
	}
}

func (h *heap) contains(v uint32) bool { return h.pos[v] != 0 }

func (h *heap) before(a, b uint32) bool {
	if x, y := h.score[a], h.score[b]; x != y {
		return x > y
	}
	return a < b
}

func (h *heap) push(v uint32) {
	h.vars = append(h.vars, v)
	h.up(len(h.vars) - 1)
}

func (h *heap) pop() uint32 {
	top := h.vars[0]
	last := len(h.vars) - 1
	v := h.vars[last]
	h.vars = h.vars[:last]
	h.pos[top] = 0
	if last > 0 {
		h.vars[0] = v
		h.down(0)
	}
	return top
}

// remove takes v out, wherever it is.
func (h *heap) remove(v uint32) {
	p := h.pos[v]
	if p == 0 {
		return
	}
	last := len(h.vars) - 1
	moved := h.vars[last]
	h.vars = h.vars[:last]
	h.pos[v] = 0
	if i := int(p - 1); i < last {
		h.vars[i] = moved
		h.pos[moved] = p
		h.up(i)
		h.down(int(h.pos[moved] - 1))
	}
}

// raise restores the order after the score of v rose.
func (h *heap) raise(v uint32) {
	if p := h.pos[v]; p != 0 {
		h.up(int(p - 1))
	}
}

func (h *heap) up(i int) {
	v := h.vars[i]
	for i > 0 {
		parent := (i - 1) / 2
		p := h.vars[parent]
		if !h.before(v, p) {
			break
		}
		h.vars[i] = p
		h.pos[p] = uint32(i + 1)
		i = parent
	}
	h.vars[i] = v
	h.pos[v] = uint32(i + 1)
}

func (h *heap) down(i int) {
	v := h.vars[i]
	for {
		child := 2*i + 1
		if child >= len(h.vars) {
			break
		}
		c := h.vars[child]
		if right := child + 1; right < len(h.vars) && h.before(h.vars[right], c) {
			child, c = right, h.vars[right]
		}
		if !h.before(c, v) {
			break
		}
		h.vars[i] = c
		h.pos[c] = uint32(i + 1)
		i = child
	}
	h.vars[i] = v
	h.pos[v] = uint32(i + 1)
}
