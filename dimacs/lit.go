package dimacs

import (
	"fmt"
	"strconv"
)

// MaxVars is the largest number of variables in a formula, 2^30-1. A literal
// then fits in 31 bits, and engines keep one bit for tags.
const MaxVars = 1<<30 - 1

// A Var is a variable, counted from 0. DIMACS variable 1 is Var 0.
type Var uint32

// Lit returns the positive literal of v.
func (v Var) Lit() Lit { return Lit(v << 1) }

// Int returns the DIMACS number of v, 1 to MaxVars.
func (v Var) Int() int { return int(v) + 1 }

// A Lit is a literal, a variable or its negation: 2v for Var v and 2v+1 for its
// negation. A literal is thus an index into tables, and l^1 is its complement.
// [FromInt] and [Lits] make literals from DIMACS integers; [Lit.Int] returns
// them.
type Lit uint32

// FromInt returns the literal with the DIMACS number n: the variable |n|,
// negated if n is negative. It panics if n is 0 or |n| exceeds [MaxVars].
func FromInt(n int) Lit {
	switch {
	case 0 < n && n <= MaxVars:
		return Lit(n-1) << 1
	case -MaxVars <= n && n < 0:
		return Lit(-n-1)<<1 | 1
	}
	panic(fmt.Sprintf("dimacs: %d is not a literal", n))
}

// Lits returns the literals with the given DIMACS numbers, as in Lits(1, -2,
// 3). It panics as [FromInt] does.
func Lits(ns ...int) []Lit {
	ls := make([]Lit, len(ns))
	for i, n := range ns {
		ls[i] = FromInt(n)
	}
	return ls
}

// Ints returns the DIMACS numbers of literals, which Lits reads.
func Ints(ls []Lit) []int {
	ns := make([]int, len(ls))
	for i, l := range ls {
		ns[i] = l.Int()
	}
	return ns
}

// Int returns the DIMACS number of l: the number of its variable, counted from
// 1, and negative if l is a negation.
func (l Lit) Int() int {
	n := int(l>>1) + 1
	if l&1 != 0 {
		return -n
	}
	return n
}

// Not returns the complement of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Var returns the variable of l.
func (l Lit) Var() Var { return Var(l >> 1) }

// Neg reports whether l is a negation.
func (l Lit) Neg() bool { return l&1 != 0 }

// String returns l in DIMACS notation.
func (l Lit) String() string { return strconv.Itoa(l.Int()) }
