//go:build unix

package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
	"sator/internal/effort"
)

// TestKill kills conquer at random moments and resumes it, with formulas, formats of proofs
// and numbers of solvers by chance. Some runs are interrupted by SIGINT or SIGTERM instead.
// No result that was stored is lost, no cube is solved again, the answer is right, and so
// is the proof. SATOR_KILLS is the number of kills:
//
//	SATOR_KILLS=500 go test ./cmd/sator/internal/program -run '^TestKill$' -v -timeout 1h
//
// The log has the numbers of kills in each phase of a run. 500 kills take 84 s of CPU time,
// and took 6 minutes on a machine with 2 cores and a load of 30.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	kills := 3
	if effort.Whole() {
		kills = 20
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("SATOR_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	k := newKiller(t, seed)
	for runs := 0; k.phases["kill"] < kills && !t.Failed(); runs++ {
		if runs > 20*kills+20 {
			t.Fatal("the runs end before they are killed")
		}
		k.run()
	}
	var all []string
	for phase, n := range k.phases {
		all = append(all, fmt.Sprintf("%5d %s", n, phase))
	}
	slices.Sort(all)
	t.Log("\n" + strings.Join(slices.Compact(all), "\n"))
}

// TestTwoRuns starts conquer twice at once with the same directory. One of the runs is
// refused, unless it starts after the end of the other.
func TestTwoRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	k := newKiller(t, 1)
	v := k.choose()
	for range 3 {
		r := k.start(v)
		rival := *r
		rival.args = slices.Clone(r.args)
		if r.proof != "" {
			rival.args[slices.Index(r.args, r.proof)] = r.proof + ".rival"
		}
		done := make(chan bool)
		go func() {
			rival.wait(nil)
			done <- true
		}()
		r.wait(nil)
		<-done
		ends := 0
		for _, run := range []*killedRun{r, &rival} {
			if run.code == int(v.status) {
				ends++
			} else if run.code != 1 || !strings.Contains(run.err.String(), r.dir+" is in use by another process") {
				run.fail("exit code %d", run.code)
			}
		}
		if ends == 0 {
			r.fail("both runs are refused")
		}
		r.wait(nil)
		r.checkEnd()
	}
}

// victims are the formulas that conquer solves.
var victims = []victim{
	{name: "tree", generate: "ksat --vars 200 --ratio 4.5 --seed 1", cubes: "--cubes 20"},
	{name: "tree, satisfiable", generate: "ksat --vars 220 --ratio 4.26 --seed 3", cubes: "--cubes 20"},
	{name: "no cubes", generate: "ksat --vars 200 --ratio 4.5 --seed 2"},
	{name: "list", generate: "ksat --vars 150 --ratio 4.7 --seed 3", list: []string{"a 1 2 0", "a 3 -2 0", "a -1 0", "a 5 -6 7 0"}},
	{name: "pigeons", generate: "php --holes 7", cubes: "--depth 4"},
}

// A victim is a formula with its cubes.
type victim struct {
	name     string
	generate string   // arguments of sator generate
	cubes    string   // flags of sator cube; empty for no cubes
	list     []string // of cubes that form no tree

	file    string // empty before it is made
	formula *dimacs.Formula
	status  dimacs.Status // of the first run
	took    time.Duration // by the first run
}

// A killer kills runs of conquer.
type killer struct {
	t       *testing.T
	rng     *rand.Rand
	dir     string
	victims []victim
	phases  map[string]int // numbers of kills, by phase of the run
}

func newKiller(t *testing.T, seed uint64) *killer {
	return &killer{t, rand.New(rand.NewPCG(seed, 1)), t.TempDir(), slices.Clone(victims), map[string]int{}}
}

// sator runs the program and returns its output.
func (k *killer) sator(args ...string) string {
	k.t.Helper()
	out, err := exec.Command("sator", args...).Output()
	if err != nil {
		k.t.Fatalf("sator %q: %v", args, err)
	}
	return string(out)
}

// choose returns a victim, and makes its file if it has none.
func (k *killer) choose() *victim {
	v := &k.victims[k.rng.IntN(len(k.victims))]
	if v.file != "" {
		return v
	}
	name := filepath.Join(k.dir, v.name)
	k.sator(append(append([]string{"generate"}, strings.Fields(v.generate)...), "-o", name+".cnf")...)
	v.file = name + ".icnf"
	if v.cubes != "" {
		k.sator(append([]string{"cube", "-q", name + ".cnf", "-o", v.file}, strings.Fields(v.cubes)...)...)
	} else {
		script := strings.TrimSuffix(k.sator("convert", name+".cnf", "--format", "icnf"), "a 0\n")
		if err := os.WriteFile(v.file, []byte(script+strings.Join(v.list, "\n")+"\n"), 0o666); err != nil {
			k.t.Fatal(err)
		}
	}
	b, err := os.ReadFile(v.file)
	if err != nil {
		k.t.Fatal(err)
	}
	script, err := new(dimacs.Reader).ReadScript(bytes.NewReader(b))
	if err != nil {
		k.t.Fatal(err)
	}
	v.formula = script.Formula
	begin := time.Now()
	r := k.start(v)
	r.wait(nil)
	v.took = time.Since(begin)
	r.checkEnd()
	return v
}

// A killedRun is a run of conquer with a directory, which is killed and resumed.
type killedRun struct {
	*killer
	victim  *victim
	dir     string
	proof   string // its file; empty for no proof
	format  proof.Format
	args    []string
	results string // the lines that were stored so far

	code     int // exit code of the last process; negative if it was killed
	out, err bytes.Buffer
}

// start returns a run with a new directory.
func (k *killer) start(v *victim) *killedRun {
	dir, err := os.MkdirTemp(k.dir, "run")
	if err != nil {
		k.t.Fatal(err)
	}
	r := &killedRun{killer: k, victim: v, dir: filepath.Join(dir, "dir")}
	r.args = []string{"conquer", v.file, "--run", r.dir, "-j", strconv.Itoa(1 + k.rng.IntN(2)), "--budget", strconv.Itoa(100 + k.rng.IntN(500))}
	formats := []struct {
		format proof.Format
		flags  []string
	}{
		{proof.FormatUnknown, nil},
		{proof.BinaryDRAT, nil},
		{proof.DRAT, []string{"--proof-text"}},
		{proof.BinaryLRAT, []string{"--proof-format", "lrat"}},
		{proof.LRAT, []string{"--proof-format", "lrat", "--proof-text"}},
	}
	f := formats[k.rng.IntN(len(formats))]
	if r.format = f.format; r.format != proof.FormatUnknown {
		r.proof = filepath.Join(dir, "proof")
		r.args = append(append(r.args, "--proof", r.proof), f.flags...)
		if k.rng.IntN(4) == 0 {
			r.args = append(r.args, "--verify")
		}
	}
	return r
}

// run kills a run some times and then lets it end.
func (k *killer) run() {
	r := k.start(k.choose())
	defer os.RemoveAll(filepath.Dir(r.dir))
	for range k.rng.IntN(10) {
		signal := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL}[min(2, k.rng.IntN(8))]
		r.wait(r.moment(signal))
		r.checkStored(signal)
		if r.code > 0 || k.t.Failed() {
			break
		}
	}
	for range 1 + k.rng.IntN(2) {
		r.wait(nil)
		r.checkEnd()
	}
}

// wait runs conquer to its end. If moment is not nil, it is called with the process and
// a function that reports whether the process has ended.
func (r *killedRun) wait(moment func(*os.Process, func() bool)) {
	cmd := exec.Command("sator", r.args...)
	r.out.Reset()
	r.err.Reset()
	cmd.Stdout, cmd.Stderr = &r.out, &r.err
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if moment != nil {
		moment(cmd.Process, func() bool { return len(ended) > 0 })
	}
	var exit *exec.ExitError
	if err := <-ended; err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	r.code = cmd.ProcessState.ExitCode()
}

// moment returns a function that sends a signal at a random moment: soon after the start,
// at any time, after a number of results, or while the proof is copied to its file.
func (r *killedRun) moment(signal syscall.Signal) func(*os.Process, func() bool) {
	begin := time.Now()
	delay := time.Duration(r.rng.Int64N(int64(40 * time.Millisecond)))
	due := func() bool { return time.Since(begin) >= delay }
	switch r.rng.IntN(4) {
	case 0:
		delay = time.Duration(r.rng.Int64N(int64(r.victim.took)))
	case 1:
		size := int64(len(r.results) + r.rng.IntN(10_000))
		due = func() bool {
			info, err := os.Stat(filepath.Join(r.dir, "results"))
			return err == nil && info.Size() >= size
		}
	case 2:
		due = func() bool { return r.copied() > 0 }
	}
	return func(p *os.Process, ended func() bool) {
		for !due() && !ended() {
			time.Sleep(200 * time.Microsecond)
		}
		p.Signal(signal) // no effect on a process that has ended
	}
}

// copied returns the size of the temporary file of the proof.
func (r *killedRun) copied() (size int64) {
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(r.dir), ".proof.*"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}

// checkStored checks the files after a signal.
func (r *killedRun) checkStored(signal syscall.Signal) {
	r.t.Helper()
	if r.code != int(dimacs.Satisfiable) && r.code != int(dimacs.Unsatisfiable) && r.code != -1 &&
		!(r.code == 0 && signal != syscall.SIGKILL && strings.HasSuffix(r.out.String(), "\ns UNKNOWN\n")) {
		r.fail("%v: exit code %d", signal, r.code)
	}
	before := len(r.results)
	r.checkResults()
	switch {
	case signal != syscall.SIGKILL && r.code <= 0:
		r.phases["interrupt"]++
	case r.code == -1:
		r.phases["kill"]++
		switch {
		case r.copied() > 0:
			r.phases["kill while the proof is completed"]++
		case r.results == "" || strings.Count(r.results, "\n") == 1:
			r.phases["kill before the first result"]++
		case before == len(r.results):
			r.phases["kill without a new result"]++
		default:
			r.phases["kill after new results"]++
		}
	}
	// After an interrupt the proof has the steps so far. After a kill there is none, unless
	// it was whole.
	if _, err := os.Stat(r.proof); err == nil && r.code == -1 && signal == syscall.SIGKILL && r.victim.status == dimacs.Unsatisfiable {
		r.checkProof()
	}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(r.dir), ".proof.*"))
	for _, name := range append(names, r.proof) {
		os.Remove(name)
	}
}

// checkResults checks that no stored result is lost, and that no cube has two.
func (r *killedRun) checkResults() {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, "results"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	lines := string(b[:bytes.LastIndexByte(b, '\n')+1])
	if !strings.HasPrefix(lines, r.results) {
		r.fail("stored results are lost: there were\n%s\nand there are\n%s", r.results, lines)
	}
	r.results = lines
	cubes := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(lines, "\n"), "\n") {
		_, text, _ := strings.Cut(line, " ")
		if i == 0 {
			continue
		}
		var result portfolio.Result
		if err := json.Unmarshal([]byte(text), &result); err != nil {
			r.fail("%s: %v", line, err)
		}
		cube := fmt.Sprint(result.Cube)
		if cubes[cube] {
			r.fail("cube %s has two results", cube)
		}
		cubes[cube] = true
	}
}

// checkEnd checks the answer of a run and its proof.
func (r *killedRun) checkEnd() {
	r.t.Helper()
	v := r.victim
	if v.status == dimacs.Unknown {
		v.status = dimacs.Status(r.code)
	}
	answer := strings.HasSuffix(r.out.String(), "\ns UNSATISFIABLE\n")
	if v.status == dimacs.Satisfiable {
		s, err := new(dimacs.Reader).ReadSolution(bytes.NewReader(r.out.Bytes()))
		answer = err == nil && s.Model.Satisfies(v.formula)
	}
	if r.code != int(v.status) || !answer || r.err.Len() > 0 {
		r.fail("exit code %d, want %d and an answer", r.code, v.status)
		return
	}
	r.checkResults()
	if r.proof != "" && v.status == dimacs.Unsatisfiable {
		r.checkProof()
	}
}

// checkProof checks the file of the proof.
func (r *killedRun) checkProof() {
	r.t.Helper()
	f, err := os.Open(r.proof)
	if err != nil {
		r.fail("%v", err)
		return
	}
	defer f.Close()
	if _, err := proof.Check(context.Background(), r.victim.formula, f, proof.Options{Format: r.format}); err != nil {
		r.fail("%v", err)
	}
}

// fail reports an error of the run.
func (r *killedRun) fail(format string, args ...any) {
	r.t.Helper()
	r.t.Errorf("%s: sator %s: %s\nstandard output:\n%s\nstandard error:\n%s", r.victim.name, strings.Join(r.args, " "),
		fmt.Sprintf(format, args...), r.out.String(), r.err.String())
}
