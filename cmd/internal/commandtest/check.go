package commandtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The test of check with solutions and proofs that no engine made, and the checks of
// proofs for the other tests.

func drawCheck(_ *rand.Rand, c *Case) { c.Look.Stdin = 0 }

// wantVerdict checks the verdict of check.
func (t *trial) wantVerdict(got Result, right bool) {
	code, line := 4, "s NOT VERIFIED\n"
	if right {
		code, line = 0, "s VERIFIED\n"
	}
	t.wantCode(got, code)
	if n := strings.Count("\n"+got.Stdout, "\ns "); n != 1 || !strings.HasSuffix("\n"+got.Stdout, "\n"+line) {
		t.fail("verdict", "%d verdicts: %s", n, first(got.Stdout, 300))
	}
}

// checkerSays are the warnings of check.
const checkerSays = "warning: "

// checkProof checks a proof with check: it is right if the formula is unsatisfiable, and
// wrong otherwise. Parts of a right proof are right too.
func (t *trial) checkProof(proof string, unsatisfiable bool) {
	check := func(name string, flags []string, outputs ...string) Result {
		c := t.command("check", flags, t.path(name))
		c.says, c.outputs = checkerSays, outputs
		return t.run(c)
	}
	flags := []string{one(t.rand, "", "--forward", "--quiet")}
	if !unsatisfiable {
		format := "--from=drat"
		if t.has("--proof-format") {
			format = "--from=" + t.value("--proof-format")
		} else if strings.Contains(proof, ".lrat") {
			format = "--from=lrat" // the name selects the format
		}
		t.wantVerdict(check(proof, append(flags, format)), false) // one lemma may be a solution
		return
	}
	var outputs []string
	for _, part := range []string{"core.cnf", "trim", "lrat"} {
		if t.rand.IntN(3) == 0 {
			outputs = append(outputs, part)
			name, _, _ := strings.Cut(part, ".")
			flags = append(flags, "--"+name+"="+t.path(part))
		}
	}
	if (slices.Contains(outputs, "trim") || slices.Contains(outputs, "lrat")) && t.rand.IntN(2) == 0 {
		flags = append(flags, "--proof-text")
	}
	t.wantVerdict(check(proof, flags, outputs...), true)
	for _, part := range outputs {
		if part == "core.cnf" {
			t.checkCore()
			continue
		}
		t.wantVerdict(check(part, nil), true)
	}
}

// checkCore checks that the core is a part of the formula and has no model.
func (t *trial) checkCore() {
	core := t.parse(t.read("core.cnf"))
	if !contains(t.Clauses, core.Clauses) {
		t.fail("core", "not a part of the formula: %v", core.Clauses)
	}
	if len(variablesOf(core.Clauses)) <= maxSearch && satisfiable(under(core.Clauses, t.Assume)) {
		t.fail("core", "satisfiable: %v", core.Clauses)
	}
}

// check runs check on a random solution, a random proof or a damaged proof.
func (t *trial) check() {
	t.input()
	switch t.rand.IntN(3) {
	case 0:
		t.checkSolution()
	case 1:
		t.checkRandomProof()
	case 2:
		t.checkDamagedProof()
	}
}

// checkDamagedProof changes a byte of a proof of the formula. The verdict for the formula
// without a clause of its core must be right, and a damaged proof is not accepted for a
// satisfiable formula.
func (t *trial) checkDamagedProof() {
	c := t.command("solve", []string{"--quiet", "--no-model", "--engine=cdcl", "--proof=" + t.path("proof")}, one(t.rand, "", "--proof-text"), one(t.rand, "", "--proof-format=lrat"))
	c.outputs = []string{"proof"}
	t.run(c)
	proof := []byte(t.read("proof"))
	if len(proof) > 0 {
		proof[t.rand.IntN(len(proof))] ^= 1 << t.rand.IntN(8)
	}
	less := &Formula{Vars: t.Vars, Clauses: t.Clauses}
	if n := len(t.Clauses); n > 0 && t.rand.IntN(2) == 0 {
		less.Clauses = slices.Delete(slices.Clone(t.Clauses), 0, 1)
	}
	name := t.write("less.cnf", []byte(less.text()))
	format := "--from=" + one(t.rand, "drat", "lrat")
	got := t.run(command{args: slices.Concat([]string{"check", format}, t.assuming(), []string{name, t.write("damaged", proof)}), says: checkerSays})
	if got.Code != 1 { // readable
		t.checkDoubtful(got, less.Clauses, string(proof))
	}
}

// checkDoubtful checks the verdict on a proof that may be right only if the clauses have no
// model.
func (t *trial) checkDoubtful(got Result, clauses [][]int, proof string) {
	if got.Code == 0 && satisfiable(under(clauses, t.Assume)) {
		t.fail("false proof accepted", "%q", proof)
	}
	t.wantVerdict(got, got.Code != 4)
}

// checkSolution checks a random assignment, mostly near a model.
func (t *trial) checkSolution() {
	all := under(t.Clauses, t.Assume)
	var lits []int
	if table := tableOf(t.Clauses); table != nil && len(table.models) > 0 && t.rand.IntN(3) > 0 {
		lits = table.assignment(t.rand.IntN(len(table.models)))
	} else {
		for _, v := range variablesOf(t.Clauses) {
			lits = append(lits, v*(1-2*t.rand.IntN(2)))
		}
	}
	if len(lits) > 0 && t.rand.IntN(3) == 0 {
		i := t.rand.IntN(len(lits))
		lits[i] = -lits[i]
	}
	if len(lits) > 0 && t.rand.IntN(3) == 0 {
		lits = slices.Delete(lits, 0, 1)
	}
	says := ""
	if t.rand.IntN(4) == 0 {
		lits = append(lits, t.Vars+1+t.rand.IntN(5))
		says = checkerSays
	}
	values := map[int]bool{}
	for _, l := range lits {
		values[l] = true
	}
	right := falsified(all, values) < 0
	t.rand.Shuffle(len(lits), func(i, j int) { lits[i], lits[j] = lits[j], lits[i] })

	pack, content := compress(drawPack(t.rand), t.solutionText(lits))
	flag := ""
	switch t.rand.IntN(8) {
	case 0, 1:
		flag = "--from=solution"
	case 2:
		flag = "--time=1ns"
	case 3:
		if len(lits) > 0 && satisfiable(all) { // otherwise the list may be a proof of one lemma
			content = []byte(spaced(lits) + " 0\n")
			pack = ""
		}
	}
	c := t.command("check", []string{flag})
	c.says, c.stopped = says, flag == "--time=1ns"
	if t.rand.IntN(4) == 0 {
		c.args, c.stdin = append(c.args, "-"), content
	} else {
		c.args = append(c.args, t.write("solution"+pack, content))
	}
	got := t.run(c)
	if c.stopped {
		if t.wantCode(got, 1); !strings.HasSuffix(got.Stdout, "s UNKNOWN\n") {
			t.fail("verdict", "%s", got.Stdout)
		}
		return
	}
	t.wantVerdict(got, right)
}

// solutionText writes a solution in one of the formats of solvers.
func (t *trial) solutionText(lits []int) []byte {
	if t.rand.IntN(3) == 0 {
		return []byte("SAT\n" + strings.TrimLeft(spaced(lits)+" 0\n", " "))
	}
	var b strings.Builder
	b.WriteString("c a comment\ns SATISFIABLE\n")
	for _, l := range lits {
		fmt.Fprintf(&b, "v %d\n", l)
	}
	b.WriteString("v 0\n")
	return []byte(b.String())
}

// checkRandomProof checks random lemmas with the empty clause at the end. The verdict must
// be "not verified" for a satisfiable formula.
func (t *trial) checkRandomProof() {
	var b strings.Builder
	vars := variablesOf(t.Clauses)
	for range t.rand.IntN(4) {
		if t.rand.IntN(4) == 0 && len(t.Clauses) > 0 {
			b.WriteString("d " + clausesText([][]int{t.Clauses[t.rand.IntN(len(t.Clauses))]}))
		}
		var lemma []int
		for range 1 + t.rand.IntN(3) {
			if len(vars) > 0 {
				lemma = append(lemma, vars[t.rand.IntN(len(vars))]*(1-2*t.rand.IntN(2)))
			}
		}
		b.WriteString(clausesText([][]int{lemma}))
	}
	b.WriteString("0\n")
	name := t.write("lemmas", []byte(b.String()))
	c := t.command("check", []string{"--from=drat-text", one(t.rand, "", "--forward", "--strict-deletions")}, name)
	c.says = checkerSays
	t.checkDoubtful(t.run(c), t.Clauses, b.String())
}
