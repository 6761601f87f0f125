package technique

import (
	"fmt"

	"sator/sudoku"
)

// Cage sums. A candidate of a cage is false if no assignment of different digits with the sum of the
// cage contains it. In a cage with many open cells the digits are looked at as a set, without an
// assignment to cells (see [sudoku.Candidates.Cage]). The usual scale has no rating for puzzles with
// cages; the one in the table gives the order of hints.

// Other relations are looked at in the same way: a candidate that no assignment of the candidates
// left contains is false.

func cageSums(b *Board, use func(*Step) bool) {
	if len(b.rules.Cages()) == 0 {
		return
	}
	if b.sums == nil {
		b.sums = []*sudoku.Candidates{sudoku.NewCandidates(b.rules), sudoku.NewCandidates(b.rules)}
	}
	now, trial := b.sums[0], b.sums[1]
	if !now.Load(b.grid()) {
		return // other techniques see that a group is empty
	}
	for i, cage := range b.rules.Cages() {
		s := &Step{Placed: -1, groups: cage.Cells, cells: cage.Cells, kind: cage.Sum}
		if s.Eliminated = b.excludedBySum(cage.Cells, len(cage.Cells), cage.Sum); len(s.Eliminated) > 0 {
			if !use(s) {
				return
			}
			continue
		}
		trial.CopyFrom(now)
		possible := trial.Relation(i)
		for _, cell := range cage.Cells {
			for _, digit := range digitsOf(b.digits[cell]) {
				if c := b.rules.Candidate(cell, digit); !b.placed[cell] && (!possible || !trial.Has(c)) {
					s.Eliminated = append(s.Eliminated, c)
				}
			}
		}
		if len(s.Eliminated) > 0 && !use(s) {
			return
		}
	}
}

func cageReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s cannot have the sum of %d otherwise", b.cellNames(s.cells), s.kind)
}

func relations(b *Board, use func(*Step) bool) {
	if len(b.related) > 0 && b.filter == nil {
		b.filter = sudoku.NewRelationFilter(b.rules)
	}
	for i, r := range b.related {
		if excluded, _ := b.filter.Excluded(i, b.holds, nil); len(excluded) > 0 {
			if s := (&Step{Placed: -1, groups: r.Cells, cells: r.Cells, kind: i, Eliminated: excluded}); !use(s) {
				return
			}
		}
	}
}

func relationReason(b *Board, s *Step) string {
	r := b.related[s.kind]
	return fmt.Sprintf("%s: %s", b.cellNames(s.cells), r.Help())
}
