package commandtest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Formula is a formula in DIMACS integers with the cubes of a script and assumptions.
// It has no code in common with package dimacs.
type Formula struct {
	Vars    int // number of variables in the header
	Clauses [][]int
	Script  bool   // the formula is an iCNF script
	Cubes   []Cube // cubes of a script
	Assume  []int  // assumptions
}

// A Cube is a cube of a script.
type Cube struct {
	Lits    []int
	Clauses int // number of clauses before the cube
}

// clone returns a deep copy.
func (f *Formula) clone() *Formula {
	g := *f
	g.Clauses, g.Cubes = nil, nil
	for _, c := range f.Clauses {
		g.Clauses = append(g.Clauses, slices.Clone(c))
	}
	for _, c := range f.Cubes {
		g.Cubes = append(g.Cubes, Cube{slices.Clone(c.Lits), c.Clauses})
	}
	g.Assume = slices.Clone(f.Assume)
	return &g
}

// highest returns the largest variable in the clauses.
func highest(clauses [][]int) int {
	n := 0
	for _, c := range clauses {
		for _, l := range c {
			n = max(n, abs(l))
		}
	}
	return n
}

// highest returns the largest variable in the clauses and cubes.
func (f *Formula) highest() int {
	n := highest(f.Clauses)
	for _, c := range f.Cubes {
		n = max(n, highest([][]int{c.Lits}))
	}
	return n
}

// isShort reports whether a clause is one of 2-SAT: it has at most two different literals
// or is a tautology.
func isShort(c []int) bool { return len(literalSet(c)) <= 2 || tautology(c) }

// is2SAT reports whether all clauses are short.
func (f *Formula) is2SAT() bool {
	return !slices.ContainsFunc(f.Clauses, func(c []int) bool { return !isShort(c) })
}

// horn reports whether every clause has at most one positive literal, or every clause at
// most one negative literal.
func (f *Formula) horn() bool {
	positive, negative := true, true
	for _, c := range f.Clauses {
		n := 0
		set := literalSet(c)
		for _, l := range set {
			if l > 0 {
				n++
			}
		}
		positive = positive && n <= 1
		negative = negative && len(set)-n <= 1
	}
	return positive || negative
}

// literalSet returns the different literals of a clause in ascending order.
func literalSet(c []int) []int {
	set := slices.Sorted(slices.Values(c))
	return slices.Compact(set)
}

// tautology reports whether a clause has a literal and its complement.
func tautology(c []int) bool {
	return slices.ContainsFunc(c, func(l int) bool { return slices.Contains(c, -l) })
}

func abs(l int) int { return max(l, -l) }

// units returns literals as unit clauses.
func units(lits []int) [][]int {
	var cs [][]int
	for _, l := range lits {
		cs = append(cs, []int{l})
	}
	return cs
}

// under returns clauses with literals as unit clauses.
func under(clauses [][]int, lits ...[]int) [][]int {
	return slices.Concat(clauses, units(slices.Concat(lits...)))
}

// A shape is a kind of random formula.
type shape struct {
	name  string
	share int
	draw  func(r *rand.Rand) *Formula
}

// shapes lists the kinds of random formulas.
var shapes = []shape{
	{"any", 10, func(r *rand.Rand) *Formula { return drawClauses(r, 1+r.IntN(9), 4) }},
	{"binary", 4, func(r *rand.Rand) *Formula { return drawClauses(r, 1+r.IntN(10), 2) }},
	{"ternary", 4, drawTernary},
	{"horn", 3, drawHorn},
	{"parts", 2, drawParts},
	{"tiny", 3, func(r *rand.Rand) *Formula { return drawClauses(r, r.IntN(3), 2) }},
}

// hardShape is a kind of formula that an engine does not solve at once. Brute force
// decides it by search.
var hardShape = shape{"hard", 0, func(r *rand.Rand) *Formula {
	n := 18 + r.IntN(20)
	return random3SAT(r, n, n*(40+r.IntN(8))/10)
}}

// drawFormula returns a random formula of one of the shapes, with some of the
// irregularities that the format allows.
func drawFormula(r *rand.Rand) *Formula {
	f := pick(r, shapes, func(s shape) int { return s.share }).draw(r)
	if r.IntN(2) == 0 {
		f.roughen(r)
	}
	if r.IntN(4) == 0 {
		f.spread(r)
	}
	f.Vars = f.highest()
	if r.IntN(4) == 0 {
		f.Vars += 1 + r.IntN(3)
	}
	return f
}

// drawAssumptions returns some literals of the formula.
func (f *Formula) drawAssumptions(r *rand.Rand) []int {
	var ls []int
	if f.Vars == 0 {
		return nil
	}
	for range 1 + r.IntN(3) {
		ls = append(ls, f.drawLiteral(r))
	}
	return ls
}

// drawLiteral returns a literal, mostly of a variable that occurs.
func (f *Formula) drawLiteral(r *rand.Rand) int {
	v := 1 + r.IntN(f.Vars)
	if used := variablesOf(f.Clauses); len(used) > 0 && r.IntN(4) > 0 {
		v = used[r.IntN(len(used))]
	}
	return v * (1 - 2*r.IntN(2))
}

// drawClauses returns clauses of up to width literals over n variables. The number of
// clauses varies so that about half of the formulas are satisfiable.
func drawClauses(r *rand.Rand, n, width int) *Formula {
	f := new(Formula)
	for range r.IntN(2 + n*(1+r.IntN(4))) {
		var c []int
		for range 1 + r.IntN(width) {
			if n > 0 {
				c = append(c, (1+r.IntN(n))*(1-2*r.IntN(2)))
			}
		}
		f.Clauses = append(f.Clauses, c)
	}
	return f
}

// drawTernary returns random 3-SAT near the threshold.
func drawTernary(r *rand.Rand) *Formula {
	n := 4 + r.IntN(7)
	return random3SAT(r, n, n*(36+r.IntN(20))/10)
}

// drawParts returns two connected components.
func drawParts(r *rand.Rand) *Formula {
	n := 3 + r.IntN(3)
	f, g := random3SAT(r, n, 4*n), random3SAT(r, n, 3*n+r.IntN(2*n))
	for _, c := range g.Clauses {
		for i, l := range c {
			if c[i] = l + n; l < 0 {
				c[i] = l - n
			}
		}
	}
	return &Formula{Vars: 2 * n, Clauses: append(f.Clauses, g.Clauses...)}
}

// random3SAT returns clauses of three different variables.
func random3SAT(r *rand.Rand, n, clauses int) *Formula {
	f := &Formula{Vars: n}
	for range clauses {
		var c []int
		for _, v := range r.Perm(n)[:3] {
			c = append(c, (v+1)*(1-2*r.IntN(2)))
		}
		f.Clauses = append(f.Clauses, c)
	}
	return f
}

// drawHorn returns clauses with at most one positive literal, or at most one negative
// literal.
func drawHorn(r *rand.Rand) *Formula {
	f := drawClauses(r, 2+r.IntN(8), 4)
	sign := 1 - 2*r.IntN(2)
	for _, c := range f.Clauses {
		for i := range c {
			c[i] = -abs(c[i]) * sign
			if i == 0 && r.IntN(3) > 0 {
				c[i] = -c[i]
			}
		}
	}
	return f
}

// roughen adds tautologies, repeated literals, repeated clauses and empty clauses.
func (f *Formula) roughen(r *rand.Rand) {
	for range 1 + r.IntN(3) {
		n := max(1, highest(f.Clauses))
		v := 1 + r.IntN(n+r.IntN(2))
		at := r.IntN(len(f.Clauses) + 1)
		switch k := r.IntN(16); {
		case k < 5:
			f.Clauses = slices.Insert(f.Clauses, at, []int{v, -v})
		case k < 8:
			f.Clauses = slices.Insert(f.Clauses, at, []int{v, 1 + r.IntN(n), -v})
		case k < 11 && at < len(f.Clauses):
			f.Clauses[at] = append(f.Clauses[at], f.Clauses[at]...)
		case k < 15 && at < len(f.Clauses):
			c := slices.Clone(f.Clauses[at])
			slices.Reverse(c)
			f.Clauses = append(f.Clauses, c)
		case k == 15:
			f.Clauses = slices.Insert(f.Clauses, at, nil)
		}
	}
}

// spread replaces the variables by larger ones, with gaps.
func (f *Formula) spread(r *rand.Rand) {
	gap := []int{3, 10, 100, 3000}[r.IntN(4)]
	name := map[int]int{}
	last := 0
	for _, v := range variablesOf(f.Clauses) {
		last += 1 + r.IntN(gap)
		name[v] = last
	}
	for _, c := range f.Clauses {
		for i, l := range c {
			if c[i] = name[abs(l)]; l < 0 {
				c[i] = -c[i]
			}
		}
	}
}

// addCubes makes the formula a script.
func (f *Formula) addCubes(r *rand.Rand) {
	f.Script = true
	between := r.IntN(3) == 0
	for range r.IntN(5) {
		cube := Cube{Clauses: len(f.Clauses)}
		if between {
			cube.Clauses = r.IntN(len(f.Clauses) + 1)
		}
		for range r.IntN(4) {
			if f.Vars > 0 {
				cube.Lits = append(cube.Lits, f.drawLiteral(r))
			}
		}
		f.Cubes = append(f.Cubes, cube)
	}
	slices.SortStableFunc(f.Cubes, func(a, b Cube) int { return a.Clauses - b.Clauses })
}

// pick returns an element with a probability in proportion to its share.
func pick[T any](r *rand.Rand, list []T, share func(T) int) T {
	sum := 0
	for _, x := range list {
		sum += share(x)
	}
	at := r.IntN(sum)
	for _, x := range list {
		if at -= share(x); at < 0 {
			return x
		}
	}
	panic("unreachable")
}

// one returns one of the words.
func one(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// with returns one of some flags once in n times, and otherwise nil. A flag with a range at
// its end, as --seed=0..99, has one of its numbers.
func with(r *rand.Rand, n int, flags ...string) []string {
	if r.IntN(n) > 0 {
		return nil
	}
	f := one(r, flags...)
	var from, to int
	name, values, _ := strings.Cut(f, "=")
	if _, err := fmt.Sscanf(values, "%d..%d", &from, &to); err == nil {
		f = fmt.Sprintf("%s=%d", name, from+r.IntN(to-from+1))
	}
	return []string{f}
}

// each returns some flags, each once in n times.
func each(r *rand.Rand, n int, flags ...string) []string {
	var all []string
	for _, f := range flags {
		all = append(all, with(r, n, f)...)
	}
	return all
}

// few returns up to three of the flags, each with one value.
func few(r *rand.Rand, flags ...string) []string {
	var all []string
	for range r.IntN(4) {
		all = append(all, one(r, flags...))
	}
	slices.Sort(all)
	return slices.CompactFunc(all, func(a, b string) bool {
		name, _, _ := strings.Cut(a, "=")
		return a == b || name != "--set" && strings.HasPrefix(b, name+"=")
	})
}

// power returns 2 to the n.
func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }
