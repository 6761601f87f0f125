package commandtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The tests of cube and conquer.

func drawCube(r *rand.Rand, c *Case) {
	c.Flags = few(r, "--cubes=1", "--cubes=3", "--cubes=9", "--depth=1", "--depth=3", "--free=2", "--dynamic", "--no-simplify", "--quiet")
}

func drawConquer(r *rand.Rand, c *Case) { c.Flags = conquerFlags(r) }

// conquerFlags returns random flags of conquer.
func conquerFlags(r *rand.Rand) []string {
	return slices.Concat(with(r, 1, "--jobs=1..3"), with(r, 2, "--budget=0", "--budget=1", "--budget=2", "--budget=10"), proofFlags(r, true),
		with(r, 3, "--verify", "--no-verify"), each(r, 5, "--no-sharing", "--no-model", "--json", "--quiet", "--stats", "--seed=7"), with(r, 30, "--time=1ns"), learningFlags(r))
}

// cube runs cube, checks that the cubes cover all models, and solves the script by conquer
// and solve.
func (t *trial) cube() {
	c := t.first("cube", "-o", t.path("cubes.icnf"))
	c.outputs, c.says = []string{"cubes.icnf"}, `\d+ cubes?; |refuted by look-ahead: `
	got := t.run(c)
	if t.wantCode(got, 0); t.has("--quiet") != (got.Stderr == "") && !t.Look.Relaxed {
		t.fail("standard error", "%q", got.Stderr)
	}
	script := t.parse(t.read("cubes.icnf"))
	if clausesText(script.Clauses) != clausesText(t.Clauses) {
		t.fail("clauses of the script", "%v", script.Clauses)
	}
	t.checkCover(script.Cubes)
	t.conquerScript(t.path("cubes.icnf"))
}

// checkCover checks that every model satisfies a cube.
func (t *trial) checkCover(cubes []Cube) {
	table := tableOf(t.Clauses)
	if table == nil {
		return
	}
	for i := range table.models {
		model := table.assignment(i)
		if !slices.ContainsFunc(cubes, func(c Cube) bool {
			return !slices.ContainsFunc(c.Lits, func(l int) bool { return slices.Contains(model, -l) })
		}) {
			t.fail("model outside all cubes", "%v", model)
		}
	}
}

// conquerScript solves the script of cube by conquer. The model has all variables of the
// formula.
func (t *trial) conquerScript(script string) {
	d := t.clone()
	d.Flags, d.Look.Relaxed, d.Assume, d.Script, d.Cubes = conquerFlags(t.rand), false, nil, false, nil
	t.with(d, script, t.conquerOperands)
}

// conquer runs conquer on a formula or a script with any cubes.
func (t *trial) conquer() {
	if t.Look.Files > 1 {
		t.Look.Files = 1
	}
	t.input()
	t.conquerOperands()
}

// conquerOperands runs conquer and checks its answer. The cubes do not change the answer.
func (t *trial) conquerOperands() {
	c := t.command("conquer", t.flags())
	c.outputs = t.outputs()
	got := t.run(c)
	if t.tooMuch(got) {
		return
	}
	if t.mayStop() {
		t.wantCode(got, 0)
		return
	}
	t.checkConquered(got)
}

// checkConquered checks an answer of conquer and its proof.
func (t *trial) checkConquered(got Result) {
	want := satisfiable(t.Clauses)
	t.checkAnswer(t.answer(got), wordOf(want), t.Clauses)
	if t.has("--proof") {
		d := t.clone()
		d.Cubes, d.Script, d.Look.Relaxed = nil, false, false
		t.with(d, t.write("plain.cnf", []byte(t.text())), func() { t.checkProof(t.file("--proof"), !want) })
	}
}

func drawRun(r *rand.Rand, c *Case) {
	c.Look = plainLook()
	c.Flags = slices.Concat(with(r, 1, "--jobs=1..2"), with(r, 1, "--budget=1..20"), proofFlags(r, true))
	if c.has("--proof") {
		c.Flags = append(c.Flags, with(r, 2, "--verify", "--no-verify")...)
	}
}

// runs runs conquer with a run folder, several times. The runs before the last are killed
// after some results, or have a short time.
func (t *trial) runs() {
	c := t.first("conquer", "--run="+t.path("folder"))
	c.outputs = append(c.outputs, "folder/")
	for i := range t.rand.IntN(4) {
		short := c
		if short.args = append(slices.Clone(c.args), "--verbose"); t.process {
			short.kill = 4 + t.rand.IntN(40)
		} else {
			short.args = append(short.args, fmt.Sprintf("--time=%dus", 1+t.rand.IntN(3000)))
		}
		got := t.run(short)
		if t.has("--verify") && !t.has("--proof") && i > 0 {
			t.wantCode(got, 2)
			return
		}
		if t.tooMuch(got) {
			return
		}
		if got.Code == 10 || got.Code == 20 {
			t.wantCode(got, codes[wordOf(satisfiable(t.Clauses))])
		}
	}
	got := t.run(c)
	if t.tooMuch(got) {
		return
	}
	t.checkConquered(got)
	if t.rand.IntN(2) == 0 && (t.has("--proof") || !t.has("--verify")) {
		t.checkConquered(t.run(c))
	}
}
