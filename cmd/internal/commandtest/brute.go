package commandtest

import (
	"math/big"
	"slices"
)

// Brute force: all models of a formula by trying all assignments, and for larger formulas
// a search. Both have no code in common with the engines.

// variablesOf returns the variables that occur in clauses, in ascending order.
func variablesOf(clauses [][]int) []int {
	var vs []int
	for _, c := range clauses {
		for _, l := range c {
			vs = append(vs, abs(l))
		}
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}

// maxTable is the largest number of variables of a table.
const maxTable = 16

// A table has all models of clauses over the variables that occur in them.
type table struct {
	vars   []int
	models []uint32 // bit i is the value of vars[i]
}

// tableOf returns the table of clauses with at most maxTable variables, or nil.
func tableOf(clauses [][]int) *table {
	t := &table{vars: variablesOf(clauses)}
	if len(t.vars) > maxTable {
		return nil
	}
	type masks struct{ positive, negative uint32 }
	var all []masks
	for _, c := range clauses {
		var m masks
		for _, l := range c {
			if l > 0 {
				m.positive |= t.bit(l)
			} else {
				m.negative |= t.bit(-l)
			}
		}
		all = append(all, m)
	}
next:
	for x := range uint32(1) << len(t.vars) {
		for _, m := range all {
			if x&m.positive|^x&m.negative == 0 {
				continue next
			}
		}
		t.models = append(t.models, x)
	}
	return t
}

// bit returns the bit of a variable of the table, or 0 for another variable.
func (t *table) bit(v int) uint32 {
	i, ok := slices.BinarySearch(t.vars, v)
	if !ok {
		return 0
	}
	return 1 << i
}

// forced returns 1 if a literal is true in all models, -1 if it is false in all, else 0.
// The table must have a model.
func (t *table) forced(l int) int {
	b := t.bit(abs(l))
	if b == 0 {
		return 0
	}
	first := t.models[0] & b
	for _, x := range t.models {
		if x&b != first {
			return 0
		}
	}
	if (first != 0) == (l > 0) {
		return 1
	}
	return -1
}

// equivalent reports whether two literals have the same value in all models.
func (t *table) equivalent(k, l int) bool {
	a, b := t.bit(abs(k)), t.bit(abs(l))
	return !slices.ContainsFunc(t.models, func(x uint32) bool {
		return (x&a != 0) == (k > 0) != ((x&b != 0) == (l > 0))
	})
}

// count returns the number of models over vars variables.
func (t *table) count(vars int) *big.Int {
	return new(big.Int).Mul(big.NewInt(int64(len(t.models))), power(vars-len(t.vars)))
}

// projections returns the different values of some variables, without repetition, in the
// models. Variables that do not occur have both values. Each result has a bit for each
// variable, in their order.
func (t *table) projections(vars []int) map[uint32]bool {
	found := map[uint32]bool{}
	for _, x := range t.models {
		free := []uint32{0}
		for i, v := range vars {
			b := t.bit(v)
			both := b == 0
			for j, y := range free {
				if both {
					free = append(free, y|1<<i)
				} else if x&b != 0 {
					free[j] |= 1 << i
				}
			}
		}
		for _, y := range free {
			found[y] = true
		}
	}
	return found
}

// assignment returns the true literals of model i of the table.
func (t *table) assignment(i int) []int {
	var ls []int
	for _, v := range t.vars {
		if t.models[i]&t.bit(v) == 0 {
			v = -v
		}
		ls = append(ls, v)
	}
	return ls
}

// maxSearch is the largest number of variables of formulas for search.
const maxSearch = 50

// satisfiable reports whether clauses have a model.
func satisfiable(clauses [][]int) bool {
	if t := tableOf(clauses); t != nil {
		return len(t.models) > 0
	}
	return search(clauses)
}

// search reports whether clauses have a model, by branching and unit clauses.
func search(clauses [][]int) bool {
	var shortest []int
	for i, c := range clauses {
		if i == 0 || len(c) < len(shortest) {
			shortest = c
		}
	}
	switch {
	case len(clauses) == 0:
		return true
	case len(shortest) == 0:
		return false
	case len(shortest) == 1:
		return search(assign(clauses, shortest[0]))
	}
	return search(assign(clauses, shortest[0])) || search(assign(clauses, -shortest[0]))
}

// assign returns the clauses after a literal became true.
func assign(clauses [][]int, l int) [][]int {
	var left [][]int
	for _, c := range clauses {
		if slices.Contains(c, l) {
			continue
		}
		if slices.Contains(c, -l) {
			c = slices.DeleteFunc(slices.Clone(c), func(k int) bool { return k == -l })
		}
		left = append(left, c)
	}
	return left
}

// falsified returns the index of the first clause without a literal that holds, or -1.
func falsified(clauses [][]int, holds map[int]bool) int {
	return slices.IndexFunc(clauses, func(c []int) bool {
		return !slices.ContainsFunc(c, func(l int) bool { return holds[l] })
	})
}
