package commandtest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// The tests of enumerate and count.

func drawModels(r *rand.Rand, c *Case) {
	c.Flags = slices.Concat(with(r, 4, "--json"), each(r, 6, "--quiet", "--stats", "--output=@models"), with(r, 3, "--seed=0..8"), with(r, 20, "--time=1ns"))
	if c.Vars > 0 {
		c.Flags = append(c.Flags, with(r, 3, "--project="+drawProjection(r, c.Formula))...)
	}
}

// drawProjection returns variables and ranges for --project.
func drawProjection(r *rand.Rand, f *Formula) string {
	var words []string
	for range 1 + r.IntN(3) {
		v := abs(f.drawLiteral(r))
		word := strconv.Itoa(v)
		if r.IntN(4) == 0 {
			word += ".." + strconv.Itoa(min(f.Vars, v+r.IntN(3)))
		}
		words = append(words, word)
	}
	return strings.Join(words, one(r, " ", ",", " , "))
}

func drawEnumerate(r *rand.Rand, c *Case) {
	if c.Vars > 12 { // all models are printed
		c.Formula = shapes[0].draw(r)
		c.roughen(r)
		c.Vars = c.highest() + r.IntN(3)
	}
	drawModels(r, c)
	engine := one(r, "auto", "cdcl", "dpll")
	c.Flags = slices.Concat(c.Flags, []string{"--engine=" + engine}, with(r, 4, "--limit=1..6"))
	if engine != "cdcl" {
		c.Flags = append(c.Flags, heuristicFlags(r)...)
	}
}

func drawCount(r *rand.Rand, c *Case) {
	drawModels(r, c)
	c.Flags = append(c.Flags, heuristicFlags(r)...)
}

// projection returns the variables of --project in ascending order, and all variables
// without the flag.
func (t *trial) projection() []int {
	var vs []int
	if !t.has("--project") {
		for v := range t.Vars {
			vs = append(vs, v+1)
		}
		return vs
	}
	for _, word := range strings.FieldsFunc(t.value("--project"), func(r rune) bool { return r == ' ' || r == ',' }) {
		from, to, isRange := strings.Cut(word, "..")
		a := t.number(from)
		b := a
		if isRange {
			b = t.number(to)
		}
		for v := a; v <= b; v++ {
			if v <= t.Vars && !slices.Contains(vs, v) {
				vs = append(vs, v)
			}
		}
	}
	slices.Sort(vs)
	return vs
}

// inRange reports whether --project has only variables of the formula.
func (t *trial) inRange() bool {
	for _, word := range strings.FieldsFunc(t.value("--project"), func(r rune) bool { return r == ' ' || r == ',' || r == '.' }) {
		if t.number(word) > t.Vars {
			return false
		}
	}
	return true
}

// models runs enumerate or count, and returns the result, or false if the command line is
// an error.
func (t *trial) models(name string) (Result, bool) {
	got := t.run(t.first(name))
	if !t.inRange() && !t.mayStop() { // the limit comes before the check of the variables
		t.wantCode(got, 2)
	}
	if got.Code == 2 {
		return got, false
	}
	if got = t.redirected(got); t.mayStop() {
		t.wantCode(got, 0)
		if !strings.Contains(got.Stdout, "UNKNOWN") {
			t.fail("wrong status", "%s", first(got.Stdout, 300))
		}
		return got, false
	}
	return got, true
}

// enumerate runs enumerate, and compares its models with all models.
func (t *trial) enumerate() {
	got, ok := t.models("enumerate")
	if !ok {
		return
	}
	want := tableOf(under(t.Clauses, t.Assume)).projections(t.projection())
	var found [][]int
	var complete bool
	if t.has("--json") {
		found, complete = t.modelDocuments(got)
	} else {
		found, complete = t.modelLines(got)
	}
	number, stopped := len(want), false
	if t.has("--limit") && t.number(t.value("--limit")) <= number {
		number, stopped = t.number(t.value("--limit")), true
	}
	if len(found) != number || complete == stopped {
		t.fail("number of models", "%d of %d models, limit %s, complete %v", len(found), len(want), t.value("--limit"), complete)
	}
	seen := map[uint32]bool{}
	for _, m := range found {
		x := t.bits(m)
		if seen[x] {
			t.fail("model twice", "%v", m)
		}
		if seen[x] = true; !want[x] {
			t.fail("wrong model", "%v", m)
		}
	}
	if code := codes[wordOf(len(want) > 0)]; got.Code != code {
		t.fail("status and exit code", "exit code %d, %d models", got.Code, len(want))
	}
}

// bits returns the signs of a model. The model must have a literal of each variable of the
// projection, in its order.
func (t *trial) bits(model []int) uint32 {
	vs := t.projection()
	if len(model) != len(vs) {
		t.fail("incomplete model", "%v has not the variables %v", model, vs)
	}
	var x uint32
	for i, v := range vs {
		switch model[i] {
		case v:
			x |= 1 << i
		case -v:
		default:
			t.fail("incomplete model", "%v has not the variables %v", model, vs)
		}
	}
	return x
}

// modelLines parses the lines of enumerate.
func (t *trial) modelLines(got Result) (models [][]int, complete bool) {
	a := t.lines(got.Stdout)
	t.checkStatus(a.Status, got)
	last := ""
	if n := len(a.comments); n > 0 {
		last = a.comments[n-1]
	}
	complete = strings.HasSuffix(last, ", and no others")
	want := fmt.Sprintf("models: %d, and no others", len(a.models))
	if !complete {
		want = fmt.Sprintf("models: %d, there may be others", len(a.models))
	}
	if last != want {
		t.fail("summary", "%q instead of %q", last, want)
	}
	return a.models, complete
}

// modelDocuments parses the documents of enumerate.
func (t *trial) modelDocuments(got Result) (models [][]int, complete bool) {
	lines := strings.Split(strings.TrimSuffix(got.Stdout, "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		models = append(models, decode[struct {
			Model []int `json:"model"`
		}](t, line).Model)
	}
	last := decode[struct {
		Status   string `json:"status"`
		Models   int    `json:"models"`
		Complete bool   `json:"complete"`
	}](t, lines[len(lines)-1])
	if codes[last.Status] != got.Code || last.Models != len(models) {
		t.fail("summary", "%s", lines[len(lines)-1])
	}
	return models, last.Complete
}

// count runs count, and compares the number with the number of all models.
func (t *trial) count() {
	got, ok := t.models("count")
	if !ok {
		return
	}
	table := tableOf(under(t.Clauses, t.Assume))
	var want *big.Int
	kind := "mc"
	if t.has("--project") {
		kind = "pmc"
		want = big.NewInt(int64(len(table.projections(t.projection()))))
	} else {
		want = table.count(t.Vars)
	}
	t.wantCode(got, codes[wordOf(want.Sign() > 0)])
	if t.has("--json") {
		d := decode[struct {
			Status string `json:"status"`
			Type   string `json:"type"`
			Models string `json:"models"`
		}](t, got.Stdout)
		if t.checkStatus(d.Status, got); d.Type != kind || d.Models != want.String() {
			t.fail("number of models", "%+v instead of %s %v", *d, kind, want)
		}
		return
	}
	a := t.answer(got)
	n := len(a.comments)
	if n < 3 || a.comments[n-3] != "s type "+kind || a.comments[n-1] != "s exact arb int "+want.String() {
		t.fail("number of models", "%q instead of %s %v", a.comments, kind, want)
	}
	t.checkLogarithm(strings.TrimPrefix(a.comments[n-2], "s log10-estimate "), want)
}

// checkLogarithm checks the decimal logarithm of a number of models.
func (t *trial) checkLogarithm(text string, n *big.Int) {
	if n.Sign() == 0 {
		if text != "-inf" {
			t.fail("logarithm", "%s of 0", text)
		}
		return
	}
	x, err := strconv.ParseFloat(text, 64)
	digits := float64(len(n.String()))
	if err != nil || x < digits-1-1e-9 || x > digits+1e-9 {
		t.fail("logarithm", "%s of %v", text, n)
	}
	if v, _ := new(big.Float).SetInt(n).Float64(); !math.IsInf(v, 0) && math.Abs(math.Log10(v)-x) > 1e-6 {
		t.fail("logarithm", "%s of %v", text, n)
	}
}
