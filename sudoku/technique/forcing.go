package technique

import (
	"fmt"
	"math"
	"strings"
)

// Forcing chains of cells and houses. One of the candidates of a group is true. If chains
// from each of them lead to the same literal, this literal is true. Groups of two
// candidates need no such search: a chain from one of them through the group finds the
// same.
//
// The search floods the implications from each candidate once, and adds up the lengths
// of the chains for each group and literal.

func forcingChains(b *Board, use func(*Step) bool) {
	useAll(newFlood(b).shortest(), use)
}

// A flood has the lengths of the shortest chains between all literals.
type flood struct {
	*graph
	depths [][]int16 // by candidate, if it is open, and literal: literals of the chain, 0 without one
}

func newFlood(b *Board) *flood {
	kind := anyChain
	kind.all = true
	f := &flood{graph: newGraph(b, kind), depths: make([][]int16, len(b.digits)*b.size)}
	for _, candidate := range f.open {
		f.search(on(candidate))
		depths := make([]int16, len(f.depth))
		for _, l := range f.queue {
			depths[l] = int16(f.depth[l])
		}
		f.depths[candidate] = depths
	}
	return f
}

// shortest returns the steps that need the fewest literals, one for each conclusion.
func (f *flood) shortest() []*Step {
	type found struct {
		group int
		l     literal
	}
	var best []found
	limit := math.MaxInt
	var members []int
	for group := range f.b.rules.Groups() {
		set := f.b.group(group)
		if rest := set & (set - 1); rest&(rest-1) == 0 {
			continue
		}
		members = f.b.members(group, members[:0])
		for _, c := range f.open {
			for _, l := range []literal{on(c), off(c)} {
				total := f.total(members, l, limit)
				if total == 0 || total > limit {
					continue
				}
				if total < limit {
					best, limit = best[:0], total
				}
				best = append(best, found{group, l})
			}
		}
	}
	var steps []*Step
	seen := make(map[literal]bool)
	for _, b := range best {
		if !seen[b.l] {
			seen[b.l] = true
			steps = append(steps, f.step(b.group, b.l, limit))
		}
	}
	return steps
}

// total returns the number of literals of the chains from each of some candidates to a
// literal. It returns 0 if there is none from one of them, or if the number exceeds the
// limit.
func (f *flood) total(members []int, l literal, limit int) int {
	sum := 0
	for _, m := range members {
		depth := int(f.depths[m][l])
		if sum += depth; depth == 0 || sum > limit {
			return 0
		}
	}
	return sum
}

// step returns the step of a group whose candidates all imply a literal.
func (f *flood) step(group int, l literal, total int) *Step {
	s := &Step{Placed: -1, Rating: LengthMore(total - 2), groups: []int{group}}
	if l.isOff() {
		s.Eliminated = []int{l.candidate()}
	} else {
		s.Placed = l.candidate()
	}
	for _, m := range f.b.members(group, nil) {
		f.search(on(m))
		chain := f.path(l)
		s.branches = append(s.branches, chain)
		s.addGroups(chain)
	}
	return s
}

func forcingReason(b *Board, s *Step) string {
	texts := make([]string, len(s.branches))
	for i, chain := range s.branches {
		texts[i] = b.chainText(chain)
	}
	if text := strings.Join(texts, "; "); len(text) <= MaxReason {
		return text
	}
	last := s.branches[0][len(s.branches[0])-1]
	return fmt.Sprintf("whichever of the %d candidates of %s is true, %s follows", len(s.branches), b.rules.GroupName(s.groups[0]), b.statement(last.literal))
}
