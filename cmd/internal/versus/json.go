package versus

import (
	"encoding/json"
	"io"
	"math"
)

// WriteJSON writes the report as one JSON document, with the numbers of the tables at full precision, times in seconds,
// and null for undefined numbers. Members correspond to the fields of Report.
func (p *Report) WriteJSON(w io.Writer) error {
	doc := map[string]any{
		"wrong":         list(p.Faults, same[string]),
		"summary":       list(p.Summary(), same[string]),
		"clock":         p.clockName(),
		"limit":         p.Limit.Seconds(),
		"base":          p.Base,
		"files":         p.Files,
		"skipped":       p.Skipped,
		"rounds":        p.Rounds,
		"seeded":        p.Seeded,
		"proofs":        p.Proofs,
		"load":          map[string]any{"other_cores": number(p.Load.Others), "waiting": number(p.Load.Waiting), "heavy": p.Load.Heavy()},
		"solvers":       list(p.Rows, rowMembers),
		"contributions": list(p.Contributions, contributionMembers),
		"pairs":         list(p.Pairs, pairMembers),
		"families":      list(p.Families, p.familyMembers),
		"notes":         list(p.Notes, same[string]),
	}
	if p.Best != nil {
		doc["virtual_best"] = map[string]any{"solved": p.Best.Solved, "par2": estimate(p.Best.PAR2)}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// list applies a function to each element. The result is not nil, so that it is written as an array.
func list[T any](elements []T, members func(T) any) []any {
	all := make([]any, len(elements))
	for i, x := range elements {
		all[i] = members(x)
	}
	return all
}

func same[T any](x T) any { return x }

// number returns a number, and nil for NaN, which JSON cannot express.
func number(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return x
}

func estimate(e Estimate) any {
	return map[string]any{"value": number(e.Value), "low": number(e.Low), "high": number(e.High)}
}

func rowMembers(r Row) any {
	return map[string]any{
		"solver": r.Solver, "solved": r.Solved(), "sat": r.Sat, "no_model": r.NoModel, "unsat": r.Unsat, "unsat_proven": r.Proven,
		"wrong": r.Wrong, "time_out": r.TimeOuts, "memory_out": r.MemoryOuts, "gave_up": r.GaveUp, "failed": r.Failed,
		"par2": estimate(r.PAR2), "common": r.Common, "time_ratio": estimate(r.TimeRatio), "memory_ratio": estimate(r.SpaceRatio),
		"conflict_ratio": estimate(r.ConflictRatio), "tick_ratio": estimate(r.TickRatio),
	}
}

func contributionMembers(c Contribution) any {
	return map[string]any{"solver": c.Solver, "first": c.First, "only": c.Only, "par2_without": number(c.Without), "loss": number(c.Loss)}
}

func pairMembers(x Pair) any {
	return map[string]any{
		"a": x.A, "b": x.B, "files": x.Files, "faster": x.Faster, "slower": x.Slower, "common": x.Common, "ratio": estimate(x.Ratio),
		"only_a": x.OnlyA, "only_b": x.OnlyB, "p": x.P, "holm": x.Holm, "p_solved": x.PSolved, "holm_solved": x.HolmSolved,
	}
}

// familyMembers returns a family with a member for each solver.
func (p *Report) familyMembers(f Family) any {
	solvers := map[string]any{}
	for i, row := range p.Rows {
		solvers[row.Solver] = map[string]any{"solved": f.Solved[i], "par2": number(f.PAR2[i])}
	}
	members := map[string]any{"family": f.Name, "files": f.Files, "solvers": solvers}
	if p.Best != nil {
		members["virtual_best_par2"] = number(f.Best)
	}
	return members
}
