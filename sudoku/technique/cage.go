package technique

import (
	"encoding/binary"
	"fmt"
	"slices"

	"sator/sudoku"
)

// Cage sums. A candidate of a cage is false if no assignment of different digits with the sum of the
// cage contains it. In a cage with many open cells the digits are looked at as a set, without an
// assignment to cells (see [sudoku.Candidates.Cage]). The usual scale has no rating for puzzles with
// cages; the one in the table gives the order of hints.

// Other relations are looked at in the same way: a candidate that no assignment of the candidates
// left contains is false.

func cageSums(b *Board, use func(*Step) bool) {
	for i, cage := range b.rules.Cages() {
		s := &Step{Placed: -1, groups: cage.Cells, cells: cage.Cells, kind: cage.Sum}
		s.Eliminated = b.remembered('c', i, cage.Cells, func() ([]int, bool) {
			if excluded := b.excludedBySum(cage.Cells, len(cage.Cells), cage.Sum); len(excluded) > 0 {
				return excluded, true
			}
			return b.excludedByCage(i)
		})
		if len(s.Eliminated) > 0 && !use(s) {
			return
		}
	}
}

// excludedByCage returns the candidates of the open cells of a cage that its sum excludes, by a look at sets of
// digits, and false if a cell or a digit of the board has no candidate left.
func (b *Board) excludedByCage(i int) (excluded []int, ok bool) {
	if b.sums == nil {
		b.sums = sudoku.NewCandidates(b.rules)
	}
	if !b.sums.Load(b.grid()) {
		return nil, false // other techniques see that a group is empty
	}
	possible := b.sums.Relation(i)
	for _, cell := range b.rules.Cages()[i].Cells {
		for _, digit := range digitsOf(b.digits[cell]) {
			if c := b.rules.Candidate(cell, digit); !b.placed[cell] && (!possible || !b.sums.Has(c)) {
				excluded = append(excluded, c)
			}
		}
	}
	return excluded, true
}

func cageReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s cannot have the sum of %d otherwise", b.cellNames(s.cells), s.kind)
}

func relations(b *Board, use func(*Step) bool) {
	for i, r := range b.related {
		excluded := b.remembered('r', i, r.Cells, func() ([]int, bool) {
			if b.filter == nil {
				b.filter = sudoku.NewRelationFilter(b.rules)
			}
			excluded, _ := b.filter.Excluded(i, b.holds, nil)
			return excluded, true
		})
		if len(excluded) == 0 {
			continue
		}
		if s := (&Step{Placed: -1, groups: r.Cells, cells: r.Cells, kind: i, Eliminated: excluded}); !use(s) {
			return
		}
	}
}

// maxRemembered is the number of answers that are remembered.
const maxRemembered = 1 << 16

// remembered returns the candidates that find returns. Unless it returns false, they must depend only on the kind
// and number of what excludes them and on the state of some cells. Branches ask the same for the same
// state of these cells hundreds of times.
func (b *Board) remembered(kind byte, i int, cells []int, find func() ([]int, bool)) []int {
	b.key = binary.LittleEndian.AppendUint32(append(b.key[:0], kind), uint32(i))
	for _, cell := range cells {
		placed := byte(0)
		if b.placed[cell] {
			placed = 1
		}
		b.key = append(binary.LittleEndian.AppendUint64(b.key, b.digits[cell]), placed)
	}
	excluded, ok := b.answers[string(b.key)]
	if !ok {
		if excluded, ok = find(); ok {
			if b.answers == nil || len(b.answers) == maxRemembered {
				b.answers = make(map[string][]int)
			}
			b.answers[string(b.key)] = excluded
		}
	}
	return slices.Clone(excluded)
}

func relationReason(b *Board, s *Step) string {
	r := b.related[s.kind]
	return fmt.Sprintf("%s: %s", b.cellNames(s.cells), r.Help())
}
