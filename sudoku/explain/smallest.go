package explain

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Minimal and smallest sets of givens that force a digit.
//
// A set of givens forces a digit if and only if it contradicts the negation of
// the digit. So the minimal sets are the minimal unsatisfiable subsets (MUSes)
// of the givens; the rules and the negated digit are hard clauses. The deletion
// method finds a MUS: it removes one given after the other, and after each
// unsatisfiable call keeps only the failed assumptions. As long as singles
// refute the negated digit, givens are removed without solver calls: that is
// fast, and the solver then starts with few givens.
//
// A smallest MUS (SMUS) is harder to find. A full grid that satisfies the rules and
// has another digit breaks some of the givens; these form a correction set. A set of
// givens forces the digit if and only if it hits all correction sets, that is, has
// an element of each. The search computes a minimum hitting set of the correction
// sets found so far. If that set forces the digit, it is a smallest one. Otherwise
// some full grid agrees with it and has another digit. That grid is improved until
// it agrees with a maximal set of givens, and the givens that it still breaks are a
// new correction set (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
// extraction with minimal hitting set dualization", 2015). The size of the hitting
// sets is a lower bound, so the search also ends when a minimal set of that size is
// known.
//
// Minimum hitting sets are expensive. So between two of them the search gathers
// several disjoint correction sets: it adds each new correction set to the
// hitting set until the result forces the digit. The result contains another
// minimal set, which may be smaller than the best one.

// minimal returns a minimal forcing subset of a forcing set. It removes givens
// one by one in the given order; nil stands for the order of the cells. If ctx
// ends early, minimal returns the forcing subset reached so far.
func (f *forcer) minimal(ctx context.Context, set bitset, order []int) (bitset, error) {
	if order == nil {
		order = set.elements(nil)
	}
	set = slices.Clone(set)
	if f.refuted(set) {
		for _, i := range order {
			if !set.has(i) {
				continue
			}
			if set.remove(i); !f.refuted(set) {
				set.add(i)
			}
		}
	}
	for _, i := range order {
		if !set.has(i) {
			continue
		}
		set.remove(i)
		core, forced, err := f.forces(ctx, set)
		switch {
		case err != nil:
			set.add(i)
			return set, err
		case forced:
			set = core
		default:
			set.add(i)
		}
	}
	return set, nil
}

// randomOrders is the number of random orders of removal that are tried before
// the search for a smallest set.
const randomOrders = 8

// nodesPerCall is the node budget of the search for hitting sets per solver
// call that the options allow.
const nodesPerCall = 100

// smallest returns a smallest forcing set, or the smallest one found within the
// effort, and a lower bound on the size of a smallest one.
func (f *forcer) smallest(ctx context.Context, best bitset, o WhyOptions) (bitset, int, error) {
	s := &smallestSearch{forcer: f, best: best, effort: o.Effort}
	if s.effort == 0 {
		s.effort = DefaultEffort
	}
	s.effort += f.calls
	s.hitting = newHitting(len(f.lits), int64(nodesPerCall)*int64(s.effort))
	err := s.tryOrders(ctx)
	for err == nil && s.calls < s.effort {
		hit, ok := s.hitting.minimum()
		if !ok || s.hitting.bound >= s.best.len() {
			break
		}
		err = s.refute(ctx, hit)
	}
	return s.best, min(s.hitting.bound, s.best.len()), err
}

// A smallestSearch is a search for a smallest forcing set.
type smallestSearch struct {
	*forcer
	best    bitset
	effort  int // solver calls at which the search ends
	hitting *hitting
}

// tryOrders computes minimal sets by random orders of removal.
func (s *smallestSearch) tryOrders(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(1, 1))
	all := s.all()
	for range randomOrders {
		set, err := s.minimal(ctx, all, rng.Perm(len(s.lits)))
		if err != nil {
			return err
		}
		s.offer(set)
	}
	return nil
}

// offer keeps a forcing set if it is smaller than the best one so far.
func (s *smallestSearch) offer(set bitset) {
	if set.len() < s.best.len() {
		s.best = set
	}
}

// refute adds correction sets that are disjoint from hit to the collection, and
// their elements to hit, until hit is forcing.
func (s *smallestSearch) refute(ctx context.Context, hit bitset) error {
	hit = slices.Clone(hit)
	for s.calls < s.effort {
		set, forced, err := s.forces(ctx, hit)
		if err != nil {
			return err
		}
		if forced {
			if set, err = s.minimal(ctx, set, nil); err == nil {
				s.offer(set)
			}
			return err
		}
		correction, err := s.correction(ctx, set)
		if err != nil {
			return err
		}
		s.hitting.add(correction)
		for i, w := range correction {
			hit[i] |= w
		}
	}
	return nil
}

// correction extends a set that is not forcing to a maximal such set, and
// returns its complement, a minimal correction set.
func (s *smallestSearch) correction(ctx context.Context, set bitset) (bitset, error) {
	rest := newBitset(len(s.lits))
	for i := range s.lits {
		if set.has(i) {
			continue
		}
		set.add(i)
		holds, forced, err := s.forces(ctx, set)
		switch {
		case err != nil:
			return nil, err
		case forced:
			set.remove(i)
			rest.add(i)
		default:
			set = holds
		}
	}
	return rest, nil
}
