package proof_test

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// The checkers in this file are as simple as possible, and slow: a clause is a
// slice, the clauses are a list or a map, and propagation visits all clauses
// until nothing changes. They define the correct proofs; the real checkers must
// agree with them.

// A verdict is the result of a check.
type verdict int

const (
	rejected verdict = iota
	accepted
	malformed
)

func (v verdict) String() string { return [...]string{"rejected", "accepted", "malformed"}[v] }

// A stepReader is a proof.Reader or a replacement for it.
type stepReader interface {
	Next() (*proof.Step, error)
}

// runNaive runs a check over the steps of a proof. take checks a step and
// reports whether the refutation is complete, or returns an error. end returns
// an error if the refutation is not complete after the last step.
func runNaive(r stepReader, take func(*proof.Step) (done bool, err error), end func() error) (verdict, error) {
	for {
		step, err := r.Next()
		var syntax *dimacs.SyntaxError
		switch {
		case err == io.EOF:
			if err := end(); err != nil {
				return rejected, err
			}
			return accepted, nil
		case errors.As(err, &syntax):
			return malformed, err
		case err != nil:
			panic(err)
		}
		done, err := take(step)
		switch {
		case err != nil:
			return rejected, fmt.Errorf("%s: %w", step.Place, err)
		case done:
			return accepted, nil
		}
	}
}

// A set is a set of literals.
type set map[dimacs.Lit]bool

func setOf(lits []dimacs.Lit) set {
	s := set{}
	for _, l := range lits {
		s[l] = true
	}
	return s
}

func (s set) clone() set {
	t := set{}
	for l := range s {
		t[l] = true
	}
	return t
}

// complements returns the complements of lits.
func complements(lits []dimacs.Lit) []dimacs.Lit {
	var c []dimacs.Lit
	for _, l := range lits {
		c = append(c, l.Not())
	}
	return c
}

// assume makes literals true. It returns false if one of them is false.
func (s set) assume(lits []dimacs.Lit) bool {
	for _, l := range lits {
		if s[l.Not()] {
			return false
		}
		s[l] = true
	}
	return true
}

// open returns the first literal of c that is not false, and the number of
// different such literals, at most 2.
func (s set) open(c []dimacs.Lit) (first dimacs.Lit, n int) {
	for _, l := range c {
		switch {
		case s[l.Not()] || n == 1 && l == first:
		case n == 1:
			return first, 2
		default:
			first, n = l, 1
		}
	}
	return first, n
}

// propagate makes the literals true that the clauses imply. It returns false on
// a conflict.
func (s set) propagate(clauses [][]dimacs.Lit) bool {
	for progress := true; progress; {
		progress = false
		for _, c := range clauses {
			switch l, n := s.open(c); {
			case n == 0:
				return false
			case n == 1 && !s[l]:
				s[l] = true
				progress = true
			}
		}
	}
	return true
}

// isGoal reports whether all literals of a clause are complements of
// assumptions.
func isGoal(c, assumptions []dimacs.Lit) bool {
	for _, l := range c {
		if !slices.Contains(assumptions, l.Not()) {
			return false
		}
	}
	return true
}

// contradictory reports whether the assumptions contain complementary literals.
func contradictory(assumptions []dimacs.Lit) bool {
	return !set{}.assume(assumptions)
}

// A naiveDRAT checks a DRAT proof. The clauses are a multiset; the order of
// literals and duplicates do not matter.
//
// By default a literal that once followed by unit propagation stays: the
// deletion of its reason does not unassign it. In a strict check it does.
type naiveDRAT struct {
	strict      bool
	assumptions []dimacs.Lit
	clauses     [][]dimacs.Lit // results of normal
	root        set            // the literals that follow from clauses
}

// checkNaively checks a DRAT proof forward.
func checkNaively(f *dimacs.Formula, assumptions []dimacs.Lit, strict bool, r stepReader) (verdict, error) {
	n := &naiveDRAT{strict: strict, assumptions: assumptions, root: set{}}
	if contradictory(assumptions) {
		return accepted, nil
	}
	for _, c := range f.Clauses() {
		if isGoal(c, assumptions) {
			return accepted, nil
		}
		n.clauses = append(n.clauses, normal(c))
	}
	if !n.close() {
		return accepted, nil
	}
	return runNaive(r, n.step, n.end)
}

// close propagates. It returns false on a conflict.
func (n *naiveDRAT) close() bool {
	if n.strict {
		n.root = set{}
	}
	return n.root.propagate(n.clauses)
}

func (n *naiveDRAT) step(s *proof.Step) (done bool, err error) {
	if s.Delete {
		deleted := normal(s.Lits)
		same := func(c []dimacs.Lit) bool { return slices.Equal(c, deleted) }
		if i := slices.IndexFunc(n.clauses, same); i >= 0 {
			n.clauses = slices.Delete(n.clauses, i, i+1)
			n.close()
		}
		return false, nil
	}
	if err := n.check(s.Lits); err != nil {
		return false, err
	}
	n.clauses = append(n.clauses, normal(s.Lits))
	return isGoal(s.Lits, n.assumptions) || !n.close(), nil
}

// check returns an error if the clause is neither RUP nor RAT.
func (n *naiveDRAT) check(lits []dimacs.Lit) error {
	switch {
	case n.implied(lits):
		return nil
	case len(lits) == 0:
		return errors.New("the empty clause does not follow")
	}
	pivot := lits[0]
	if n.root[pivot.Not()] || slices.Contains(n.assumptions, pivot.Not()) {
		return fmt.Errorf("%v does not follow, and its pivot is false", lits)
	}
	for _, c := range n.clauses {
		if slices.Contains(c, pivot.Not()) && !n.implied(slices.Concat(lits, rest(c, pivot.Not()))) {
			return fmt.Errorf("%v does not follow, nor its resolvent with %v", lits, c)
		}
	}
	return nil
}

// implied reports whether the clause is RUP.
func (n *naiveDRAT) implied(lits []dimacs.Lit) bool {
	s := n.root.clone()
	return !s.assume(complements(lits)) || !s.propagate(n.clauses)
}

func (n *naiveDRAT) end() error {
	if n.implied(complements(n.assumptions)) {
		return nil
	}
	return errors.New("the proof ends without a refutation")
}

// normal returns the literals sorted and without duplicates.
func normal(lits []dimacs.Lit) []dimacs.Lit {
	lits = slices.Clone(lits)
	slices.Sort(lits)
	return slices.Compact(lits)
}

// rest returns a clause without l.
func rest(c []dimacs.Lit, l dimacs.Lit) []dimacs.Lit {
	return slices.DeleteFunc(slices.Clone(c), func(k dimacs.Lit) bool { return k == l })
}

// A naiveLRAT checks an LRAT proof.
type naiveLRAT struct {
	assumptions []dimacs.Lit
	originals   int64
	clauses     map[int64][]dimacs.Lit
	last        int64        // the latest id
	pivots      []dimacs.Lit // the pivots of RAT steps
	refuted     bool         // the empty clause was added
}

// checkHintsNaively checks an LRAT proof.
func checkHintsNaively(f *dimacs.Formula, assumptions []dimacs.Lit, r stepReader) (verdict, error) {
	n := &naiveLRAT{assumptions: assumptions, clauses: map[int64][]dimacs.Lit{}}
	if contradictory(assumptions) {
		return accepted, nil
	}
	for _, c := range f.Clauses() {
		n.originals++
		n.clauses[n.originals] = c
		if isGoal(c, assumptions) {
			return accepted, nil
		}
	}
	n.last = n.originals
	return runNaive(r, n.step, func() error { return errors.New("the proof ends without a refutation") })
}

func (n *naiveLRAT) step(s *proof.Step) (done bool, err error) {
	if s.Delete {
		for _, id := range s.Hints {
			delete(n.clauses, id)
		}
		return false, nil
	}
	if s.ID <= n.last {
		return false, fmt.Errorf("id %d is not above %d", s.ID, n.last)
	}
	lits := slices.Clone(s.Lits)
	if err := n.check(lits, s.Hints); err != nil {
		return false, err
	}
	n.last = s.ID
	n.clauses[s.ID] = lits
	return isGoal(lits, n.assumptions), nil
}

// check returns an error if the clause does not follow along its hints.
func (n *naiveLRAT) check(lits []dimacs.Lit, hints []int64) error {
	rup, groups := splitGroups(hints)
	s := set{}
	if !s.assume(complements(lits)) {
		return nil
	}
	done, err := n.propagate(s, rup)
	switch {
	case done || err != nil:
		n.refuted = n.refuted || done && len(lits) == 0
		return err
	case len(lits) == 0:
		return errors.New("the empty clause does not follow")
	}
	pivot := lits[0]
	if slices.Contains(n.assumptions, pivot.Not()) {
		return fmt.Errorf("%v does not follow, and its pivot is false", lits)
	}
	have := map[int64]bool{}
	for _, g := range groups {
		if err := n.resolve(s, g, pivot); err != nil {
			return err
		}
		have[-g[0]] = true
	}
	for id, c := range n.clauses {
		if slices.Contains(c, pivot.Not()) && !have[id] {
			return fmt.Errorf("no hints for clause %d", id)
		}
	}
	n.pivots = append(n.pivots, pivot)
	return nil
}

// resolve checks a group of hints. In s the complement of the lemma and its
// consequences are true.
func (n *naiveLRAT) resolve(s set, group []int64, pivot dimacs.Lit) error {
	c, alive := n.clauses[-group[0]]
	switch {
	case !alive:
		return fmt.Errorf("there is no clause %d", -group[0])
	case !slices.Contains(c, pivot.Not()):
		return nil
	}
	t := s.clone()
	if !t.assume(complements(rest(c, pivot.Not()))) {
		return nil
	}
	done, err := n.propagate(t, group[1:])
	if !done && err == nil {
		err = fmt.Errorf("the hints for clause %d end", -group[0])
	}
	return err
}

// propagate makes the literals true that the hints imply, in their order. It
// reports whether there was a falsified clause.
func (n *naiveLRAT) propagate(s set, hints []int64) (done bool, err error) {
	for _, id := range hints {
		c, alive := n.clauses[id]
		if !alive {
			return false, fmt.Errorf("there is no clause %d", id)
		}
		switch l, n := s.open(c); n {
		case 0:
			return true, nil
		case 1:
			s[l] = true
		default:
			return false, fmt.Errorf("clause %d, %v, is not unit", id, c)
		}
	}
	return false, nil
}

// splitGroups splits hints into those before the first negative one and the
// groups, which begin with a negative one.
func splitGroups(hints []int64) (rup []int64, groups [][]int64) {
	for i := len(hints) - 1; i >= 0; i-- {
		if hints[i] < 0 {
			groups = append(groups, hints[i:])
			hints = hints[:i]
		}
	}
	slices.Reverse(groups)
	return hints, groups
}
