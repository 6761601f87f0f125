package versus

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// Wrong answers. The correct answer for a file is the one with a checked model
// or proof, or else the known answer. An answer that contradicts it is wrong,
// and so is an answer with invalid evidence. If there is no correct answer in
// this sense and the answers differ, all of them count as wrong, because it is
// unknown which of them are wrong.

// A verdict lists the wrong answers of a set of runs.
type verdict struct {
	faults []string     // messages
	wrong  map[key]bool // runs whose answers do not count
}

// judge finds the wrong answers.
func judge(runs []Run) *verdict {
	v := &verdict{wrong: map[key]bool{}}
	var files []string
	byFile := map[string][]*Run{}
	for i := range runs {
		r := &runs[i]
		if byFile[r.File] == nil {
			files = append(files, r.File)
		}
		byFile[r.File] = append(byFile[r.File], r)
	}
	for _, file := range files {
		v.judgeFile(file, byFile[file])
	}
	return v
}

// judgeFile finds the wrong answers for one file.
func (v *verdict) judgeFile(file string, runs []*Run) {
	for _, r := range runs {
		if r.Check == Refuted {
			v.markWrong(r, fmt.Sprintf("%s answered %s for %s: %s", r.Solver, r.Outcome, file, r.Note))
		}
	}
	model, refutation := checkedRun(runs, Satisfiable), checkedRun(runs, Unsatisfiable)
	known := runs[0].Known
	switch {
	case model != nil && refutation != nil:
		v.checkAgreement(file, runs, "both have valid evidence: either the check is wrong or the file changed between the runs")
	case model != nil:
		v.checkAgainst(file, runs, dimacs.Satisfiable, "has a model (found by "+model.Solver+")")
	case refutation != nil:
		v.checkAgainst(file, runs, dimacs.Unsatisfiable, "is UNSATISFIABLE by the proof of "+refutation.Solver)
	case known != dimacs.Unknown:
		v.checkAgainst(file, runs, known, "is known to be "+known.String())
	default:
		v.checkAgreement(file, runs, "neither has evidence")
	}
}

// checkedRun returns a run with that answer and valid evidence, or nil.
func checkedRun(runs []*Run, answer Outcome) *Run {
	for _, r := range runs {
		if r.Outcome == answer && r.Check == Checked {
			return r
		}
	}
	return nil
}

// checkAgainst marks the runs that contradict the correct answer. It adds a fault if the known
// answer contradicts it.
func (v *verdict) checkAgainst(file string, runs []*Run, truth dimacs.Status, why string) {
	if known := runs[0].Known; known != dimacs.Unknown && known != truth {
		v.add(fmt.Sprintf("%s is listed as %v, but %s", file, known, why))
	}
	for _, r := range runs {
		if a := r.Outcome.Answer(); a != dimacs.Unknown && a != truth {
			v.markWrong(r, fmt.Sprintf("%s answered %v for %s, but the file %s", r.Solver, a, file, why))
		}
	}
}

// checkAgreement marks all runs with an answer as wrong if the answers differ.
func (v *verdict) checkAgreement(file string, runs []*Run, why string) {
	var by [2][]string
	for _, r := range runs {
		if v.wrong[r.key()] {
			continue
		}
		switch r.Outcome {
		case Satisfiable:
			by[0] = append(by[0], r.Solver)
		case Unsatisfiable:
			by[1] = append(by[1], r.Solver)
		}
	}
	if by[0] == nil || by[1] == nil {
		return
	}
	v.add(fmt.Sprintf("the answers for %s differ: SATISFIABLE by %s, UNSATISFIABLE by %s; %s", file, listed(by[0]), listed(by[1]), why))
	for _, r := range runs {
		if r.Outcome.Answer() != dimacs.Unknown {
			v.wrong[r.key()] = true
		}
	}
}

// listed joins the distinct names.
func listed(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// markWrong marks a run as wrong and adds a fault.
func (v *verdict) markWrong(r *Run, fault string) {
	v.wrong[r.key()] = true
	v.add(fault)
}

// add adds a fault, unless another round has added the same message.
func (v *verdict) add(fault string) {
	if !slices.Contains(v.faults, fault) {
		v.faults = append(v.faults, fault)
	}
}
