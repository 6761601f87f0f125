package explain

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Smallest sets of givens.
//
// That a set of givens forces a digit is the same as that it contradicts the
// digit's denial. So the sets that force it and have nothing to spare are the
// minimal unsatisfiable subsets of the givens, with the rules and the denial as
// what always holds. One of these is found by leaving out one given after the
// other and keeping what the engine says it has used. Where singles suffice to
// refute the denial, givens are left out first as long as they do: that is fast,
// and with few givens left the engine has less to search.
//
// A smallest one takes more. Whatever grid denies the digit breaks some of the
// givens, and every set that forces the digit has one of these: it hits all such
// sets of broken givens. Conversely a set that hits them all forces the digit.
// So: of the sets of broken givens found so far take a smallest hitting set. If
// it forces the digit, nothing smaller does. Else there is a grid that agrees
// with it and denies the digit; this is changed to agree with as many givens as
// it can, and those that it still breaks are a new set to hit (Ignatiev, Previti,
// Liffiton and Marques-Silva, "Smallest MUS extraction with minimal hitting set
// dualization", 2015). The size of the hitting sets is a lower bound all along,
// so that the search ends as well when a minimal set of that size is known.
//
// Between two hitting sets, which are costly, a few disjoint sets of broken
// givens are gathered: the hitting set is enlarged by what was just found, until
// it does force the digit. That ends with another minimal set, perhaps a smaller
// one.

// minimal returns a minimal subset of a set that forces the goal, by leaving out
// one given after the other in an order; nil is that of the cells. If ctx ends
// before, the set is what is left then.
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

// orders is how many minimal sets are found by leaving out givens in random
// orders before the search for a smallest one begins.
const orders = 8

// nodesPerCall is how many nodes the search for hitting sets may visit for each
// question that may be put to the engine.
const nodesPerCall = 100

// smallest returns a smallest set that forces the goal, or the smallest that it
// comes by, and a lower bound on its size.
func (f *forcer) smallest(ctx context.Context, best bitset, o WhyOptions) (bitset, int, error) {
	s := &smallestSearch{forcer: f, best: best, effort: o.Effort}
	if s.effort == 0 {
		s.effort = DefaultEffort
	}
	s.effort += f.calls
	s.hitting = newHitting(len(f.lits), int64(nodesPerCall)*int64(s.effort))
	err := s.shuffled(ctx)
	for err == nil && s.calls < s.effort {
		hit, ok := s.hitting.minimum()
		if !ok || s.hitting.bound >= s.best.len() {
			break
		}
		err = s.refute(ctx, hit)
	}
	return s.best, min(s.hitting.bound, s.best.len()), err
}

// A smallestSearch is a search for a smallest set that forces the goal.
type smallestSearch struct {
	*forcer
	best    bitset
	effort  int // calls of the engine at which it ends
	hitting *hitting
}

// shuffled looks for smaller minimal sets.
func (s *smallestSearch) shuffled(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(1, 1))
	all := s.all()
	for range orders {
		set, err := s.minimal(ctx, all, rng.Perm(len(s.lits)))
		if err != nil {
			return err
		}
		s.offer(set)
	}
	return nil
}

// offer keeps a set that forces the goal if it is smaller than the best so far.
func (s *smallestSearch) offer(set bitset) {
	if set.len() < s.best.len() {
		s.best = set
	}
}

// refute adds sets of broken givens until what hits them, starting with a
// smallest hitting set, forces the goal.
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
		broken, err := s.broken(ctx, set)
		if err != nil {
			return err
		}
		s.hitting.add(broken)
		for i, w := range broken {
			hit[i] |= w
		}
	}
	return nil
}

// broken extends a set of givens that does not force the goal until every other
// given would make it do so, and returns these.
func (s *smallestSearch) broken(ctx context.Context, set bitset) (bitset, error) {
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
