package formula

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sator/dimacs"
	"sator/twosat"
)

// A Features is what can be said of a formula without solving it. The names in
// JSON are those of the documents that info prints.
type Features struct {
	Variables  int `json:"variables"`
	Clauses    int `json:"clauses"`
	Literals   int `json:"literals"`
	Unused     int `json:"unused_variables"` // in no clause
	Pure       int `json:"pure_literals"`    // variables with one sign alone
	Empty      int `json:"empty_clauses"`
	Units      int `json:"units"`
	Binaries   int `json:"binaries"`
	Longest    int `json:"longest_clause"`
	Horn       int `json:"horn_clauses"` // with at most one positive literal
	Components int `json:"components"`   // of variables that share clauses, without unused ones
	Largest    int `json:"largest_component"`

	// Clauses as they are written: a tautology has a literal with its
	// complement, repeats have a literal twice, duplicates have the set of
	// literals of an earlier clause.
	Tautologies int `json:"tautologies"`
	Repeats     int `json:"clauses_with_repeated_literals"`
	Duplicates  int `json:"duplicate_clauses"`

	Is2CNF bool `json:"is_2cnf"` // no clause has more than two literals
	IsHorn bool `json:"is_horn"`

	Sizes []SizeCount `json:"sizes"`
}

// A SizeCount says how many clauses have so many literals.
type SizeCount struct {
	Size    int `json:"size"`
	Clauses int `json:"clauses"`
}

// FeaturesOf measures a formula. The time is linear in its size, but for sorting
// the literals within clauses; the space is that of a few words for each
// variable and clause.
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

// CountSigns finds unused variables and pure literals.
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

// countComponents joins the variables of each clause in a forest of disjoint
// sets, by size and with halved paths.
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

// countRedundant finds tautologies, repeated literals and duplicates. Clauses
// are grouped by a hash of their set of literals, and compared within a group.
func (s *Features) countRedundant(f *dimacs.Formula) {
	type key struct {
		hash uint64
		size int
	}
	first := make(map[key]int, f.Len()) // the first clause of each key
	more := map[key][]int{}             // others of it with other sets
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

// Consequences are what the clauses with at most two literals say by themselves.
type Consequences struct {
	Contradictory bool `json:"contradictory"`
	Forced        int  `json:"forced_literals"`
	Classes       int  `json:"equivalence_classes"` // sets of literals, those of complements counted once
	Members       int  `json:"equivalent_variables"`
}

// The time is linear for nearly all formulas; for the others it ends here.
const consequencesLimit = 10 * time.Second

// ConsequencesOf finds the consequences of the short clauses of a formula, or
// returns nil if ctx ends, or time is up, before.
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

// String says it to a person.
func (c *Consequences) String() string {
	switch {
	case c == nil:
		return "too hard to look into"
	case c.Contradictory:
		return "contradict one another"
	}
	return fmt.Sprintf("force %d literals, %d sets of equal ones (with %d variables)", c.Forced, c.Classes, c.Members)
}

// literalSet returns the sorted literals of c without repetition, in set.
func literalSet(set, c []dimacs.Lit) []dimacs.Lit {
	set = append(set[:0], c...)
	slices.Sort(set)
	return slices.Compact(set)
}

// tautology reports whether a sorted set has a literal and its complement,
// which stand side by side.
func tautology(set []dimacs.Lit) bool {
	for i := 1; i < len(set); i++ {
		if set[i] == set[i-1].Not() {
			return true
		}
	}
	return false
}

// hash is FNV-1a over the literals.
func hash(set []dimacs.Lit) uint64 {
	h := uint64(14695981039346656037)
	for _, l := range set {
		h = (h ^ uint64(l)) * 1099511628211
	}
	return h
}
