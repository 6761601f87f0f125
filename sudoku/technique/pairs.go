package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// Aligned pair exclusion. Two cells p and q are seen by cells with two candidates each. If p and q
// took both candidates of such a cell, it would have no candidate left. So if p is x and a cell
// {x, y} sees both, q is not y, nor x if p sees q. If that leaves q no digit, p is not x.

func alignedPairs(b *Board, use func(*Step) bool) {
	two := make([]uint64, b.words) // the cells with two candidates
	for cell, set := range b.digits {
		if bits.OnesCount64(set) == 2 {
			two[cell/64] |= 1 << (cell % 64)
		}
	}
	var between []int
	for p := range b.digits {
		for q := range b.digits {
			if p == q || b.placed[p] || b.placed[q] {
				continue
			}
			if between = b.commonPeers(p, q, two, between[:0]); len(between) > 0 && !b.pairExclusions(p, q, between, use) {
				return
			}
		}
	}
}

// commonPeers appends the cells of a set that see both p and q to buf.
func (b *Board) commonPeers(p, q int, set []uint64, buf []int) []int {
	for w := range b.words {
		for rest := set[w] & b.peers[p*b.words+w] & b.peers[q*b.words+w]; rest != 0; rest &= rest - 1 {
			buf = append(buf, 64*w+bits.TrailingZeros64(rest))
		}
	}
	return buf
}

// pairExclusions finds the digits of p that leave no digit for q.
func (b *Board) pairExclusions(p, q int, between []int, use func(*Step) bool) bool {
	for _, digit := range digitsOf(b.digits[p]) {
		x := uint64(1) << (digit - 1)
		left := b.digits[q]
		if b.sees(p, q) {
			left &^= x
		}
		var cells []int
		for _, cell := range between {
			if y := b.digits[cell] &^ x; b.digits[cell]&x != 0 && left&y != 0 {
				left &^= y
				cells = append(cells, cell)
			}
		}
		if left != 0 || len(cells) == 0 {
			continue
		}
		s := &Step{
			Placed: -1, Eliminated: []int{p*b.size + digit - 1}, groups: append([]int{q}, cells...),
			cells: slices.Concat([]int{p, q}, cells), digits: []int{digit},
		}
		if !use(s) {
			return false
		}
	}
	return true
}

func alignedPairReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s=%d would leave %s no digit, since together they must not take both candidates of %s",
		b.rules.CellName(s.cells[0]), s.digits[0], b.rules.CellName(s.cells[1]), b.cellNames(s.cells[2:]))
}
