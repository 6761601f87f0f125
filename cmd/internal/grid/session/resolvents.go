package session

import (
	"sator/dimacs"
)

// Resolvents records the resolvents of the tree of cubes while the run goes on. Their
// ids are provisional, since segments that are accepted later have smaller final ids:
// the merged proof has all resolvents behind all segments.
//
// The resolvents are not stored. After a restart the coordinator applies the results
// again and so derives them again.
type Resolvents struct {
	lits  []dimacs.Lit
	hints []int64
	ends  []struct{ lits, hints int } // by resolvent
}

// provisionalBase is below all provisional ids and above all final ones.
const provisionalBase = 1 << 50

// Learn records a resolvent and returns its provisional id. The hints are final or
// provisional ids. It has the type of portfolio.CoordinatorOptions.Learn.
func (r *Resolvents) Learn(lits []dimacs.Lit, hints ...int64) (id int64) {
	r.lits = append(r.lits, lits...)
	r.hints = append(r.hints, hints...)
	r.ends = append(r.ends, struct{ lits, hints int }{len(r.lits), len(r.hints)})
	return provisionalBase + int64(len(r.ends))
}

// Len returns the number of resolvents.
func (r *Resolvents) Len() int { return len(r.ends) }

// at returns resolvent i, counted from 0.
func (r *Resolvents) at(i int) (lits []dimacs.Lit, hints []int64) {
	end := r.ends[i]
	var from struct{ lits, hints int }
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.lits[from.lits:end.lits], r.hints[from.hints:end.hints]
}

// provisional returns the index of a resolvent by its provisional id, if it is below
// count.
func provisional(id int64, count int) (i int, ok bool) {
	k := id - provisionalBase - 1
	return int(k), k >= 0 && k < int64(count)
}
