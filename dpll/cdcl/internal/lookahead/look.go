package lookahead

import (
	"math"
	"slices"

	"sator/dimacs"
)

// Look-ahead. A node makes each literal of promising variables true for a moment, and propagates.
// A literal that leads to a conflict has failed, and its complement is true from then on. The
// others are measured by the clauses that they shorten, and the variable with the best product of
// both measures is decided (Li and Anbulagan, "Heuristics based on unit propagation for
// satisfiability problems", IJCAI 1997).
//
// A clause that is shortened counts by the product of the weights of its literals. The weight of a
// literal says how much follows if it is true: it is the sum, over the clauses that this shortens,
// of the products of the weights of the others. Each node computes it from the weights of the node
// above (Mijnders, de Wilde and Heule, "Symbiosis of search and heuristics for random 3-SAT", LaSh
// 2010; the constants are Knuth's, The Art of Computer Programming 4B, section 7.2.2.2, algorithm
// L).
//
// If a literal shortens more than others did, the candidates are tried once more below it. The
// more often that finds nothing, the higher is the threshold (double look-ahead: Heule and van
// Maaren, "Effective incorporation of double look-ahead procedures", SAT 2007).

// A candidate is a variable that a node may decide.
type candidate struct {
	v    dimacs.Var
	gain [2]float64 // of its positive and its negative literal
}

const (
	binaryWeight = 3.5 // of a clause that becomes unit, in terms of one that becomes binary
	longerWeight = 0.2 // of a clause for each literal more than two
	leastWeight  = 0.1
	mostWeight   = 20
	firstRounds  = 5 // computations of the weights above the root

	leastLooks    = 30  // candidates of a node
	mostLooks     = 600 // of the root; divided by the depth
	thresholdLoss = 0.9995
	sumWeight     = 1e-4 // of the sum of two measures, in terms of their product
)

// lengthWeights are the weights of clauses by their number of open literals.
var lengthWeights = func() (w [mostLength + 1]float64) {
	w[2] = 1
	for n := 3; n < len(w); n++ {
		w[n] = float64(w[n-1] * longerWeight)
	}
	return w
}()

// setWeights computes the weights of the current node from those of the node above.
func (s *Search) setWeights() {
	n := len(s.nodes)
	if s.tables == nil {
		s.tables = [][]float64{slices.Repeat([]float64{1}, len(s.vals))}
		for range firstRounds {
			next := make([]float64, len(s.vals))
			s.refine(s.tables[0], next)
			s.tables[0] = next
		}
	}
	for len(s.tables) <= n {
		s.tables = append(s.tables, make([]float64, len(s.vals)))
	}
	s.weights = s.tables[n]
	s.refine(s.tables[n-1], s.weights)
}

// refine computes weights from others.
func (s *Search) refine(from, to []float64) {
	sum, open := 0.0, 0
	for l, v := range s.vals {
		if v == 0 {
			sum += from[l]
			open++
		}
	}
	scale := float64(open) / sum
	for l, v := range s.vals {
		if v == 0 {
			to[l] = min(s.weigh(dimacs.Lit(l), from, scale), mostWeight)
		}
	}
}

// weigh returns the weight of an open literal.
func (s *Search) weigh(l dimacs.Lit, from []float64, scale float64) float64 {
	w := leastWeight
	for _, x := range s.singles.Of(l ^ 1) {
		if s.vals[x.a] == 0 {
			w += float64(binaryWeight * scale * from[x.a])
		}
	}
	for _, x := range s.pairs.Of(l ^ 1) {
		switch a, b := s.vals[x.a], s.vals[x.b]; {
		case a > 0 || b > 0:
		case a|b == 0:
			w += float64(scale * scale * from[x.a] * from[x.b])
		case a == 0:
			w += float64(binaryWeight * scale * from[x.a])
		default:
			w += float64(binaryWeight * scale * from[x.b])
		}
	}
	for ws := s.longer.Of(l ^ 1); len(ws) > 0; ws = ws[2+ws[1]:] {
		w += s.weighLonger(ws[2:2+ws[1]], from, scale)
	}
	return w
}

// weighLonger returns the part of one of the longer clauses.
func (s *Search) weighLonger(rest []uint32, from []float64, scale float64) float64 {
	product, open := 1.0, 0
	for _, k := range rest {
		switch v := s.vals[k]; {
		case v > 0:
			return 0
		case v == 0:
			product *= scale * from[k]
			open++
		}
	}
	if open == 1 {
		return float64(binaryWeight * product)
	}
	return float64(product * lengthWeights[min(open, mostLength)])
}

// look looks ahead at the current node. It returns the literal to decide, if any is open, or false
// if the node has a conflict.
func (s *Search) look() (best dimacs.Lit, ok bool) {
	for len(s.trail) < len(s.names) {
		s.setWeights()
		s.rank()
		if !s.tryAll() {
			return 0, false
		}
		if l, ok := s.choose(); ok {
			return l, true
		}
	}
	return 0, true
}

// rank lists the candidates: the open variables with the highest products of weights.
func (s *Search) rank() {
	s.keys = s.keys[:0]
	for v := range dimacs.Var(len(s.names)) {
		if l := v.Lit(); s.vals[l] == 0 {
			weight := float32(s.weights[l] * s.weights[l^1])
			s.keys = append(s.keys, uint64(^math.Float32bits(weight))<<32|uint64(v))
		}
	}
	slices.Sort(s.keys)
	s.candidates = s.candidates[:0]
	for _, k := range s.keys[:min(len(s.keys), max(leastLooks, mostLooks/len(s.nodes)))] {
		s.candidates = append(s.candidates, candidate{v: dimacs.Var(uint32(k))})
	}
}

// tryAll tries the literals of the candidates until no more of them fails. It returns false at
// a conflict.
func (s *Search) tryAll() bool {
	cs := s.candidates
	for i, since := 0, 0; since < len(cs); i, since = (i+1)%len(cs), since+1 {
		c := &cs[i]
		for k := range dimacs.Lit(2) {
			l := c.v.Lit() ^ k
			if s.vals[l] != 0 {
				break
			}
			if !s.try(l) {
				if !s.fail(l) {
					return false
				}
				since = -1
				break
			}
			c.gain[k] = s.gain
		}
	}
	return true
}

// try makes l true for a moment, and sets s.gain. If l fails, it returns false at the conflict.
func (s *Search) try(l dimacs.Lit) bool {
	trail, lemmas := len(s.trail), len(s.lemmas)
	s.gain = 0
	s.assign(l, decision)
	if !s.propagate(trail) {
		return false
	}
	if s.gain <= s.threshold {
		s.threshold *= thresholdLoss
	} else {
		if !s.tryBelow() {
			return false
		}
		s.threshold = s.gain
	}
	s.undo(trail)
	s.lemmas = s.lemmas[:lemmas]
	return true
}

// tryBelow tries the candidates below a literal. It returns false at a conflict.
func (s *Search) tryBelow() bool {
	for _, c := range s.candidates {
		for k := range dimacs.Lit(2) {
			l := c.v.Lit() ^ k
			if s.vals[l] != 0 {
				break
			}
			trail, gain := len(s.trail), s.gain
			s.assign(l, decision)
			ok := s.propagate(trail)
			if s.gain = gain; ok {
				s.undo(trail)
			} else if !s.fail(l) {
				return false
			}
		}
	}
	return true
}

// fail makes the complement of l true, since l failed: it was tried last, and there is a conflict.
// It returns false at another conflict.
func (s *Search) fail(l dimacs.Lit) bool {
	s.stats.Failed++
	m := lemma{lits: s.explain(), hints: slices.Clone(s.chain)}
	trail := slices.Index(s.trail, l)
	s.undo(trail)
	s.assign(l^1, s.wait(m))
	return s.propagate(trail)
}

// choose returns a literal of the candidate with the best product of gains: the one with the lower
// gain, since a model is more likely to have it.
func (s *Search) choose() (best dimacs.Lit, ok bool) {
	most := -1.0
	for _, c := range s.candidates {
		l := c.v.Lit()
		if s.vals[l] != 0 {
			continue
		}
		score := float64(c.gain[0]*c.gain[1]) + float64(sumWeight*(c.gain[0]+c.gain[1]))
		if score > most {
			most, best, ok = score, l, true
			if c.gain[0] > c.gain[1] {
				best ^= 1
			}
		}
	}
	return best, ok
}
