package versus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/internal/fuzztest"
)

// randomRun returns a run with random valid fields.
func randomRun(r *rand.Rand, round int) Run {
	notes := []string{"", "with, comma", `with "quotes"`, "# not a comment", " blank", "ünïcode"}
	return Run{
		Solver: string(rune('a' + r.IntN(3))), File: notes[1+r.IntN(5)], Round: round,
		Outcome: outcomes[r.IntN(len(outcomes))],
		CPU:     time.Duration(r.IntN(1e9)) * time.Microsecond, Wall: time.Duration(r.IntN(1e9)) * time.Microsecond,
		Memory: int64(r.IntN(1<<30)) << 10, Exit: r.IntN(40) - 1,
		Check: checks[r.IntN(len(checks))], Note: notes[r.IntN(6)],
		Known:   []dimacs.Status{dimacs.Unknown, dimacs.Satisfiable, dimacs.Unsatisfiable}[r.IntN(3)],
		Limits:  Limits{CPU: time.Duration(r.IntN(100)) * time.Second, Memory: int64(r.IntN(100)) << 20},
		Command: notes[1+r.IntN(5)],
		Family:  notes[r.IntN(6)], Others: []float64{unknownLoad, 0, 1.5, 0.01}[r.IntN(4)],
	}
}

// openLog opens a log and closes it at the end of the test.
func openLog(t *testing.T, name string) *Log {
	t.Helper()
	l, err := OpenLog(nil, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestLogKeepsRuns(t *testing.T) {
	name := filepath.Join(t.TempDir(), "runs.csv")
	r := rand.New(rand.NewPCG(1, 2))
	var want []Run
	l := openLog(t, name)
	for i := range 100 {
		if i%10 == 0 {
			l.Close()
			l = openLog(t, name)
		}
		if err := l.Comment("made\nby this test"); err != nil {
			t.Fatal(err)
		}
		rec := randomRun(r, i+1)
		if want = append(want, rec); l.Append(rec) != nil {
			t.Fatal("cannot append")
		}
		if !slices.Equal(l.Runs(), want) {
			t.Fatalf("after %d runs: %+v", i+1, l.Runs())
		}
	}
	got, comments, err := ReadLog(name)
	if err != nil || !slices.Equal(got, want) || !slices.Equal(comments, []string{"made by this test"}) {
		t.Errorf("read back: %v, %q, error %v", got, comments, err)
	}
}

// A log that is truncated at any position keeps its complete lines and can be continued.
func TestLogTruncated(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "runs.csv")
	r := rand.New(rand.NewPCG(3, 4))
	l := openLog(t, name)
	var want []Run
	for i := range 3 {
		want = append(want, randomRun(r, i+1))
		l.Append(want[i])
		l.Comment(fmt.Sprint("comment ", i))
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(whole); cut += 1 + r.IntN(5) {
		for _, garbage := range []string{"", "\x00\x00\n"} {
			if garbage != "" && cut < len(headerLine()) {
				continue
			}
			data := append(slices.Clone(whole[:cut]), garbage...)
			if err := os.WriteFile(name, data, 0o666); err != nil {
				t.Fatal(err)
			}
			again, err := OpenLog(nil, name)
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			n := len(again.Runs())
			if !slices.Equal(again.Runs(), want[:n]) || n < bytes.Count(whole[:cut], []byte("\n"))/2-1 {
				t.Fatalf("cut at %d: %v", cut, again.Runs())
			}
			for _, rec := range want[n:] {
				again.Append(rec)
			}
			again.Close()
			if got, _, err := ReadLog(name); err != nil || !slices.Equal(got, want) {
				t.Fatalf("cut at %d and continued: %v, error %v", cut, got, err)
			}
		}
	}
}

// A file that is not a log is left unchanged.
func TestLogLeavesOtherFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "other")
	for _, text := range []string{"solver,time\na,1", "p cnf 1 1\n1 0\n", "no line end", "\n", headerLine()[1:]} {
		os.WriteFile(name, []byte(text), 0o666)
		_, err := OpenLog(nil, name)
		var at *dimacs.SyntaxError
		if !errors.As(err, &at) || at.Line != 1 {
			t.Errorf("%q: error %v", text, err)
		}
		if got, _ := os.ReadFile(name); string(got) != text {
			t.Errorf("%q has become %q", text, got)
		}
	}
}

func TestLogErrors(t *testing.T) {
	good := strings.Join((&Run{Solver: "s", File: "f", Round: 1, Outcome: Failed, Command: "c"}).fields(), ",")
	name := filepath.Join(t.TempDir(), "runs.csv")
	for _, x := range []struct{ line, want string }{
		{"", "empty"},
		{"a,b", "2 values"},
		{strings.Replace(good, "failed", "solved", 1), "outcome"},
		{strings.Replace(good, "0.000000", "-1", 1), "cpu_s"},
		{strings.Replace(good, "s,f,1", "s,f,one", 1), "round"},
		{strings.Replace(good, "s,f,1", "s,,1", 1), "file: empty value"},
		{`"` + good, "quote"},
	} {
		os.WriteFile(name, []byte(headerLine()+"# x\n"+x.line+"\n"+good+"\n"), 0o666)
		_, err := OpenLog(nil, name)
		var at *dimacs.SyntaxError
		if !errors.As(err, &at) || at.File != name || at.Line != 3 || !strings.Contains(at.Msg, x.want) {
			t.Errorf("%q: error %v, want %q in line 3", x.line, err, x.want)
		}
	}
}

// Of two runs with the same key, added by concurrent benches, the first counts.
func TestLogFirstCounts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "runs.csv")
	l := openLog(t, name)
	a := Run{Solver: "s", File: "f", Round: 1, Outcome: Failed, Command: "c"}
	b := a
	b.Outcome = Satisfiable
	l.Append(a)
	l.Append(b)
	if got, _, err := ReadLog(name); err != nil || !slices.Equal(got, []Run{a}) {
		t.Errorf("%v, error %v", got, err)
	}
}

// A log that can be read can be written and read back.
func FuzzReadLog(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	rec := randomRun(r, 1)
	row := strings.Join((&Run{Solver: "s", File: "f", Outcome: Failed, Command: "c"}).fields(), ",")
	seeds := [][]byte{[]byte(row + "\n# x\n"), []byte(strings.Join(rec.fields(), ",") + "\ncut")}
	seeds = append(seeds, []byte("\r,f,0,failed,0,0,0,0,,,UNKNOWN,0,0,0,c\n")) // such a name is not written
	words := []string{",", "\"", "\"\"", "# note\n", "\x00", "s,f,1,", "sat", "unsat", "1.5", ",,,,", row + "\n"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		data := append([]byte(headerLine()), in...)
		if len(in) > 0 && in[0] == 0 {
			data = in // without a header
		}
		c, err := parseLog("log", data)
		if err != nil {
			return
		}
		if c.whole > len(data) {
			t.Fatalf("%d of %d bytes are in complete lines", c.whole, len(data))
		}
		out := bytes.NewBufferString(headerLine())
		w := csv.NewWriter(out)
		for _, r := range c.runs {
			if err := w.Write(r.fields()); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		got, err := parseLog("log", out.Bytes())
		if err != nil || len(got.runs) != len(c.runs) {
			t.Fatalf("%d of %d runs are read back, error %v", len(got.runs), len(c.runs), err)
		}
		for i := range got.runs {
			if !slices.Equal(got.runs[i].fields(), c.runs[i].fields()) {
				t.Errorf("%+v has become %+v", c.runs[i], got.runs[i])
			}
		}
	})
}
