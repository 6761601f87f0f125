package mutants

import "slices"

// Touching returns the mutants that change one of these files, whose names are relative
// to the module's root, with slashes.
func Touching(all []*Mutant, files []string) []*Mutant {
	return slices.DeleteFunc(slices.Clone(all), func(m *Mutant) bool {
		return !slices.ContainsFunc(m.Edits, func(e Edit) bool { return slices.Contains(files, e.File) })
	})
}

// Part returns one of n parts of about the same size, which together have all mutants
// once: part i modulo n. A caller that counts i up runs all of them in n turns.
func Part(all []*Mutant, i, n int) []*Mutant {
	var part []*Mutant
	for k, m := range all {
		if k%n == i%n {
			part = append(part, m)
		}
	}
	return part
}

// Union returns the mutants of both lists, each once, those of a first.
func Union(a, b []*Mutant) []*Mutant {
	all := slices.Clone(a)
	for _, m := range b {
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
