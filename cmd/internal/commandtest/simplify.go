package commandtest

import (
	"math/rand/v2"
	"slices"
)

// The test of simplify and extend: any solver solves the simplified formula, and extend
// extends its model.

func drawSimplify(r *rand.Rand, c *Case) {
	c.Look.Packs = append([]string{""}, c.Look.Packs...)
	c.Flags = slices.Concat(few(r, passFlags...), each(r, 6, "--rounds=1", "--rounds=0", "--quiet", "--stats", "--set=eliminate-bound=16"), proofFlags(r, true))
}

// simplify runs simplify, solves its output, and extends the model.
func (t *trial) simplify() {
	simple, stack := "simple.cnf"+drawPack(t.rand), "stack"+drawPack(t.rand)
	c := t.first("simplify", "-o", t.path(simple), "--stack="+t.path(stack))
	c.outputs, c.chatty = append(c.outputs, simple, stack), true
	got := t.run(c)
	if t.tooMuch(got) {
		return
	}
	if t.wantCode(got, 0); t.has("--quiet") && !t.has("--stats") && !t.Look.Relaxed && got.Stderr != "" {
		t.fail("standard error with --quiet", "%s", got.Stderr)
	}
	f := t.parse(t.read(simple))
	want := satisfiable(t.Clauses)
	if f.Vars < t.Vars || satisfiable(f.Clauses) != want {
		t.fail("simplified formula", "%d variables, satisfiable %v: %v", f.Vars, !want, f.Clauses)
	}
	t.solveSimple(simple, stack, f)
	if table := tableOf(f.Clauses); table != nil {
		for range min(3, len(table.models)) {
			lits := table.assignment(t.rand.IntN(len(table.models)))
			t.extend(stack, t.write("partial", t.solutionText(lits)))
		}
	}
}

// solveSimple solves the simplified formula by another engine, and extends its answer or
// checks both proofs together.
func (t *trial) solveSimple(simple, stack string, f *Formula) {
	args := []string{"solve", "--quiet", "--engine=" + drawEngine(t.rand, f), t.path(simple)}
	proof := t.file("--proof")
	appended := proof != "" && t.value("--proof-format") != "lrat"
	if appended {
		if args = append(args, "--proof="+t.path("second")); t.has("--proof-text") {
			args = append(args, "--proof-text")
		}
	}
	got := t.run(command{args: args, outputs: []string{"second"}})
	a := t.answer(got)
	if a.Status != wordOf(satisfiable(t.Clauses)) {
		t.fail("wrong status", "%s of the simplified formula", a.Status)
	}
	answer := t.write("answer", []byte(got.Stdout))
	if got.Code == 10 {
		t.extend(stack, answer)
		return
	}
	extended := t.run(command{args: []string{"extend", t.path(stack), answer}})
	if t.wantCode(extended, 20); extended.Stdout != "s UNSATISFIABLE\n" {
		t.fail("extended answer", "%q", extended.Stdout)
	}
	if appended {
		whole := t.write("whole", []byte(t.read(proof)+t.read("second")))
		check := t.command("check", []string{"--from=" + map[bool]string{true: "drat-text", false: "drat-binary"}[t.has("--proof-text")]}, whole)
		check.says = checkerSays
		t.wantVerdict(t.run(check), true)
	}
}

// extend extends a model of the simplified formula, and checks it on the formula.
func (t *trial) extend(stack, model string) {
	args := []string{"extend", t.path(stack), model}
	c := command{args: args}
	if t.rand.IntN(2) == 0 {
		for _, o := range t.operands {
			c.args = append(c.args, "--formula="+o)
		}
		c.args, c.stdin = append(c.args, t.relaxed()...), t.stdin
	}
	a := t.answer(t.run(c))
	if a.Status != "SATISFIABLE" || len(a.Model) < t.Vars {
		t.fail("extended answer", "%s, %v", a.Status, a.Model)
	}
	t.checkModel(a.Model[:t.Vars], t.Vars, t.Clauses)
	if len(c.args) > len(args) && len(a.Model) != t.Vars {
		t.fail("extended answer", "%d variables instead of %d", len(a.Model), t.Vars)
	}
}
