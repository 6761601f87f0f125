package dplltest

import (
	"slices"

	"sator/dimacs"
)

// ShrinkTrace returns a smaller trace for which fails returns true, as it must for t: with
// fewer calls, settings, variables and literals, and with simpler calls. It calls fails
// at most 20,000 times. The function fails must be deterministic and must not change the
// trace.
func ShrinkTrace(t *Trace, fails func(*Trace) bool) *Trace {
	s := traceShrinker{trace: *t, tries: shrinkTries, fails: fails}
	for progress := true; progress; {
		progress = false
		for _, pass := range []func(*traceShrinker) bool{
			(*traceShrinker).dropOps,
			(*traceShrinker).dropSettings,
			(*traceShrinker).dropVariables,
			(*traceShrinker).dropLiterals,
			(*traceShrinker).simplify,
		} {
			progress = pass(&s) || progress
		}
	}
	return &s.trace
}

// A traceShrinker contains the smallest failing trace so far. Its passes report whether
// they have made it smaller.
type traceShrinker struct {
	trace Trace
	tries int // tries left
	fails func(*Trace) bool
}

// try makes a change if the trace then still fails.
func (s *traceShrinker) try(change func(*Trace)) bool {
	t := s.trace
	change(&t)
	s.tries--
	if s.tries < 0 || !s.fails(&t) {
		return false
	}
	s.trace = t
	return true
}

// dropOps removes calls.
func (s *traceShrinker) dropOps() bool {
	before := len(s.trace.Ops)
	minimize(s.trace.Ops, func(ops []Op) bool {
		return s.try(func(t *Trace) { t.Ops = ops })
	})
	return len(s.trace.Ops) < before
}

// dropSettings removes settings, the seed, and the proof if possible.
func (s *traceShrinker) dropSettings() bool {
	before := len(s.trace.Settings)
	minimize(s.trace.Settings, func(settings []Setting) bool {
		return s.try(func(t *Trace) { t.Settings = settings })
	})
	smaller := len(s.trace.Settings) < before
	if s.trace.Seed != 0 {
		smaller = s.try(func(t *Trace) { t.Seed = 0 }) || smaller
	}
	for k := range s.trace.Proof {
		if s.try(func(t *Trace) { t.Proof = k }) {
			smaller = true
			break
		}
	}
	return smaller
}

// dropLiterals removes literals from clauses and assumptions.
func (s *traceShrinker) dropLiterals() bool {
	smaller := false
	for i, op := range s.trace.Ops {
		if o, err := find(op.Name); err != nil || o.lits != anyLits {
			continue
		}
		minimize(op.Lits, func(ls []dimacs.Lit) bool {
			ok := s.replace(i, Op{op.Name, op.Numbers, ls})
			smaller = ok || smaller
			return ok
		})
	}
	return smaller
}

// replace replaces call i if the trace then still fails.
func (s *traceShrinker) replace(i int, op Op) bool {
	return s.try(func(t *Trace) {
		t.Ops = slices.Clone(t.Ops)
		t.Ops[i] = op
	})
}

// dropVariables removes each variable from all calls, or else gives it the lowest unused
// number, if the trace then still fails.
func (s *traceShrinker) dropVariables() bool {
	smaller := false
	for _, v := range s.variables() {
		if s.try(func(t *Trace) { t.Ops = withoutVariable(t.Ops, v) }) {
			smaller = true
			continue
		}
		if w := s.lowestFree(); w < v {
			smaller = s.try(func(t *Trace) { t.Ops = renamedVariable(t.Ops, v, w) }) || smaller
		}
	}
	return smaller
}

// variables returns the variables of all calls, sorted.
func (s *traceShrinker) variables() []dimacs.Var {
	var vs []dimacs.Var
	for _, op := range s.trace.Ops {
		for _, l := range op.Lits {
			vs = append(vs, l.Var())
		}
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}

// lowestFree returns the lowest unused variable.
func (s *traceShrinker) lowestFree() dimacs.Var {
	for i, v := range s.variables() {
		if v != dimacs.Var(i) {
			return dimacs.Var(i)
		}
	}
	return dimacs.Var(len(s.variables()))
}

// withoutVariable removes the literals of v, and calls that need such a literal.
func withoutVariable(ops []Op, v dimacs.Var) []Op {
	var out []Op
	for _, op := range ops {
		ls := withoutVar(op.Lits, v)
		if o, err := find(op.Name); err == nil && o.lits != anyLits && len(ls) < len(op.Lits) {
			continue
		}
		out = append(out, Op{op.Name, op.Numbers, ls})
	}
	return out
}

// renamedVariable replaces the variable v by to.
func renamedVariable(ops []Op, v, to dimacs.Var) []Op {
	out := make([]Op, len(ops))
	for i, op := range ops {
		out[i] = Op{op.Name, op.Numbers, mapLits(op.Lits, func(l dimacs.Lit) dimacs.Lit {
			if l.Var() == v {
				return negateIf(to.Lit(), l.Neg())
			}
			return l
		})}
	}
	return out
}

// simplify replaces canceled calls of Solve by simple ones, and lowers numbers.
func (s *traceShrinker) simplify() bool {
	smaller := false
	for i, op := range s.trace.Ops {
		if op.Name == "cancel" || op.Name == "cancelled" {
			if s.replace(i, Op{"solve", nil, op.Lits}) {
				smaller = true
				continue
			}
		}
		for j := range op.Numbers {
			smaller = s.lower(i, j) || smaller
		}
	}
	return smaller
}

// lower tries small values for number j of call i.
func (s *traceShrinker) lower(i, j int) bool {
	op := s.trace.Ops[i]
	for n := range min(4, op.Numbers[j]) {
		numbers := slices.Clone(op.Numbers)
		numbers[j] = n
		if s.replace(i, Op{op.Name, numbers, op.Lits}) {
			return true
		}
	}
	return false
}
