package proof

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// A numberer is a receiver with its own ids. It logs its steps, with clauses in
// place of ids.
type numberer struct {
	hints   bool
	number  func(original bool) int64
	clauses map[int64]string
	log     []string
}

func (p *numberer) Hints() bool { return p.hints }

func (p *numberer) Original(lits []dimacs.Lit) int64 {
	p.log = append(p.log, fmt.Sprint("given ", lits))
	return p.add(true, lits)
}

func (p *numberer) Learn(lits []dimacs.Lit, hints []int64) int64 {
	line := fmt.Sprint("learned ", lits)
	for _, h := range hints {
		sign := ""
		if h < 0 {
			h, sign = -h, "-"
		}
		line += " " + sign + p.clauses[h]
	}
	p.log = append(p.log, line)
	return p.add(false, lits)
}

func (p *numberer) Delete(id int64, lits []dimacs.Lit) {
	p.log = append(p.log, fmt.Sprint("deleted ", p.clauses[id], " ", lits))
	delete(p.clauses, id)
}

func (p *numberer) add(original bool, lits []dimacs.Lit) int64 {
	id := p.number(original)
	p.clauses[id] = fmt.Sprint(lits)
	return id
}

// inOrder numbers all clauses in their order.
func inOrder() func(bool) int64 {
	last := int64(0)
	return func(bool) int64 { last++; return last }
}

// apart numbers the clauses of a formula before all others, as LRAT does.
func apart(originals int64) func(bool) int64 {
	given, learned := int64(0), originals
	return func(original bool) int64 {
		if original {
			given++
			return given
		}
		learned++
		return learned
	}
}

// TestTee sends random steps through a tee and checks that each receiver gets
// the same steps as a receiver without a tee.
func TestTee(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		const steps = 300
		receivers := []*numberer{
			{hints: true, number: inOrder()},
			{hints: true, number: apart(steps)},
			{hints: false, number: apart(steps)},
			{hints: true, number: apart(7 * steps)},
		}
		alone := &numberer{hints: true, number: inOrder(), clauses: map[int64]string{}}
		silent := &numberer{number: inOrder(), clauses: map[int64]string{}}
		var to []dimacs.Proof
		for _, p := range receivers {
			p.clauses = map[int64]string{}
			to = append(to, p)
		}
		p := Tee(to...)
		if !p.Hints() {
			t.Fatal("the tee requests no hints, but a receiver does")
		}
		live := map[int64]int64{} // by id of the tee: the id of the receivers without a tee
		var ids []int64
		mostlyGiven := true
		for n := range steps {
			if r.IntN(40) == 0 {
				mostlyGiven = !mostlyGiven
			}
			lits := dimacs.Lits(n+1, -n-2)
			switch original := (r.IntN(10) > 0) == mostlyGiven; {
			case len(ids) > 3 && r.IntN(3) == 0:
				i := r.IntN(len(ids))
				id := ids[i]
				ids = slices.Delete(ids, i, i+1)
				p.Delete(id, lits)
				alone.Delete(live[id], lits)
				silent.Delete(live[id], lits)
			case original:
				id := p.Original(lits)
				live[id] = alone.Original(lits)
				silent.Original(lits)
				ids = append(ids, id)
			default:
				var hints, own []int64
				for range r.IntN(min(4, len(ids)+1)) {
					id, sign := ids[r.IntN(len(ids))], int64(1-2*r.IntN(2))
					hints = append(hints, sign*id)
					own = append(own, sign*live[id])
				}
				id := p.Learn(lits, hints)
				live[id] = alone.Learn(lits, own)
				silent.Learn(lits, nil)
				ids = append(ids, id)
			}
		}
		for i, got := range receivers {
			want := alone
			if !got.hints {
				want = silent
			}
			if !slices.Equal(got.log, want.log) {
				t.Fatalf("seed %d: receiver %d got\n%q\nwant\n%q", seed, i, got.log, want.log)
			}
		}
	}
	if Tee(&numberer{}, &numberer{}).Hints() {
		t.Error("the tee requests hints, but no receiver does")
	}
}

// TestTeeSegments checks that the memory of a tee does not grow with the
// clauses.
func TestTeeSegments(t *testing.T) {
	const originals = 1000
	p := Tee(&numberer{hints: true, number: apart(originals), clauses: map[int64]string{}}).(*tee)
	for n := range originals {
		p.Original(dimacs.Lits(n + 1))
	}
	for n := range 10 * originals {
		p.Learn(dimacs.Lits(n+1), nil)
	}
	if n := len(p.branches[0].segments); n != 1 {
		t.Errorf("got %d segments, want 1", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for an unknown id")
		}
	}()
	p.Delete(0, nil)
}
