package count

import (
	"context"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Definitions of variables by the clauses that they are in. Such clauses define v if those with the literal v and
// those with its complement contradict each other when both literals are left out: then
// one value of v falsifies a clause under any values of the others. That finds gates of all kinds
// without knowing their forms. A set of definitions may be cyclic, as of two equal variables by each
// other, so a definition counts only if following the others from it does not lead back.

const (
	mostOccurrences     = 200         // of a variable that is tested
	definitionConflicts = 20          // of a test
	cycleSteps          = 500_000_000 // of the search for cycles
)

// A definer finds definitions.
type definer struct {
	p       *problem
	clauses [][]int32  // by variable
	by      [][]uint32 // by variable: the variables that define it
	visited []uint32   // by variable, equal to mark during a search
	mark    uint32
	steps   int
}

// define marks the candidates that clauses define without a cycle.
func (p *problem) define(ctx context.Context, candidates []uint32) {
	d := &definer{p: p, clauses: make([][]int32, p.vars), by: make([][]uint32, p.vars), visited: make([]uint32, p.vars)}
	for i, c := range p.clauses {
		for _, l := range c {
			d.clauses[l>>1] = append(d.clauses[l>>1], int32(i))
		}
	}
	for _, v := range candidates {
		if ctx.Err() != nil {
			return
		}
		if d.definable(ctx, v) {
			by := d.others(v)
			if d.mark++; d.steps < cycleSteps && !d.reaches(by, v) {
				d.by[v], p.defined[v] = by, true
			}
		}
	}
}

// definable reports whether the clauses of v define it.
func (d *definer) definable(ctx context.Context, v uint32) bool {
	signs := [2]bool{}
	for _, i := range d.clauses[v] {
		for _, l := range d.p.clauses[i] {
			signs[l&1] = signs[l&1] || uint32(l>>1) == v
		}
	}
	if !signs[0] || !signs[1] || len(d.clauses[v]) > mostOccurrences {
		return false
	}
	s := cdcl.New(cdcl.Options{NoSimplify: true})
	number := map[lit]lit{}
	for _, i := range d.clauses[v] {
		var rest []lit
		for _, l := range d.p.clauses[i] {
			if uint32(l>>1) == v {
				continue
			}
			n, ok := number[l>>1]
			if !ok {
				n = lit(2 * len(number))
				number[l>>1] = n
			}
			rest = append(rest, n|l&1)
		}
		s.Add(rest...)
	}
	s.SetLimits(cdcl.Limits{Conflicts: definitionConflicts})
	return s.Solve(ctx) == dimacs.Unsatisfiable
}

// others returns the other variables of the clauses of v.
func (d *definer) others(v uint32) []uint32 {
	var all []uint32
	for _, i := range d.clauses[v] {
		for _, l := range d.p.clauses[i] {
			if w := uint32(l >> 1); w != v {
				all = append(all, w)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// reaches reports whether definitions lead from the variables to v, or to one that is not counted.
func (d *definer) reaches(from []uint32, v uint32) bool {
	for _, w := range from {
		if w == v || d.p.counted != nil && !d.p.counted[w] {
			return true
		}
		if d.visited[w] != d.mark {
			d.visited[w] = d.mark
			d.steps++
			if d.reaches(d.by[w], v) {
				return true
			}
		}
	}
	return false
}
