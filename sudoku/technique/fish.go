package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// Fish: X-wing, swordfish and jellyfish. If the places of a digit in k rows are in k
// columns, these columns have the digit in these rows, and nowhere else; and with rows
// and columns exchanged. It is the search of a naked subset with lines in place of
// cells. Every variant has rows and columns, and the argument needs no other house.

func fish(k int) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		words := make([]uint64, b.size)
		for d := range b.size {
			for _, base := range b.bases() {
				for i := range words {
					words[i] = b.places[(base+i)*b.size+d]
				}
				more := subsets(words, k, func(chosen []int, union uint64) bool {
					s := b.fishStep(d, base, chosen, union)
					return len(s.Eliminated) == 0 || use(s)
				})
				if !more {
					return
				}
			}
		}
	}
}

// fishStep returns the step of a digit whose places in the chosen rows are in the
// columns of a set, or with rows and columns exchanged.
func (b *Board) fishStep(d, base int, chosen []int, covers uint64) *Step {
	s := &Step{Placed: -1, digits: []int{d + 1}}
	lines := uint64(0)
	for _, i := range chosen {
		lines |= 1 << i
		s.houses = append(s.houses, base+i)
		s.groups = append(s.groups, b.groupOf(base+i, d))
		s.cells = b.cellsAt(base+i, b.places[(base+i)*b.size+d], s.cells)
	}
	for _, digit := range digitsOf(covers) {
		cover := b.crossing(base) + digit - 1
		s.houses = append(s.houses, cover)
		for _, cell := range b.cellsAt(cover, b.places[cover*b.size+d]&^lines, nil) {
			s.Eliminated = append(s.Eliminated, cell*b.size+d)
		}
	}
	return s
}

func fishReason(b *Board, s *Step) string {
	k := len(s.houses) / 2
	return fmt.Sprintf("in %s, %d has no place but in %s", b.houseNames(s.houses[:k]), s.digits[0], b.houseNames(s.houses[k:]))
}

// Finned fish. The places of a digit in k rows are in k columns, except for some places, the fins. The
// digit is in a fin, or there is a fish; so the fish eliminates the candidates that see all fins. It is
// sashimi if a row has no more than one place in the columns: without the fins there would be singles
// in place of a fish.

// finnedFish returns a search for finned fish, or for sashimi fish.
func finnedFish(k int, sashimi bool) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		f := finned{b: b, k: k, sashimi: sashimi, use: use}
		for f.d = range b.size {
			for _, f.base = range b.bases() {
				if f.lines = f.lines[:0]; !f.choose(0, 0) {
					return
				}
			}
		}
	}
}

// finned is a search for the lines of a finned fish.
type finned struct {
	b       *Board
	k       int
	sashimi bool
	d, base int
	lines   []int
	use     func(*Step) bool

	fins, seen []int // scratch
}

// maxFinColumns is the largest number of columns with fins: in a box of three columns, one has an
// eliminated candidate.
const maxFinColumns = 2

// choose adds lines from one on until there are k, whose places are in union. There must be more
// columns than rows.
func (f *finned) choose(from int, union uint64) bool {
	b := f.b
	if len(f.lines) == f.k {
		return bits.OnesCount64(union) <= f.k || f.covers(union, 0, f.k)
	}
	for line := from; line < b.size; line++ {
		places := b.places[(f.base+line)*b.size+f.d]
		more := union | places
		if places&(places-1) == 0 || bits.OnesCount64(more) > f.k+maxFinColumns {
			continue
		}
		f.lines = append(f.lines, line)
		ok := f.choose(line+1, more)
		f.lines = f.lines[:len(f.lines)-1]
		if !ok {
			return false
		}
	}
	return true
}

// covers adds columns of rest to the chosen ones, as many as more says.
func (f *finned) covers(rest, chosen uint64, more int) bool {
	if more == 0 {
		return f.conclude(chosen)
	}
	for ; bits.OnesCount64(rest) >= more; rest &= rest - 1 {
		if !f.covers(rest&(rest-1), chosen|rest&-rest, more-1) {
			return false
		}
	}
	return true
}

// conclude finds the step of the chosen rows and columns.
func (f *finned) conclude(covers uint64) bool {
	b := f.b
	f.fins = f.fins[:0]
	rows, single := uint64(0), false
	for _, line := range f.lines {
		places := b.places[(f.base+line)*b.size+f.d]
		f.fins = b.cellsAt(f.base+line, places&^covers, f.fins)
		single = single || bits.OnesCount64(places&covers) <= 1
		rows |= 1 << line
	}
	if single != f.sashimi {
		return true
	}
	var eliminated []int
	for _, candidate := range b.seenByAll(f.d, f.fins, f.seen[:0]) {
		inCover, inRow := false, false
		for _, s := range b.spots[candidate/b.size] {
			inRow = inRow || s.house >= f.base && s.house < f.base+b.size && rows>>(s.house-f.base)&1 != 0
			cover := s.house - b.crossing(f.base)
			inCover = inCover || cover >= 0 && cover < b.size && covers>>cover&1 != 0
		}
		if inCover && !inRow {
			eliminated = append(eliminated, candidate)
		}
	}
	return len(eliminated) == 0 || f.use(f.step(covers, eliminated))
}

// step returns a step.
func (f *finned) step(covers uint64, eliminated []int) *Step {
	b := f.b
	s := &Step{Placed: -1, Eliminated: eliminated, digits: []int{f.d + 1}, fins: slices.Clone(f.fins)}
	for _, line := range f.lines {
		s.houses, s.groups = append(s.houses, f.base+line), append(s.groups, b.groupOf(f.base+line, f.d))
		s.cells = b.cellsAt(f.base+line, b.places[(f.base+line)*b.size+f.d], s.cells)
	}
	for _, digit := range digitsOf(covers) {
		s.houses = append(s.houses, b.crossing(f.base)+digit-1)
	}
	return s
}

func finnedReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s, except for %s", fishReason(b, s), b.cellNames(s.fins))
}
