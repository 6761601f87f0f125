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
		each(r, 5, "--verify", "--no-sharing", "--no-model", "--json", "--quiet", "--stats", "--seed=7"), with(r, 30, "--time=1ns"), learningFlags(r))
}

// cube runs cube, checks that the cubes cover all models, and solves the script by conquer
// and solve.
func (t *trial) cube() {
	operands, stdin := t.input()
	args := slices.Concat([]string{"cube"}, t.flags(), t.relaxed(), operands, []string{"-o", t.path("cubes.icnf")})
	got := t.run(command{args: args, stdin: stdin, outputs: []string{"cubes.icnf"}, says: `\d+ cubes?; |refuted by look-ahead: `})
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
	t.with(d, func() { t.conquerOperands([]string{script}, nil) })
}

// conquer runs conquer on a formula or a script with any cubes.
func (t *trial) conquer() {
	if t.Look.Files > 1 {
		t.Look.Files = 1
	}
	operands, stdin := t.input()
	t.conquerOperands(operands, stdin)
}

// conquerOperands runs conquer and checks its answer, which is about the formula whatever
// its cubes.
func (t *trial) conquerOperands(operands []string, stdin []byte) {
	args := slices.Concat([]string{"conquer"}, t.flags(), operands, t.relaxed())
	got := t.run(command{args: args, stdin: stdin, outputs: t.outputs()})
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
	var model []int
	if t.has("--json") {
		d := decode[solveDocument](t, got.Stdout)
		if codes[d.Status] != got.Code {
			t.fail("status and exit code", "status %q, exit code %d", d.Status, got.Code)
		}
		model = d.Model
	} else {
		model = t.answer(got).model
	}
	t.wantCode(got, codes[wordOf(want)])
	if want && !t.has("--no-model") {
		t.checkModel(model, t.Vars, t.Clauses)
	} else if len(model) > 0 {
		t.fail("model or none", "%v", model)
	}
	if t.has("--proof") {
		d := t.clone()
		d.Cubes, d.Script, d.Look.Relaxed = nil, false, false
		text := fmt.Sprintf("p cnf %d %d\n", t.Vars, len(t.Clauses)) + clausesText(t.Clauses)
		t.with(d, func() { t.checkProof(t.file("--proof"), []string{t.write("plain.cnf", []byte(text))}, nil, !want) })
	}
}

func drawRun(r *rand.Rand, c *Case) {
	c.Look = plainLook()
	c.Flags = slices.Concat(with(r, 1, "--jobs=1..2"), with(r, 1, "--budget=1..20"), proofFlags(r, true))
	if c.has("--proof") {
		c.Flags = append(c.Flags, with(r, 2, "--verify")...)
	}
}

// runs runs conquer with a run folder, several times. The runs before the last are killed
// after some results, or have a short time.
func (t *trial) runs() {
	operands, stdin := t.input()
	common := slices.Concat([]string{"conquer", "--run=" + t.path("folder")}, t.flags(), operands)
	outputs := append(t.outputs(), "folder/")
	for i := range t.rand.IntN(4) {
		args, kill := append(slices.Clone(common), "--verbose"), 0
		if t.process {
			kill = 4 + t.rand.IntN(40)
		} else {
			args = append(args, fmt.Sprintf("--time=%dus", 1+t.rand.IntN(3000)))
		}
		got := t.run(command{args: args, stdin: stdin, outputs: outputs, kill: kill})
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
	got := t.run(command{args: common, stdin: stdin, outputs: outputs})
	if t.tooMuch(got) {
		return
	}
	t.checkConquered(got)
	if t.rand.IntN(2) == 0 && (t.has("--proof") || !t.has("--verify")) {
		t.checkConquered(t.run(command{args: common, stdin: stdin, outputs: outputs}))
	}
}
