package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs/file"
	"sator/internal/effort"
)

// countedRun runs fuzz with a file of counts from seed 3 on and returns its exit code,
// its output and the counts.
func countedRun(t *testing.T, e *cli.Env, name, rounds string, flags ...string) (code int, out string, c *fuzzCounts) {
	t.Helper()
	args := []string{"fuzz", "--seed", "3", "--rounds", rounds, "--vars", "0", "--counts", name, "--quiet", "--output", t.TempDir()}
	code, out, errs := execute(t, e, append(args, flags...)...)
	c, _, err := readCounts(name)
	if err != nil {
		t.Fatal(err)
	}
	return code, out + errs, c
}

// sameRounds compares counts without the builds, since these contain times.
func sameRounds(t *testing.T, got, want *fuzzCounts) {
	t.Helper()
	a, b := *got, *want
	a.Builds, a.Checksum, b.Builds, b.Checksum = nil, "", nil, ""
	if !reflect.DeepEqual(a, b) {
		t.Errorf("counts\n%s\nwant\n%s", a.text(), b.text())
	}
}

// TestFuzzCounts checks that runs with the same file count the same as a single run, for
// any number of workers, and print the sum.
func TestFuzzCounts(t *testing.T) {
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	_, _, want := countedRun(t, new(cli.Env), whole, "60")
	if want.FirstSeed != 3 || want.NextSeed != 63 || want.Counts["calls"] == 0 || want.Techniques["eliminate"] == 0 {
		t.Fatalf("counts of 60 rounds from seed 3 on:\n%s", want.text())
	}
	countedRun(t, new(cli.Env), parts, "25", "--jobs", "1")
	_, _, half := countedRun(t, new(cli.Env), parts, "10", "--jobs", "3")
	if half.NextSeed != 38 {
		t.Errorf("the next seed after 35 rounds is %d", half.NextSeed)
	}
	_, out, got := countedRun(t, new(cli.Env), parts, "25")
	sameRounds(t, got, want)
	if len(got.Builds) != 1 || got.Builds[0].Rounds != 60 || got.Builds[0].Wall <= 0 {
		t.Errorf("builds: %+v", got.Builds)
	}
	if !regexp.MustCompile(`(?m)^rounds +60$`).MatchString(out) {
		t.Errorf("the summary is not that of all rounds:\n%s", out)
	}
}

// TestFuzzCountsAfterFailure checks that a run that ends at a write error, as by a kill,
// is continued without a round counted twice or left out.
func TestFuzzCountsAfterFailure(t *testing.T) {
	effort.Sequential(t)
	before := countsInterval
	countsInterval = 0 // the file is written after each round
	t.Cleanup(func() { countsInterval = before })
	dir := t.TempDir()
	_, _, want := countedRun(t, new(cli.Env), filepath.Join(dir, "whole"), "12")
	for _, op := range []file.Op{file.OpWrite, file.OpSync, file.OpRename} {
		name := filepath.Join(dir, string(op))
		left := 5
		disk := &file.Disk{Fail: func(o file.Op, _ string) error {
			if o == op {
				if left--; left < 0 {
					return errors.New("deliberate")
				}
			}
			return nil
		}}
		code, out, c := countedRun(t, &cli.Env{Disk: disk}, name, "12", "--jobs", "1")
		if done := c.rounds(); code != cli.CodeInput || !strings.Contains(out, "deliberate") || done == 0 || done >= 12 {
			t.Fatalf("%s fails: exit code %d, %d rounds are counted\n%s", op, code, done, out)
		}
		for c.NextSeed < want.NextSeed {
			_, _, c = countedRun(t, new(cli.Env), name, "1")
		}
		sameRounds(t, c, want)
	}
}

// TestDamagedCounts checks that a file with a changed byte, a cut file and a foreign file
// are errors that name the file, and that the file is left alone.
func TestDamagedCounts(t *testing.T) {
	effort.Sequential(t)
	name := filepath.Join(t.TempDir(), "counts")
	countedRun(t, new(cli.Env), name, "2")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		text := bytes.Clone(whole)
		text[i] ^= 1
		if _, err := parseCounts(text); err == nil {
			t.Fatalf("byte %d is changed, and there is no error:\n%s", i, text)
		}
		if _, err := parseCounts(whole[:i]); err == nil {
			t.Fatalf("the file is cut after %d bytes, and there is no error", i)
		}
	}
	for _, text := range []string{"", "p cnf 1 0\n", "{}\n", "[]", string(whole) + string(whole), strings.Replace(string(whole), `"calls": `, `"calls": 1`, 1)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := execute(t, new(cli.Env), "fuzz", "--rounds", "1", "--counts", name)
		if code != cli.CodeInput || !strings.Contains(errs, name+": ") || !strings.Contains(errs, "counts") {
			t.Errorf("%.20q: exit code %d, standard error %q", text, code, errs)
		}
		if left, _ := os.ReadFile(name); string(left) != text {
			t.Errorf("%.20q: the file is now %.20q", text, left)
		}
	}
}

// TestFuzzCountsFlags checks that a flag is a bad command line if it contradicts the file,
// and that a missing flag has its value in the file.
func TestFuzzCountsFlags(t *testing.T) {
	name := filepath.Join(t.TempDir(), "counts")
	countedRun(t, new(cli.Env), name, "2")
	for _, flag := range []string{"--seed=4", "--vars=60", "--traces=24"} {
		code, _, errs := execute(t, new(cli.Env), "fuzz", "--rounds", "1", flag, "--counts", name)
		if code != cli.CodeUsage || !strings.Contains(errs, ", as in "+name) {
			t.Errorf("%s: exit code %d, standard error %q", flag, code, errs)
		}
	}
	if code, _, errs := execute(t, new(cli.Env), "fuzz", "--rounds", "1", "--counts", name); code != 0 || errs != "" {
		t.Errorf("exit code %d, standard error %q", code, errs)
	}
	if c, _, err := readCounts(name); err != nil || c.NextSeed != 6 || c.Vars != 0 {
		t.Errorf("counts %+v, error %v", c, err)
	}
}

// TestFuzzCountsOfTwo checks that a run ends with an error if another one has changed
// the file: both would count the same rounds.
func TestFuzzCountsOfTwo(t *testing.T) {
	effort.Sequential(t)
	name := filepath.Join(t.TempDir(), "counts")
	c := newFuzzCounts(&fuzzOptions{seed: 7})
	one, two := countsFile{name: name}, countsFile{name: name}
	if err := one.write(c, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := two.write(c, time.Time{}); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("error %v", err)
	}
	c.NextSeed++
	if err := one.write(c, time.Time{}); err != nil {
		t.Error(err)
	}
}
