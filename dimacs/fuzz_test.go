package dimacs

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

// fuzzWords are the words of the formats.
var fuzzWords = []string{
	"p", "cnf", "inccnf", "stack", "c", "a", "%", "s", "v", "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN", "SAT", "UNSAT", "INDET", "-0", "0\n",
	"p cnf 3 2\n", "p cnf", "p inccnf\n", "p stack\n", "c p show 1 2 0\n", "c p variables 9\n", "s SATISFIABLE\nv ", "1 -2 0\n", "\r\n", "\t", "\xef\xbb\xbf",
}

// seedFiles returns the inputs and the files in testdata.
func seedFiles(f *testing.F) (seeds [][]byte) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, b)
	}
	return seeds
}

// TestBrokenSource checks that a reader returns the error of its source at any place,
// also if it cuts a word off.
func TestBrokenSource(t *testing.T) {
	for _, in := range []string{"p cnf 12 1\nc comment\n1 -12 0\n", "p inccnf\n1 2 0\na 1 0\n", "s UNKNOWN\n", "s SATISFIABLE\nv 1 -22 0\n", "p stack 3 1\n1 -2 0\n", "1 2 0\n", "p cnf 1 1\r\n1 0\r\n", "h 1 -12 0\n34 2 0\n", "p wcnf 12 1 34\n34 1 -12 0\n", "p gcnf 12 1 34\n{34} 1 -12 0\n"} {
		for at := range len(in) {
			for _, r := range []*Reader{{}, {Relaxed: true}} {
				for _, read := range []func(io.Reader) error{
					func(src io.Reader) error { _, err := r.Read(src); return err },
					func(src io.Reader) error { _, err := r.ReadScript(src); return err },
					func(src io.Reader) error { _, err := r.ReadSolution(src); return err },
					func(src io.Reader) error { _, err := r.ReadReconstruction(src); return err },
					func(src io.Reader) error { _, err := r.ReadWeighted(src); return err },
					func(src io.Reader) error { _, err := r.ReadGrouped(src); return err },
				} {
					fuzztest.CheckBrokenAt(t, []byte(in), at, read)
				}
			}
		}
	}
}

// FuzzRead checks four properties. An input is read with the same result whole
// and in pieces. An error of the source is not taken for the end. A relaxed reader accepts without a warning every input that
// a strict reader accepts. A formula that is written is read back.
func FuzzRead(f *testing.F) {
	seeds := seedFiles(f)
	for _, c := range readCases {
		seeds = append(seeds, []byte(c.in))
	}
	fuzztest.Run(f, seeds, fuzzWords, func(t testing.TB, in []byte) {
		a, err := Read(bytes.NewReader(in))
		b, err2 := Read(fuzztest.Pieces(in))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; in pieces: %v", err, err2)
		}
		if _, syntax := err.(*SyntaxError); err != nil && !syntax {
			t.Fatalf("%v is not a syntax error", err)
		}
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, err := Read(src)
			return err
		})
		warnings := 0
		r := &Reader{Relaxed: true, Warn: func(*SyntaxError) { warnings++ }}
		relaxed, err2 := r.Read(bytes.NewReader(in))
		if err == nil {
			same(t, a, b)
			if err2 != nil || warnings > 0 {
				t.Fatalf("relaxed: %v and %d warnings", err2, warnings)
			}
			same(t, a, relaxed)
		}
		if err2 != nil {
			return
		}
		if err != nil && warnings == 0 {
			t.Fatalf("forgiven without a warning: %v", err)
		}
		var first, second bytes.Buffer
		if err := Write(&first, relaxed); err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		same(t, relaxed, back)
		if err := Write(&second, back); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again it differs: %v", err)
		}
		if n := relaxed.Normalize(); n.Len() > relaxed.Len() || n.Size() > relaxed.Size() {
			t.Fatal("normalized it is larger")
		}
	})
}

func FuzzReadScript(f *testing.F) {
	seeds := seedFiles(f)
	for _, c := range scriptCases {
		seeds = append(seeds, []byte(c.in))
	}
	fuzztest.Run(f, seeds, fuzzWords, func(t testing.TB, in []byte) {
		_, err := new(Reader).ReadScript(bytes.NewReader(in))
		_, err2 := new(Reader).ReadScript(fuzztest.Pieces(in))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; in pieces: %v", err, err2)
		}
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, err := new(Reader).ReadScript(src)
			return err
		})
		warnings := 0
		r := &Reader{Relaxed: true, Warn: func(*SyntaxError) { warnings++ }}
		s, err2 := r.ReadScript(bytes.NewReader(in))
		if err == nil && (err2 != nil || warnings > 0) || err != nil && err2 == nil && warnings == 0 {
			t.Fatalf("strict: %v; relaxed: %v and %d warnings", err, err2, warnings)
		}
		if err2 != nil {
			return
		}
		var first, second bytes.Buffer
		if err := WriteScript(&first, s); err != nil {
			t.Fatal(err)
		}
		back, err := new(Reader).ReadScript(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		same(t, s.Formula, back.Formula)
		if showCubes(s) != showCubes(back) {
			t.Fatalf("read back: %s; want %s", showCubes(back), showCubes(s))
		}
		if err := WriteScript(&second, back); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again it differs: %v", err)
		}
	})
}

func FuzzReadSolution(f *testing.F) {
	seeds := seedFiles(f)
	for _, c := range solutionCases {
		seeds = append(seeds, []byte(c.in))
	}
	fuzztest.Run(f, seeds, fuzzWords, func(t testing.TB, in []byte) {
		if largest(in) > 1<<20 {
			t.Skip("the model would be too large")
		}
		_, err := new(Reader).ReadSolution(bytes.NewReader(in))
		_, err2 := new(Reader).ReadSolution(fuzztest.Pieces(in))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; in pieces: %v", err, err2)
		}
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, err := new(Reader).ReadSolution(src)
			return err
		})
		s, err := (&Reader{Relaxed: true}).ReadSolution(bytes.NewReader(in))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteSolution(&out, s.Status, s.Model); err != nil {
			t.Fatal(err)
		}
		back, err := new(Reader).ReadSolution(&out)
		if err != nil {
			t.Fatal(err)
		}
		if back.Status != s.Status || back.HasModel != s.HasModel || !slices.Equal(back.Model.Lits(), s.Model.Lits()) {
			t.Fatalf("read back: %v; want %v", back, s)
		}
	})
}

// largest returns the largest number in the digits of in that the solution
// reader could read as a variable.
func largest(in []byte) int {
	most := 0
	for _, word := range bytes.FieldsFunc(in, func(r rune) bool { return r < '0' || r > '9' }) {
		n := 0
		for _, d := range word {
			n = min(10*n+int(d-'0'), MaxVars+1)
		}
		if n <= MaxVars {
			most = max(most, n)
		}
	}
	return most
}

// FuzzSniff checks that Sniff never changes the input and recognizes every
// input that a reader accepts.
func FuzzSniff(f *testing.F) {
	seeds := seedFiles(f)
	for _, c := range readCases {
		seeds = append(seeds, []byte(c.in))
	}
	for _, c := range scriptCases {
		seeds = append(seeds, []byte(c.in))
	}
	for _, c := range solutionCases {
		seeds = append(seeds, []byte(c.in))
	}
	fuzztest.Run(f, seeds, fuzzWords, func(t testing.TB, in []byte) {
		kind, r, err := Sniff(bytes.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		var back bytes.Buffer
		if _, err := back.ReadFrom(r); err != nil || !bytes.Equal(back.Bytes(), in) {
			t.Fatalf("the input is not whole: %v", err)
		}
		if _, err := Read(bytes.NewReader(in)); err == nil && kind != KindCNF {
			t.Fatalf("%v, but it is a formula", kind)
		}
		if _, err := new(Reader).ReadScript(bytes.NewReader(in)); err == nil && kind != KindScript {
			t.Fatalf("%v, but it is a script", kind)
		}
		if kind == KindSolution && strings.HasPrefix(string(in), "p") {
			t.Fatal("a header is no solution")
		}
	})
}
