package formula

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/twosat"
)

// Features are syntactic properties of a formula, with the JSON names of the documents of info.
type Features struct {
	Variables  int `json:"variables"`
	Clauses    int `json:"clauses"`
	Literals   int `json:"literals"`
	Unused     int `json:"unused_variables"` // variables in no clause
	Pure       int `json:"pure_literals"`    // variables with one sign only
	Empty      int `json:"empty_clauses"`
	Units      int `json:"units"`
	Binaries   int `json:"binaries"`
	Longest    int `json:"longest_clause"`
	Horn       int `json:"horn_clauses"` // clauses with at most one positive literal
	Components int `json:"components"`   // connected components of used variables
	Largest    int `json:"largest_component"`

	// Tautologies contain a literal and its complement; repeats contain a literal
	// twice; duplicates have the same set of literals as an earlier clause.
	Tautologies int `json:"tautologies"`
	Repeats     int `json:"clauses_with_repeated_literals"`
	Duplicates  int `json:"duplicate_clauses"`

	Is2CNF bool `json:"is_2cnf"` // no clause has more than two literals
	IsHorn bool `json:"is_horn"`

	Sizes []SizeCount `json:"sizes"`
}

// A SizeCount is the number of clauses of a size.
type SizeCount struct {
	Size    int `json:"size"`
	Clauses int `json:"clauses"`
}

// FeaturesOf computes the features of a formula, in time linear in its size apart
// from sorting the literals of each clause, and with a few words of memory for
// each variable and clause.
func FeaturesOf(f *dimacs.Formula) *Features {
	s := &Features{Variables: f.Vars(), Clauses: f.Len(), Literals: f.Size()}
	sizes := map[int]int{}
	for _, c := range f.Clauses() {
		sizes[len(c)]++
		if positive := len(c) - negative(c); positive <= 1 {
			s.Horn++
		}
	}
	for size, n := range sizes {
		s.Sizes = append(s.Sizes, SizeCount{size, n})
		s.Longest = max(s.Longest, size)
	}
	slices.SortFunc(s.Sizes, func(a, b SizeCount) int { return a.Size - b.Size })
	s.Empty, s.Units, s.Binaries = sizes[0], sizes[1], sizes[2]
	s.Is2CNF, s.IsHorn = s.Longest <= 2, s.Horn == s.Clauses
	s.CountSigns(f)
	s.countComponents(f)
	s.countRedundant(f)
	return s
}

func negative(c []dimacs.Lit) int {
	n := 0
	for _, l := range c {
		if l.Neg() {
			n++
		}
	}
	return n
}

// FeaturesFootprint returns about how many bytes [FeaturesOf] and [ConsequencesOf] allocate:
// signs and components by variable, a normalized copy with its hash table, and a solver
// for the binary clauses.
func FeaturesFootprint(f *dimacs.Formula) int64 {
	n := int64(occurring(f))
	return 11*n + 40*int64(f.Len()) + 4*int64(f.Size()) + twosat.Footprint(int(n), f.Len())
}

// CountSigns counts unused variables and pure literals.
func (s *Features) CountSigns(f *dimacs.Formula) {
	n := occurring(f)
	s.Unused = f.Vars() - n
	occurs := make([]bool, 2*n)
	for _, c := range f.Clauses() {
		for _, l := range c {
			occurs[l] = true
		}
	}
	for l := 0; l < len(occurs); l += 2 {
		switch {
		case !occurs[l] && !occurs[l+1]:
			s.Unused++
		case occurs[l] != occurs[l+1]:
			s.Pure++
		}
	}
}

// countComponents counts connected components by union-find, by size and with
// path halving.
func (s *Features) countComponents(f *dimacs.Formula) {
	n := occurring(f)
	parent := make([]dimacs.Var, n)
	size := make([]int32, n)
	for v := range parent {
		parent[v], size[v] = dimacs.Var(v), 1
	}
	root := func(v dimacs.Var) dimacs.Var {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	used := make([]bool, n)
	for _, c := range f.Clauses() {
		for i, l := range c {
			used[l.Var()] = true
			a, b := root(c[max(i-1, 0)].Var()), root(l.Var())
			if a == b {
				continue
			}
			if size[a] < size[b] {
				a, b = b, a
			}
			parent[b], size[a] = a, size[a]+size[b]
		}
	}
	for v := range parent {
		if used[v] && parent[v] == dimacs.Var(v) {
			s.Components++
			s.Largest = max(s.Largest, int(size[v]))
		}
	}
}

// countRedundant counts tautologies, repeats and duplicates. It compares clauses
// with equal hashes of their sets of literals.
func (s *Features) countRedundant(f *dimacs.Formula) {
	type key struct {
		hash uint64
		size int
	}
	first := make(map[key]int, f.Len()) // index of the first clause of each key
	more := map[key][]int{}             // further clauses of a key, with other sets
	var set, other []dimacs.Lit
	for i, c := range f.Clauses() {
		set = literalSet(set, c)
		if len(set) < len(c) {
			s.Repeats++
		}
		if tautology(set) {
			s.Tautologies++
		}
		k := key{hash(set), len(set)}
		j, ok := first[k]
		if !ok {
			first[k] = i
			continue
		}
		same := func(j int) bool {
			other = literalSet(other, f.Clause(j))
			return slices.Equal(set, other)
		}
		if same(j) || slices.ContainsFunc(more[k], same) {
			s.Duplicates++
		} else {
			more[k] = append(more[k], i)
		}
	}
}

// Consequences are implied by the clauses with at most two literals.
type Consequences struct {
	Contradictory bool `json:"contradictory"`
	Forced        int  `json:"forced_literals"`
	Classes       int  `json:"equivalence_classes"` // a class and the class of its complements count as one
	Members       int  `json:"equivalent_variables"`
}

// consequencesLimit limits the time. It is linear for nearly all formulas.
const consequencesLimit = 10 * time.Second

// ConsequencesOf computes the consequences of the short clauses of a formula. It
// returns nil if ctx ends or the time is up.
func ConsequencesOf(ctx context.Context, f *dimacs.Formula) *Consequences {
	ctx, cancel := context.WithTimeout(ctx, consequencesLimit)
	defer cancel()
	s, _ := twosat.BinaryPart(ctx, f)
	if s == nil {
		return nil
	}
	forced, status := s.Forced(ctx)
	switch status {
	case dimacs.Unsatisfiable:
		return &Consequences{Contradictory: true}
	case dimacs.Unknown:
		return nil
	}
	c := &Consequences{Forced: len(forced.Lits())}
	for _, class := range forced.Classes() {
		c.Classes++
		c.Members += len(class)
	}
	return c
}

// String returns the consequences as text.
func (c *Consequences) String() string {
	switch {
	case c == nil:
		return "analysis stopped"
	case c.Contradictory:
		return "unsatisfiable"
	}
	return fmt.Sprintf("%s, %s of equivalent literals (%s)", cli.Count(c.Forced, "forced literal"), cli.Count(c.Classes, "class"), cli.Count(c.Members, "variable"))
}

// literalSet returns the sorted literals of c without repetitions, in the memory
// of set.
func literalSet(set, c []dimacs.Lit) []dimacs.Lit {
	set = append(set[:0], c...)
	slices.Sort(set)
	return slices.Compact(set)
}

// tautology reports whether a sorted set contains a literal and its
// complement, side by side.
func tautology(set []dimacs.Lit) bool {
	for i := 1; i < len(set); i++ {
		if set[i] == set[i-1].Not() {
			return true
		}
	}
	return false
}

// hash returns the FNV-1a hash of the literals.
func hash(set []dimacs.Lit) uint64 {
	h := uint64(14695981039346656037)
	for _, l := range set {
		h = (h ^ uint64(l)) * 1099511628211
	}
	return h
}
