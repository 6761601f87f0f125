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
// Two kinds of chains are easier to follow. An X-chain uses one digit. An XY-chain steps through
// cells with two digits. All are the same search with some implications left out.
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
	kind     chainKind
	open     []int       // the candidates of open cells, ascending
	partners [][]partner // by candidate: the partners, if it is open
	excludes [][]int     // by candidate: the open candidates with a partner that it excludes

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
	all      bool // candidates without a partner are excluded, too
}

var (
	xChain   = chainKind{oneDigit: true, houses: true}
	xyChain  = chainKind{cells: true}
	anyChain = chainKind{cells: true, houses: true}
)

// newGraph returns the implications of a kind.
func newGraph(b *Board, kind chainKind) *graph {
	all := len(b.digits) * b.size
	g := &graph{
		b: b, kind: kind, partners: make([][]partner, all), excludes: make([][]int, all),
		from: make([]int32, 2*all), group: make([]int32, 2*all), depth: make([]int32, 2*all), stamp: make([]int32, 2*all),
	}
	for cell, set := range b.digits {
		if !b.placed[cell] {
			for _, digit := range digitsOf(set) {
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
	list := &g.excludes[candidate]
	cell, d := candidate/b.size, candidate%b.size
	for _, peer := range b.rules.Peers(cell) {
		if other := peer*b.size + d; b.has(peer, d) && (kind.all || len(g.partners[other]) > 0) {
			*list = append(*list, other)
		}
	}
	if !kind.oneDigit && kind.houses { // an XY-chain that enters a cell leaves it by the other digit
		for _, digit := range digitsOf(b.digits[cell]) {
			if other := b.rules.Candidate(cell, digit); other != candidate && (kind.all || len(g.partners[other]) > 0) {
				*list = append(*list, other)
			}
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

// search reaches all literals that follow from one.
func (g *graph) search(start literal) {
	g.begin(start)
	for i := 0; i < len(g.queue); i++ {
		g.expand(g.queue[i])
	}
}

// begin begins a search at a literal.
func (g *graph) begin(start literal) {
	g.now++
	g.stamp[start], g.depth[start], g.from[start], g.group[start] = g.now, 1, -1, -1
	g.queue = append(g.queue[:0], start)
}

// expand reaches the literals that follow from one at once.
func (g *graph) expand(l literal) {
	if l.isOff() {
		for _, p := range g.partners[l.candidate()] {
			g.reach(on(p.candidate), l, p.group)
		}
		return
	}
	for _, other := range g.excludes[l.candidate()] {
		g.reach(off(other), l, -1)
	}
}

// chains returns a search for the chains of a kind, the shortest first. It stops at the length of the
// shortest one, unless the board asks for all steps.
func chains(kind chainKind) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		g := newGraph(b, kind)
		var steps []*Step
		limit := math.MaxInt
		for _, candidate := range g.open {
			g.chainsFrom(candidate, limit, !b.everything, func(s *Step) {
				if steps = append(steps, s); !b.everything {
					limit = min(limit, s.length)
				}
			})
		}
		slices.SortStableFunc(steps, func(a, b *Step) int { return a.length - b.length })
		useAll(steps, use)
	}
}

// chainsFrom calls use for the chains, of at most limit literals, that say: the candidate x is true or
// another one is. Each eliminates the candidates that exclude both, or places x if the other one is x.
// With shortest, there is one chain at most.
func (g *graph) chainsFrom(x, limit int, shortest bool, use func(*Step)) {
	g.begin(off(x))
	for i := 0; i < len(g.queue); i++ {
		l := g.queue[i]
		var s *Step
		switch more := int(g.depth[l]); {
		case more+1 > limit:
			return
		case l.isOff() && i > 0:
			for _, p := range g.partners[l.candidate()] {
				if p.candidate == x {
					s = g.placing(l, link{on(x), p.group})
				}
			}
		case !l.isOff() && more+2 <= limit:
			s = g.eliminating(x, l)
		}
		if s != nil {
			use(s)
			if shortest {
				return
			}
		}
		g.expand(l)
	}
}

// placing returns the step of a chain from a candidate that is false back to it.
func (g *graph) placing(l literal, last link) *Step {
	s := &Step{Placed: last.candidate(), chain: append(g.path(l), last)}
	return s.measure()
}

// eliminating returns the step of a chain that ends at a literal, or nil if it eliminates nothing. An
// eliminated candidate begins the chain in words, and ends it.
func (g *graph) eliminating(x int, l literal) *Step {
	y := l.candidate()
	if g.kind.cells && !g.kind.houses && x%g.b.size != y%g.b.size {
		return nil
	}
	eliminated := g.b.excludedByBoth(x, y)
	if len(eliminated) == 0 {
		return nil
	}
	s := &Step{Placed: -1, Eliminated: eliminated, chain: []link{{on(eliminated[0]), -1}}}
	s.chain = append(append(s.chain, g.path(l)...), link{off(eliminated[0]), -1})
	return s.measure()
}

// measure sets the length, the rating and the premises of a chain.
func (s *Step) measure() *Step {
	s.length = len(s.chain)
	s.Rating = LengthMore(s.length - 2)
	s.addGroups(s.chain)
	return s
}

// excludedByBoth returns the candidates that each of two different candidates excludes.
func (b *Board) excludedByBoth(x, y int) []int {
	xCell, yCell := x/b.size, y/b.size
	switch {
	case x == y:
		return nil
	case x%b.size == y%b.size:
		return b.seenByAll(x%b.size, []int{xCell, yCell}, nil)
	case xCell == yCell:
		return b.candidatesIn([]int{xCell}, ^(1<<(x%b.size) | 1<<(y%b.size)))
	case !b.sees(xCell, yCell):
		return nil
	}
	var list []int
	for _, candidate := range [2]int{xCell*b.size + y%b.size, yCell*b.size + x%b.size} {
		if b.holds(candidate) {
			list = append(list, candidate)
		}
	}
	slices.Sort(list)
	return list
}

// useAll calls use for steps until it returns false.
func useAll(steps []*Step, use func(*Step) bool) {
	for _, s := range steps {
		if !use(s) {
			return
		}
	}
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

// Links returns the links of the chains of a step, as pairs of candidates: strong ones, whose second
// candidate is true if the first is false, and weak ones, whose second is false if the first is true.
// Chains, turbot fish and forcing chains have links, and assumptions, where a candidate has links from all that it
// follows from, but for conclusions of other techniques. The board is that before the step: candidates that steps
// before it eliminated have no links.
func (b *Board) Links(s *Step) (strong, weak [][2]int) {
	for _, e := range s.events {
		switch {
		case e.step != nil:
		case e.group >= 0:
			for _, other := range b.members(e.group, nil) {
				if other != e.candidate() {
					strong = append(strong, [2]int{other, e.candidate()})
				}
			}
		case e.from >= 0:
			weak = append(weak, [2]int{e.from, e.candidate()})
		}
	}
	for _, chain := range append([][]link{s.chain, s.pattern}, s.branches...) {
		for i := 1; i < len(chain); i++ {
			pair := [2]int{chain[i-1].candidate(), chain[i].candidate()}
			switch {
			case pair[0] == pair[1]:
			case chain[i].isOff():
				weak = append(weak, pair)
			default:
				strong = append(strong, pair)
			}
		}
	}
	gone := func(pair [2]int) bool { return !b.holds(pair[0]) || !b.holds(pair[1]) }
	return slices.DeleteFunc(strong, gone), slices.DeleteFunc(weak, gone)
}

// addGroups adds the groups of a chain to the premises.
func (s *Step) addGroups(chain []link) {
	for _, l := range chain {
		if l.group >= 0 {
			s.groups = append(s.groups, l.group)
		}
	}
}

// LengthMore returns the difficulty of a chain beyond that of a shortest one: a tenth for
// each of the lengths 4, 6, 8, 12, 16, 24 and so on that it exceeds, as Sudoku Explainer
// has it.
func LengthMore(length int) Difficulty {
	more := Difficulty(0)
	for at, next := 4, 6; length > at; at, next = next, 2*at {
		more++
	}
	return more
}

func chainReason(b *Board, s *Step) string {
	return b.shortened(s, b.chainText(s.chain))
}
