package card

import (
	"cmp"
	"math"
	"slices"

	"sator/dimacs"
)

// Weighted sums (pseudo-Boolean constraints).

// A Term is a literal with a weight, which may be negative or zero.
type Term struct {
	Lit    dimacs.Lit
	Weight int64
}

// A SumEncoding writes bounds of weighted sums.
type SumEncoding struct {
	Name, Help string

	// Propagates is set if unit propagation finds every consequence of an upper or of a
	// lower bound. No encoding does that for both bounds of one sum, where that is as
	// hard as the subset sum problem.
	Propagates bool

	// between writes low <= sum <= high. The weights are positive, the variables
	// distinct, no term alone exceeds high, and at least one bound is a restriction.
	between func(e *Encoder, terms []Term, low, high int64)
}

// SumEncodings lists the encodings of weighted sums by name.
var SumEncodings []SumEncoding

func init() {
	SumEncodings = []SumEncoding{
		{"auto", "an encoding chosen by the number of clauses", false, (*Encoder).autoSum},
		{"totalizer", "generalized totalizer (Joshi, Martins and Manquinho 2015)", true, (*Encoder).totalizerSum},
		{"adder", "binary adders and a comparator (Warners 1998)", false, (*Encoder).adderSum},
	}
}

// FindSumEncoding returns the encoding of that name.
func FindSumEncoding(name string) (*SumEncoding, bool) {
	for i := range SumEncodings {
		if SumEncodings[i].Name == name {
			return &SumEncodings[i], true
		}
	}
	return nil, false
}

// SumAtMost writes that the weights of the true literals add up to bound at most.
func (e *Encoder) SumAtMost(terms []Term, bound int64) {
	SumEncodings[0].Between(e, terms, math.MinInt64, bound)
}

// SumAtLeast writes that the weights of the true literals add up to bound at least.
func (e *Encoder) SumAtLeast(terms []Term, bound int64) {
	SumEncodings[0].Between(e, terms, bound, math.MaxInt64)
}

// SumExactly writes that the weights of the true literals add up to sum.
func (e *Encoder) SumExactly(terms []Term, sum int64) { SumEncodings[0].Between(e, terms, sum, sum) }

// Between writes that the weights of the true literals add up to at least low and at most
// high. [math.MinInt64] and [math.MaxInt64] are no bounds. A literal may occur in several
// terms, with its complement, too. Bounds that no assignment satisfies are the empty
// clause. If all weights are equal, the constraint is written by a cardinality encoding.
// Between panics if the absolute values of the weights add up to 2^63 or more.
func (c *SumEncoding) Between(e *Encoder, terms []Term, low, high int64) {
	terms, offset := normalize(terms)
	e.grow(literals(terms))
	low, high = less(low, offset), less(high, offset)
	total := totalOf(terms)
	low, high = max(low, 0), min(high, total)
	if low > high {
		e.add()
		return
	}
	terms, low, high = e.forced(terms, low, high)
	if g := divisor(terms); g > 1 {
		for i := range terms {
			terms[i].Weight /= g
		}
		low, high = low/g+min(low%g, 1), high/g
	}
	switch total = totalOf(terms); {
	case low > high || low > total:
		e.add()
	case low <= 0 && high >= total:
	case int64(len(terms)) == total:
		Encodings[0].Between(e, literals(terms), int(low), int(high))
	default:
		c.between(e, terms, low, high)
	}
}

// less returns a-b, or the limit of the range that it exceeds.
func less(a, b int64) int64 {
	switch {
	case b > 0 && a < math.MinInt64+b:
		return math.MinInt64
	case b < 0 && a > math.MaxInt64+b:
		return math.MaxInt64
	}
	return a - b
}

// normalize returns terms with positive weights and distinct variables, in the order of
// their first occurrence. Their sum plus the offset is that of the given terms.
func normalize(given []Term) (terms []Term, offset int64) {
	size := int64(0)
	index := make(map[dimacs.Var]int, len(given))
	for _, t := range given {
		if t.Weight == math.MinInt64 || max(t.Weight, -t.Weight) > math.MaxInt64-size {
			panic("card: the weights add up to 2^63 or more")
		}
		size += max(t.Weight, -t.Weight)
		if t.Lit.Neg() { // w times not x is w minus w times x
			offset += t.Weight
			t = Term{t.Lit.Not(), -t.Weight}
		}
		i, ok := index[t.Lit.Var()]
		if !ok {
			i = len(terms)
			index[t.Lit.Var()] = i
			terms = append(terms, Term{Lit: t.Lit})
		}
		terms[i].Weight += t.Weight
	}
	for i, t := range terms {
		if t.Weight < 0 {
			offset += t.Weight
			terms[i] = Term{t.Lit.Not(), -t.Weight}
		}
	}
	return slices.DeleteFunc(terms, func(t Term) bool { return t.Weight == 0 }), offset
}

// forced writes units for the terms that alone exceed the upper bound, and returns the
// others with the bounds. Terms without which the lower bound is not reached are left to
// the encodings.
func (e *Encoder) forced(terms []Term, low, high int64) ([]Term, int64, int64) {
	terms = slices.DeleteFunc(terms, func(t Term) bool {
		if t.Weight > high {
			e.add(t.Lit.Not())
		}
		return t.Weight > high
	})
	return terms, low, min(high, totalOf(terms))
}

// totalOf returns the sum of all weights.
func totalOf(terms []Term) int64 {
	total := int64(0)
	for _, t := range terms {
		total += t.Weight
	}
	return total
}

// divisor returns the greatest common divisor of the weights, or 0 without terms.
func divisor(terms []Term) int64 {
	g := int64(0)
	for _, t := range terms {
		for a := t.Weight; a != 0; {
			g, a = a, g%a
		}
	}
	return g
}

// literals returns the literals of the terms.
func literals(terms []Term) []dimacs.Lit {
	lits := make([]dimacs.Lit, len(terms))
	for i, t := range terms {
		lits[i] = t.Lit
	}
	return lits
}

// sumClauses is the number of clauses for each term up to which a generalized totalizer is
// chosen. An adder has about 14 clauses for each bit of each term, but its propagation is
// so weak that a few times as many clauses are well spent.
const sumClauses = 200

// autoSum writes a generalized totalizer if it is small enough, and adders otherwise.
func (e *Encoder) autoSum(terms []Term, low, high int64) {
	if newSumCounter(sorted(terms), sumLimit(terms, low, high), sumClauses*len(terms)) == nil {
		e.adderSum(terms, low, high)
		return
	}
	e.totalizerSum(terms, low, high)
}

// sorted returns the terms ordered by weight, so that neighbors in a tree have few
// different sums.
func sorted(terms []Term) []Term {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(a.Weight, b.Weight) })
	return terms
}
