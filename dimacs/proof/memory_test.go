package proof_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// A refusal is a memory limit that refuses the requests from number first to number last.
type refusal struct{ asked, first, last int }

func (r *refusal) allows(int64) bool {
	r.asked++
	return r.asked-1 < r.first || r.asked-1 > r.last
}

// isRefusal reports whether err is a MemoryError.
func isRefusal(err error) bool {
	var e *dimacs.MemoryError
	return errors.As(err, &e)
}

// TestMemoryRefused refuses each request of a check for memory in turn, alone and with all
// later ones. The check then ends with a MemoryError or with its result, and never accepts
// a proof that lacks its end.
func TestMemoryRefused(t *testing.T) {
	f := random3(60, 400)
	for _, format := range []proof.Format{proof.BinaryDRAT, proof.BinaryLRAT} {
		var file bytes.Buffer
		w := proof.NewWriter(&file, format, f.Len())
		refute(t, f, w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		refused, accepted := 0, 0
		for n, more := 0, true; more; n++ {
			for _, last := range []int{n, 1 << 30} {
				for _, size := range []int{file.Len(), file.Len() / 2} {
					r := &refusal{first: n, last: last}
					opts := proof.Options{Format: format, Trim: n%2 == 0, Forward: n%3 == 0, Memory: r.allows}
					_, err := proof.Check(context.Background(), f, bytes.NewReader(file.Bytes()[:size]), opts)
					more = r.asked > n
					switch {
					case isRefusal(err):
						refused++
					case err != nil == (size == file.Len()):
						t.Fatalf("%v, request %d refused, %d of %d bytes: %v", format, n, size, file.Len(), err)
					default:
						accepted++
					}
				}
			}
		}
		if refused < 30 || accepted < 10 {
			t.Errorf("%v: %d checks were refused, %d were not", format, refused, accepted)
		}
	}
}

// TestCheckerMemoryRefused refuses each request of a checker of a running engine in turn.
// The call then panics; the calls after it check nothing, and the refutation is not
// confirmed.
func TestCheckerMemoryRefused(t *testing.T) {
	f := random3(40, 300)
	refused := 0
	for n, more := 0, true; more; n++ {
		r := &refusal{first: n, last: 1 << 30}
		c := proof.NewCheckerWithin(func(bytes int64) bool { return bytes == 0 || r.allows(bytes) })
		panicked := 0
		refute(t, f, &guarded{c, &panicked})
		more = r.asked > n
		switch err := c.Refutes(nil); {
		case panicked == 0 && err != nil:
			t.Fatalf("request %d: %v", n, err)
		case panicked > 1 || panicked == 1 && (!isRefusal(err) || !isRefusal(c.Err())):
			t.Fatalf("request %d: %d panics, %v, %v", n, panicked, err, c.Err())
		}
		refused += panicked
	}
	if refused < 10 {
		t.Errorf("%d requests were refused", refused)
	}
}

// A guarded proof counts the MemoryErrors with which a checker panics, and goes on.
type guarded struct {
	*proof.Checker
	panicked *int
}

func (g *guarded) recover() {
	switch p := recover().(type) {
	case nil:
	case *dimacs.MemoryError:
		*g.panicked++
	default:
		panic(p)
	}
}

func (g *guarded) Original(lits []dimacs.Lit) int64 {
	defer g.recover()
	return g.Checker.Original(lits)
}

func (g *guarded) Learn(lits []dimacs.Lit, hints []int64) int64 {
	defer g.recover()
	return g.Checker.Learn(lits, hints)
}
