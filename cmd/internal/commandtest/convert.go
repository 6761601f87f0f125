package commandtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The test of convert.

func drawConvert(r *rand.Rand, c *Case) {
	c.Flags = slices.Concat(with(r, 3, "--format=cnf", "--format=icnf"), with(r, 3, "--normalize"), with(r, 2, "--output=@out"+one(r, "", ".cnf", ".icnf")+drawPack(r)))
	if n := len(c.Cubes); n > 0 {
		c.Flags = append(c.Flags, with(r, 4, fmt.Sprintf("--cube=1..%d", n+1))...)
	}
}

// convert runs convert, and compares its output byte by byte.
func (t *trial) convert() {
	if t.rand.IntN(8) == 0 {
		t.convertSolution()
		return
	}
	c := t.first("convert")
	c.says = "warning: [0-9]+ cubes? omitted"
	got := t.run(c)
	n := 0
	if t.has("--cube") {
		n = t.number(t.value("--cube"))
	}
	switch {
	case t.has("--cube") && t.value("--format") == "icnf":
		t.wantCode(got, 2)
		return
	case t.has("--normalize") && slices.ContainsFunc(t.Cubes, func(c Cube) bool { return c.Clauses < len(t.Clauses) }):
		t.wantCode(got, 1)
		return
	case n > len(t.Cubes):
		t.wantCode(got, 2)
		return
	}
	t.wantCode(got, 0)
	got = t.redirected(got)
	if want := t.converted(n); got.Stdout != want {
		t.fail("converted text", "%q instead of %q", first(got.Stdout, 300), first(want, 300))
	}
}

// convertSolution converts a solution.
func (t *trial) convertSolution() {
	var lits []int
	for v := range t.rand.IntN(30) {
		lits = append(lits, (v+1)*(1-2*t.rand.IntN(2)))
	}
	c := command{args: []string{"convert", "-"}, stdin: t.solutionText(lits)}
	if t.rand.IntN(2) == 0 {
		c.args = []string{"convert", t.write("solution", c.stdin)}
		c.stdin = nil
	}
	if a := t.answer(Result{Code: 10, Stdout: t.run(c).Stdout}); !slices.Equal(a.Model, lits) {
		t.fail("converted solution", "%v instead of %v", a.Model, lits)
	}
}

// converted returns the expected output.
func (t *trial) converted(cube int) string {
	f := t.Formula.clone()
	if t.has("--normalize") {
		f.Clauses = normalized(f.Clauses)
		for i := range f.Cubes {
			f.Cubes[i].Clauses = len(f.Clauses)
		}
	}
	name, to := t.file("--output"), t.value("--format")
	switch {
	case cube > 0:
		f.Clauses = under(f.Clauses[:f.Cubes[cube-1].Clauses], f.Cubes[cube-1].Lits)
		to = "cnf"
	case to != "":
	case strings.Contains(name, ".icnf"), f.Script && !strings.Contains(name, ".cnf"):
		to = "icnf"
	}
	if to != "icnf" {
		return f.text()
	}
	if len(f.Cubes) == 0 {
		f.Cubes = []Cube{{nil, len(f.Clauses)}}
	}
	return scriptText(f)
}

// scriptVariables returns the comment with the number of variables of a script, or an
// empty string if the literals determine it.
func (f *Formula) scriptVariables() string {
	if f.Vars == f.highest() {
		return ""
	}
	return fmt.Sprintf("c p variables %d\n", f.Vars)
}

// scriptText writes a script as sator writes it.
func scriptText(f *Formula) string {
	var b strings.Builder
	b.WriteString(f.scriptVariables() + "p inccnf\n")
	written := 0
	for _, c := range f.Cubes {
		b.WriteString(clausesText(f.Clauses[written:c.Clauses]))
		b.WriteString("a " + clausesText([][]int{c.Lits}))
		written = c.Clauses
	}
	b.WriteString(clausesText(f.Clauses[written:]))
	return b.String()
}

// normalized returns clauses without duplicate literals, tautologies and duplicates.
func normalized(clauses [][]int) [][]int {
	var all, sets [][]int
	for _, c := range clauses {
		set := literalSet(c)
		if tautology(set) || slices.ContainsFunc(sets, func(s []int) bool { return slices.Equal(s, set) }) {
			continue
		}
		var kept []int
		for _, l := range c {
			if !slices.Contains(kept, l) {
				kept = append(kept, l)
			}
		}
		all, sets = append(all, kept), append(sets, set)
	}
	return all
}
