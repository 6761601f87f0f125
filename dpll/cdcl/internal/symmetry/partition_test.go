package symmetry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dpll/cdcl/internal/inprocess"
)

// cells returns the cells of p with sorted elements, in the order of the partition. It fails
// the test if the tables of p disagree.
func (p *partition) cells(t *testing.T) (cells [][]uint32) {
	t.Helper()
	for i, v := range p.elems {
		if p.place[v] != uint32(i) {
			t.Fatalf("vertex %d is at %d, but its place is %d", v, i, p.place[v])
		}
	}
	for c := uint32(0); int(c) < len(p.elems); c += p.size[c] {
		if p.size[c] == 0 {
			t.Fatalf("cell %d is empty", c)
		}
		for _, v := range p.members(c) {
			if p.cell[v] != c {
				t.Fatalf("vertex %d in cell %d has cell %d", v, c, p.cell[v])
			}
		}
		cells = append(cells, slices.Sorted(slices.Values(p.members(c))))
	}
	return cells
}

// TestPartition compares random sequences of splits and undos with a list of sets.
func TestPartition(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := r.IntN(20)
		p := newPartition(new(inprocess.Plain), n)
		var want [][][]uint32 // by number of splits: the cells
		all := make([]uint32, n)
		for v := range all {
			all[v] = uint32(v)
		}
		if n > 0 {
			want = append(want, [][]uint32{all})
		} else {
			want = append(want, nil)
		}
		for range 40 {
			if n == 0 {
				break
			}
			v := uint32(r.IntN(n))
			c := p.cell[v]
			size := int(p.size[c])
			switch k := r.IntN(4); {
			case k == 0:
				undone := r.IntN(len(p.log) + 1)
				p.undo(undone)
				want = want[:undone+1]
			case k == 1: // an order within the cell is of no importance
				p.move(v, c+uint32(r.IntN(size)))
			case k == 2 && size > 1:
				at := c + 1 + uint32(r.IntN(size-1))
				p.cut(c, at)
				want = append(want, split2(last(want), p.members(c), p.members(at)))
			case k == 3:
				if got := p.individualize(v); got != c+uint32(size)-1 || p.cell[v] != got || p.size[got] != 1 {
					t.Fatalf("seed %d: %d is individualized as %d, a cell of %d", seed, v, got, p.size[got])
				}
				if size > 1 {
					want = append(want, split2(last(want), p.members(c), []uint32{v}))
				}
			}
			if got := fmt.Sprint(p.cells(t)); got != fmt.Sprint(last(want)) || len(p.log) != len(want)-1 {
				t.Fatalf("seed %d: the cells are %v after %d splits, want %v", seed, got, len(p.log), last(want))
			}
		}
	}
}

func last[T any](s []T) T { return s[len(s)-1] }

// split2 returns the cells with one cell divided into two parts.
func split2(cells [][]uint32, first, second []uint32) [][]uint32 {
	one, two := slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(second))
	both := slices.Sorted(slices.Values(slices.Concat(one, two)))
	i := slices.IndexFunc(cells, func(c []uint32) bool { return slices.Equal(c, both) })
	return slices.Concat(cells[:i], [][]uint32{one, two}, cells[i+1:])
}
