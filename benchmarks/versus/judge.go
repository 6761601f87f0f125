package versus

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// Which answers are wrong. For each file there is a truth: what a checked model or proof says, or
// else what was known before. An answer against it is wrong, and so is one whose own evidence is.
// Where there is no truth and answers differ, nobody can tell which are wrong, so that none of them
// counts.

// A verdict is what is wrong with a set of runs.
type verdict struct {
	faults []string     // in words
	wrong  map[key]bool // runs whose answers do not count
}

// judge looks for wrong answers.
func judge(records []Run) *verdict {
	v := &verdict{wrong: map[key]bool{}}
	var files []string
	byFile := map[string][]*Run{}
	for i := range records {
		r := &records[i]
		if byFile[r.File] == nil {
			files = append(files, r.File)
		}
		byFile[r.File] = append(byFile[r.File], r)
	}
	for _, file := range files {
		v.file(file, byFile[file])
	}
	return v
}

// file judges the runs on a file.
func (v *verdict) file(file string, runs []*Run) {
	for _, r := range runs {
		if r.Check == Refuted {
			v.blame(r, fmt.Sprintf("%s says %s of %s: %s", r.Solver, r.Outcome, file, r.Note))
		}
	}
	model, refutation := proven(runs, Satisfiable), proven(runs, Unsatisfiable)
	known := runs[0].Known
	switch {
	case model != nil && refutation != nil:
		v.dispute(file, runs, "both have evidence that was found right, so that the check is wrong or the file has changed")
	case model != nil:
		v.against(file, runs, dimacs.Satisfiable, "has a model, which "+model.Solver+" found")
	case refutation != nil:
		v.against(file, runs, dimacs.Unsatisfiable, "is UNSATISFIABLE by the proof of "+refutation.Solver)
	case known != dimacs.Unknown:
		v.against(file, runs, known, "is known to be "+known.String())
	default:
		v.dispute(file, runs, "and there is no evidence")
	}
}

// proven returns a run with that answer whose evidence is right, or nil.
func proven(runs []*Run, answer Outcome) *Run {
	for _, r := range runs {
		if r.Outcome == answer && r.Check == Checked {
			return r
		}
	}
	return nil
}

// against blames the runs whose answer is not the right one, and the list if it is wrong.
func (v *verdict) against(file string, runs []*Run, truth dimacs.Status, why string) {
	if known := runs[0].Known; known != dimacs.Unknown && known != truth {
		v.add(fmt.Sprintf("%s is listed as %v, but %s", file, known, why))
	}
	for _, r := range runs {
		if a := r.Outcome.Answer(); a != dimacs.Unknown && a != truth {
			v.blame(r, fmt.Sprintf("%s says %v of %s, which %s", r.Solver, a, file, why))
		}
	}
}

// dispute blames all runs that have an answer, if answers differ.
func (v *verdict) dispute(file string, runs []*Run, why string) {
	var says [2][]string
	for _, r := range runs {
		if v.wrong[r.key()] {
			continue
		}
		switch r.Outcome {
		case Satisfiable:
			says[0] = append(says[0], r.Solver)
		case Unsatisfiable:
			says[1] = append(says[1], r.Solver)
		}
	}
	if says[0] == nil || says[1] == nil {
		return
	}
	v.add(fmt.Sprintf("the answers for %s differ: SATISFIABLE by %s, UNSATISFIABLE by %s, %s", file, listed(says[0]), listed(says[1]), why))
	for _, r := range runs {
		if r.Outcome.Answer() != dimacs.Unknown {
			v.wrong[r.key()] = true
		}
	}
}

// listed joins names, each once.
func listed(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// blame marks a run and says why.
func (v *verdict) blame(r *Run, fault string) {
	v.wrong[r.key()] = true
	v.add(fault)
}

// add adds a fault, unless another round had the same.
func (v *verdict) add(fault string) {
	if !slices.Contains(v.faults, fault) {
		v.faults = append(v.faults, fault)
	}
}
