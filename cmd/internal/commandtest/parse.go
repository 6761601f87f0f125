package commandtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An answer is the parsed output of a command that prints "c", "s" and "v" lines, or a JSON
// document.
type answer struct {
	Status   string `json:"status"`
	Model    []int  `json:"model"`
	Failed   []int  `json:"failed_assumptions"`
	Verified *bool  `json:"verified"`
	Cubes    []struct {
		Number int    `json:"number"`
		Status string `json:"status"`
	} `json:"cubes"`
	Variables int `json:"variables"`
	Clauses   int `json:"clauses"`

	// of twosat
	Contradiction *chain  `json:"contradiction"`
	Forced        []int   `json:"forced"`
	Free          *int    `json:"free_variables"`
	Equivalent    [][]int `json:"equivalent"`
	Why           []why   `json:"why"`
	Longer        int     `json:"longer_clauses"`

	models   [][]int  // of lines
	comments []string // of lines
}

// hasModel reports whether there is a model, perhaps of no variables.
func (a *answer) hasModel() bool { return a.Model != nil }

// codes maps the statuses to their exit codes.
var codes = map[string]int{"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0}

// wordOf returns the status of a formula.
func wordOf(satisfiable bool) string {
	if satisfiable {
		return "SATISFIABLE"
	}
	return "UNSATISFIABLE"
}

// answer parses an answer. The status agrees with the exit code.
func (t *trial) answer(got Result) *answer {
	var a *answer
	if t.has("--json") {
		a = decode[answer](t, got.Stdout)
	} else if a = t.lines(got.Stdout); len(a.models) > 1 {
		t.fail("several models", "%s", first(got.Stdout, 300))
	}
	t.checkStatus(a.Status, got)
	return a
}

// checkStatus checks that a status agrees with the exit code.
func (t *trial) checkStatus(status string, got Result) {
	if code, ok := codes[status]; !ok || code != got.Code {
		t.fail("status and exit code", "status %q, exit code %d", status, got.Code)
	}
}

// lines parses lines. There is one status, then perhaps models that end with 0; no other
// text.
func (t *trial) lines(text string) *answer {
	a := new(answer)
	open := []int{}
	if text != "" && !strings.HasSuffix(text, "\n") {
		t.fail("the last line has no end", "%s", first(text, 300))
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case kind == "c":
			a.comments = append(a.comments, rest)
		case kind == "s" && a.Status == "":
			a.Status = rest
		case kind == "v" && a.Status == "SATISFIABLE":
			var ended bool
			if open, ended = t.literals(open, rest); ended {
				a.models, open = append(a.models, open), []int{}
			}
		default:
			t.fail("unexpected line", "%q", line)
		}
	}
	if len(open) > 0 {
		t.fail("model without end", "%s", first(text, 300))
	}
	if len(a.models) > 0 {
		a.Model = a.models[0]
	}
	return a
}

// checkAnswer checks the status, if want is not empty. A model must be there if and only if
// it is wanted, and must satisfy the clauses.
func (t *trial) checkAnswer(a *answer, want string, clauses [][]int) {
	if want != "" && a.Status != want {
		t.fail("wrong status", "%s instead of %s", a.Status, want)
	}
	if a.hasModel() != (a.Status == "SATISFIABLE" && !t.has("--no-model")) {
		t.fail("model or none", "%s, %v", a.Status, a.Model)
	}
	if a.hasModel() {
		t.checkModel(a.Model, t.Vars, clauses)
	}
}

// literals appends the literals of a line up to a 0. It reports whether there is a 0.
func (t *trial) literals(ls []int, line string) ([]int, bool) {
	words := strings.Fields(line)
	for i, w := range words {
		l, err := strconv.Atoi(w)
		if err != nil {
			t.fail("not a literal", "%q in %q", w, line)
		}
		if l == 0 {
			if i < len(words)-1 {
				t.fail("text after the 0", "%q", line)
			}
			return ls, true
		}
		ls = append(ls, l)
	}
	return ls, false
}

// checkModel checks that a model has a literal of each of the variables 1 to vars, in
// this order, and satisfies the clauses.
func (t *trial) checkModel(model []int, vars int, clauses [][]int) {
	if len(model) != vars {
		t.fail("incomplete model", "%d literals for %d variables: %s", len(model), vars, first(spaced(model), 200))
	}
	values := map[int]bool{}
	for i, l := range model {
		if abs(l) != i+1 {
			t.fail("incomplete model", "literal %d of the model is %d", i+1, l)
		}
		values[l] = true
	}
	if i := falsified(clauses, values); i >= 0 {
		t.fail("wrong model", "%s falsifies %v", first(spaced(model), 200), clauses[i])
	}
}

// decode parses a JSON document.
func decode[T any](t *trial, text string) *T {
	d := new(T)
	if err := json.Unmarshal([]byte(text), d); err != nil {
		t.fail("no JSON document", "%v: %s", err, first(text, 300))
	}
	return d
}

// parse parses a formula or a script that sator wrote, without comments inside clauses.
func (t *trial) parse(text string) *Formula {
	f := new(Formula)
	var open []int
	announced := -1
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 4 && words[1] == "p" && words[2] == "variables":
			f.Vars = t.number(words[3])
			continue
		case len(words) == 0 || words[0] == "c":
			continue
		case words[0] == "p":
			f.Script = words[1] == "inccnf"
			if len(words) == 4 {
				f.Vars, _ = strconv.Atoi(words[2])
				announced, _ = strconv.Atoi(words[3])
			}
			continue
		}
		cube := words[0] == "a"
		if cube {
			words = words[1:]
		}
		for _, w := range words {
			l, err := strconv.Atoi(w)
			switch {
			case err != nil:
				t.fail("malformed formula", "%q", line)
			case l != 0:
				open = append(open, l)
				continue
			case cube:
				f.Cubes = append(f.Cubes, Cube{open, len(f.Clauses)})
			default:
				f.Clauses = append(f.Clauses, open)
			}
			open = nil
		}
	}
	if open != nil || announced >= 0 && announced != len(f.Clauses) || announced >= 0 && f.highest() > f.Vars {
		t.fail("malformed formula", "%d clauses, %d variables: %s", len(f.Clauses), f.Vars, first(text, 300))
	}
	f.Vars = max(f.Vars, f.highest())
	return f
}

// text returns the clauses as a formula as sator writes it.
func (f *Formula) text() string {
	return fmt.Sprintf("p cnf %d %d\n", f.Vars, len(f.Clauses)) + clausesText(f.Clauses)
}

// clausesText writes clauses as sator writes them.
func clausesText(clauses [][]int) string {
	var b strings.Builder
	for _, c := range clauses {
		for _, l := range c {
			fmt.Fprintf(&b, "%d ", l)
		}
		b.WriteString("0\n")
	}
	return b.String()
}

// contains reports whether every clause of part is a clause of whole.
func contains(whole, part [][]int) bool {
	for _, c := range part {
		if !slices.ContainsFunc(whole, func(d []int) bool { return slices.Equal(literalSet(c), literalSet(d)) }) {
			return false
		}
	}
	return true
}

// comment returns the rest of the first comment with a prefix.
func (a *answer) comment(prefix string) (string, bool) {
	for _, c := range a.comments {
		if rest, ok := strings.CutPrefix(c, prefix); ok {
			return rest, true
		}
	}
	return "", false
}

// number parses a number of an output.
func (t *trial) number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		t.fail("not a number", "%q", word)
	}
	return n
}
