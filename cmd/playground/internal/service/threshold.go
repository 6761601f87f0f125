package service

import (
	"fmt"
	"math"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/families"
)

// The page of random 3-SAT: with few clauses a variable nearly all formulas have models, with
// many nearly none, and the hardest formulas lie between (Cheeseman, Kanefsky, Taylor, "Where
// the Really Hard Problems Are", IJCAI 1991; Mitchell, Selman, Levesque, "Hard and Easy
// Distributions of SAT Problems", AAAI 1992). For large formulas the ratio of the threshold
// is about 4.267 (Mertens, Mézard, Zecchina, "Threshold Values of Random K-SAT from the
// Cavity Method", 2006).

// thresholdHandlers returns the operation of the page of random 3-SAT.
func thresholdHandlers() Handlers {
	return Handlers{"threshold.sample": handle(sampleRatio)}
}

// A ThresholdRequest asks for formulas with a ratio of clauses to variables.
type ThresholdRequest struct {
	Vars  int     `json:"vars"`
	Ratio float64 `json:"ratio"`
	Count int     `json:"count"` // number of formulas, with the seeds Seed, Seed+1, ...
	Seed  uint64  `json:"seed"`
}

// A ThresholdReply has the answers of the formulas that were solved: all of them, unless
// the request was canceled.
type ThresholdReply struct {
	Ratio       float64 `json:"ratio"`
	Solved      int     `json:"solved"`
	Satisfiable int     `json:"satisfiable"`
	Conflicts   float64 `json:"conflicts"` // median
	Most        int64   `json:"most"`      // largest number of conflicts
	Seed        uint64  `json:"seed"`      // of the formula with the most conflicts
}

// mostThresholdVars bounds the variables of a request: formulas of this size take seconds
// at the threshold.
const mostThresholdVars = 250

// sampleRatio generates and solves formulas.
func sampleRatio(c *Call, in ThresholdRequest) (*ThresholdReply, error) {
	family, ok := families.Find("ksat")
	if !ok {
		panic("service: there is no family ksat")
	}
	if in.Vars < 3 || in.Vars > mostThresholdVars || in.Count < 1 {
		return nil, fmt.Errorf("invalid request: %d formulas of %d variables; want one and more, of 3 to %d variables", in.Count, in.Vars, mostThresholdVars)
	}
	r := &ThresholdReply{Ratio: in.Ratio, Seed: in.Seed}
	var conflicts []int64
	for i := range uint64(in.Count) {
		inst, err := family.Make(families.Values{"vars": float64(in.Vars), "ratio": in.Ratio, "k": 3}, in.Seed+i)
		if err != nil {
			return nil, err
		}
		s := cdcl.New(cdcl.Options{})
		s.AddFormula(inst.Formula)
		status := s.Solve(c.Context())
		if status == dimacs.Unknown {
			break
		}
		if n := s.Stats().Conflicts; n >= r.Most {
			r.Most, r.Seed = n, in.Seed+i
		}
		conflicts = append(conflicts, s.Stats().Conflicts)
		r.Solved++
		if status == dimacs.Satisfiable {
			r.Satisfiable++
		}
	}
	r.Conflicts = median(conflicts)
	return r, nil
}

// median returns the median, or 0 for no numbers.
func median(ns []int64) float64 {
	if len(ns) == 0 {
		return 0
	}
	slices.Sort(ns)
	lower, upper := ns[(len(ns)-1)/2], ns[len(ns)/2]
	return math.Round(float64(lower+upper)*5) / 10
}
