package session_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
)

const (
	importBase = 1 << 40
	exportHint = 2 << 40
)

// forged encodes steps of a segment. A step is a byte, then lists of numbers, each ended
// by 0.
type forged []byte

func (f *forged) list(ns ...int64) {
	for _, n := range append(ns, 0) {
		c := uint64(n) << 1
		if n < 0 {
			c = uint64(-n)<<1 | 1
		}
		*f = binary.AppendUvarint(*f, c)
	}
}

// add adds a lemma, an import or an export.
func (f *forged) add(id int64, lits []int64, hints ...int64) {
	*f = append(*f, 'a')
	*f = binary.AppendUvarint(*f, uint64(id)<<1)
	f.list(lits...)
	f.list(hints...)
}

// remove adds deletions.
func (f *forged) remove(ids ...int64) {
	*f = append(*f, 'd')
	f.list(ids...)
}

// seal returns the header for the first segment of a session of a formula with four
// clauses.
func (f forged) seal(lemmas, imports int64, fresh int) session.Header {
	sum := sha256.Sum256(f)
	return session.Header{Number: 1, First: 5, Next: 5 + lemmas + imports, Lemmas: lemmas, Fresh: fresh, Size: int64(len(f)), SHA256: hex.EncodeToString(sum[:])}
}

// four is a formula with the variables 1 to 3. Variable 3 does not occur in the clauses.
func four() *dimacs.Formula {
	f := dimacs.NewFormula(3)
	f.AddInts(1, 2)
	f.AddInts(1, -2)
	f.AddInts(-1, 2)
	f.AddInts(-1, -2)
	return f
}

func newChecker(t testing.TB) *session.Checker {
	c, err := session.NewChecker(four(), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wantError checks that an error is an Error with this text, or nil if want is empty.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	var wrong *session.Error
	switch {
	case want == "" && err != nil:
		t.Fatalf("error %v", err)
	case want != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), want)):
		t.Fatalf("error %v, want %q", err, want)
	}
}

// TestForgedSegments checks that a checker refuses wrong segments.
func TestForgedSegments(t *testing.T) {
	tests := []struct {
		name  string
		steps func(f *forged)
		sizes [3]int // lemmas, imports, fresh variables
		want  string
	}{
		{"right", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.add(6, []int64{-2}, importBase+7)
			f.add(7, []int64{4, 1})
			f.remove(5)
			f.add(8, nil, 6, 1, 3)
			f.add(8, nil, exportHint)
		}, [3]int{3, 1, 1}, ""},
		{"wrong step", func(f *forged) { f.add(5, []int64{3}, 1, 2) }, [3]int{1, 0, 0}, "hint 1, clause 1 (1 2), is not unit"},
		{"wrong hint", func(f *forged) { f.add(5, []int64{1}, 1, 3) }, [3]int{1, 0, 0}, "hint 2, clause 3 (-1 2), is not unit"},
		{"missing hints", func(f *forged) { f.add(5, nil) }, [3]int{1, 0, 0}, "end without a falsified clause"},
		{"hint of a later clause", func(f *forged) { f.add(5, []int64{1}, 1, 2, 5) }, [3]int{1, 0, 0}, "hint 5, and there is no such clause"},
		{"group of a later clause", func(f *forged) { f.add(5, []int64{1}, 1, 2, -5) }, [3]int{1, 0, 0}, "hint -5, and there is no such clause"},
		{"hint of a deleted clause", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.remove(5)
			f.add(6, nil, 5, 3, 4)
		}, [3]int{2, 0, 0}, "was deleted"},
		{"foreign hint", func(f *forged) { f.add(5, []int64{1}, importBase+1, 1, 2) }, [3]int{1, 0, 0}, "there is no such clause"},
		{"skipped number", func(f *forged) { f.add(6, []int64{1}, 1, 2) }, [3]int{1, 0, 0}, "clause 6 follows clause 4"},
		{"used number", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.add(5, []int64{2}, 1, 3)
		}, [3]int{2, 0, 0}, "clause 5 follows clause 5"},
		{"number of an input", func(f *forged) { f.add(1, []int64{1}, 1, 2) }, [3]int{1, 0, 0}, "clause 1 follows clause 4"},
		{"too many lemmas", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.add(6, []int64{2}, 1, 3)
		}, [3]int{1, 0, 0}, "the segment ends before clause 6"},
		{"too few lemmas", func(f *forged) { f.add(5, []int64{1}, 1, 2) }, [3]int{2, 0, 0}, "it has 1 lemmas up to clause 5, and its header says 2 up to clause 6"},
		{"import as lemma", func(f *forged) { f.add(5, []int64{1}, importBase+5) }, [3]int{1, 0, 0}, "it has 0 lemmas up to clause 5"},
		{"RAT on an old variable", func(f *forged) { f.add(5, []int64{3}) }, [3]int{1, 0, 0}, "its pivot 3 may not be defined"},
		{"RAT on an old variable with groups", func(f *forged) {
			f.add(5, []int64{4, 3})
			f.add(6, []int64{-3, -4}, -5)
		}, [3]int{2, 0, 1}, "its pivot -3 may not be defined"},
		{"tautology", func(f *forged) { f.add(5, []int64{3, -3}) }, [3]int{1, 0, 0}, "a literal and its complement"},
		{"wrong definition", func(f *forged) {
			f.add(5, []int64{4})
			f.add(6, []int64{-4})
		}, [3]int{2, 0, 1}, "has no group of hints"},
		{"repeated literal", func(f *forged) { f.add(5, []int64{1, 1}, 1, 2) }, [3]int{1, 0, 0}, "a literal is repeated"},
		{"import with a repeated literal", func(f *forged) { f.add(5, []int64{1, -2, 1}, importBase+9) }, [3]int{0, 1, 0}, "import 5 has a repeated literal"},
		{"needless group", func(f *forged) { f.add(5, []int64{4, 3}, -1) }, [3]int{1, 0, 1}, "a group for clause 1, which lacks -4"},
		{"skipped variable", func(f *forged) { f.add(5, []int64{5}) }, [3]int{1, 0, 2}, "variable 5, and the next fresh variable is 4"},
		{"highest variable", func(f *forged) { f.add(5, []int64{dimacs.MaxVars}) }, [3]int{1, 0, 1}, "the next fresh variable is 4"},
		{"variable out of range", func(f *forged) { f.add(5, []int64{dimacs.MaxVars + 1}) }, [3]int{1, 0, 1}, "above the limit"},
		{"fresh variables that the header lacks", func(f *forged) { f.add(5, []int64{4}) }, [3]int{1, 0, 0}, "it has 1 fresh variables, and its header says 0"},
		{"deleted input", func(f *forged) { f.remove(1) }, [3]int{}, "clause 1 may not be deleted"},
		{"deleted import", func(f *forged) {
			f.add(5, []int64{1}, importBase+9)
			f.remove(5)
		}, [3]int{0, 1, 0}, "clause 5 may not be deleted"},
		{"deleted export", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.add(5, []int64{1}, exportHint)
			f.remove(5)
		}, [3]int{1, 0, 0}, "clause 5 may not be deleted"},
		{"deleted twice", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.remove(5, 5)
		}, [3]int{1, 0, 0}, "it was deleted"},
		{"deleted before it exists", func(f *forged) { f.remove(5) }, [3]int{}, "it does not exist"},
		{"import with a fresh variable", func(f *forged) {
			f.add(5, []int64{4, 1})
			f.add(6, []int64{4}, importBase+9)
		}, [3]int{1, 1, 1}, "import 6 has a fresh variable"},
		{"export with a fresh variable", func(f *forged) {
			f.add(5, []int64{4, 1})
			f.add(5, []int64{4, 1}, exportHint)
		}, [3]int{1, 0, 1}, "export 5 has a fresh variable"},
		{"export of an input", func(f *forged) { f.add(1, []int64{1, 2}, exportHint) }, [3]int{}, "clause 1 may not be exported"},
		{"export of an import", func(f *forged) {
			f.add(5, []int64{1}, importBase+9)
			f.add(5, []int64{1}, exportHint)
		}, [3]int{0, 1, 0}, "clause 5 may not be exported"},
		{"export of a deleted clause", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			f.remove(5)
			f.add(5, []int64{1}, exportHint)
		}, [3]int{1, 0, 0}, "or the clause was deleted"},
		{"export of a later clause", func(f *forged) { f.add(5, []int64{1}, exportHint) }, [3]int{}, "clause 5 may not be exported"},
		{"export with other literals", func(f *forged) {
			f.add(5, []int64{1, 3}, 1, 2)
			f.add(5, []int64{3, 3}, exportHint)
		}, [3]int{1, 0, 0}, "has other literals than its clause"},
		{"import with the base as its hint", func(f *forged) { f.add(5, []int64{1}, importBase) }, [3]int{1, 0, 0}, "there is no such clause"},
		{"hint above the export", func(f *forged) { f.add(5, []int64{1}, exportHint+1) }, [3]int{1, 0, 0}, "there is no such clause"},
		{"cut off", func(f *forged) {
			f.add(5, []int64{1}, 1, 2)
			*f = (*f)[:len(*f)-1]
		}, [3]int{1, 0, 0}, "the last step is not ended by 0"},
		{"not a step", func(f *forged) { *f = append(*f, 'x') }, [3]int{}, "neither a nor d"},
		{"number of ten bytes", func(f *forged) { *f = append(*f, 'a', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f) }, [3]int{}, "more than 64 bits"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var f forged
			test.steps(&f)
			h := f.seal(int64(test.sizes[0]), int64(test.sizes[1]), test.sizes[2])
			c := newChecker(t)
			_, err := c.Check(context.Background(), h, bytes.NewReader(f))
			wantError(t, err, test.want)
			if test.want == "" {
				return
			}
			h = forged{}.seal(0, 0, 0)
			if _, again := c.Check(context.Background(), h, bytes.NewReader(nil)); again != err {
				t.Errorf("the checker goes on with %v", again)
			}
		})
	}
}

// TestEffort checks the limits of long lemmas.
func TestEffort(t *testing.T) {
	numbers := func(n int, number func(i int) int64) (all []int64) {
		for i := range n {
			all = append(all, number(i))
		}
		return all
	}
	tests := []struct {
		name  string
		steps func(f *forged)
		sizes [3]int
		want  string
	}{
		{"repeated hints", func(f *forged) { f.add(5, []int64{1}, append(numbers(1<<20, func(int) int64 { return 1 }), 2)...) }, [3]int{1, 0, 0}, ""},
		{"repeated wrong hints", func(f *forged) { f.add(5, []int64{1}, numbers(1<<20, func(int) int64 { return 1 })...) }, [3]int{1, 0, 0}, "end without a falsified clause"},
		{"long definition", func(f *forged) { f.add(5, []int64{4, 1}, numbers(1<<17, func(int) int64 { return -1 })...) }, [3]int{1, 0, 1}, "definition 5 has 131074 literals and hints"},
		{"long clause with fresh variables", func(f *forged) { f.add(5, numbers(1<<14+1, func(i int) int64 { return int64(i) + 4 })) }, [3]int{1, 0, 1<<14 + 1}, "lemma 5 has a fresh variable and 16385 literals"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var f forged
			test.steps(&f)
			h := f.seal(int64(test.sizes[0]), int64(test.sizes[1]), test.sizes[2])
			_, err := newChecker(t).Check(context.Background(), h, bytes.NewReader(f))
			wantError(t, err, test.want)
		})
	}
}

// TestForgedHeaders checks that headers are compared with their segment and the session,
// and that a header that does not continue the session changes nothing.
func TestForgedHeaders(t *testing.T) {
	var f forged
	f.add(5, []int64{1}, 1, 2)
	tests := []struct {
		name   string
		change func(h *session.Header)
		want   string
		fatal  bool
	}{
		{"number 0", func(h *session.Header) { h.Number = 0 }, "invalid", false},
		{"later number", func(h *session.Header) { h.Number = 2 }, "segment 1 must be next", false},
		{"later first clause", func(h *session.Header) { h.First, h.Next = 6, 7 }, "clause 5 must be next", false},
		{"first clause of the formula", func(h *session.Header) { h.First = 4 }, "clause 5 must be next", false},
		{"negative lemmas", func(h *session.Header) { h.Lemmas = -1 }, "invalid", false},
		{"negative size", func(h *session.Header) { h.Size = -1 }, "invalid", false},
		{"end before start", func(h *session.Header) { h.Next = 4 }, "invalid", false},
		{"huge ids", func(h *session.Header) { h.Next, h.Lemmas = math.MaxInt64, math.MaxInt64-5 }, "invalid", false},
		{"more lemmas than ids", func(h *session.Header) { h.Lemmas = 2 }, "invalid", false},
		{"huge fresh", func(h *session.Header) { h.Fresh = math.MaxInt }, "out of range", false},
		{"other size", func(h *session.Header) { h.Size++ }, "bytes, and its header says", true},
		{"smaller size", func(h *session.Header) { h.Size-- }, "bytes, and its header says", true},
		{"huge size", func(h *session.Header) { h.Size = math.MaxInt64 }, "0 bytes, and its header says", true},
		{"other hash", func(h *session.Header) { h.SHA256 = strings.Repeat("0", 64) }, "SHA-256", true},
		{"no hash", func(h *session.Header) { h.SHA256 = "" }, "SHA-256", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			right := f.seal(1, 0, 0)
			h := right
			test.change(&h)
			c := newChecker(t)
			_, err := c.Check(context.Background(), h, bytes.NewReader(f))
			wantError(t, err, test.want)
			if c.Next() != 1 {
				t.Fatalf("segment %d is next", c.Next())
			}
			if _, err := c.Check(context.Background(), right, bytes.NewReader(f)); (err != nil) != test.fatal {
				t.Errorf("then the right header: %v", err)
			}
		})
	}
}

// TestCheckFaults checks errors that are no fault of the sender.
func TestCheckFaults(t *testing.T) {
	var f forged
	f.add(5, []int64{1}, 1, 2)
	h := f.seal(1, 0, 0)
	broken := errors.New("broken")
	ended, cancel := context.WithCancelCause(context.Background())
	cancel(broken)
	for _, test := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
	}{
		{"reader", context.Background(), io.MultiReader(bytes.NewReader(f[:3]), iotest.ErrReader(broken))},
		{"context", ended, bytes.NewReader(f)},
	} {
		if _, err := newChecker(t).Check(test.ctx, h, test.r); err != broken {
			t.Errorf("%s: %v", test.name, err)
		}
		if _, err := session.Scan(test.ctx, h, test.r, nil); err != broken {
			t.Errorf("%s: scan: %v", test.name, err)
		}
	}
}

// TestMemory checks that a checker, a scan and a merger end with the error of their
// memory limit.
func TestMemory(t *testing.T) {
	var f forged
	lits := []int64{1}
	for v := int64(4); v < 5000; v++ {
		lits = append(lits, v)
	}
	f.add(5, lits, 1, 2)
	f.add(6, lits[:1], 1, 2)
	f.add(6, lits[:1], exportHint)
	h := f.seal(2, 0, 4996)
	limit := func(n int64) bool { return n < 1<<14 }
	c, err := session.NewChecker(four(), 3, limit)
	if err != nil {
		t.Fatal(err)
	}
	var refused *dimacs.MemoryError
	if _, err = c.Check(context.Background(), h, bytes.NewReader(f)); !errors.As(err, &refused) {
		t.Errorf("checker: %v", err)
	}
	if _, err = session.Scan(context.Background(), h, bytes.NewReader(f), limit); !errors.As(err, &refused) {
		t.Errorf("scan: %v", err)
	}
	base := session.Base{Clauses: 4, Next: 5, Vars: 3}
	m, err := session.NewMerger(proof.NewWriter(io.Discard, proof.DRAT, 4), four(), base, session.MergeOptions{Literals: true, Memory: limit})
	if err != nil {
		t.Fatal(err)
	}
	if err = m.Segment(context.Background(), "a", h, bytes.NewReader(f)); !errors.As(err, &refused) {
		t.Errorf("merger: %v", err)
	}
	if _, err := session.NewChecker(random3SAT(newRand(1), 100, 5000), 100, limit); !errors.As(err, &refused) {
		t.Errorf("new checker: %v", err)
	}
	if _, err := newChecker(t).Check(context.Background(), h, bytes.NewReader(f)); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

// TestRefutes checks the conditions for the refutation of a cube.
func TestRefutes(t *testing.T) {
	var f forged
	f.add(5, []int64{1, 3}, 1, 2)
	f.add(6, []int64{2, 1}, 1)
	f.add(6, []int64{1, 2}, exportHint)
	f.add(7, []int64{1, -3}, importBase+9)
	f.add(8, []int64{1, 2, 3}, 1)
	c := newChecker(t)
	if _, err := c.Check(context.Background(), f.seal(3, 1, 0), bytes.NewReader(f)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name         string
		cube, failed []dimacs.Lit
		clause       int64
		want         string
	}{
		{"right", dimacs.Lits(-1, 3, -2), dimacs.Lits(-2, -1), 6, ""},
		{"another cube", dimacs.Lits(1, 3, -2), dimacs.Lits(-2, -1), 6, "-1 is no literal of the cube"},
		{"no export", dimacs.Lits(-1, -3), dimacs.Lits(-1, -3), 5, "the refuting clause 5 is no export"},
		{"input", dimacs.Lits(-1, -2), dimacs.Lits(-1, -2), 1, "is no export"},
		{"no such clause", dimacs.Lits(-1, -2), dimacs.Lits(-1, -2), 99, "is no export"},
		{"negative", dimacs.Lits(-1, -2), dimacs.Lits(-1, -2), math.MinInt64, "is no export"},
		{"fewer literals", dimacs.Lits(-1, -2), dimacs.Lits(-1), 6, "does not consist"},
		{"more literals", dimacs.Lits(-1, -2, -3), dimacs.Lits(-1, -2, -3), 6, "does not consist"},
		{"repeated literals", dimacs.Lits(-1, -2), dimacs.Lits(-1, -1), 6, "does not consist"},
		{"other literals", dimacs.Lits(-1, 3, -2), dimacs.Lits(-1, 3), 6, "does not consist"},
		{"formula", dimacs.Lits(-1), nil, 6, "no segment has the empty clause"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantError(t, c.Refutes(test.cube, test.failed, test.clause), test.want) })
	}
	f = nil
	f.add(9, []int64{1}, 1, 2)
	f.add(10, nil, 9, 3, 4)
	h := f.seal(2, 0, 0)
	h.Number, h.First, h.Next = 2, 9, 11
	if _, err := c.Check(context.Background(), h, bytes.NewReader(f)); err != nil {
		t.Fatal(err)
	}
	wantError(t, c.Refutes(dimacs.Lits(-1), nil, 0), "")
}

// TestReportJSON checks that a report survives its JSON form, and that literals out of
// range are errors.
func TestReportJSON(t *testing.T) {
	var f forged
	f.add(5, []int64{-1}, importBase+9)
	f.add(6, []int64{1}, 1, 2)
	f.add(6, []int64{1}, exportHint)
	f.add(7, nil, 5, 6)
	f.add(7, nil, exportHint)
	r, err := newChecker(t).Check(context.Background(), f.seal(2, 1, 0), bytes.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `"imports":[{"id":5,"final":9,"lits":[-1]}],"exports":[{"id":6,"lits":[1]},{"id":7,"lits":[]}],"empty":7}`
	if !strings.HasSuffix(string(text), want) {
		t.Errorf("%s", text)
	}
	var back session.Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
		t.Errorf("%s, %v", again, err)
	}
	for _, bad := range []string{"0", "1e99", "9999999999", "1.5"} {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), "[-1]", "["+bad+"]")), &back); err == nil {
			t.Errorf("literal %s", bad)
		}
	}
}
