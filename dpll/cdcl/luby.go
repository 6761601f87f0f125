package cdcl

// A reluctant value counts conflicts to schedule the restarts of stable mode by
// reluctant doubling: Knuth's algorithm for the sequence 1 1 2 1 1 2 4 ... of Luby,
// Sinclair and Zuckerman (IPL 1993), with two words of state (The Art of Computer
// Programming 7.2.2.2, exercise 293). The sequence starts again when a member exceeds
// the bound.
type reluctant struct {
	u, v   int64
	period int64
	bound  int64 // longest interval, in conflicts
	left   int64 // conflicts until the next restart
	due    bool
}

func newReluctant(period, bound int) reluctant {
	return reluctant{u: 1, v: 1, period: int64(period), bound: int64(bound), left: int64(period)}
}

// tick counts a conflict.
func (r *reluctant) tick() {
	if r.left--; r.left > 0 {
		return
	}
	if r.u&-r.u == r.v {
		r.u, r.v = r.u+1, 1
	} else {
		r.v *= 2
	}
	if r.v > r.bound/r.period {
		r.u, r.v = 1, 1
	}
	r.left = r.v * r.period
	r.due = true
}

// triggered reports whether a restart is due, and resets that.
func (r *reluctant) triggered() bool {
	due := r.due
	r.due = false
	return due
}
