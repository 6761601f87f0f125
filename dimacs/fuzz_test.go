package dimacs

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// seedFiles adds the files in testdata to a corpus.
func seedFiles(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

// FuzzRead checks three properties. An input is read with the same result whole
// and byte by byte. A relaxed reader accepts without a warning every input that
// a strict reader accepts. A formula that is written is read back.
func FuzzRead(f *testing.F) {
	for _, c := range readCases {
		f.Add([]byte(c.in))
	}
	seedFiles(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		a, err := Read(bytes.NewReader(in))
		b, err2 := Read(iotest.OneByteReader(bytes.NewReader(in)))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; byte by byte: %v", err, err2)
		}
		if _, syntax := err.(*SyntaxError); err != nil && !syntax {
			t.Fatalf("%v is not a syntax error", err)
		}
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
	for _, c := range scriptCases {
		f.Add([]byte(c.in))
	}
	seedFiles(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		_, err := new(Reader).ReadScript(bytes.NewReader(in))
		_, err2 := new(Reader).ReadScript(iotest.OneByteReader(bytes.NewReader(in)))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; byte by byte: %v", err, err2)
		}
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
	for _, c := range solutionCases {
		f.Add([]byte(c.in))
	}
	seedFiles(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		if largest(in) > 1<<20 {
			t.Skip("the model would be too large")
		}
		_, err := new(Reader).ReadSolution(bytes.NewReader(in))
		_, err2 := new(Reader).ReadSolution(iotest.OneByteReader(bytes.NewReader(in)))
		if message(err) != message(err2) {
			t.Fatalf("at once: %v; byte by byte: %v", err, err2)
		}
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
	for _, c := range readCases {
		f.Add([]byte(c.in))
	}
	for _, c := range scriptCases {
		f.Add([]byte(c.in))
	}
	for _, c := range solutionCases {
		f.Add([]byte(c.in))
	}
	seedFiles(f)
	f.Fuzz(func(t *testing.T, in []byte) {
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
