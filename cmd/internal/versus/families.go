package versus

import (
	"path"
	"slices"
	"strings"
)

// Families of files. A mean over all files hides that a solver is strong on some kinds of formulas and weak on others.
// The family of a file is, in this order of preference,
//
//   - the family that the list gives;
//   - the part of its base name before "__", as in bmc__counter-8.cnf;
//   - its directory, if the files are in several directories;
//   - the beginning of its base name up to the first '-', '_' or '.', without digits at the end: uf of uf250-01.cnf, php
//     of php-8.cnf.

// A Family holds the results on the files of one family, in the order of Report.Rows.
type Family struct {
	Name   string
	Files  int
	Solved []int
	PAR2   []float64
	Best   float64 // PAR-2 of the virtual best solver
}

// familiesOf returns the families of files. Listed has the families that lists give.
func familiesOf(files []string, listed map[string]string) map[string]string {
	folders := map[string]bool{}
	for _, file := range files {
		folders[path.Dir(file)] = true
	}
	families := map[string]string{}
	for _, file := range files {
		base := path.Base(file)
		prefix, _, marked := strings.Cut(base, "__")
		switch {
		case listed[file] != "":
			families[file] = listed[file]
		case marked && prefix != "":
			families[file] = prefix
		case len(folders) > 1:
			families[file] = path.Dir(file)
		default:
			families[file] = nameFamily(base)
		}
	}
	return families
}

// nameFamily returns the beginning of a base name that several files of a family share.
func nameFamily(base string) string {
	word := base
	if i := strings.IndexAny(base, "-_."); i > 0 {
		word = base[:i]
	}
	if family := strings.TrimRight(word, "0123456789"); family != "" {
		return family
	}
	return word
}

// groupFamilies computes the results by family, the largest family first.
func (p *Report) groupFamilies(files []string, listed map[string]string) {
	families := familiesOf(files, listed)
	members := map[string][]string{}
	for _, file := range files {
		members[families[file]] = append(members[families[file]], file)
	}
	for name, files := range members {
		f := Family{Name: name, Files: len(files)}
		for i := range p.Rows {
			row := Row{results: p.Rows[i].results}
			row.count(files, p.Limit)
			f.Solved, f.PAR2 = append(f.Solved, row.Solved()), append(f.PAR2, row.PAR2.Value)
		}
		if p.Best != nil {
			f.Best = par2Of(p.Best.results, files, p.Limit).Value
		}
		p.Families = append(p.Families, f)
	}
	slices.SortFunc(p.Families, func(a, b Family) int {
		if a.Files != b.Files {
			return b.Files - a.Files
		}
		return strings.Compare(a.Name, b.Name)
	})
}
