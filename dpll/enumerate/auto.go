package enumerate

import (
	"context"
	"math"

	"sator/dimacs"
	"sator/dpll/classic"
)

// The engine auto: a trial of DPLL, then CDCL if models are hard to find.
//
// DPLL backtracks after a model as it does after a conflict, and finds many models
// at once if they differ in variables that occur in no open clause. CDCL adds a
// blocking clause for each model and searches again, with all learned clauses.
// Measured:
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
// projected onto the first variables.) The engines break even when DPLL has about
// ten conflicts per model.
//
// The engine auto therefore starts with DPLL. The trial lasts until DPLL has had
// trial.conflicts conflicts, or has scanned the formula for decisions so often that
// it has visited trial.visits clauses. From then on, CDCL takes over as soon as DPLL
// has fewer than one model in conflictsPerModel conflicts, with blocking clauses for
// the models found so far. DPLL stays once it has found trial.sets model sets, since
// CDCL would need as many blocking clauses. The rule uses counts and no times, so
// that the order of the models is the same on every machine. On formulas of
// benchmarks/instances, up to 20000 models, the choice is not always the best one,
// but never far off:
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

// A trial has the limits of the trial of DPLL.
type trial struct {
	conflicts int64   // DPLL may fail after so many conflicts
	visits    float64 // or after so many visits of clauses for decisions
	sets      int     // DPLL cannot fail any more after so many model sets
}

var defaultTrial = trial{conflicts: 10_000, visits: 200_000_000, sets: 10_000}

// conflictsPerModel is the number of conflicts of DPLL per model at which both
// engines take the same time.
const conflictsPerModel = 10

// runAuto enumerates by DPLL. If DPLL fails its trial, it continues by CDCL.
func runAuto(e *Enumerator, ctx context.Context, visit func(*ModelSet) bool) (all bool) {
	trying, abandon := context.WithCancel(ctx)
	defer abandon()
	t := &trialRun{trial: e.trial, clauses: e.formula.Len(), blocked: dimacs.NewFormula(0)}
	o := e.options.DPLL
	o.Progress = func(s classic.Stats) {
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
	failed  bool            // DPLL has failed
	ended   bool            // visit returned false
}

// fails reports whether DPLL has failed its trial, now or before.
func (t *trialRun) fails(s classic.Stats) bool {
	over := s.Conflicts >= t.trial.conflicts || float64(s.Decisions)*float64(t.clauses) >= t.visits
	if over && t.blocked.Len() < t.sets && t.models*conflictsPerModel < max(1, float64(s.Conflicts)) {
		t.failed = true
	}
	return t.failed
}

// visitor returns a function that adds a blocking clause for a model set and then
// calls visit. After DPLL has failed, it may find more sets before it checks the
// canceled context; these are blocked too, however many.
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
