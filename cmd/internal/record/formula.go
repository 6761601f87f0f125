package record

import "sator/dimacs"

// Describe returns the line of a formula, without a hash. It takes linear time in the size
// of the formula.
func Describe(f *dimacs.Formula) *Formula {
	l := &Formula{Vars: f.Vars(), Clauses: f.Len(), Literals: f.Size()}
	for _, c := range f.Clauses() {
		l.count(c)
	}
	return l
}

// count counts a clause.
func (l *Formula) count(c []dimacs.Lit) {
	negative := 0
	for _, x := range c {
		negative += int(x & 1)
	}
	l.Sizes[min(len(c), len(l.Sizes)-1)]++
	if len(c)-negative <= 1 {
		l.Horn++
	}
	switch {
	case len(c) == 0:
	case negative == 0:
		l.Positive++
	case negative == len(c):
		l.Negative++
	}
}
