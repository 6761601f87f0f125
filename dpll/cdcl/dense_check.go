package cdcl

import "sator/dimacs"

// check checks what dense mode promises, between the elimination of two variables.
// Builds without the tag satcheck do not link it.
func (d *dense) check() {
	if d.s.checks++; d.s.size() > checkLimit/4 && d.s.checks&1023 != 0 {
		return
	}
	if d.s.propagated < len(d.s.trail) {
		d.s.fault("unit %v is not propagated in dense mode", d.s.trail[d.s.propagated])
	}
	for v, m := range d.s.marks {
		if m != 0 {
			d.s.fault("variable %d is still marked %b", v+1, m)
		}
	}
	d.checkLists(d.checkArena())
}

// checkArena: irredundant clauses have no assigned or retired variable. It returns
// how often literals are in them.
func (d *dense) checkArena() []uint32 {
	count := make([]uint32, len(d.count))
	d.s.eachClause(2, func(r uint32) bool {
		if d.s.arena[r]&(garbageBit|redundantBit) != 0 {
			return true
		}
		c := d.lits(r)
		if len(c) < 3 {
			d.s.fault("clause %v has no place in the arena", d.s.literals(c))
		}
		for _, w := range c {
			if l := dimacs.Lit(w); d.fixedOrRemoved(l) {
				d.s.fault("clause %v has the literal %v, which is assigned or retired", d.s.literals(c), l)
			}
			count[w]++
		}
		return true
	})
	return count
}

// checkLists: each literal's list has the long irredundant clauses that contain it,
// of which there are as many as given, each once, with a signature that has all
// their variables, and the binary clauses are counted too.
func (d *dense) checkLists(long []uint32) {
	binaries := 0
	for i := range d.s.watches {
		l := dimacs.Lit(i)
		seen := make(map[uint32]bool)
		total := long[l]
		for _, w := range d.s.list(l) {
			switch r := w.ref(); {
			case d.s.stale(w):
			case w.binary():
				binaries++
				if !w.redundant() {
					total++
				}
			case seen[r], d.s.arena[r]&redundantBit != 0, indexVar(d.lits(r), uint32(l>>1)) < 0:
				d.s.fault("clause %v is in the list of %v", d.s.literals(d.lits(r)), l)
			case signature(d.lits(r))&^uint32(w.blocker()) != 0:
				d.s.fault("clause %v has a wrong signature in the list of %v", d.s.literals(d.lits(r)), l)
			default:
				seen[r] = true
			}
		}
		if !d.fixedOrRemoved(l) && (len(seen) != int(long[l]) || total != d.count[l]) {
			d.s.fault("literal %v is in %d long clauses, with %d in its list, and in %d irredundant ones, with %d counted",
				l, long[l], len(seen), total, d.count[l])
		}
	}
	if binaries != 2*d.s.stats.Binary {
		d.s.fault("binary clauses are in the lists %d times, with %d counted", binaries, d.s.stats.Binary)
	}
}
