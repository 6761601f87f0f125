package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sator/cmd/internal/record"
)

// The narration of a run: a few sentences that a reader can check in the tables and charts
// below them. Each rule looks at the figures and returns a sentence, or nothing if the
// recording lacks the figures or they are not worth a sentence. The rules stand in the order
// of their sentences.
var narrators = []func(*Figures) string{
	sayAnswer,
	sayWaiting,
	sayEngine,
	sayWinner,
	sayTime,
	sayCostlyPass,
	sayFinder,
	sayShrinking,
	sayYield,
	sayIdlePasses,
	sayRate,
	sayGlueStep,
	sayGlue,
	sayBest,
	sayReductions,
	sayWalks,
	sayExchange,
	sayMemory,
	sayProof,
}

// Narrate returns sentences about a run. The first one is about the answer.
func Narrate(f *Figures) []string {
	var text []string
	for _, say := range narrators {
		if s := sentence(say(f)); s != "" {
			text = append(text, s)
		}
	}
	return text
}

func sayAnswer(f *Figures) string {
	what := "the formula"
	if f.Formula != nil {
		what += fmt.Sprintf(" of %s and %s", counted(f.Formula.Vars, "variable"), counted(f.Formula.Clauses, "clause"))
	}
	effort := seconds(f.Time)
	if len(f.Run.Solvers) > 0 && (f.Last != nil || f.End != nil) {
		effort += " and " + counted(f.Conflicts, "conflict")
	}
	switch {
	case f.End == nil:
		return fmt.Sprintf("the recording ends after %s without an answer: the run was killed, or it is going on", effort)
	case f.End.Status == "SATISFIABLE":
		return what + " is satisfiable; a model was found after " + effort
	case f.End.Status == "UNSATISFIABLE":
		return what + " is unsatisfiable; the refutation took " + effort
	case f.End.Reason != "":
		return what + " was not decided in " + effort + ": " + f.End.Reason
	}
	return what + " was not decided in " + effort
}

// sayWaiting says that a run was held up, if it got less than four fifths of a processor.
// Rates over time are then those of a busy machine.
func sayWaiting(f *Figures) string {
	cpu := 0.0
	switch {
	case f.End != nil:
		cpu = f.End.CPU
	case f.Last != nil:
		cpu = f.Last.CPU
	}
	if cpu <= 0 || f.Time < 1 || cpu > 0.8*f.Time {
		return ""
	}
	return fmt.Sprintf("in the %s the process got %s of processor time: it waited for input, for output or for a processor", seconds(f.Time), seconds(cpu))
}

// sayEngine names an engine without statistics.
func sayEngine(f *Figures) string {
	if f.Run.Engine == "" || len(f.Run.Solvers) > 0 {
		return ""
	}
	s := "the engine was " + f.Run.Engine
	if f.Run.Why != "" {
		s += ": " + f.Run.Why
	}
	return s
}

func sayWinner(f *Figures) string {
	n := len(f.Run.Solvers)
	if n < 2 || f.End == nil || f.End.Winner == nil || f.Solver >= n {
		return ""
	}
	return fmt.Sprintf("of %d solvers, number %d (%s) gave the answer; the figures below are of that one", n, f.Solver+1, f.Run.Solvers[f.Solver])
}

// sayTime divides the time between search, simplification and long phases of other kinds. In
// a race the recording has sums over the solvers.
func sayTime(f *Figures) string {
	var parts []string
	of := " of the time"
	if len(f.Run.Solvers) > 1 {
		of = " of the time of all solvers"
	}
	if search := f.Group(searchGroup); search >= 0.005 {
		s := "search took " + fraction(search) + of
		focused, stable := f.phase("search-focused"), f.phase("search-stable")
		if rest := search - focused - stable; focused > 0 && stable > 0 {
			s += fmt.Sprintf(" (%s in focused mode, %s in stable mode", percent(focused), percent(stable))
			if rest >= 0.005 {
				s += fmt.Sprintf(", %s in reductions, collections and local search", percent(rest))
			}
			s += ")"
		}
		parts = append(parts, s)
	}
	if simplify := f.Group(passGroup); simplify >= 0.005 {
		parts = append(parts, "simplification took "+fraction(simplify)+of)
	}
	for _, p := range f.Phases {
		if p.Group == p.Name && p.Share >= 0.1 {
			parts = append(parts, fmt.Sprintf("the phase %s took %s", p.Name, fraction(p.Share)+of))
		}
	}
	for i := range parts[min(1, len(parts)):] {
		parts[i+1] = strings.TrimSuffix(parts[i+1], of)
	}
	return strings.Join(parts, ", ")
}

// sayCostlyPass names the most expensive pass if it took a tenth of the time.
func sayCostlyPass(f *Figures) string {
	for _, p := range f.Phases {
		if p.Group == passGroup && p.Share >= 0.1 {
			return fmt.Sprintf("the most expensive pass was %s, with %s of the time", p.Name, fraction(p.Share))
		}
	}
	return ""
}

// sayFinder names the part of the solver that ended the run, if the recording shows it.
func sayFinder(f *Figures) string {
	if f.End == nil || f.End.Status != "SATISFIABLE" && f.End.Status != "UNSATISFIABLE" {
		return ""
	}
	lucky, _ := f.Stat("lucky")
	pigeonholes, _ := f.Stat("pigeonholes")
	sat := f.End.Status == "SATISFIABLE"
	switch {
	case sat && lucky > 0:
		return "a lucky phase found the model"
	case !sat && pigeonholes > 0:
		return "cardinality detection refuted the formula"
	case f.LastPass != nil && f.LastPass.Conflicts == f.Conflicts:
		return fmt.Sprintf("the answer came without a further conflict after the pass %s of round %d", f.LastPass.Name, f.LastPass.Round)
	case f.LastMode != "" && sat:
		return f.LastMode + " mode found the model"
	case f.LastMode != "":
		return "the last conflict was in " + f.LastMode + " mode"
	}
	return ""
}

// sayShrinking compares the variables of the last sample with those of the formula.
func sayShrinking(f *Figures) string {
	if f.Formula == nil || f.Last == nil || f.Formula.Vars == 0 || f.Last.Vars > f.Formula.Vars {
		return ""
	}
	if float64(f.Last.Vars) > 0.99*float64(f.Formula.Vars) {
		return "simplification removed almost no variables"
	}
	all, of := f.Last.Vars+f.Last.Fixed+f.Last.Removed, ""
	if len(f.Run.Solvers) > 1 && all < f.Formula.Vars { // this solver began with the formula as another one had simplified it
		of = " of the simplified formula"
	} else {
		all = f.Formula.Vars
	}
	return fmt.Sprintf("at the last sample %s of %s variables%s were left, %s were fixed at the root, and %s were eliminated or substituted",
		count(f.Last.Vars), count(all), of, count(f.Last.Fixed), count(f.Last.Removed))
}

// yields are the counters of passes that count gains, and clauses of sentences about them.
var yields = []struct{ counter, text string }{
	{"congruence_merged", "congruence closure merged %s literals"},
	{"eliminated", "variable elimination (BVE) removed %s variables"},
	{"symmetries", "symmetry breaking added %s clauses"},
	{"substituted", "%s variables were substituted by equivalent literals"},
	{"failed_lits", "probing found %s failed literals"},
	{"vivify_lits", "vivification removed %s literals"},
	{"vivify_implied", "vivification deleted %s implied clauses"},
	{"xor_units", "XOR reasoning found %s units"},
	{"xor_equivalences", "XOR reasoning found %s equivalences"},
	{"sweep_equivalences", "sweeping found %s equivalences"},
	{"subsumed", "subsumption deleted %s clauses"},
	{"strengthened", "subsumption strengthened %s clauses"},
	{"transitive", "transitive reduction deleted %s binary clauses"},
	{"factored", "variable addition (BVA) introduced %s variables"},
	{"duplicate_binaries", "%s duplicate binary clauses were deleted"},
}

// sayYield names the four largest gains of the passes.
func sayYield(f *Figures) string {
	sums := map[string]int64{}
	for _, p := range f.Passes {
		for name, n := range p.Did {
			sums[name] += n
		}
	}
	found := slices.Clone(yields)
	slices.SortStableFunc(found, func(a, b struct{ counter, text string }) int { return cmp.Compare(sums[b.counter], sums[a.counter]) })
	var parts []string
	for _, y := range found[:4] {
		if n := sums[y.counter]; n > 1 {
			parts = append(parts, fmt.Sprintf(y.text, count(n)))
		}
	}
	return strings.Join(parts, "; ")
}

// sayIdlePasses names passes that cost 2 % of the time and never changed the sizes.
func sayIdlePasses(f *Figures) string {
	var names []string
	for _, p := range f.Passes {
		if p.Share >= 0.02 && p.Idle == p.Runs {
			names = append(names, fmt.Sprintf("%s (%s, %s of the time)", p.Name, counted(p.Runs, "run"), percent(p.Share)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "these passes never changed the number of variables, clauses or literals: " + strings.Join(names, ", ")
}

// sayRate compares the rates of the first and the last third, if they differ by half. Where the rate
// fell, it names the figures that grew meanwhile.
func sayRate(f *Figures) string {
	if len(f.Trends.Thirds) == 0 {
		return ""
	}
	a, b := f.Trends.Thirds[0], f.Trends.Thirds[2]
	first, last := a.PerSecond(), b.PerSecond()
	if first <= 0 || last <= 0 || last < 1.5*first && first < 1.5*last {
		return ""
	}
	if last > first {
		return fmt.Sprintf("conflicts per second rose from %s in the first third of the run to %s in the last", count(first), count(last))
	}
	var grown []string
	if b.Kept >= 2*a.Kept && a.Kept > 0 {
		grown = append(grown, fmt.Sprintf("learned clauses kept grew from %s to %s", count(a.Kept), count(b.Kept)))
	}
	if p, q := a.PerConflict(), b.PerConflict(); q >= 1.25*p && p > 0 {
		grown = append(grown, fmt.Sprintf("a conflict took %s propagations instead of %s", count(q), count(p)))
	}
	s := fmt.Sprintf("conflicts per second fell from %s in the first third of the run to %s in the last", count(first), count(last))
	if len(grown) > 0 {
		s += ": " + strings.Join(grown, ", and ")
	}
	return s
}

// sayGlueStep says when the glue of learned clauses rose or fell.
func sayGlueStep(f *Figures) string {
	g := f.Trends.Glue
	if g == nil {
		return ""
	}
	word, when := "rose", "at "+seconds(g.Time)
	if g.To < g.From {
		word = "fell"
	}
	if g.Reduction > 0 {
		when = "after reduction " + count(g.Reduction)
	}
	return fmt.Sprintf("the average glue of learned clauses %s from %s to %s %s", word, decimal(g.From), decimal(g.To), when)
}

// sayGlue gives the average glue at the end. Below a thousand conflicts it says little.
func sayGlue(f *Figures) string {
	if f.Last == nil || f.Last.Conflicts < 1000 {
		return ""
	}
	focused, stable := f.Last.Focused.Glue, f.Last.Stable.Glue
	switch {
	case focused > 0 && stable > 0:
		return fmt.Sprintf("at the last sample the average glue of learned clauses was %s in focused mode and %s in stable mode", decimal(focused), decimal(stable))
	case focused+stable > 0:
		return fmt.Sprintf("at the last sample the average glue of learned clauses was %s", decimal(focused+stable))
	}
	return ""
}

// sayBest says how near the search came to a model, if it found none and refuted nothing.
func sayBest(f *Figures) string {
	if f.Last == nil || f.End == nil || f.End.Status != "UNKNOWN" || f.Last.Best <= 0 || f.Last.Best > f.Last.Vars+f.Last.Fixed {
		return ""
	}
	return fmt.Sprintf("the longest trail without a conflict since the last reset to best phases had %s of %s literals", count(f.Last.Best), count(f.Last.Vars+f.Last.Fixed))
}

func sayReductions(f *Figures) string {
	if f.Reductions == 0 {
		return ""
	}
	return fmt.Sprintf("%s deleted %s; on average %s of the learned clauses survived a reduction",
		counted(f.Reductions, "reduction"), counted(f.Deleted, "learned clause"), percent(f.Survival))
}

// sayWalks says how far local search came.
func sayWalks(f *Figures) string {
	if len(f.Walks) == 0 {
		return ""
	}
	best := slices.MinFunc(f.Walks, func(a, b *record.Walk) int { return cmp.Compare(a.After, b.After) })
	return fmt.Sprintf("the best of %s went from %s to %s", counted(len(f.Walks), "local search"), counted(best.Before, "falsified clause"), count(best.After))
}

func sayExchange(f *Figures) string {
	x := f.Exchange
	if x.Exported+x.Imported == 0 {
		return ""
	}
	return fmt.Sprintf("the solver gave %s to the others and imported %s, of which %s took part in a conflict",
		counted(x.Exported, "clause"), count(x.Imported), count(x.Used))
}

func sayMemory(f *Figures) string {
	if f.PeakResident == 0 {
		return ""
	}
	s := "memory reached " + memory(f.PeakResident)
	if f.PeakArena > 0 {
		s += ", of which clauses took " + memory(f.PeakArena)
	}
	return s
}

func sayProof(f *Figures) string {
	if f.End == nil || f.End.Proof == nil {
		return ""
	}
	return fmt.Sprintf("the proof has %s (%s)", memory(f.End.Proof.Bytes), strings.ToUpper(f.End.Proof.Format))
}
