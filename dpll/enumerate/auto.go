package enumerate

import (
	"context"
	"math"

	"sator/dimacs"
	"sator/dpll"
)

// Which engine enumerates faster depends on how hard models are to find. DPLL
// backtracks after a model as it does after a conflict, and finds many models at
// once if they differ in variables that no open clause contains. CDCL adds a
// blocking clause for each model and searches again. Measured:
//
//	formula                          models   dpll: conflicts     time   cdcl: time
//	ksat, 100 variables, ratio 4      10000                25   0.001 s     0.19 s
//	ksat, 200, 4.26                   10000              2239   0.026 s     0.93 s
//	ksat, 60, 3.5, onto 20             7609             12961    0.06 s     0.24 s
//	ksat, 100, 3.5, onto 10             702              8077    0.16 s     0.11 s
//	ksat, 100, 3.5, onto 20           10000            164459    1.34 s     0.63 s
//	ksat, 150, 3.5, onto 20           10000            160348    3.86 s     0.74 s
//
// (sator generate ksat --vars N --ratio R --seed 1; the first 10000 models,
// projected onto the first variables.) The engines break even at about ten
// conflicts per model of DPLL.
//
// The engine auto therefore starts with DPLL. The trial of DPLL is over once it
// has had a number of conflicts, or its heuristic has visited a number of
// clauses. If it has then found fewer than one model in conflictsPerModel
// conflicts, CDCL takes over, with blocking clauses for the models found so far.
// DPLL stays if it has found many model sets, since that would take as many
// clauses. Everything is counted and nothing is timed, so that the models come
// in the same order on every machine. The choice is not always the best one, as
// the formulas of benchmarks/instances show, up to 20000 models, but it is never
// far off:
//
//	formula        models     auto      cdcl      dpll
//	factoring-32        2   10.9 s    16.2 s     7.7 s
//	prime-28            0    2.2 s     3.5 s     2.4 s
//	ksat-200            0    1.3 s     0.6 s     0.3 s
//	planted-500     20000    8.6 s     7.6 s     3.2 s
//	tseitin-24          0    0.7 s     0.5 s   > 20 s
//	2sat-3000       20000    2.7 s    17.8 s     3.5 s
//
// (sator enumerate FILE --limit 20000 --engine NAME)
var defaultTrial = trial{conflicts: 10_000, visits: 200_000_000, sets: 10_000}

// A trial is the rule by which auto gives DPLL up.
type trial struct {
	conflicts int64   // the least number of conflicts before DPLL is given up,
	visits    float64 // or of visits of clauses by its heuristic
	sets      int     // DPLL stays once it has found this many model sets
}

// conflictsPerModel is the number of conflicts per model at which both engines
// take the same time.
const conflictsPerModel = 10

// runAuto enumerates by DPLL, and by CDCL from where DPLL has failed its trial.
func runAuto(e *Enumerator, ctx context.Context, visit func(*ModelSet) bool) (all bool) {
	trying, abandon := context.WithCancel(ctx)
	defer abandon()
	t := &trialRun{trial: e.trial, clauses: e.formula.Len(), blocked: dimacs.NewFormula(0)}
	o := e.options.DPLL
	o.Progress = func(s dpll.Stats) {
		if e.options.DPLL.Progress != nil {
			e.options.DPLL.Progress(s)
		}
		if t.fails(s) {
			abandon()
		}
	}
	if all = e.runDPLL(trying, o, t.visitor(visit)); all || !t.failed || t.ended || ctx.Err() != nil {
		return all
	}
	return e.runCDCL(ctx, t.blocked, visit)
}

// A trialRun is a run of DPLL that CDCL may continue.
type trialRun struct {
	trial
	clauses int             // of the formula
	models  float64         // found so far
	blocked *dimacs.Formula // a blocking clause for each model set
	failed  bool
	ended   bool // visit returned false
}

// fails reports whether DPLL has failed its trial, now or before.
func (t *trialRun) fails(s dpll.Stats) bool {
	over := s.Conflicts >= t.trial.conflicts || float64(s.Decisions)*float64(t.clauses) >= t.visits
	if over && t.blocked.Len() < t.sets && t.models*conflictsPerModel < max(1, float64(s.Conflicts)) {
		t.failed = true
	}
	return t.failed
}

// visitor returns a function that blocks a model set and then calls visit. DPLL
// may find more sets between failing its trial and noticing the canceled context;
// these are blocked too.
func (t *trialRun) visitor(visit func(*ModelSet) bool) func(*ModelSet) bool {
	var clause []dimacs.Lit
	return func(set *ModelSet) bool {
		t.models += math.Exp2(float64(len(set.Free)))
		if t.failed || t.blocked.Len() < t.sets {
			clause = clause[:0]
			for _, l := range set.Model.Lits() {
				clause = append(clause, l.Not())
			}
			t.blocked.Add(clause...)
		}
		t.ended = !visit(set)
		return !t.ended
	}
}
