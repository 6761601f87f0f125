package sudoku

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// plain is a reference implementation of Candidates that follows the
// definitions.
type plain struct {
	r    *Rules
	live []bool
}

// place makes a candidate true and eliminates the candidates that it excludes.
func (p *plain) place(cand int) {
	cell, digit := p.r.Split(cand)
	for d := 1; d <= p.r.Size(); d++ {
		if d != digit {
			p.live[p.r.Candidate(cell, d)] = false
		}
	}
	for _, peer := range p.r.Peers(cell) {
		p.live[p.r.Candidate(peer, digit)] = false
	}
}

// left returns the candidates left in a group.
func (p *plain) left(group int) []int {
	return slices.DeleteFunc(p.r.Group(group, nil), func(cand int) bool { return !p.live[cand] })
}

// singles places singles and applies cage sums until nothing changes. It
// reports whether every group has a candidate left.
func (p *plain) singles() bool {
	for changed := true; changed; {
		before := slices.Clone(p.live)
		for g := range p.r.Groups() {
			switch left := p.left(g); len(left) {
			case 0:
				return false
			case 1:
				p.place(left[0])
			}
		}
		for _, cage := range p.r.Cages() {
			p.cage(cage)
		}
		changed = !slices.Equal(before, p.live)
	}
	return true
}

// cage eliminates the digits of a cage that are in no set of digits with its
// sum. It tries all sets.
func (p *plain) cage(cage Cage) {
	n, sum, union := p.r.Size(), cage.Sum, 0
	var open []int
	for _, cell := range cage.Cells {
		if left := p.left(cell); len(left) == 1 {
			sum -= left[0]%n + 1
		} else {
			open = append(open, cell)
			for _, cand := range left {
				union |= 1 << (cand%n + 1)
			}
		}
	}
	allowed := 0
	for set := range 1 << (n + 1) {
		total, count := 0, 0
		for d := 1; d <= n; d++ {
			if set>>d&1 != 0 {
				total, count = total+d, count+1
			}
		}
		if set&^union == 0 && total == sum && count == len(open) {
			allowed |= set
		}
	}
	if len(open) == 0 && sum != 0 {
		open = cage.Cells // a contradiction: eliminates everything
	}
	for _, cell := range open {
		for d := 1; d <= n; d++ {
			if allowed>>d&1 == 0 {
				p.live[p.r.Candidate(cell, d)] = false
			}
		}
	}
}

// TestCandidates compares Singles with the reference implementation on random
// puzzles, many of which have no solution.
func TestCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for name, v := range variants() {
		if v.Size > 9 {
			continue
		}
		r := Must(v)
		if v.X || v.AntiKnight {
			r.layout().peers = nil // as on large grids
		}
		c, copied := NewCandidates(r), NewCandidates(r)
		for range 100 {
			g := randomPuzzle(rng, r)
			p := &plain{r, slices.Repeat([]bool{true}, r.Cells()*r.Size())}
			want := g.Conflict() == nil
			for cell, digit := range g.Cells {
				if digit != 0 {
					want = want && p.live[r.Candidate(cell, digit)]
					p.place(r.Candidate(cell, digit))
				}
			}
			for cand, possible := range g.Marks {
				p.live[cand] = p.live[cand] && possible
			}
			want = want && p.singles()
			loaded := c.Load(g)
			copied.CopyFrom(c)
			if got := c.Singles(); got != want || got && !loaded {
				t.Fatalf("%s: %v: consistent is %v", name, g.Cells, got)
			}
			if copied.Singles() != want {
				t.Fatalf("%s: %v: a copy differs", name, g.Cells)
			}
			if want {
				same(t, name, p, c)
				same(t, name, p, copied)
			}
		}
	}
}

// randomPuzzle returns a puzzle with random digits, among which no two peers
// are equal, and sometimes with random marks.
func randomPuzzle(rng *rand.Rand, r *Rules) *Grid {
	g := NewGrid(r)
	for range rng.IntN(r.Cells()*2/3 + 1) {
		cell := rng.IntN(r.Cells())
		g.Cells[cell] = rng.IntN(r.Size()) + 1
		if g.Conflict() != nil {
			g.Cells[cell] = 0
		}
	}
	if rng.IntN(2) == 0 {
		g.Marks = make([]bool, r.Cells()*r.Size())
		for cand := range g.Marks {
			g.Marks[cand] = rng.IntN(8) > 0
		}
	}
	return g
}

func same(t *testing.T, name string, p *plain, c *Candidates) {
	t.Helper()
	solved := true
	for cand, live := range p.live {
		if c.Has(cand) != live {
			t.Fatalf("%s: candidate %d is left: %v", name, cand, !live)
		}
	}
	for g := range p.r.Groups() {
		left := p.left(g)
		if got := c.Live(g, nil); c.Left(g) != len(left) || !slices.Equal(got, left) {
			t.Fatalf("%s: %s has %d left, %v, not %v", name, p.r.GroupName(g), c.Left(g), got, left)
		}
		if g < p.r.Cells() {
			digit := 0
			if len(left) == 1 {
				digit = left[0]%p.r.Size() + 1
			}
			solved = solved && digit != 0
			if c.Digit(g) != digit || c.Cells()[g] != digit {
				t.Fatalf("%s: %s has the digit %d, not %d", name, p.r.GroupName(g), c.Digit(g), digit)
			}
		}
	}
	if c.Solved() != solved {
		t.Fatalf("%s: solved is %v", name, !solved)
	}
}

// TestLocked compares Locked with the definition on random puzzles. It repeats
// Locked until nothing changes and checks that no locked candidate remains.
func TestLocked(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for name, v := range variants() {
		if v.Size > 12 {
			continue
		}
		r := Must(v)
		c, before := NewCandidates(r), NewCandidates(r)
		eliminated := 0
		for range 100 {
			c.Load(randomPuzzle(rng, r))
			for c.Singles() {
				before.CopyFrom(c)
				changed := c.Locked()
				found := lockedOut(before)
				if changed != (len(found) > 0) {
					t.Fatalf("%s: Locked returned %v, with the locked candidates %v", name, changed, found)
				}
				if !c.Singles() { // what became a single strikes by that
					break
				}
				for _, cand := range found {
					if c.Has(cand) {
						t.Fatalf("%s: candidate %d was not eliminated", name, cand)
					}
				}
				if !changed {
					break
				}
				eliminated++
			}
		}
		if v.Size > 7 && eliminated == 0 {
			t.Errorf("%s: Locked eliminated no candidate", name)
		}
	}
}

// lockedOut returns the candidates that exclude all candidates of some group
// with few candidates.
func lockedOut(c *Candidates) []int {
	r, out := c.Rules(), []int{}
	for g := r.Cells(); g < r.Groups(); g++ {
		h, _ := r.splitGroup(g)
		places := c.Live(g, nil)
		if len(places) < 2 || len(places) > crossing(r, h) {
			continue
		}
		for cell := range r.Cells() {
			_, digit := r.Split(places[0])
			if cand := r.Candidate(cell, digit); c.Has(cand) && !slices.ContainsFunc(places, func(place int) bool {
				other, _ := r.Split(place)
				return !slices.Contains(r.Peers(cell), other)
			}) {
				out = append(out, cand)
			}
		}
	}
	return out
}

// crossing returns the largest number of cells that a house shares with another
// one.
func crossing(r *Rules, h int) int {
	most := 0
	for other, house := range r.Houses() {
		n := 0
		for _, cell := range house.Cells {
			if slices.Contains(r.HousesOf(cell), h) {
				n++
			}
		}
		if other != h {
			most = max(most, n)
		}
	}
	return most
}

// TestChoose checks that the chosen candidate is in a group with the fewest
// candidates.
func TestChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for name, v := range variants() {
		r := Must(v)
		c := NewCandidates(r)
		for range 20 {
			c.Load(randomPuzzle(rng, r))
			if !c.Singles() { // new singles eliminate more candidates
				continue
			}
			least, of := MaxSize+1, []int{}
			for g := range r.Groups() {
				if left := c.Left(g); left > 1 && left < least {
					least, of = left, nil
				}
				if c.Left(g) == least {
					of = c.Live(g, of)
				}
			}
			if got := c.Choose(); c.Solved() != (got == -1) || got >= 0 && !slices.Contains(of, got) {
				t.Fatalf("%s: chose %d of %v", name, got, of)
			}
		}
	}
}

// shiftedGrid returns a full grid whose rows are shifts of each other.
func shiftedGrid(r *Rules) *Grid {
	n, b := r.Size(), r.Variant().BoxRows
	g := NewGrid(r)
	for cell := range g.Cells {
		row, column := cell/n, cell%n
		g.Cells[cell] = (row%b*(n/b)+row/b+column)%n + 1
	}
	return g
}

// TestLarge checks that singles fill large grids, with and without bit sets of
// peers.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{25, 81, 121} {
		full := shiftedGrid(Must(Standard(n)))
		if c := full.Conflict(); c != nil {
			t.Fatal(c)
		}
		g := full.Clone()
		for _, cell := range rng.Perm(len(g.Cells))[:len(g.Cells)/5] {
			g.Cells[cell] = 0
		}
		c := NewCandidates(g.Rules)
		if !c.Load(g) || !c.Singles() || !slices.Equal(c.Cells(), full.Cells) {
			t.Errorf("size %d: singles leave %d cells open", n, c.Open())
		}
		if (c.layout.peers == nil) != (n > maxPeerSets) {
			t.Errorf("size %d: bit sets of peers: %v", n, c.layout.peers != nil)
		}
	}
}

// BenchmarkSingles loads puzzles that singles solve completely or nearly.
func BenchmarkSingles(b *testing.B) {
	for _, n := range []int{9, 25, 81, 225} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 7))
			g := shiftedGrid(Must(Standard(n)))
			for _, cell := range rng.Perm(len(g.Cells))[:len(g.Cells)/5] {
				g.Cells[cell] = 0
			}
			c := NewCandidates(g.Rules)
			b.ReportAllocs()
			for b.Loop() {
				if !c.Load(g) || !c.Singles() || c.Open() > len(g.Cells)/100 {
					b.Fatal(c.Open(), "cells are open")
				}
			}
		})
	}
}

func ExampleCandidates() {
	g := NewGrid(Must(Standard(4)))
	copy(g.Cells, []int{1, 0, 3, 0, 0, 4, 0, 2, 0, 0, 4, 0, 0, 3, 0, 0})
	c := NewCandidates(g.Rules)
	c.Load(g)
	fmt.Println(c.Open(), "open cells; left of", g.Rules.GroupName(28), c.Live(28, nil))
	c.Singles()
	fmt.Println(c.Cells(), c.Solved())
	// Output:
	// 10 open cells; left of 1 in row 4 [56 60]
	// [1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1] true
}

// TestShifts compares the shifts of sets of sums with those of large numbers.
func TestShifts(t *testing.T) {
	const words = 4
	toInt := func(set []uint64) *big.Int {
		n := new(big.Int)
		for _, word := range slices.Backward(set) {
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(word))
		}
		return n
	}
	all := new(big.Int).Lsh(big.NewInt(1), 64*words)
	all.Sub(all, big.NewInt(1))
	rng := rand.New(rand.NewPCG(5, 5))
	for by := range 64*words + 1 {
		src, up, down := make([]uint64, words), make([]uint64, words), make([]uint64, words)
		for i := range src {
			src[i] = rng.Uint64()
		}
		n := toInt(src)
		shiftUp(up, src, by)
		if want := new(big.Int).Lsh(n, uint(by)); toInt(up).Cmp(want.And(want, all)) != 0 {
			t.Errorf("%x up by %d: got %x, want %x", n, by, toInt(up), want)
		}
		shiftDown(down, src, by)
		if want := new(big.Int).Rsh(n, uint(by)); toInt(down).Cmp(want) != 0 {
			t.Errorf("%x down by %d: got %x, want %x", n, by, toInt(down), want)
		}
	}
}
