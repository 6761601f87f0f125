package technique

import (
	"math"
	"slices"
)

// Chains of implications between candidates. If a candidate is true, all candidates that
// it excludes are false. If a candidate is false and its group has one other candidate
// left, that one is true. A chain alternates between the two. If it leads from a
// candidate to its own negation, the candidate is false; if it leads from the negation
// to the candidate, the candidate is true. These are alternating inference chains (AIC);
// Sudoku Explainer calls them forcing chains.
//
// Three kinds of chains are easier to follow. Simple coloring uses one digit, and each
// implication is between the only two places of a house. An X-chain uses one digit. An
// XY-chain steps through cells with two digits. All are the same search with some
// implications left out.
//
// The search is breadth first from each literal, and stops at the length of the
// shortest chain so far. All literals together take about a millisecond at size 9.

// A literal is a candidate that is true, 2*candidate, or false, 2*candidate+1.
type literal int32

func on(candidate int) literal { return literal(2 * candidate) }

func off(candidate int) literal { return literal(2*candidate + 1) }

func (l literal) candidate() int { return int(l >> 1) }

func (l literal) isOff() bool { return l&1 != 0 }

// A link is a literal of a chain and the group that implies it, -1 if it is excluded by
// the literal before it.
type link struct {
	literal
	group int
}

// A partner is the other candidate left in a group.
type partner struct{ candidate, group int }

// A graph has the implications of a board.
type graph struct {
	b        *Board
	open     []int       // the candidates of open cells, ascending
	partners [][]partner // by candidate: the partners, if it is open
	excludes [][]int     // by candidate: the open candidates with a partner that it excludes
	starts   [][]int     // the same for the first candidate of a chain

	from  []int32   // by literal: the literal before it
	group []int32   // by literal: the group that implies it
	depth []int32   // by literal: number of literals before it
	stamp []int32   // by literal: the search that reached it
	now   int32     // the current search
	queue []literal // scratch
}

// A chainKind selects implications.
type chainKind struct {
	oneDigit bool // all candidates have the same digit
	cells    bool // candidates become true as the last ones of their cells
	houses   bool // candidates become true as the last places in houses
	pairs    bool // candidates are excluded by their partners alone
	all      bool // candidates without a partner are excluded, too
}

var (
	coloring = chainKind{oneDigit: true, houses: true, pairs: true}
	xChain   = chainKind{oneDigit: true, houses: true}
	xyChain  = chainKind{cells: true}
	anyChain = chainKind{cells: true, houses: true}
)

// newGraph returns the implications of a kind.
func newGraph(b *Board, kind chainKind) *graph {
	all := len(b.digits) * b.size
	g := &graph{
		b: b, partners: make([][]partner, all), excludes: make([][]int, all), starts: make([][]int, all),
		from: make([]int32, 2*all), group: make([]int32, 2*all), depth: make([]int32, 2*all), stamp: make([]int32, 2*all),
	}
	for cell, set := range b.digits {
		if !b.placed[cell] {
			for _, digit := range digitsOf(set, nil) {
				g.open = append(g.open, b.rules.Candidate(cell, digit))
			}
		}
	}
	g.link(kind)
	for _, candidate := range g.open {
		g.exclude(candidate, kind)
	}
	return g
}

// link finds the partners.
func (g *graph) link(kind chainKind) {
	b := g.b
	var two []int
	for group := range b.rules.Groups() {
		if cell := group < len(b.digits); cell && !kind.cells || !cell && !kind.houses {
			continue
		}
		set := b.group(group)
		if rest := set & (set - 1); rest == 0 || rest&(rest-1) != 0 {
			continue
		}
		two = b.members(group, two[:0])
		g.partners[two[0]] = append(g.partners[two[0]], partner{two[1], group})
		g.partners[two[1]] = append(g.partners[two[1]], partner{two[0], group})
	}
}

// exclude finds the open candidates with a partner that a candidate excludes.
func (g *graph) exclude(candidate int, kind chainKind) {
	b := g.b
	list := &g.starts[candidate]
	cell, d := candidate/b.size, candidate%b.size
	for _, peer := range b.rules.Peers(cell) {
		if other := peer*b.size + d; b.has(peer, d) && (kind.all || len(g.partners[other]) > 0) {
			*list = append(*list, other)
		}
	}
	if !kind.oneDigit && kind.houses { // an XY-chain that enters a cell leaves it by the other digit
		for _, digit := range digitsOf(b.digits[cell], nil) {
			if other := b.rules.Candidate(cell, digit); other != candidate && (kind.all || len(g.partners[other]) > 0) {
				*list = append(*list, other)
			}
		}
	}
	g.excludes[candidate] = *list
	if kind.pairs {
		g.excludes[candidate] = nil
		for _, p := range g.partners[candidate] {
			g.excludes[candidate] = append(g.excludes[candidate], p.candidate)
		}
	}
}

// reach enters a literal into the search unless it was reached before.
func (g *graph) reach(l, from literal, group int) {
	if g.stamp[l] == g.now {
		return
	}
	g.stamp[l], g.from[l], g.group[l] = g.now, int32(from), int32(group)
	g.depth[l] = g.depth[from] + 1
	g.queue = append(g.queue, l)
}

// search starts at a literal and returns the last literal before its negation, and the
// number of literals of the chain with both ends. It returns 0 if there is no chain of at
// most limit literals. Unless closing, it goes on and reaches all literals.
func (g *graph) search(start literal, limit int, closing bool) (last literal, group, length int) {
	g.now++
	g.stamp[start], g.depth[start], g.from[start], g.group[start] = g.now, 1, -1, -1
	g.queue = append(g.queue[:0], start)
	target := start.candidate()
	for i := 0; i < len(g.queue); i++ {
		l := g.queue[i]
		if int(g.depth[l]) >= limit {
			return 0, 0, 0
		}
		c := l.candidate()
		if !l.isOff() {
			if closing && !start.isOff() && i > 0 && g.b.excludes(c, target) {
				return l, -1, int(g.depth[l]) + 1
			}
			next := g.excludes[c]
			if i == 0 {
				next = g.starts[c]
			}
			for _, other := range next {
				g.reach(off(other), l, -1)
			}
			continue
		}
		for _, p := range g.partners[c] {
			if closing && start.isOff() && p.candidate == target && i > 0 {
				return l, p.group, int(g.depth[l]) + 1
			}
			g.reach(on(p.candidate), l, p.group)
		}
	}
	return 0, 0, 0
}

// chains returns a search for the chains of a kind, the shortest first.
func chains(kind chainKind) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		g := newGraph(b, kind)
		var steps []*Step
		limit := math.MaxInt
		for _, candidate := range g.open {
			for _, start := range []literal{on(candidate), off(candidate)} {
				if s := g.step(start, limit); s != nil {
					steps, limit = append(steps, s), min(limit, len(s.chain))
				}
			}
		}
		slices.SortStableFunc(steps, func(a, b *Step) int { return len(a.chain) - len(b.chain) })
		useAll(steps, use)
	}
}

// useAll calls use for steps until it returns false.
func useAll(steps []*Step, use func(*Step) bool) {
	for _, s := range steps {
		if !use(s) {
			return
		}
	}
}

// step returns the step of the shortest chain from a literal to its negation, or nil.
func (g *graph) step(start literal, limit int) *Step {
	last, group, length := g.search(start, limit, true)
	if length == 0 {
		return nil
	}
	s := &Step{Placed: -1, Rating: lengthMore(length - 2), length: length}
	if start.isOff() {
		s.Placed = start.candidate()
	} else {
		s.Eliminated = []int{start.candidate()}
	}
	s.chain = append(g.path(last), link{start ^ 1, group})
	s.addGroups(s.chain)
	return s
}

// path returns the chain from the start of a search to a literal.
func (g *graph) path(to literal) []link {
	var chain []link
	for l := to; l >= 0; l = literal(g.from[l]) {
		chain = append(chain, link{l, int(g.group[l])})
	}
	slices.Reverse(chain)
	return chain
}

// addGroups adds the groups of a chain to the premises.
func (s *Step) addGroups(chain []link) {
	for _, l := range chain {
		if l.group >= 0 {
			s.groups = append(s.groups, l.group)
		}
	}
}

// lengthMore returns the difficulty of a chain beyond that of a shortest one: a tenth for
// each of the lengths 4, 6, 8, 12, 16, 24 and so on that it exceeds, as Sudoku Explainer
// has it.
func lengthMore(length int) Difficulty {
	more := Difficulty(0)
	for at, next := 4, 6; length > at; at, next = next, 2*at {
		more++
	}
	return more
}

func chainReason(b *Board, s *Step) string {
	return b.shortened(s, b.chainText(s.chain))
}
