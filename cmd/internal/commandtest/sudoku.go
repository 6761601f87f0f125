package commandtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// The test of the commands of sudoku, on puzzles of four rows.

// A puzzle has 16 cells; 0 is a blank.
type puzzle [16]int

func drawSudoku(r *rand.Rand, c *Case) {
	c.Formula, c.Look = new(Formula), plainLook()
	c.Flags = append([]string{one(r, "solve", "count", "check", "encode", "minimize", "convert", "why", "hint", "rate", "generate")}, with(r, 3, "--variant=x", "--variant=latin")...)
}

// house reports whether two cells may not have the same digit.
func (t *trial) house(i, j int) bool {
	box := func(i int) int { return i/8*2 + i%4/2 }
	diagonal := func(step, from, to int) bool {
		return i >= from && i <= to && (i-from)%step == 0 && j >= from && j <= to && (j-from)%step == 0
	}
	switch {
	case i == j:
		return false
	case i/4 == j/4, i%4 == j%4, box(i) == box(j) && !t.has("--variant=latin"):
		return true
	}
	return t.has("--variant=x") && (diagonal(5, 0, 15) || diagonal(3, 3, 12))
}

// solutions returns all solutions of a puzzle.
func (t *trial) solutions(p puzzle) []puzzle {
	for i := range p {
		for j := range i {
			if p[i] != 0 && p[i] == p[j] && t.house(i, j) {
				return nil
			}
		}
	}
	i := slices.Index(p[:], 0)
	if i < 0 {
		return []puzzle{p}
	}
	var all []puzzle
	for p[i] = 1; p[i] <= 4; p[i]++ {
		all = append(all, t.solutions(p)...)
	}
	return all
}

// drawPuzzle returns some givens of a solution, sometimes with a wrong one.
func (t *trial) drawPuzzle() puzzle {
	var p puzzle
	for k, i := range t.rand.Perm(16) {
		if k < 4 {
			p[i] = 1 + k // four digits in any cells
		}
	}
	all := t.solutions(p)
	if len(all) == 0 {
		return p
	}
	p = all[t.rand.IntN(len(all))]
	for _, i := range t.rand.Perm(16)[:4+t.rand.IntN(12)] {
		p[i] = 0
	}
	if t.rand.IntN(5) == 0 {
		p[t.rand.IntN(16)] = 1 + t.rand.IntN(4)
	}
	return p
}

// String returns the puzzle as a line of digits and periods.
func (p puzzle) String() string {
	var b strings.Builder
	for _, d := range p {
		if d == 0 {
			b.WriteByte('.')
		} else {
			b.WriteString(strconv.Itoa(d))
		}
	}
	return b.String()
}

// sudoku runs a command of sudoku.
func (t *trial) sudoku() {
	p := t.drawPuzzle()
	all := t.solutions(p)
	rules := t.Flags[1:]
	name := t.write("puzzle.txt", []byte(p.String()+"\n"))
	engine := one(t.rand, "--engine=auto", "--engine=cdcl", "--engine=dpll", "--engine=infer")
	args := slices.Concat([]string{"sudoku", t.Flags[0]}, rules)
	code := 0
	if len(all) != 1 {
		code = 4
	}
	switch t.Flags[0] {
	case "solve":
		got := t.run(command{args: append(args, engine, "-q", "--unique", name), chatty: true})
		t.wantCode(got, code)
		t.checkGrid(got.Stdout, all, map[bool]string{true: "no solution", false: "several solutions"}[len(all) == 0])
	case "count":
		got := t.run(command{args: append(args, engine, "-q", "--all", name), chatty: true})
		if t.wantCode(got, 0); strings.TrimSpace(got.Stdout) != strconv.Itoa(len(all)) {
			t.fail("number of solutions", "%q instead of %d", got.Stdout, len(all))
		}
		t.checkUnique(args, name, all)
	case "check":
		got := t.run(command{args: append(args, engine, "-q", "--json", name), chatty: true})
		t.wantCode(got, code)
		t.checkSudokuDocument(got, all)
	case "encode":
		t.encode(args, name, all)
	case "minimize":
		got := t.run(command{args: append(args, name), chatty: true})
		if t.wantCode(got, code); code == 0 {
			t.checkMinimal(p, got.Stdout)
		}
	case "convert":
		t.convertPuzzle(args, name, p)
	case "why":
		t.why(args, name, p, all)
	case "hint":
		t.hint(args, name, p, all)
	case "rate":
		got := t.run(command{args: append(args, "--engine=none", "--format=csv", name), chatty: true})
		t.wantCode(got, 0)
		if n := column(got.Stdout, "sols"); n != strconv.Itoa(min(len(all), 2)) {
			t.fail("number of solutions", "%q, want %d", got.Stdout, len(all))
		}
	case "generate":
		args = []string{"sudoku", "generate", "--variant=4 " + map[string]string{"": "boxes", "x": "boxes x", "latin": "latin"}[t.value("--variant")], fmt.Sprintf("--seed=%d", t.rand.IntN(1000))}
		got := t.run(command{args: args, chatty: true})
		t.wantCode(got, 0)
		if all := t.solutions(t.parsePuzzle(lastLine(got.Stdout))); len(all) != 1 {
			t.fail("number of solutions", "%d of %q", len(all), got.Stdout)
		}
	}
}

// column returns the value of a column in the last row of a table as CSV, and an empty
// string if there is no such column.
func column(table, name string) string {
	header, _, _ := strings.Cut(table, "\n")
	row := strings.Split(lastLine(table), ",")
	if i := slices.Index(strings.Split(header, ","), name); i >= 0 && i < len(row) {
		return row[i]
	}
	return ""
}

// convertPuzzle converts the puzzle to another form and back.
func (t *trial) convertPuzzle(args []string, name string, p puzzle) {
	to := one(t.rand, "line", "rows", "grid", "numbers", "csv", "json", "units")
	got := t.run(command{args: append(args, "--format="+to, name)})
	t.wantCode(got, 0)
	back := t.run(command{args: []string{"sudoku", "convert", t.write("other", []byte(got.Stdout))}})
	if t.wantCode(back, 0); lastLine(back.Stdout) != p.String() {
		t.fail("converted puzzle", "%s by %s: %q", p, to, back.Stdout)
	}
}

// checkUnique checks the formula and the refutation that count writes for a puzzle without
// two solutions.
func (t *trial) checkUnique(args []string, name string, all []puzzle) {
	if len(all) > 1 {
		return
	}
	outputs := []string{"unique.cnf", "unique.drat"}
	got := t.run(command{args: append(args, name, "--cnf="+t.path(outputs[0]), "--proof="+t.path(outputs[1])), outputs: outputs, chatty: true})
	t.wantCode(got, 0)
	t.wantVerdict(t.run(command{args: []string{"check", t.path(outputs[0]), t.path(outputs[1])}, says: checkerSays}), true)
}

// why asks for the givens that force a cell. They are givens of the puzzle, force the digit,
// and fewer do not.
func (t *trial) why(args []string, name string, p puzzle, all []puzzle) {
	i := t.rand.IntN(16)
	forced := len(all) > 0 && !slices.ContainsFunc(all, func(q puzzle) bool { return q[i] != all[0][i] })
	got := t.run(command{args: append(args, "--json", cell(i), name), chatty: true})
	if !forced {
		t.wantCode(got, 4)
		return
	}
	t.wantCode(got, 0)
	d := decode[struct {
		Digit    int    `json:"digit"`
		Smallest bool   `json:"smallest"`
		Puzzle   string `json:"puzzle"`
	}](t, got.Stdout)
	q := t.parsePuzzle(d.Puzzle)
	forces := func(q puzzle) bool {
		return !slices.ContainsFunc(t.solutions(q), func(s puzzle) bool { return s[i] != all[0][i] })
	}
	if d.Digit != all[0][i] || !forces(q) {
		t.fail("reason of a digit", "%s, cell %s of %s", got.Stdout, cell(i), p)
	}
	for j := range q {
		less := q
		if less[j] = 0; q[j] != 0 && (q[j] != p[j] || forces(less)) {
			t.fail("reason of a digit", "given %s: %s", cell(j), got.Stdout)
		}
	}
}

// hint asks for the next digit. It must be the digit of the solution.
func (t *trial) hint(args []string, name string, p puzzle, all []puzzle) {
	got := t.run(command{args: append(args, name), chatty: true})
	if len(all) != 1 {
		t.wantCode(got, 4)
		return
	}
	t.wantCode(got, 0)
	if !strings.Contains(p.String(), ".") {
		return
	}
	line := lastLine(got.Stdout)
	for i := range p {
		if p[i] == 0 && strings.HasPrefix(line, fmt.Sprintf("%s=%d, ", cell(i), all[0][i])) {
			return
		}
	}
	t.fail("hint", "%q for %s", got.Stdout, p)
}

// cell returns the name of a cell.
func cell(i int) string { return fmt.Sprintf("R%dC%d", i/4+1, i%4+1) }

// parsePuzzle parses a line of digits and periods.
func (t *trial) parsePuzzle(line string) puzzle {
	var p puzzle
	if len(line) != len(p) || strings.Trim(line, ".1234") != "" {
		t.fail("no puzzle", "%q", line)
	}
	for i, c := range line {
		p[i] = max(0, int(c-'0'))
	}
	return p
}

// lastLine returns the last line of a text.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}

// checkGrid checks that a line is the only solution, or the words for another number of
// solutions.
func (t *trial) checkGrid(text string, all []puzzle, otherwise string) {
	if len(all) == 1 {
		otherwise = all[0].String()
	}
	if line := lastLine(text); line != otherwise {
		t.fail("solution", "%q instead of %q", line, otherwise)
	}
}

// checkSudokuDocument checks the document of sudoku check.
func (t *trial) checkSudokuDocument(got Result, all []puzzle) {
	d := decode[struct {
		Status    string   `json:"status"`
		Solutions []string `json:"solutions"`
	}](t, got.Stdout)
	want := []string{"none", "unique", "several"}[min(len(all), 2)]
	if d.Status != want && !(want == "none" && d.Status == "contradiction") || len(d.Solutions) != min(len(all), 2) {
		t.fail("number of solutions", "%+v, want %d", *d, len(all))
	}
	for i, s := range d.Solutions {
		if !slices.ContainsFunc(all, func(p puzzle) bool { return p.String() == s }) || slices.Contains(d.Solutions[:i], s) {
			t.fail("solution", "%q", d.Solutions)
		}
	}
}

// encode encodes the puzzle, solves the formula, and decodes the model.
func (t *trial) encode(args []string, name string, all []puzzle) {
	args = append(args, "--encoding="+one(t.rand, "minimal", "efficient", "extended", "reduced"),
		"--amo="+one(t.rand, "pairs", "sequential", "commander", "bimander", "product", "mixed"), "--numbering="+one(t.rand, "dense", "rcd"))
	got := t.run(command{args: append(args, name, "-o", t.path("puzzle.cnf")), outputs: []string{"puzzle.cnf"}, chatty: true})
	t.wantCode(got, 0)
	f := t.parse(t.read("puzzle.cnf"))
	solved := t.run(command{args: []string{"solve", "-q", "--engine=" + drawEngine(t.rand, f), t.path("puzzle.cnf")}})
	a := t.answer(solved)
	if a.Status != wordOf(len(all) > 0) {
		t.fail("wrong status", "%s, %d solutions", a.Status, len(all))
	}
	if !a.hasModel() {
		return
	}
	t.checkModel(a.Model, f.Vars, f.Clauses)
	decoded := t.run(command{args: []string{"sudoku", "decode", t.path("puzzle.cnf"), t.write("model", []byte(solved.Stdout))}})
	if t.wantCode(decoded, 0); !slices.ContainsFunc(all, func(p puzzle) bool { return p.String() == lastLine(decoded.Stdout) }) {
		t.fail("solution", "%q", decoded.Stdout)
	}
}

// checkMinimal checks that a puzzle has some givens of another one, and that each of them
// is necessary for the only solution.
func (t *trial) checkMinimal(p puzzle, text string) {
	line := lastLine(text)
	m := t.parsePuzzle(line)
	for i := range m {
		if m[i] != 0 && m[i] != p[i] {
			t.fail("minimal puzzle", "%s of %s", line, p)
		}
	}
	if len(t.solutions(m)) != 1 {
		t.fail("minimal puzzle", "%s has %d solutions", line, len(t.solutions(m)))
	}
	for i := range m {
		less := m
		if less[i] = 0; m[i] != 0 && len(t.solutions(less)) == 1 {
			t.fail("minimal puzzle", "%s: cell %d is redundant", line, i)
		}
	}
}
