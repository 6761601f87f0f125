package versus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"sator/dimacs"
)

func TestAnswers(t *testing.T) {
	for _, x := range []struct {
		mode    string
		formula string
		proofs  bool
		outcome Outcome
		check   Check
		note    string
	}{
		{"say 10 's SATISFIABLE/v -1 2/v 0/'", satFormula, false, Satisfiable, Checked, ""},
		{"say 10 's SATISFIABLE/v 2 -1 0'", satFormula, false, Satisfiable, Checked, ""},
		{"say 10 'noise/sun/va 1/s SATISFIABLE/c v/v -1 2 0/'", satFormula, false, Satisfiable, Checked, ""},
		{"say 0 's SATISFIABLE/v -1 2 0/'", satFormula, false, Satisfiable, Checked, ""},
		{"say 10 's SATISFIABLE/'", satFormula, false, Satisfiable, NoEvidence, ""},
		{"say 10 ''", satFormula, false, Satisfiable, NoEvidence, ""},
		{"say 10 's SATISFIABLE/v 1 2 0/'", satFormula, false, Satisfiable, Refuted, "the model does not satisfy clause 2"},
		{"say 10 's SATISFIABLE/v -1 0/'", satFormula, false, Satisfiable, Refuted, "clause 1"},
		{"say 10 's SATISFIABLE/v -1 x 0/'", satFormula, false, Satisfiable, Refuted, "invalid solution"},
		{"say 10 's UNSATISFIABLE/'", satFormula, false, Satisfiable, Refuted, "exit code is 10"},
		{"say 20 's SATISFIABLE/v -1 2 0/'", satFormula, false, Unsatisfiable, Refuted, "exit code is 20"},
		{"say 20 's UNSATISFIABLE/'", unsatFormula, false, Unsatisfiable, NoEvidence, ""},
		{"say 20 's UNSATISFIABLE/'", unsatFormula, true, Unsatisfiable, NoEvidence, ""},
		{"write 10 'SAT/-1 2 0/' {model}", satFormula, false, Satisfiable, Checked, ""},
		{"write 10 'SAT/1 2 0/' {model}", satFormula, false, Satisfiable, Refuted, "clause 2"},
		{"write 10 'UNSAT/' {model}", satFormula, false, Satisfiable, Refuted, "UNSATISFIABLE"},
		{"write 20 '0/' [{proof}]", unsatFormula, true, Unsatisfiable, Checked, ""},
		{"write 20 '2 0/0/' [{proof}]", "p cnf 2 2\n1 2 0\n-1 2 0\n", true, Unsatisfiable, Refuted, "proof"},
		{"write 20 'what?/' [{proof}]", "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", true, Unsatisfiable, Refuted, "proof:1"},
		{"say 20 '' [{proof}]", unsatFormula, true, Unsatisfiable, NoEvidence, "no proof"},
		{"say 0 's UNKNOWN/'", satFormula, false, GaveUp, NoCheck, ""},
		{"say 0 ''", satFormula, false, GaveUp, NoCheck, ""},
		{"say 1 'c s SATISFIABLE/'", satFormula, false, Failed, NoCheck, "exit status 1"},
		{"complain", satFormula, false, Failed, NoCheck, "exit status 3: no such luck"},
		{"say 10 's SATISFIABLE/v 1 0/'", "no formula", false, Satisfiable, Undecided, "1:1"},
	} {
		b := newBench(formula(t, "f.cnf", x.formula), fake(t, "fake", x.mode))
		b.Proofs = x.proofs
		r := only(t, b)
		if r.Outcome != x.outcome || r.Check != x.check || !strings.Contains(r.Note, x.note) || (x.note == "" && r.Note != "") {
			t.Errorf("%s: %v, %q, %q; want %v, %q, %q", x.mode, r.Outcome, r.Check, r.Note, x.outcome, x.check, x.note)
		}
	}
}

// The result does not depend on the buffer sizes of the readers.
func TestLineFilter(t *testing.T) {
	long := "v " + strings.Repeat("12345 ", 2000) + "0\n"
	text := "v1\n" + long + "c " + long + "vv 3\n\ns\nv\t1 0\n" + strings.Repeat("x", 5000) + " v 1\nv 2"
	want := long + "v\t1 0\nv 2"
	for _, size := range []int{16, 17, 4096, 1 << 20} {
		got, err := io.ReadAll(iotest.OneByteReader(&lineFilter{src: bufio.NewReaderSize(strings.NewReader(text), size), letters: "sv"}))
		if err != nil || string(got) != want {
			t.Errorf("buffer of %d: %v, %.50q of length %d", size, err, got, len(got))
		}
	}
}

func TestLimits(t *testing.T) {
	const moment = 100 * time.Millisecond
	for _, x := range []struct {
		mode   string
		limits Limits
		linux  bool
		want   Outcome
	}{
		{"work 3600000", Limits{CPU: moment, Wall: 10 * time.Minute}, true, TimeOut},
		{"sleep", Limits{CPU: 10 * time.Minute, Wall: moment}, false, TimeOut},
		{"work 100", Limits{CPU: time.Millisecond, Wall: 10 * time.Minute}, false, TimeOut},
		{"hold 200", Limits{Wall: 10 * time.Minute, Memory: 100 << 20}, true, MemoryOut},
		{"flood", Limits{Wall: 10 * time.Minute, Output: 1 << 20}, false, OutputOut},
	} {
		if x.linux && runtime.GOOS != "linux" {
			continue
		}
		b := newBench(formula(t, "f.cnf", unsatFormula), fake(t, "fake", x.mode))
		b.Limits = x.limits
		if r := only(t, b); r.Outcome != x.want || r.Check != NoCheck {
			t.Errorf("%s: %v, %q, %q; want %v", x.mode, r.Outcome, r.Check, r.Note, x.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	r := only(t, newBench(formula(t, "f.cnf", unsatFormula), fake(t, "fake", "work 100")))
	// On a busy machine CPU time is less than wall-clock time.
	if r.CPU <= 0 || r.CPU > time.Minute || r.Wall < 100*time.Millisecond || r.Exit != 20 || r.Round != 1 {
		t.Errorf("%+v", r)
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the memory of a process is unknown on this system")
	}
	for _, mb := range []int64{30, 120} {
		r = only(t, newBench(formula(t, "f.cnf", unsatFormula), fake(t, "fake", "hold "+strconv.Itoa(int(mb)))))
		if got := r.Memory >> 20; got < mb || got > mb+60 {
			t.Errorf("a process that holds %d MB: measured %d MB", mb, got)
		}
	}
}

// The memory of a large bench is not attributed to a solver.
func TestMemoryOfLargeBench(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux a child inherits the peak RSS")
	}
	own := make([]byte, 100<<20)
	for i := 0; i < len(own); i += 1024 {
		own[i] = 1
	}
	r := only(t, newBench(formula(t, "f.cnf", unsatFormula), fake(t, "fake", "hold 20")))
	if got := r.Memory >> 20; got < 20 || got > 80 {
		t.Errorf("a process that holds 20 MB: measured %d MB", got)
	}
	runtime.KeepAlive(own)
}

// The CPU time of child processes counts, and they are killed with the solver.
func TestChildren(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs the process table of Linux")
	}
	name := filepath.Join(t.TempDir(), "child")
	b := newBench(formula(t, "f.cnf", unsatFormula), fake(t, "fake", "spawn '"+name+"'"))
	b.Limits = Limits{CPU: 100 * time.Millisecond, Wall: 10 * time.Minute}
	var pid []byte
	for len(pid) == 0 {
		if r := only(t, b); r.Outcome != TimeOut || r.CPU < b.Limits.CPU || r.Note != "CPU time" {
			t.Fatalf("%+v", r)
		}
		pid, _ = os.ReadFile(name)
		b.Limits.CPU *= 2 // on a slow machine the limit may end the solver before it starts its child
	}
	for range 3000 {
		status, err := os.ReadFile("/proc/" + string(pid) + "/status")
		if err != nil || bytes.Contains(status, []byte("State:\tZ")) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %s still runs", pid)
}

func TestDecompression(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, unsatFormula)
	w.Close()
	reader := func() *Solver {
		s := fake(t, "fake", "plain")
		s.Reads = []string{"gzip"}
		return s
	}
	piping := func() *Solver {
		s := reader()
		s.Pipes = true
		t.Setenv("PATH", "")
		return s
	}
	suffixed := func() *Solver {
		s := fake(t, "fake", "plain")
		s.Suffix = ".cnf"
		return s
	}
	for _, x := range []struct {
		why        string
		solver     func() *Solver
		name, text string
		all        bool
		want       Outcome
	}{
		{"a solver that reads plain files", func() *Solver { return fake(t, "fake", "plain") }, "f.cnf.gz", b.String(), false, Unsatisfiable},
		{"a solver that reads gzip", reader, "f.cnf.gz", b.String(), false, Failed},
		{"a solver that reads gzip, with Decompress", reader, "f.cnf.gz", b.String(), true, Unsatisfiable},
		{"a compressed file without the usual suffix", reader, "f.cnf", b.String(), false, Unsatisfiable},
		{"a solver with a required suffix", suffixed, "f.dimacs", unsatFormula, false, Unsatisfiable},
		{"a solver without a required suffix", func() *Solver { return fake(t, "fake", "plain") }, "f.dimacs", unsatFormula, false, Failed},
		{"a solver that calls gzip, which is not installed", piping, "f.cnf.gz", b.String(), false, Unsatisfiable},
	} {
		bench := newBench(formula(t, x.name, x.text), x.solver())
		bench.Decompress = x.all
		if r := only(t, bench); r.Outcome != x.want {
			t.Errorf("%s: %v, want %v", x.why, r.Outcome, x.want)
		}
	}
}

func TestCancel(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	name := filepath.Join(t.TempDir(), "runs.csv")
	log, err := OpenLog(nil, name)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(formula(t, "f.cnf", unsatFormula), fake(t, "quick", "say 20 ''"), fake(t, "slow", "sleep"))
	b.Log = log
	b.Progress = func(p Progress) {
		if p.Solver == "slow" {
			time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
		}
	}
	if _, err := b.Run(ctx); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	log.Close()
	runs, _, err := ReadLog(name)
	if err != nil || len(runs) != 1 || runs[0].Solver != "quick" {
		t.Errorf("%v, error %v", runs, err)
	}
}

func TestNoProgram(t *testing.T) {
	s := &Solver{Name: "ghost", Command: "no-such-program-anywhere"}
	if err := s.Find(""); err == nil || !strings.Contains(err.Error(), "ghost") {
		t.Errorf("error %v", err)
	}
	s = fake(t, "fake", "sleep")
	s.program = filepath.Join(t.TempDir(), "gone")
	if _, err := newBench(formula(t, "f.cnf", unsatFormula), s).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "fake") {
		t.Errorf("error %v", err)
	}
}

func TestKnownAnswerIsRecorded(t *testing.T) {
	in := formula(t, "f.cnf", unsatFormula)
	in.Answer = dimacs.Unsatisfiable
	if r := only(t, newBench(in, fake(t, "fake", "say 20 ''"))); r.Known != dimacs.Unsatisfiable {
		t.Errorf("%+v", r)
	}
}
