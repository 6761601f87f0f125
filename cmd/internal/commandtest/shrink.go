package commandtest

import "slices"

// Shrink makes the failing case of the round smaller while the kind of the failure stays
// the same: fewer flags, plain files, fewer clauses and literals, smaller variables.
func (r *Round) Shrink() {
	if r.Failure == nil {
		return
	}
	s := &shrinker{r, r.drawn, shrinkRuns}
	for smaller := true; smaller && s.left > 0; {
		smaller = s.flags() || s.look() || s.lists() || s.literals() || s.variables()
	}
}

// shrinkRuns is the maximum number of runs for shrinking a failure.
const shrinkRuns = 1000

// A shrinker is the state of Shrink.
type shrinker struct {
	r    *Round
	c    *Case // smallest failing case so far
	left int   // number of runs left
}

// try runs a changed case, and keeps it if it fails in the same way.
func (s *shrinker) try(change func(*Case)) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	c := s.c.clone()
	change(c)
	c.mend()
	f := s.r.fuzzer.run(c, s.r.Process, new(Counts))
	if f == nil || f.Kind != s.r.Failure.Kind {
		return false
	}
	s.c, s.r.Failure = c, f
	return true
}

// flags drops flags.
func (s *shrinker) flags() (smaller bool) {
	for i := len(s.c.Flags) - 1; i >= 0; i-- {
		smaller = s.try(func(c *Case) { c.Flags = slices.Delete(c.Flags, i, i+1) }) || smaller
	}
	return smaller
}

// look makes the files plainer.
func (s *shrinker) look() (smaller bool) {
	plain := []struct {
		is     bool
		change func(*Look)
	}{
		{s.c.Look.Noise == 0, func(k *Look) { k.Noise = 0 }},
		{s.c.Look.Files == 1, func(k *Look) { k.Files = 1 }},
		{s.c.Look.Stdin == 0, func(k *Look) { k.Stdin = 0 }},
		{s.c.Look.Mistake == "", func(k *Look) { k.Mistake = "" }},
		{!s.c.Look.Relaxed, func(k *Look) { k.Relaxed = false }},
		{!slices.ContainsFunc(s.c.Look.Packs, func(p string) bool { return p != "" }), func(k *Look) { k.Packs = make([]string, k.Files) }},
	}
	for _, p := range plain {
		smaller = !p.is && s.try(func(c *Case) { p.change(&c.Look) }) || smaller
	}
	return smaller
}

// lists drops clauses, in blocks first, then cubes and assumptions.
func (s *shrinker) lists() (smaller bool) {
	for n := max(1, len(s.c.Clauses)/2); n > 0; n /= 2 {
		for i := len(s.c.Clauses) - n; i >= 0; i -= n {
			smaller = s.try(func(c *Case) { c.dropClauses(i, i+n) }) || smaller
		}
	}
	for i := len(s.c.Cubes) - 1; i >= 0; i-- {
		smaller = s.try(func(c *Case) { c.Cubes = slices.Delete(c.Cubes, i, i+1) }) || smaller
	}
	for i := len(s.c.Assume) - 1; i >= 0; i-- {
		smaller = s.try(func(c *Case) { c.Assume = slices.Delete(c.Assume, i, i+1) }) || smaller
	}
	return smaller
}

// dropClauses drops the clauses i to j-1.
func (c *Case) dropClauses(i, j int) {
	c.Clauses = slices.Delete(c.Clauses, i, j)
	for k, cube := range c.Cubes {
		c.Cubes[k].Clauses -= max(0, min(cube.Clauses, j)-i)
	}
}

// literals drops literals of clauses and cubes.
func (s *shrinker) literals() (smaller bool) {
	for i := range s.c.Clauses {
		for j := len(s.c.Clauses[i]) - 1; j >= 0; j-- {
			smaller = s.try(func(c *Case) { c.Clauses[i] = slices.Delete(c.Clauses[i], j, j+1) }) || smaller
		}
	}
	for i := range s.c.Cubes {
		for j := len(s.c.Cubes[i].Lits) - 1; j >= 0; j-- {
			smaller = s.try(func(c *Case) { c.Cubes[i].Lits = slices.Delete(c.Cubes[i].Lits, j, j+1) }) || smaller
		}
	}
	return smaller
}

// variables gives the variables smaller numbers, without gaps, and drops unused ones.
func (s *shrinker) variables() (smaller bool) {
	for _, n := range []int{s.c.highest(), s.c.highest() + 1} {
		smaller = n < s.c.Vars && s.try(func(c *Case) { c.Vars = n }) || smaller
	}
	lits := slices.Clone(s.c.Clauses)
	for _, cube := range s.c.Cubes {
		lits = append(lits, cube.Lits)
	}
	used := variablesOf(append(lits, s.c.Assume))
	if len(used) == 0 || used[len(used)-1] == len(used) {
		return smaller
	}
	return s.try(func(c *Case) {
		rename := func(ls []int) {
			for i, l := range ls {
				n, _ := slices.BinarySearch(used, abs(l))
				if ls[i] = n + 1; l < 0 {
					ls[i] = -ls[i]
				}
			}
		}
		for _, ls := range c.Clauses {
			rename(ls)
		}
		for _, cube := range c.Cubes {
			rename(cube.Lits)
		}
		rename(c.Assume)
		c.Vars = c.highest()
	}) || smaller
}
