package commands

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// A formatPart is a part of a format: a change of it in a sample makes another answer, a warning
// or an error.
type formatPart struct {
	part     string
	from, to string // the first from in the sample becomes to
	want     string // in the output of the changed sample
}

// formatParts lists the parts of the formats with annotated lines, by command and sample.
var formatParts = []struct {
	command, sample string
	parts           []formatPart
}{
	{"solve", "p inccnf\nc p variables 4\n1 2 0\n-1 3 0\na -1 -2 0\na 1 0\n", []formatPart{
		{"header", "inccnf", "icnf", `the header is not "p cnf`},
		{"no header", "p inccnf\n", "", "before the header"},
		{"numbers in the header", "p inccnf", "p inccnf 3 2", `"3" after the header`},
		{"second header", "1 2 0\n", "1 2 0\np inccnf\n", "a second header"},
		{"number of variables", "variables 4", "variables 5", "5 variables"},
		{"no number of variables", "variables 4", "variables x", ":2:15: no number of variables"},
		{"literal of a clause", "-1 3", "-1 -3", "v 1 2 -3"},
		{"variable of a clause", "-1 3", "-1 5", "5 variables"},
		{"no literal", "-1 3", "-1 y", `"y" is not a number`},
		{"end of a clause", "1 2 0", "1 2", "1 clause, 4 literals"},
		{"empty clause", "1 2 0", "0", "UNSATISFIABLE"},
		{"one clause more", "-1 3 0", "-1 3 0 -2 0", "3 clauses"},
		{"letter of a cube", "a 1", "b 1", `"b" is not a number`},
		{"letter without a blank", "a 1", "a1", `"a1" is not a number`},
		{"literal of a cube", "a -1 -2", "a -1 2", "cube 1: SATISFIABLE"},
		{"variable of a cube", "a 1", "a 6", "6 variables"},
		{"no literal of a cube", "a 1", "a +1x", `"\+1x" is not a number`},
		{"end of a cube", "a 1 0", "a 1", "the last cube is not ended by 0"},
		{"end of the first cube", "-2 0\na", "-2\na", `"a" is not a number`},
		{"cube inside a clause", "-1 3 0", "-1 3", "a cube inside a clause"},
		{"empty cube", "a 1 0", "a 0", "cube 2: SATISFIABLE"},
		{"no cube", "a 1 0\n", "", "outside the cubes: SATISFIABLE"},
		{"clause behind a cube", "a 1 0\n", "a 1 0\n-3 0\n", "cube 2: UNSATISFIABLE"},
	}},
	{"maxsat --literals --mcs", "p wcnf 3 4 9\n9 1 2 0\n9 -1 3 0\n2 -2 0\n3 -3 0\n", []formatPart{
		{"header", "wcnf", "wncf", `the header is not "p wcnf`},
		{"number of variables", "wcnf 3", "wcnf 4", "v -?1 -?2 -3 -?4 0"},
		{"fewer variables", "wcnf 3", "wcnf 2", "above the 2 announced variables"},
		{"number of clauses", "3 4 9", "3 5 9", "4 clauses, but the header announces 5"},
		{"fewer clauses", "3 4 9", "3 3 9", "more clauses than the 3 announced"},
		{"top", "4 9", "4 10", "0 hard clauses, 4 soft clauses"},
		{"top for a soft clause", "4 9", "4 3", "3 hard clauses, 1 soft clause"},
		{"top of zero", "4 9", "4 0", `"0" is not the weight of hard clauses`},
		{"no number as top", "4 9", "4 -9", `"-9" after the header`},
		{"no top", "4 9", "4", "0 hard clauses, 4 soft clauses"},
		{"word after the header", "4 9", "4 9 9", `"9" after the header`},
		{"weight of a hard clause", "9 1 2", "8 1 2", "1 hard clause, 3 soft clauses"},
		{"weight of a soft clause", "2 -2", "4 -2", "o 3"},
		{"weight of zero", "2 -2", "0 -2", `"0" is not a weight; weights are integers from 1`},
		{"negative weight", "2 -2", "-2 -2", `"-2" is not a weight; weights are integers from 1`},
		{"decimal weight", "2 -2", "2.5 -2", `"2.5" is not a weight; weights are integers from 1`},
		{"sum of the weights", "9\n9 1 2", "9223372036854775807\n9223372036854775806 1 2", "the weights add up to more than 9223372036854775807"},
		{"hard clause of the other form", "9 1 2", "h 1 2", `"h" is not a weight`},
		{"literal", "-1 3", "1 3", "o 0|o 2"},
		{"end of a clause", "-3 0", "-3", "the last clause is not ended by 0"},
	}},
	{"maxsat --literals --mcs", "h 1 2 0\nh -1 3 0\n2 -2 0\n3 -3 0\n", []formatPart{
		{"hard clause", "h 1 2", "1 1 2", "1 hard clause, 3 soft clauses"},
		{"letter", "h 1", "H 1", `"H" is not a weight`},
		{"letter without a blank", "h 1", "h1", `"h1" is neither a weight nor the h`},
		{"weight", "2 -2", "4 -2", "o 3"},
		{"weight of zero", "2 -2", "0 -2", `"0" is not a weight`},
		{"header inside", "2 -2", "p wcnf 3 4 9\n2 -2", `"p" is not a weight`},
		{"literal", "-1 3", "1 3", "o 0|o 2"},
		{"no literal", "-1 3", "-1 x3", `"x3" is not a number`},
		{"end of a clause", "-3 0", "-3", "the last clause is not ended by 0"},
		{"no clauses", "h 1 2 0\nh -1 3 0\n2 -2 0\n3 -3 0\n", "c\n", "warning: .* has no clauses"},
	}},
	{"mus", "p gcnf 2 4 3\n{0} 1 0\n{1} -1 2 0\n{2} -2 0\n{3} 2 0\n", []formatPart{
		{"header", "gcnf", "gncf", "the header is not"},
		{"no header", "p gcnf 2 4 3\n", "", "where the header"},
		{"number of variables", "gcnf 2", "gcnf 3", "3 variables"},
		{"fewer variables", "gcnf 2", "gcnf 1", "above the 1 announced variable"},
		{"number of clauses", "4 3", "5 3", "4 clauses, but the header announces 5"},
		{"fewer clauses", "4 3", "3 3", "more clauses than the 3 announced"},
		{"number of groups", "4 3", "4 4", "2 of 4 groups"},
		{"fewer groups", "4 3", "4 2", `group "\{3\}" is above the 2 announced groups`},
		{"no groups", "4 3", "4", "no number of groups"},
		{"word after the header", "4 3", "4 3 3", `"3" after the header`},
		{"group", "{1}", "{3}", "v 2 3 0"},
		{"background", "{0}", "{3}", "v 2 3 0"},
		{"clause without a group", "{1} ", "", "is not a group such as"},
		{"group without braces", "{1}", "1", "is not a group such as"},
		{"literal", "-1 2", "1 2", "v 2 3 0"},
		{"no literal", "-1 2", "-1 x", `"x" is not a number`},
		{"end of a clause", "2 0\n{2}", "2\n{2}", `"\{2\}" is not a number`},
	}},
	{"mus", "p wcnf 2 4 9\n9 1 0\n1 -1 2 0\n1 -2 0\n1 2 0\n", []formatPart{
		{"weight", "1 -2", "2 -2", "warning: .*: the weights are not used"},
		{"weight of a hard clause", "9 1", "8 1", "warning: .*: the weights are not used"},
		{"top", "4 9", "4 1", "the background|UNSATISFIABLE\nv 0"},
		{"no weight", "1 -2", "x -2", `"x" is not a weight`},
		{"literal", "-1 2", "1 2", "v 2 3 0"},
	}},
	{"mus", "h 1 0\n1 -1 2 0\n1 -2 0\n1 2 0\n", []formatPart{
		{"weight", "1 -2", "2 -2", "warning: .*: the weights are not used"},
		{"hard clause", "h", "1", "no hard clause of WCNF"},
		{"literal", "-1 2", "1 2", "v 2 3 0"},
	}},
}

// seconds matches times in comments.
var seconds = regexp.MustCompile(`\d+\.\d+ s|, \d+ calls?`)

// TestFormatParts changes each part of a format: nothing is skipped in silence.
func TestFormatParts(t *testing.T) {
	for _, f := range formatParts {
		run := func(text string) string {
			args := append(strings.Fields(f.command), clitest.Write(t, "sample", text))
			code, out, errs := execute(t, &cli.Env{}, args...)
			return seconds.ReplaceAllString(fmt.Sprintf("%d\n%s%s", code, strings.ReplaceAll(out, args[len(args)-1], "FILE"), strings.ReplaceAll(errs, args[len(args)-1], "FILE")), "")
		}
		before := run(f.sample)
		if strings.HasPrefix(before, "0") || strings.HasPrefix(before, "1\n") {
			t.Fatalf("%s: %s", f.command, before)
		}
		for _, p := range f.parts {
			if !strings.Contains(f.sample, p.from) {
				t.Fatalf("%s, %s: %q is not in the sample", f.command, p.part, p.from)
			}
			after := run(strings.Replace(f.sample, p.from, p.to, 1))
			switch {
			case after == before:
				t.Errorf("%s, %s: no effect\n%s", f.command, p.part, after)
			case !regexp.MustCompile(p.want).MatchString(after):
				t.Errorf("%s, %s: want %q in\n%s", f.command, p.part, p.want, after)
			}
		}
	}
}
