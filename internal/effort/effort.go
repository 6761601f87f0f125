// Package effort lets a test choose its amount of work by the kind of the run. The
// same tests run for users (go test ./...), whole on a schedule, with the race detector,
// and with the invariants of the engines compiled in (-tags satcheck):
//
//	func TestAllFaults(t *testing.T) {
//		effort.Sequential(t) // no goroutines: nothing for the race detector to see
//		for _, seed := range effort.Seeds(10, 1000) {
//			...
//		}
//	}
//
// Names of tests therefore stand in no script.
package effort

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Whole reports whether long tests are to run whole: SATOR_TESTS is "whole" in the
// environment, and -short is not set. A test that takes more than a few seconds of CPU
// asks it, and runs a part otherwise.
func Whole() bool { return os.Getenv("SATOR_TESTS") == "whole" && !testing.Short() }

// Part returns I >= 0 and N >= 1 if SATOR_PART is "I/N" in the environment, and otherwise 0
// and 1. A long test that tries the same thing at each of many independent places, such as a
// failure of each write, tries one in N of them, and others for the next I. The number
// of commits as I lets the commits in a row try all. A value that is no part is a panic.
func Part() (i, n int) {
	text := os.Getenv("SATOR_PART")
	if text == "" {
		return 0, 1
	}
	before, after, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || i < 0 || n < 1 {
		panic(fmt.Sprintf("effort: SATOR_PART is %q, want a part such as 3/10", text))
	}
	return i, n
}

// Seeds returns the seeds of a test with one random case for each seed: 0 to few-1 or, if [Whole],
// 0 to whole-1. With a [Part] I/N it returns only the I-th of N equal parts of the latter range,
// or as many as few from the start of that part if few are more. It requires few <= whole.
func Seeds(few, whole uint64) (seeds []uint64) {
	from, n := uint64(0), few
	if Whole() {
		part, parts := Part()
		share := whole / uint64(parts)
		n = max(few, share)
		from = min(uint64(part%parts)*share, whole-n)
	}
	for i := range n {
		seeds = append(seeds, from+i)
	}
	return seeds
}

// Sequential skips a test in short runs of the race detector: the test starts no goroutines,
// except in parallel subtests, or repeats one operation many times.
func Sequential(t testing.TB) {
	t.Helper()
	if raceDetector && testing.Short() {
		t.Skip("nothing for the race detector to see")
	}
}

// RaceDetector reports whether the race detector is compiled in, and -short set. Such a run
// should have each kind of concurrency once.
func RaceDetector() bool { return raceDetector && testing.Short() }

// Comparison skips a test in short runs with invariants compiled in: the test compares runs
// with one another, or makes very many, and so checks the same invariants as another test.
func Comparison(t testing.TB) {
	t.Helper()
	if invariants && testing.Short() {
		t.Skip("other tests check these invariants")
	}
}
