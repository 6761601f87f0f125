package commandtest

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// The test of twosat: status, forced and equivalent literals, and explanations.

func drawTwoSAT(r *rand.Rand, c *Case) {
	if !c.is2SAT() && r.IntN(4) > 0 {
		c.Formula = drawClauses(r, 1+r.IntN(10), 2)
		if c.Vars = c.highest(); r.IntN(2) == 0 {
			c.roughen(r)
		}
		c.Vars = c.highest() + r.IntN(3)
	}
	c.Flags = each(r, 4, "--forced", "--equivalent", "--no-model", "--quiet", "--stats", "--json", "--binary-part", "--output=@twosat")
	if c.Vars > 0 {
		c.Flags = append(c.Flags, with(r, 3, "--why="+spaced(c.drawAssumptions(r)))...)
	}
	if format := with(r, 6, "--format=dot", "--format=svg"); format != nil {
		c.Flags = slices.Concat(c.Flags, format, with(r, 2, "--condensed"))
	}
}

// A why is the explanation of a literal.
type why struct {
	Literal int    `json:"literal"`
	Holds   string `json:"holds"`
	Because *chain `json:"because"`
}

// A chain is a chain of implications with its clauses.
type chain struct {
	Chain   []int `json:"chain"`
	Clauses []struct {
		Number   int   `json:"number"`
		Literals []int `json:"literals"`
	} `json:"clauses"`
}

// twosat runs twosat.
func (t *trial) twosat() {
	got := t.run(t.first("twosat"))
	for _, l := range strings.Fields(t.value("--why")) {
		if abs(t.number(l)) > t.Vars {
			t.wantCode(got, 2)
		}
	}
	if t.has("--format") && slices.ContainsFunc([]string{"--forced", "--equivalent", "--no-model", "--stats", "--json"}, t.has) || t.has("--condensed") && !t.has("--format") {
		t.wantCode(got, 2)
	}
	if got.Code == 2 {
		return
	}
	if !t.is2SAT() && !t.has("--binary-part") {
		t.wantCode(got, 1)
		return
	}
	got = t.redirected(got)
	want := t.twosatStatus()
	if t.has("--format") {
		t.checkDrawing(got.Stdout, t.value("--format"))
	} else {
		t.checkTwoSAT(got, want)
	}
	if code, ok := codes[want]; ok {
		t.wantCode(got, code)
	}
}

// binaryPart returns the clauses of 2-SAT.
func (t *trial) binaryPart() [][]int {
	var short [][]int
	for _, c := range t.Clauses {
		if isShort(c) {
			short = append(short, c)
		}
	}
	return short
}

// twosatStatus returns the status, or an empty string if it depends on the model: with
// longer clauses the answer may be UNKNOWN.
func (t *trial) twosatStatus() string {
	short := t.binaryPart()
	switch {
	case !satisfiable(under(short, t.Assume)):
		return "UNSATISFIABLE"
	case len(short) == len(t.Clauses):
		return "SATISFIABLE"
	case !satisfiable(under(t.Clauses, t.Assume)):
		return "UNKNOWN"
	}
	return ""
}

// checkDrawing checks the first and the last word of a drawing.
func (t *trial) checkDrawing(text, format string) {
	text = strings.TrimSpace(text)
	ok := strings.HasPrefix(text, "digraph") && strings.HasSuffix(text, "}")
	if format == "svg" {
		ok = strings.Contains(text, "<svg") && strings.HasSuffix(text, "</svg>")
	}
	if !ok {
		t.fail("drawing", "%s", first(text, 200))
	}
}

// checkTwoSAT checks an answer.
func (t *trial) checkTwoSAT(got Result, want string) {
	a := t.answer(got)
	if t.checkAnswer(a, want, under(t.Clauses, t.Assume)); want == "" && a.Status == "UNSATISFIABLE" {
		t.fail("wrong status", "%s", a.Status)
	}
	if t.has("--json") {
		t.checkTwoSATDocument(a)
	} else {
		t.readTwoSATComments(a)
	}
	if a.Status != "UNSATISFIABLE" {
		t.checkForced(a.Forced, a.Equivalent)
	}
}

// readTwoSATComments completes an answer of lines by its comments. There is a
// contradiction if there is no model.
func (t *trial) readTwoSATComments(a *answer) {
	if _, found := a.comment("contradiction: "); !found && a.Status == "UNSATISFIABLE" {
		t.fail("no contradiction", "%q", a.comments)
	}
	var class []int
	for _, line := range a.comments {
		if rest, found := strings.CutPrefix(line, "forced "); found {
			a.Forced, _ = t.literals(a.Forced, rest)
		}
		if rest, found := strings.CutPrefix(line, "equivalent "); found {
			var ended bool
			if class, ended = t.literals(class, rest); ended {
				a.Equivalent, class = append(a.Equivalent, class), nil
			}
		}
	}
}

// checkForced checks forced and equivalent literals by all models.
func (t *trial) checkForced(forced []int, classes [][]int) {
	table := tableOf(under(t.binaryPart(), t.Assume))
	if t.has("--forced") {
		for _, v := range table.vars {
			if x := table.forced(v); (x != 0) != (slices.Contains(forced, v*max(x, -x)) && x > 0 || x < 0 && slices.Contains(forced, -v)) {
				t.fail("forced literals", "variable %d: %v", v, forced)
			}
		}
		for _, l := range forced {
			if table.forced(l) != 1 {
				t.fail("forced literals", "%d of %v", l, forced)
			}
		}
	}
	if !t.has("--equivalent") {
		return
	}
	class := map[int]int{} // the first literal of the class of a literal
	for _, c := range classes {
		for _, l := range c {
			class[l], class[-l] = c[0], -c[0]
		}
	}
	for i, v := range table.vars {
		for _, w := range table.vars[:i] {
			for _, l := range []int{v, -v} {
				same := class[l] != 0 && class[l] == class[w]
				if want := table.forced(v) == 0 && table.forced(w) == 0 && table.equivalent(l, w); same != want {
					t.fail("equivalent literals", "%d and %d: %v", l, w, classes)
				}
			}
		}
	}
}

// checkTwoSATDocument checks the members of a document that lines do not have.
func (t *trial) checkTwoSATDocument(d *answer) {
	if d.Variables != t.Vars || d.Clauses != len(t.Clauses) || d.Longer != len(t.Clauses)-len(t.binaryPart()) {
		t.fail("size of the formula", "%d variables, %d clauses, %d longer ones", d.Variables, d.Clauses, d.Longer)
	}
	if d.Status == "UNSATISFIABLE" {
		t.checkFailed(d.Failed)
		t.checkChain(d.Contradiction)
		return
	}
	if t.has("--forced") && (d.Free == nil || *d.Free != t.Vars-len(d.Forced)) {
		t.fail("free variables", "%v, %d forced literals", d.Free, len(d.Forced))
	}
	table := tableOf(under(t.binaryPart(), t.Assume))
	for i, word := range strings.Fields(t.value("--why")) {
		l := t.number(word)
		if holds := map[int]string{1: "always", 0: "sometimes", -1: "never"}[table.forced(l)]; i >= len(d.Why) || d.Why[i].Literal != l || d.Why[i].Holds != holds {
			t.fail("reason of a literal", "%d %s: %+v", l, holds, d.Why)
		}
		t.checkChain(d.Why[i].Because)
	}
}

// checkChain checks that each clause of an explanation is in the formula under its number,
// or is an assumption, and is an implication of the chain.
func (t *trial) checkChain(c *chain) {
	if c == nil {
		return
	}
	for i, step := range c.Clauses {
		n, set := step.Number, literalSet(step.Literals)
		if n == 0 && !(len(set) == 1 && slices.Contains(t.Assume, set[0])) ||
			n > 0 && (n > len(t.Clauses) || !slices.Equal(literalSet(t.Clauses[n-1]), set)) {
			t.fail("explanation", "clause %d, %v, is not in the formula", n, step.Literals)
		}
		if len(c.Chain) > i+1 && !slices.Equal(set, literalSet([]int{-c.Chain[i], c.Chain[i+1]})) && !slices.Equal(set, []int{c.Chain[i+1]}) {
			t.fail("explanation", "clause %v does not give %d -> %d", step.Literals, c.Chain[i], c.Chain[i+1])
		}
	}
}
