package commandtest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// The test of solve: every engine, with proofs, --verify, assumptions, scripts and all
// forms of the answer.

func drawSolve(r *rand.Rand, c *Case) {
	engine := drawEngine(r, c.Formula)
	c.Flags = slices.Concat(engineFlags(r, engine), proofFlags(r, engine != "dpll"), each(r, 5, "--no-model", "--stats", "--json"), with(r, 3, "--verify", "--no-verify"),
		with(r, 3, "--quiet", "--quiet", "--verbose"), with(r, 20, "--time=1ns", "--time=1h", "--conflicts=1", "--conflicts=1000000"))
	switch r.IntN(8) {
	case 0:
		c.Flags = append(c.Flags, "--output=@answer"+drawPack(r))
	case 1: // the proof on standard output
		c.Flags = slices.DeleteFunc(c.Flags, func(f string) bool { return strings.HasPrefix(f, "--proof=") })
		c.Flags = append(c.Flags, "--proof=-", "--output=@answer")
	}
}

func drawScript(r *rand.Rand, c *Case) {
	drawSolve(r, c)
	c.Look = plainLook()
}

// script runs solve and conquer on a script with any cubes. Both give the answer of the formula.
func (t *trial) script() {
	t.solve()
	d := t.clone()
	d.Flags, d.Assume = conquerFlags(t.rand), nil
	t.with(d, t.operands[0], t.conquerOperands)
}

// drawEngine returns the name of an engine that admits the formula.
func drawEngine(r *rand.Rand, f *Formula) string {
	engines := []string{"auto", "auto", "cdcl", "cdcl"}
	if len(f.Clauses) < 60 {
		engines = append(engines, "dpll", "dpll")
	}
	if f.is2SAT() {
		engines = append(engines, "twosat", "twosat")
	}
	if f.horn() {
		engines = append(engines, "horn", "horn")
	}
	return one(r, engines...)
}

// engineFlags returns the flag --engine and random options of the engine.
func engineFlags(r *rand.Rand, engine string) []string {
	flags := append(with(r, 3, "--seed=0..99"), "--engine="+engine)
	switch engine {
	case "auto", "cdcl":
		flags = append(flags, learningFlags(r)...)
		if threads := with(r, 5, "--threads=1..3"); threads != nil {
			flags = slices.Concat(flags, threads, with(r, 2, "--deterministic", "--no-sharing"))
		}
	case "dpll":
		flags = slices.Concat(flags, heuristicFlags(r), with(r, 3, pureFlags...))
	}
	return flags
}

// passFlags are options of simplification.
var passFlags = []string{"--eliminate=0", "--probe=0", "--vivify=0", "--factor=0", "--sweep=1", "--congruence=0", "--xor=0", "--subsume=0",
	"--substitute=0", "--cardinality=0", "--transitive=0"}

// learningFlags returns random options of clause learning.
func learningFlags(r *rand.Rand) []string {
	return few(r, append([]string{"--set=chrono=0", "--set=phase=0", "--set=lucky=2", "--set=minimize=0", "--set=inprocess-interval=1",
		"--set=factor-gain=1", "--set=decay=500", "--set=reduce-interval=1"}, passFlags...)...)
}

// heuristicFlags returns a heuristic of the engine dpll, or nil.
func heuristicFlags(r *rand.Rand) []string {
	return with(r, 2, "--heuristic="+one(r, "dlcs", "dlis", "first", "jw1", "jw2", "lph", "moh", "mom", "positive", "random", "shortest"))
}

// pureFlags are the treatments of pure literals in the engine dpll.
var pureFlags = []string{"--pure=off", "--pure=root", "--pure=every"}

// proofFlags returns flags for a proof in a random format, or nil.
func proofFlags(r *rand.Rand, hints bool) []string {
	flags := with(r, 2, "--proof=@proof"+one(r, "", "", ".drat")+drawPack(r))
	if flags == nil {
		return nil
	}
	if hints {
		flags = append(flags, with(r, 2, "--proof-format=lrat")...)
	}
	return append(flags, with(r, 2, "--proof-text")...)
}

// outputs returns the files of the flags that name a file in the folder.
func (c *Case) outputs() []string {
	var all []string
	for _, f := range c.Flags {
		if _, name, found := strings.Cut(f, "=@"); found {
			all = append(all, name)
		}
	}
	return all
}

// file returns the name of the file of a flag, without the folder.
func (c *Case) file(flag string) string { return strings.TrimPrefix(c.value(flag), "@") }

// solve runs solve, and checks its answer and its proof.
func (t *trial) solve() {
	c := t.first(one(t.rand, "solve", "solve", ""))
	c.chatty = t.has("--json") && t.has("--verbose")
	got := t.run(c)
	if t.tooMuch(got) {
		return
	}
	if t.has("--quiet") && !t.has("--stats") && !t.has("--json") && t.rand.IntN(3) == 0 {
		t.again(c, got)
	}
	proof := t.file("--proof")
	if proof == "-" {
		proof = "proof.out"
		t.write(proof, []byte(got.Stdout))
		got.Stdout = ""
	}
	got = t.redirected(got)
	t.checkSolved(got)
	if got.Code == 0 {
		return
	}
	if t.has("--proof") {
		t.checkProof(proof, got.Code == 20)
	}
	if got.Code == 10 && !t.has("--json") && !t.has("--no-model") {
		name := t.write("model", []byte(got.Stdout))
		t.wantVerdict(t.run(t.command("check", nil, name)), true)
	}
}

// again runs a command again: the output and the files must be the same, unless threads
// race.
func (t *trial) again(c command, got Result) {
	if n := t.value("--threads"); n != "" && n != "1" && !t.has("--deterministic") || t.mayStop() {
		return
	}
	before := t.known
	if more := t.run(c); more != got {
		t.fail("another answer", "%+v, then %+v", got, more)
	}
	for _, name := range c.outputs {
		if t.known[name] != before[name] {
			t.fail("another file", "%s", name)
		}
	}
}

// tooMuch reports whether flags exclude each other, so that the command line is an error.
func (t *trial) tooMuch(got Result) bool {
	lrat := t.value("--proof-format") == "lrat" && t.value("--engine") == "dpll"
	if lrat || t.value("--proof") == "-" && !t.has("--output") || !t.has("--proof") && (t.has("--proof-format") || t.has("--proof-text")) {
		t.wantCode(got, 2)
	}
	return got.Code == 2
}

// redirected returns the result with the file of --output as its standard output.
func (t *trial) redirected(got Result) Result {
	name := t.file("--output")
	if name == "" {
		return got
	}
	if got.Stdout != "" {
		t.fail("standard output beside --output", "%s", first(got.Stdout, 200))
	}
	got.Stdout = t.read(name)
	return got
}

// An expectation is the answer that a formula has.
type expectation struct {
	satisfiable bool
	clauses     [][]int  // the clauses and units that a model satisfies
	cubes       []string // statuses of the cubes
}

// expected returns the answer by brute force. The first satisfiable cube of a script has the
// model; if there is none, the rest decides.
func (t *trial) expected() expectation {
	var cubes []string
	for _, cube := range t.Cubes {
		all := under(t.Clauses, t.Assume, cube.Lits)
		cubes = append(cubes, wordOf(satisfiable(all)))
		if satisfiable(all) {
			return expectation{true, all, cubes}
		}
	}
	all := under(t.Clauses, t.Assume)
	return expectation{satisfiable(all), all, cubes}
}

// mayStop reports whether a limit may end the run.
func (t *trial) mayStop() bool { return t.value("--time") == "1ns" || t.value("--conflicts") == "1" }

// excluded matches the comment on failed assumptions.
var excluded = regexp.MustCompile(`^refuted after .*: the (?:formula excludes the )?assumptions (.*?)(?: contradict each other)?$`)

// checkSolved checks an answer of solve.
func (t *trial) checkSolved(got Result) {
	a, want := t.answer(got), t.expected()
	if a.Status == "UNKNOWN" && t.mayStop() {
		return
	}
	t.checkAnswer(a, wordOf(want.satisfiable), want.clauses)
	refuted := !want.satisfiable
	if t.has("--json") {
		t.checkSolveDocument(a, want)
		if refuted {
			t.checkFailed(a.Failed)
		}
		return
	}
	if len(a.comments) > 0 && t.has("--quiet") && !t.has("--stats") {
		t.fail("comments with --quiet", "%q", a.comments)
	}
	if t.has("--quiet") {
		return
	}
	for i, s := range want.cubes {
		if _, found := a.comment(fmt.Sprintf("cube %d: %s", i+1, s)); !found {
			t.fail("status of a cube", "no line %d %s: %q", i+1, s, a.comments)
		}
	}
	_, found := a.comment("verified")
	if _, long := a.comment("not verified: the proof has no hints"); found != !(t.has("--no-verify") || want.satisfiable) && (!long || t.has("--verify")) {
		t.fail("verified or not", "%q", a.comments)
	}
	if rest, found := a.comment("refuted after "); found && refuted && len(t.Assume) > 0 {
		var failed []int
		if m := excluded.FindStringSubmatch("refuted after " + rest); m != nil {
			failed, _ = t.literals(nil, m[1])
		}
		t.checkFailed(failed)
	}
}

// checkSolveDocument checks the members of a document that lines do not have.
func (t *trial) checkSolveDocument(a *answer, want expectation) {
	if a.Variables != t.Vars || a.Clauses != len(t.Clauses) {
		t.fail("size of the formula", "%d variables, %d clauses", a.Variables, a.Clauses)
	}
	if want.satisfiable != (a.Verified == nil) || a.Verified != nil && !*a.Verified && t.has("--verify") || a.Verified != nil && *a.Verified && t.has("--no-verify") {
		t.fail("verified or not", "%+v", *a)
	}
	var cubes []string
	for i, c := range a.Cubes {
		if cubes = append(cubes, c.Status); c.Number != i+1 {
			t.fail("number of a cube", "%v", a.Cubes)
		}
	}
	if !slices.Equal(cubes, want.cubes) {
		t.fail("status of a cube", "%v instead of %v", cubes, want.cubes)
	}
}

// checkFailed checks that failed assumptions are assumptions that the formula excludes.
func (t *trial) checkFailed(failed []int) {
	for _, l := range failed {
		if !slices.Contains(t.Assume, l) {
			t.fail("failed assumption", "%d is none of %v", l, t.Assume)
		}
	}
	if satisfiable(under(t.Clauses, failed)) {
		t.fail("failed assumptions", "%v are consistent with the formula", failed)
	}
}
