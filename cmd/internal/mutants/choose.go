package mutants

import (
	"path"
	"slices"
)

// Touching returns the mutants that change one of these files or whose patch is one of
// them. Names are relative to the module's root, with slashes.
func Touching(all []*Mutant, files []string) []*Mutant {
	return slices.DeleteFunc(slices.Clone(all), func(m *Mutant) bool {
		patch := path.Join(path.Dir(m.Name), "testdata/mutants", path.Base(m.Name)+".patch")
		return !slices.Contains(files, patch) &&
			!slices.ContainsFunc(m.Edits, func(e Edit) bool { return slices.Contains(files, e.File) })
	})
}

// Part divides the mutants into n parts of about the same size and returns part i modulo
// n. A caller that counts i up runs every mutant once in n calls.
func Part(all []*Mutant, i, n int) []*Mutant {
	var part []*Mutant
	for k, m := range all {
		if k%n == i%n {
			part = append(part, m)
		}
	}
	return part
}

// Union returns the mutants of both lists without duplicates, beginning with a.
func Union(a, b []*Mutant) []*Mutant {
	all := slices.Clone(a)
	for _, m := range b {
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
