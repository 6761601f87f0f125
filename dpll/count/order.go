package count

// choose returns the decision for a component: among its counted variables, or
// among all if it has no counted one. The score of a variable is the number of its occurrences in the
// component and its activity in conflicts (VSADS: Sang, Beame and Kautz, "Heuristics for fast
// exact model counting", SAT 2005), and its place in a tree decomposition (see decompose).
func (s *search) choose(c component) lit {
	best, most := uint32(0), -1.0
	for _, v := range s.members[c.vars:c.clauses] {
		if c.counted && s.structure.counted != nil && !s.structure.counted[v] {
			continue
		}
		score := float64(s.frequency[v]) + activityWeight*s.activity[v]/s.bump
		if s.rank != nil {
			score += s.rank[v]
		}
		if score > most {
			best, most = v, score
		}
	}
	if s.bias[best] < 0 {
		return lit(2*best + 1)
	}
	return lit(2 * best)
}

const activityWeight = 10
