package commandtest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// The tests of wrong use: formulas with a mistake, wrong flags, and the second of two
// operands of solve.

func drawMistakes(r *rand.Rand, c *Case) {
	c.Look.Mistake = one(r, fatal...)
	if r.IntN(3) == 0 {
		c.Look.Relaxed, c.Look.Mistake = false, one(r, forgivable...)
	}
	c.Flags = []string{one(r, "solve", "solve", "enumerate", "count", "check", "simplify", "cube", "conquer", "twosat", "convert", "info", "trace")}
}

// mistakes runs a command on a formula with a mistake. There is one message with the name
// of the file, and neither an answer nor an output.
func (t *trial) mistakes() {
	if t.rand.IntN(5) == 0 {
		t.wrongFlags()
		return
	}
	if t.Look.Mistake == "" {
		return // the formula is too small for the mistake
	}
	name := t.Flags[0]
	if t.Script && !slices.Contains([]string{"solve", "conquer", "check", "convert"}, name) {
		name = "solve"
	}
	if name == "conquer" {
		t.Look.Files = 1
	}
	t.input()
	var more []string
	switch name {
	case "check":
		more = []string{t.write("evidence", []byte("v 1 0\n"))}
	case "simplify":
		more = []string{"--output=" + t.path("out"), "--stack=" + t.path("stack"), "--proof=" + t.path("proof")}
	case "info":
	default:
		more = []string{"--output=" + t.path("out")}
	}
	got := t.run(t.command(name, nil, more...))
	t.wantCode(got, 1)
	if got.Stdout != "" && !regexp.MustCompile(`^(c .*\n)+$`).MatchString(got.Stdout) {
		t.fail("output after a mistake", "%s", first(got.Stdout, 300))
	}
	last := t.operands[len(t.operands)-1]
	shown := relative(last, t.dir)
	if last == "-" {
		shown = "standard input"
	}
	position := `:\d+:\d+: `
	if t.Look.Mistake == "damaged archive" {
		position = ": "
	}
	if !regexp.MustCompile(`(?m)^sator ` + name + `: ` + regexp.QuoteMeta(shown) + position).MatchString(got.Stderr) {
		t.fail("message without position", "%s", got.Stderr)
	}
}

// wrongFlags runs solve with a wrong command line.
func (t *trial) wrongFlags() {
	t.Look.Mistake, t.Look.Relaxed = "", false
	t.input()
	wrong := one(t.rand, "--tiem=5", "--time=x", "--threads=0", "--engine=none", "--proof-text", "--set=chrono=-1", "--seed=-1",
		"--conflicts=0", "--quiet=maybe", "--proof-format=lrat", fmt.Sprintf("--assume=%d", t.Vars+1), "--assume=0", "--assume=x",
		"--deterministic", "--quiet --verbose", "--heuristic=none", "--engine=dpll --set=chrono=1")
	got := t.run(t.command("solve", strings.Fields(wrong)))
	t.wantCode(got, 2)
	if strings.Contains("\n"+got.Stdout, "\ns ") {
		t.fail("answer after a mistake", "%s", got.Stdout)
	}
}

// secondOperand runs solve with two operands. The second is a proof only if its name ends like
// one, and only if it does not exist, is empty or is a proof. A formula is never
// overwritten, and a missing formula is an error.
func (t *trial) secondOperand() {
	t.Look = plainLook()
	t.Script, t.Cubes = false, nil
	t.input()
	other := &Formula{Clauses: units(t.drawAssumptions(t.rand))}
	other.Vars = other.highest()
	content := other.text()
	odd := one(t.rand, "givens", "givens.txt", "proof.out", "rules", "f1.cnf", "f.dimacs", "drat")
	proof := one(t.rand, "p.drat", "p.lrat", "p.proof", "p.pf") + one(t.rand, "", "", ".gz", ".zst")
	solve := func(name string, outputs ...string) Result {
		return t.run(command{args: []string{"solve", "--quiet", t.operands[0], t.path(name)}, outputs: outputs})
	}
	switch t.rand.IntN(7) {
	case 0:
		t.write(odd, []byte(content))
		t.Clauses, t.Vars = append(t.Clauses, other.Clauses...), max(t.Vars, other.Vars)
		t.checkPlain(solve(odd))
	case 1, 6:
		got := solve(odd)
		if t.wantCode(got, 1); !strings.Contains(got.Stderr, odd) {
			t.fail("message without name", "%s", got.Stderr)
		}
	case 2:
		if t.rand.IntN(2) == 0 {
			t.write(proof, nil)
		}
		got := solve(proof, proof)
		t.checkPlain(got)
		t.checkProof(proof, got.Code == 20)
	case 3:
		t.write("p.drat", []byte(content))
		if got := solve("p.drat"); got.Code != 1 {
			t.Clauses, t.Vars = append(t.Clauses, other.Clauses...), max(t.Vars, other.Vars)
			t.checkPlain(got)
		}
	case 4:
		t.write("list", []byte(strings.Repeat("a\x00", 1+t.rand.IntN(3))+"f0.cnf\x00"))
		t.wantCode(solve("list"), 1)
	case 5:
		t.checkPlain(t.run(command{args: []string{"solve", "--quiet", t.operands[0], "/dev/null"}}))
	}
}

// checkPlain checks an answer of solve without flags.
func (t *trial) checkPlain(got Result) {
	t.Flags = []string{"--quiet"}
	t.checkSolved(got)
}
