package proof_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// This file generates correct and almost correct proofs. check_test.go has the
// expected results of the checkers.

// A script is a purported refutation of a formula under assumptions. Its steps
// have the data of all formats: ids, literals, hints.
type script struct {
	formula     *dimacs.Formula
	assumptions []dimacs.Lit
	steps       []proof.Step
}

// A scribe records the refutation of an engine as a script. It may add steps of
// its own before the engine starts.
type scribe struct {
	script
	r       *rand.Rand
	clauses []clause // the clauses; deleted ones have the id 0
	given   int      // the number of clauses that the engine has added
	last    int64    // the latest id
	done    bool     // there is a clause that ends the proof
}

// A clause is a clause with its id.
type clause struct {
	id   int64
	lits []dimacs.Lit
}

func newScribe(r *rand.Rand, f *dimacs.Formula, assumptions []dimacs.Lit) *scribe {
	s := &scribe{script: script{formula: f, assumptions: assumptions}, r: r}
	for _, c := range f.Clauses() {
		s.last++
		s.clauses = append(s.clauses, clause{s.last, c})
	}
	return s
}

// newScript returns a random script. Most formulas are unsatisfiable, and most
// of their scripts refute them in more than a few steps. About half have RAT
// steps.
func newScript(r *rand.Rand) script {
	for {
		c := newCase(r)
		if status, _ := dplltest.Oracle(c.Formula, c.Assumptions...); status != dimacs.Unsatisfiable && r.IntN(20) > 0 {
			continue
		}
		s := newScribe(r, c.Formula, c.Assumptions)
		if r.IntN(2) == 0 {
			s.prelude()
		}
		s.solve()
		switch {
		case len(s.steps) < r.IntN(12) && r.IntN(10) > 0:
		case r.IntN(3) == 0:
			return s.relayed(r)
		default:
			return s.script
		}
	}
}

// newCase returns a random formula and assumptions.
func newCase(r *rand.Rand) dplltest.Case {
	if r.IntN(2) == 0 {
		shape := dplltest.Families[r.IntN(len(dplltest.Families))]
		return dplltest.Case{Formula: shape.Make(r, 6+r.IntN(16))}
	}
	_, c := dplltest.RandomCase(r.Uint64(), 0)
	if r.IntN(2) == 0 {
		c.Assumptions = nil
	}
	return c
}

// Hints implements [dimacs.Proof].
func (s *scribe) Hints() bool { return true }

// Original implements [dimacs.Proof]. The engine adds the clauses of the scribe
// in their order.
func (s *scribe) Original([]dimacs.Lit) int64 {
	s.given++
	return s.clauses[s.given-1].id
}

// Learn implements [dimacs.Proof]. Ids have occasional gaps.
func (s *scribe) Learn(lits []dimacs.Lit, hints []int64) int64 {
	s.last++
	if s.r.IntN(40) == 0 {
		s.last += s.r.Int64N(10)
	}
	if s.r.IntN(400) == 0 {
		s.last += s.r.Int64N(1 << s.r.IntN(60))
	}
	lits = slices.Clone(lits)
	s.steps = append(s.steps, proof.Step{ID: s.last, Lits: lits, Hints: slices.Clone(hints)})
	s.clauses = append(s.clauses, clause{s.last, lits})
	s.done = s.done || isGoal(lits, s.assumptions)
	return s.last
}

// Delete implements [dimacs.Proof].
func (s *scribe) Delete(id int64, lits []dimacs.Lit) {
	s.steps = append(s.steps, proof.Step{Delete: true, ID: s.last, Lits: slices.Clone(lits), Hints: []int64{id}})
	for i := range s.clauses {
		if s.clauses[i].id == id {
			s.clauses[i] = clause{}
		}
	}
}

// alive returns the clauses that are not deleted.
func (s *scribe) alive() []clause {
	return slices.DeleteFunc(slices.Clone(s.clauses), func(c clause) bool { return c.id == 0 })
}

// solve runs an engine on the current clauses under the assumptions, and adds
// the clause of the failed assumptions.
func (s *scribe) solve() {
	s.clauses = s.alive()
	opts := cdcl.Options{}
	opts.Proof = s
	opts.ReduceInterval, opts.ReduceFraction, opts.Tier1 = 1+s.r.IntN(5), 100, 1
	opts.NoMinimize, opts.Shrink = s.r.IntN(2) == 0, s.r.IntN(5)-1
	engine := cdcl.New(opts)
	for _, c := range slices.Clone(s.clauses) {
		engine.Add(c.lits...)
	}
	if engine.Solve(context.Background(), s.assumptions...) != dimacs.Unsatisfiable || s.done {
		return
	}
	if hints, ok := s.propagate(setOf(s.assumptions)); ok {
		s.Learn(complements(engine.Failed()), hints)
	}
}

// prelude adds definitions, RUP and RAT clauses, and deletions. Some of the
// clauses are complements of assumptions, which must not be RAT.
func (s *scribe) prelude() {
	vars := s.formula.Vars() + 1
	for range 1 + s.r.IntN(6) {
		switch s.r.IntN(6) {
		case 0, 1:
			x := dimacs.Lit(2*vars + s.r.IntN(2))
			a, b := s.literal(vars), s.literal(vars)
			vars++
			s.addRedundant(x, a.Not(), b.Not())
			s.addRedundant(x.Not(), a)
			s.addRedundant(x.Not(), b)
		case 2, 3:
			c := []dimacs.Lit{s.literal(vars)}
			for s.r.IntN(3) > 0 {
				c = append(c, s.literal(vars))
			}
			s.addRedundant(c...)
		case 4:
			if alive := s.alive(); len(alive) > 0 && s.r.IntN(3) == 0 {
				c := alive[s.r.IntN(len(alive))]
				s.Delete(c.id, c.lits)
			}
		case 5:
			if n := len(s.assumptions); n > 0 {
				s.addRedundant(s.assumptions[s.r.IntN(n)].Not())
			}
		}
	}
}

func (s *scribe) literal(vars int) dimacs.Lit { return dimacs.Lit(s.r.IntN(2 * vars)) }

// addRedundant adds a clause if it is RUP or RAT.
func (s *scribe) addRedundant(lits ...dimacs.Lit) {
	m := set{}
	if !m.assume(complements(lits)) {
		s.Learn(lits, nil)
		return
	}
	denied := m.clone()
	hints, ok := s.propagate(m)
	if !ok && s.r.IntN(2) == 0 {
		m, hints = denied, nil // each group propagates from the start
	}
	if !ok {
		hints, ok = s.resolve(m, lits[0], hints)
	}
	if ok {
		s.Learn(lits, hints)
	}
}

// propagate makes the literals true that follow from m, and returns the ids of
// the clauses that imply them, up to a falsified one.
func (s *scribe) propagate(m set) (hints []int64, falsified bool) {
	for progress := true; progress; {
		progress = false
		for _, i := range s.r.Perm(len(s.clauses)) {
			c := s.clauses[i]
			if c.id == 0 {
				continue
			}
			switch l, n := m.open(c.lits); {
			case n == 0:
				return append(hints, c.id), true
			case n == 1 && !m[l]:
				m[l] = true
				hints = append(hints, c.id)
				progress = true
			}
		}
	}
	return hints, false
}

// resolve returns the hints that show that a clause is RAT, appended to the
// hints before the groups.
func (s *scribe) resolve(m set, pivot dimacs.Lit, hints []int64) ([]int64, bool) {
	for _, c := range s.alive() {
		if !slices.Contains(c.lits, pivot.Not()) {
			continue
		}
		hints = append(hints, -c.id)
		t := m.clone()
		if !t.assume(complements(rest(c.lits, pivot.Not()))) {
			continue
		}
		more, ok := s.propagate(t)
		if !ok {
			return nil, false
		}
		hints = append(hints, more...)
	}
	return hints, true
}

// relayed returns a script in which many clauses hold only under a new
// variable, which units imply in one or two ways. Some clauses of these
// implications are deleted at random places.
func (s script) relayed(r *rand.Rand) script {
	s = s.clone()
	v := s.vars()
	holds := dimacs.Var(v).Lit()
	f := dimacs.NewFormula(v + 1)
	for _, c := range s.formula.Clauses() {
		if r.IntN(2) == 0 {
			c = append(slices.Clone(c), holds.Not())
		}
		f.Add(c...)
	}
	var relay []clause
	for i := range 1 + r.IntN(2) {
		unit := dimacs.Var(v + 1 + i).Lit()
		for _, c := range [][]dimacs.Lit{{unit}, {unit.Not(), holds}} {
			f.Add(c...)
			relay = append(relay, clause{int64(f.Len()), c})
		}
	}
	s.shiftIDs(int64(len(relay)))
	s.formula = f
	for i, x := range s.steps {
		if !x.Delete {
			s.steps[i].Hints = slices.Insert(x.Hints, 0, relay[0].id, relay[1].id)
		}
	}
	for range r.IntN(4) {
		c := relay[r.IntN(len(relay))]
		at := r.IntN(len(s.steps) + 1)
		s.steps = slices.Insert(s.steps, at, proof.Step{Delete: true, ID: 1, Lits: c.lits, Hints: []int64{c.id}})
	}
	return s
}

// shiftIDs adds n to the ids of lemmas.
func (s *script) shiftIDs(n int64) {
	originals := int64(s.formula.Len())
	for i := range s.steps {
		x := &s.steps[i]
		if x.ID > originals {
			x.ID += n
		}
		for j, h := range x.Hints {
			switch {
			case h > originals:
				x.Hints[j] += n
			case h < -originals:
				x.Hints[j] -= n
			}
		}
	}
}

// vars returns the number of variables.
func (s script) vars() int {
	n := s.formula.Vars()
	for _, x := range s.steps {
		for _, l := range x.Lits {
			n = max(n, int(l.Var())+1)
		}
	}
	for _, l := range s.assumptions {
		n = max(n, int(l.Var())+1)
	}
	return n
}

// clone returns a copy of s that mutations can change.
func (s script) clone() script {
	s.steps = slices.Clone(s.steps)
	for i := range s.steps {
		s.steps[i].Lits = slices.Clone(s.steps[i].Lits)
		s.steps[i].Hints = slices.Clone(s.steps[i].Hints)
	}
	s.assumptions = slices.Clone(s.assumptions)
	return s
}

// mutated returns the script with some random changes.
func (s script) mutated(r *rand.Rand) script {
	s = s.clone()
	for range r.IntN(3) + r.IntN(2) {
		s.mutate(r)
	}
	return s
}

// mutate makes one random change.
func (s *script) mutate(r *rand.Rand) {
	switch r.IntN(12) {
	case 0:
		s.mutateFormula(r)
		return
	case 1:
		s.mutateAssumptions(r)
		return
	case 2, 3:
		s.insert(r)
		return
	}
	if len(s.steps) == 0 {
		return
	}
	// Changes near the beginning have more effect.
	i := min(r.IntN(len(s.steps)), r.IntN(len(s.steps)))
	x := &s.steps[i]
	switch r.IntN(9) {
	case 0:
		s.steps = slices.Delete(s.steps, i, i+1)
	case 1:
		s.steps = slices.Insert(s.steps, i+r.IntN(len(s.steps)-i), *x)
	case 2:
		j := r.IntN(len(s.steps))
		s.steps[i], s.steps[j] = s.steps[j], s.steps[i]
	case 3:
		x.ID += r.Int64N(7) - 3
		x.ID = max(x.ID, 1)
	case 4, 5:
		x.Hints = mutateHints(r, x.Hints, x.ID)
	default:
		x.Lits = s.mutateLits(r, x.Lits)
	}
}

// mutateLits changes one literal.
func (s *script) mutateLits(r *rand.Rand, lits []dimacs.Lit) []dimacs.Lit {
	vars := s.formula.Vars() + 3
	if len(lits) == 0 {
		return append(lits, dimacs.Lit(r.IntN(2*vars)))
	}
	lits = slices.Clone(lits)
	i, j := r.IntN(len(lits)), r.IntN(len(lits))
	switch r.IntN(6) {
	case 0:
		lits[i] ^= 1
	case 1:
		lits = slices.Delete(lits, i, i+1)
	case 2:
		lits = slices.Insert(lits, j, lits[i])
	case 3:
		lits[i], lits[j] = lits[j], lits[i]
	case 4:
		lits[i] = dimacs.Lit(r.IntN(2 * vars))
	case 5:
		lits = slices.Insert(lits, i, dimacs.Lit(r.IntN(2*vars)))
	}
	return lits
}

// mutateHints changes one hint.
func mutateHints(r *rand.Rand, hints []int64, last int64) []int64 {
	if len(hints) == 0 {
		return append(hints, 1+r.Int64N(last))
	}
	i, j := r.IntN(len(hints)), r.IntN(len(hints))
	switch r.IntN(6) {
	case 0:
		hints = slices.Delete(hints, i, i+1)
	case 1:
		hints = slices.Insert(hints, j, hints[i])
	case 2:
		hints[i], hints[j] = hints[j], hints[i]
	case 3:
		hints[i] = -hints[i]
	case 4:
		hints[i] += r.Int64N(5) - 2
	case 5:
		hints[i] = 1 + r.Int64N(last)
	}
	return slices.DeleteFunc(hints, func(h int64) bool { return h == 0 })
}

// mutateFormula changes a literal of the formula, or adds a new variable to
// some clauses. Both may make the formula satisfiable.
func (s *script) mutateFormula(r *rand.Rand) {
	g := dimacs.NewFormula(s.formula.Vars())
	loosen := r.IntN(2) == 0
	at := r.IntN(max(1, s.formula.Len()))
	for i, c := range s.formula.Clauses() {
		switch {
		case loosen && r.IntN(5) == 0:
			c = append(slices.Clone(c), dimacs.Var(g.Vars()).Lit())
		case !loosen && i == at:
			c = s.mutateLits(r, c)
		}
		g.Add(c...)
	}
	s.formula = g
}

func (s *script) mutateAssumptions(r *rand.Rand) {
	if len(s.assumptions) > 0 || r.IntN(4) == 0 {
		s.assumptions = s.mutateLits(r, s.assumptions)
	}
}

// insert adds a step: the deletion of a clause, preferably of a unit clause, or
// a short random clause.
func (s *script) insert(r *rand.Rand) {
	at := r.IntN(len(s.steps) + 1)
	x := proof.Step{ID: int64(s.formula.Len()) + 1}
	if at > 0 {
		x.ID = s.steps[at-1].ID + r.Int64N(2)
	}
	all := s.added(at)
	if units := reasons(all); len(units) > 0 && r.IntN(3) > 0 {
		all = units
	}
	if len(all) > 0 && r.IntN(4) > 0 {
		c := all[r.IntN(len(all))]
		x.Delete, x.Lits, x.Hints = true, slices.Clone(c.lits), []int64{c.id}
		r.Shuffle(len(x.Lits), func(i, j int) { x.Lits[i], x.Lits[j] = x.Lits[j], x.Lits[i] })
	} else {
		for range r.IntN(4) {
			x.Lits = append(x.Lits, dimacs.Lit(r.IntN(2*s.formula.Vars()+6)))
		}
	}
	s.steps = slices.Insert(s.steps, at, x)
}

// added returns all clauses before a step, deleted or not.
func (s *script) added(at int) []clause {
	var all []clause
	for i, c := range s.formula.Clauses() {
		all = append(all, clause{int64(i) + 1, c})
	}
	for _, y := range s.steps[:at] {
		if !y.Delete {
			all = append(all, clause{y.ID, y.Lits})
		}
	}
	return all
}

// reasons returns the clauses that are unit after propagation.
func reasons(all []clause) []clause {
	var lits [][]dimacs.Lit
	for _, c := range all {
		lits = append(lits, c.lits)
	}
	m := set{}
	m.propagate(lits)
	return slices.DeleteFunc(slices.Clone(all), func(c clause) bool {
		_, n := m.open(c.lits)
		return n != 1
	})
}

// encode returns the proof as a file, without the use of a Writer.
func (s script) encode(format proof.Format) []byte {
	if format.Binary() {
		return s.binary(format.Hints())
	}
	return []byte(s.text(format.Hints()))
}

func (s script) text(hinted bool) string {
	var b strings.Builder
	number := func(n any) { fmt.Fprintf(&b, "%v ", n) }
	for _, x := range s.steps {
		if hinted {
			number(x.ID)
		}
		if x.Delete {
			number("d")
		}
		if !hinted || !x.Delete {
			for _, l := range x.Lits {
				number(l)
			}
			number(0)
		}
		if hinted {
			for _, h := range x.Hints {
				number(h)
			}
			number(0)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s script) binary(hinted bool) []byte {
	var b []byte
	number := func(n int64) {
		x := uint64(2 * n)
		if n < 0 {
			x = uint64(-2*n) + 1
		}
		for ; x >= 128; x >>= 7 {
			b = append(b, byte(x)|128)
		}
		b = append(b, byte(x))
	}
	for _, x := range s.steps {
		if x.Delete {
			b = append(b, 'd')
		} else {
			b = append(b, 'a')
		}
		if hinted && !x.Delete {
			number(x.ID)
		}
		if !hinted || !x.Delete {
			for _, l := range x.Lits {
				number(int64(l.Int()))
			}
			number(0)
		}
		if hinted {
			for _, h := range x.Hints {
				number(h)
			}
			number(0)
		}
	}
	return b
}

// damage returns the file with a changed or deleted byte, or cut off.
func damage(r *rand.Rand, file []byte) []byte {
	if len(file) == 0 {
		return file
	}
	i := r.IntN(len(file))
	file = slices.Clone(file)
	switch r.IntN(4) {
	case 0:
		return file[:i]
	case 1:
		file[i] ^= 1 << r.IntN(8)
	case 2:
		file[i] = file[r.IntN(len(file))]
	case 3:
		file = slices.Delete(file, i, i+1)
	}
	return file
}

// String returns the formula, the assumptions and the steps, in LRAT text.
func (s script) String() string {
	return dplltest.Case{Formula: s.formula, Assumptions: s.assumptions}.String() + "proof:\n" + s.text(true)
}
