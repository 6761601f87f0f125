// Package fuzztest runs fuzz targets in process, at a rate that Go's fuzzer does not
// reach.
//
//	func FuzzRead(f *testing.F) {
//		fuzztest.Run(f, seeds, []string{"p", "cnf", "0", "-1"}, func(t testing.TB, in []byte) {
//			...
//		})
//	}
//
// Without flags a target is one of Go's: go test runs its seeds, and go test -fuzz
// searches for inputs that reach new code. With -executions N, go test runs N inputs of
// this package instead, some 50,000 per second, where Go's fuzzer runs a few thousand.
// They are drawn without knowledge of the code: mutated seeds, and sequences of words of
// the format. Input number i is the same in each run, so that -from continues where
// another run has ended. The script .ci/readers distributes a number of executions over
// all targets.
//
// A source of bytes need not be a file: Pieces and Broken return readers that do all
// that an io.Reader may do.
//
// # Files
//
//   - fuzztest.go: Run
//   - input.go: the inputs
//   - source.go: Pieces and Broken
package fuzztest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var (
	executions = flag.Int64("executions", 0, "fuzz targets: run `N` inputs in process")
	from       = flag.Uint64("from", 0, "fuzz targets: begin with input `N`")
)

// Run runs the target f: check is called with inputs and reports a failure by a method
// of t such as Fatalf, or by a panic. The seeds are valid and invalid inputs of the
// format, and words are its words and symbols. The slice in must not be kept.
func Run(f *testing.F, seeds [][]byte, words []string, check func(t testing.TB, in []byte)) {
	f.Helper()
	if *executions == 0 {
		for _, s := range seeds {
			f.Add(s)
		}
		f.Fuzz(func(t *testing.T, in []byte) { check(t, in) })
		return
	}
	g := newGenerator(seeds, words)
	begin := time.Now()
	for i := range uint64(*executions) {
		if in := g.input(*from + i); fails(f, check, in) {
			in = shrink(in, func(in []byte) bool { return fails(f, check, in) })
			report(f, *from+i, in, check)
		}
	}
	fmt.Printf("%s: %d executions from %d on in %.1f s\n", f.Name(), *executions, *from, time.Since(begin).Seconds())
	f.SkipNow() // Go's fuzzer has nothing to do
}

// A probe is a testing.TB that only notes a failure.
type probe struct {
	testing.TB
	failed bool
}

// stopped is the panic value of a probe at a failure.
type stopped struct{}

func (p *probe) Helper()               {}
func (p *probe) Error(...any)          { p.failed = true }
func (p *probe) Errorf(string, ...any) { p.failed = true }
func (p *probe) Fatal(...any)          { panic(stopped{}) }
func (p *probe) Fatalf(string, ...any) { panic(stopped{}) }
func (p *probe) Skip(...any)           { p.SkipNow() }
func (p *probe) SkipNow()              { panic(skipped{}) }

// skipped is the panic value of a probe at an input that is left out.
type skipped struct{}

// fails reports whether check fails or panics.
func fails(tb testing.TB, check func(testing.TB, []byte), in []byte) (failed bool) {
	p := probe{TB: tb}
	defer func() {
		if x := recover(); x != nil {
			_, skip := x.(skipped)
			failed = !skip
		}
	}()
	check(&p, in)
	return p.failed
}

// shrink returns a short part of an input that still fails: it removes halves, then
// quarters, and at last single bytes.
func shrink(in []byte, fails func([]byte) bool) []byte {
	in = append([]byte(nil), in...)
	for size := (len(in) + 1) / 2; size > 0; size /= 2 {
		for i := 0; i < len(in); {
			rest := append(append([]byte(nil), in[:i]...), in[min(i+size, len(in)):]...)
			if fails(rest) {
				in = rest
			} else {
				i += size
			}
		}
	}
	return in
}

// report writes an input to the corpus of Go's fuzzer, where go test runs it from then
// on, and repeats the failure.
func report(f *testing.F, number uint64, in []byte, check func(testing.TB, []byte)) {
	name := filepath.Join("testdata", "fuzz", f.Name(), fmt.Sprintf("input-%d", number))
	text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", in)
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	f.Errorf("input %d fails: %q; saved as %s (%v)", number, in, name, err)
	check(f, in)
	f.FailNow()
}
