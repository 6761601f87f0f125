package service

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Solving on the page of formulas, by the engine cdcl as in "sator solve --engine cdcl": the
// same formula and the same options give the same run, conflict for conflict.

// A SolveRequest has the options of a run.
type SolveRequest struct {
	Seed       uint64  `json:"seed"`
	Preset     string  `json:"preset"`     // a name of cdcl.Presets, or ""
	Proof      string  `json:"proof"`      // a name of proofFormats, or "" for no proof
	ProofLimit float64 `json:"proofLimit"` // megabytes (10^6 bytes)
	Time       float64 `json:"time"`       // seconds, or 0 for no limit
}

// A SolveReply is the result of a run, also of one that was stopped.
type SolveReply struct {
	Status    string     `json:"status"` // "SATISFIABLE", "UNSATISFIABLE" or "UNKNOWN"
	Conflicts int64      `json:"conflicts"`
	Reason    string     `json:"reason"` // of UNKNOWN
	Seconds   float64    `json:"seconds"`
	Model     []int      `json:"model"` // true literals of the first modelShown variables
	Named     []Named    `json:"named"` // the values of variables with names, of which there may be none
	Proof     *ProofInfo `json:"proof"` // null without a proof
}

// A Named value is that of a variable with a name.
type Named struct {
	Name  string `json:"name"`
	Value bool   `json:"value"`
}

// modelShown is the number of variables in a SolveReply.
const modelShown = 2000

// A solved value is what is kept of the last run.
type solved struct {
	status dimacs.Status
	model  dimacs.Model // if Satisfiable
	proof  *keptProof   // may be nil
}

// solve runs the engine on the current formula. Its progress messages are arrays of lines of
// the recording of the run.
func (f *formulas) solve(c *Call, in SolveRequest) (reply *SolveReply, err error) {
	l, _, err := f.begin()
	if err != nil {
		return nil, err
	}
	var run *solved
	defer func() { f.end(l, run) }()
	if l == nil {
		return nil, errNotLoaded
	}
	run, reply, err = solveFormula(c, &in, l)
	return reply, err
}

// solveFormula runs the engine on a formula.
func solveFormula(c *Call, in *SolveRequest, l *loaded) (*solved, *SolveReply, error) {
	f := l.formula
	run, options, err := newRun(in, f)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	recording := newRecording(c, in, f, options)
	s := cdcl.New(*options)
	s.SetLimits(cdcl.Limits{Time: time.Duration(in.Time * float64(time.Second))})
	if add(c, s, f) {
		run.status = s.Solve(c.Context())
	}
	if run.proof != nil {
		run.proof.finish()
	}
	reply := &SolveReply{Status: run.status.String(), Reason: reason(c, run.status, s), Conflicts: s.Stats().Conflicts, Seconds: time.Since(start).Seconds(), Proof: run.proof.info(run.status)}
	if run.status == dimacs.Satisfiable {
		run.model = s.Model()
		if err := l.falsified(run.model); err != nil {
			return nil, nil, err
		}
		reply.Model = shown(run.model)
		for _, v := range l.names.Vars()[:min(l.names.Len(), modelShown)] {
			reply.Named = append(reply.Named, Named{l.names.Name(v), run.model.Lit(v.Lit()) == dimacs.True})
		}
	}
	recording.finish(run, reply.Reason, s)
	return run, reply, nil
}

// newRun returns an empty result and the options of the engine.
func newRun(in *SolveRequest, f *dimacs.Formula) (*solved, *cdcl.Options, error) {
	options := cdcl.Options{}
	options.Seed, options.OneShot, options.Memory = in.Seed, true, memory
	if in.Preset != "" {
		preset, ok := cdcl.FindPreset(in.Preset)
		if !ok {
			return nil, nil, fmt.Errorf("unknown preset %q", in.Preset)
		}
		preset.Apply(&options)
	}
	run := &solved{}
	if in.Proof != "" {
		p, err := newProof(in.Proof, int64(in.ProofLimit*1e6), f.Len())
		if err != nil {
			return nil, nil, err
		}
		run.proof, options.Proof = p, p
	}
	return run, &options, nil
}

// add adds a formula to a solver. It returns false if the request is canceled first.
func add(c *Call, s *cdcl.Solver, f *dimacs.Formula) bool {
	s.Grow(f.Vars())
	s.Reserve(f.Len(), f.Size())
	for i, clause := range f.Clauses() {
		if i%(1<<12) == 0 && c.Yield() {
			return false
		}
		s.Add(clause...)
	}
	return true
}

// reason returns why a run has no answer.
func reason(c *Call, status dimacs.Status, s *cdcl.Solver) string {
	switch {
	case status != dimacs.Unknown:
		return ""
	case c.Ctx.Err() != nil:
		return "stopped"
	case s.Err() != nil:
		return s.Err().Error()
	}
	return "the time limit was reached"
}

// shown returns the first true literals of a model.
func shown(m dimacs.Model) []int {
	return dimacs.Ints(m[:min(len(m), modelShown)].Lits())
}

// solution attaches the model of the last run, in the format of the SAT competitions.
func (f *formulas) solution(c *Call, _ struct{}) (string, error) {
	_, run := f.last()
	if run == nil || run.model == nil {
		return "", errors.New("there is no model")
	}
	var b bytes.Buffer
	if err := dimacs.WriteSolution(&b, dimacs.Satisfiable, run.model); err != nil {
		return "", err
	}
	c.Attach(b.Bytes())
	return "", nil
}
