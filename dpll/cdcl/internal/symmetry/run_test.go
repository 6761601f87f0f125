package symmetry

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// A known proof gives the original clauses ids that they have already. All other steps are
// those of a renaming.
type known struct {
	*Renaming
	ids []int64 // of the next original clauses
}

func (k *known) Original([]dimacs.Lit) int64 {
	id := k.ids[0]
	k.ids = k.ids[1:]
	return id
}

// A breaker breaks symmetries level by level, without an engine.
type breaker struct {
	host  *inprocess.Plain
	names *Renaming // nil without a proof
	level int       // number of levels
	sizes [10]int   // number of constraints by size
}

func newBreaker(f *dimacs.Formula, p dimacs.Proof, hints bool) *breaker {
	b := &breaker{host: inprocess.NewPlain(f, p)}
	b.host.RemoveFixed()
	if p != nil {
		b.names = NewRenaming(p, hints, b.host.Vars())
	}
	return b
}

// run breaks the symmetries of one level. It reports false if there are none.
func (b *breaker) run() bool {
	c, _ := Run(b.host, inprocess.NewBudget(b.host, 1e6), b.names)
	if c == nil {
		return false
	}
	b.level++
	f, ids := b.clauses(c)
	for _, d := range c.Clauses {
		b.sizes[len(d)]++
		f.Add(d...)
	}
	if b.names == nil {
		b.host = inprocess.NewPlain(f, nil)
	} else {
		b.host = inprocess.NewPlain(f, &known{b.names, append(ids, c.IDs...)})
	}
	b.host.RemoveFixed()
	return true
}

// clauses returns the clauses of the host with their new proof ids.
func (b *breaker) clauses(c *Constraints) (f *dimacs.Formula, ids []int64) {
	renewed := make(map[uint32]int64)
	for _, r := range c.Renewed {
		renewed[r.Ref] = r.ID
	}
	f = b.host.Formula()
	for _, l := range b.host.Trail() {
		ids = append(ids, b.host.UnitID(uint32(l.Var())))
	}
	long, binaries := 0, 0
	for _, d := range f.Clauses() {
		ref := uint32(2*long + 2)
		switch {
		case len(d) < 2:
			continue
		case len(d) == 2:
			ref = uint32(4*binaries + 1)
			binaries++
		default:
			long++
		}
		if id, ok := renewed[ref]; ok {
			ids = append(ids, id)
		} else {
			ids = append(ids, b.host.ClauseID(ref))
		}
	}
	return f, ids
}

// renamed returns the formula of the host under the names of the proof.
func (b *breaker) renamed() *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for _, c := range b.host.Formula().Clauses() {
		f.Add(b.names.renamed(c)...)
	}
	return f
}

// breakAll breaks the symmetries of all levels of f. It returns an error if the formula with
// the constraints has a model and f has none, or the other way round, or if a step of the
// proof is wrong.
func breakAll(f *dimacs.Formula, hints bool) (b *breaker, err error) {
	rec, check := dplltest.NewRATRecorder(hints), proof.NewChecker()
	p := dimacs.Proof(rec)
	if hints {
		p = proof.Tee(rec, check)
	}
	want, _ := dplltest.Brute(f)
	b = newBreaker(f, p, hints)
	for more := true; more; {
		more = !b.host.Refuted() && b.run()
		if err := rec.VerifyLive(b.renamed()); err != nil {
			return b, fmt.Errorf("level %d: %w", b.level, err)
		}
		if got, _ := dplltest.Brute(b.host.Formula()); got != want {
			return b, fmt.Errorf("level %d: %v with the constraints, want %v", b.level, got, want)
		}
	}
	return b, check.Err()
}

// TestRun checks that formulas with planted symmetries stay satisfiable with the constraints
// of all levels, and that each step of the proof is right, with hints and without. It also
// checks that the same constraints are found without a proof.
func TestRun(t *testing.T) {
	satisfiable, levels := 0, 0
	var sizes [10]int
	seeds := effort.Seeds(600, 5000)
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 0x57))
		family := dplltest.Symmetric[seed%uint64(len(dplltest.Symmetric))]
		f := family.Make(r, 2+r.IntN(11))
		if f.Vars() > 18 {
			continue
		}
		b, err := breakAll(f, seed&64 == 0)
		if err != nil {
			t.Fatalf("seed %d, family %s: %v\n%v", seed, family.Name, err, dplltest.Case{Formula: f})
		}
		levels += b.level
		for i, n := range b.sizes {
			sizes[i] += n
		}
		if b.level > 0 && !b.host.Refuted() {
			satisfiable++
		}
		without := newBreaker(f, nil, false)
		for !without.host.Refuted() && without.run() {
		}
		if got, want := fmt.Sprint(without.host.Formula()), fmt.Sprint(b.host.Formula()); got != want {
			t.Fatalf("seed %d, family %s: without a proof %s, want %s", seed, family.Name, got, want)
		}
	}
	t.Logf("%d levels, constraints by size %v, %d formulas not refuted", levels, sizes, satisfiable)
	if n := len(seeds); levels < n || sizes[1] < n/4 || sizes[2] < n/4 || sizes[3] < n/8 || satisfiable < n/8 {
		t.Errorf("%d levels, constraints by size %v, %d formulas not refuted are too few", levels, sizes, satisfiable)
	}
}
