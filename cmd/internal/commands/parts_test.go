package commands

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// A net for parts of inputs that are skipped in silence. For each format a table lists its
// parts; a row changes a part of a sample and names a command. The changed input must make a
// difference: another answer, a warning or an error. A row whose change has no effect is a
// fault of the reader, or a part without meaning that belongs to the comments. Formats that
// other packages read have tables like this beside their readers.
//
// partRows lists the rows: args has F for the changed file and G for the other one. The
// first of the samples that contains from is changed: all of it becomes to.
var partRows = []struct{ part, args, sample, other, from, to, want string }{
	// DIMACS CNF.
	{"variables of the header", "count -q F", partCNF, "", "cnf 4", "cnf 5", "answer"},
	{"fewer variables than used", "solve -q F", partCNF, "", "cnf 4", "cnf 2", "error"},
	{"clauses of the header", "solve -q F", partCNF, "", " 3\n", " 4\n", "error"},
	{"clauses of the header, relaxed", "solve -q --relaxed F", partCNF, "", " 3\n", " 4\n", "warning"},
	{"format", "solve -q F", partCNF, "", "cnf", "dnf", "error"},
	{"header", "solve -q F", partCNF, "", "p cnf 4 3\n", "", "error"},
	{"header in capitals", "solve -q F", partCNF, "", "p cnf", "P CNF", "error"},
	{"text after the header", "solve -q F", partCNF, "", " 3\n", " 3 1\n", "error"},
	{"second header", "solve -q F", partCNF, "", "3 4 0\n", "p cnf 4 1\n3 4 0\n", "error"},
	{"sign", "count -q F", partCNF, "", "-1 2", "1 2", "answer"},
	{"literal", "count -q F", partCNF, "", "3 4 0", "3 0", "answer"},
	{"clause", "count -q --relaxed F", partCNF, "", "3 4 0\n", "", "warning"},
	{"0 between clauses", "solve -q F", partCNF, "", "1 2 0\n", "1 2\n", "error"},
	{"last 0", "solve -q F", partCNF, "", "3 4 0\n", "3 4\n", "error"},
	{"comma", "solve -q F", partCNF, "", "3 4 0", "3,4 0", "error"},
	{"plus sign", "solve -q F", partCNF, "", "3 4 0", "+3 4 0", "error"},
	{"name", "solve -q F", partCNF, "", "3 4 0", "x3 4 0", "error"},
	{"exclusive or", "solve -q F", partCNF, "", "3 4 0", "x 3 4 0", "error"},
	{"quantifier", "solve -q F", partCNF, "", "3 4 0", "e 1 0\n3 4 0", "error"},
	{"negated 0", "solve -q F", partCNF, "", "3 4 0", "3 4 -0", "error"},
	{"high number", "solve -q F", partCNF, "", "3 4 0", "3 4294967300 0", "error"},
	{"carriage return in a comment", "solve -q F", partCNF, "", "3 4 0\n", "c\r3 4 0\n", "error"},
	{"comment behind a literal", "solve -q F", partCNF, "", "3 4 0\n", "3 4c 0\n", "error"},
	{"clause after the trailer", "solve -q F", partCNF, "", "3 4 0\n", "%\n0\n3 4 0\n", "error"},
	{"zero byte", "solve -q F", partCNF, "", "3 4 0", "3 \x00 4 0", "error"},
	{"text at the end", "solve -q F", partCNF, "", "3 4 0\n", "3 4 0\nend\n", "error"},

	// Lines about counting.
	{"projection", "count -q F", partCounting, "", "c p show 1 2 0\n", "", "answer"},
	{"second line of the projection", "count -q F", partCounting, "", "c p show 3 0\n", "", "answer"},
	{"projection, enumerated", "enumerate -q F", partCounting, "", "show 1 2", "show 1", "answer"},
	{"old projection", "count -q F", partCounting, "", "c p show 3 0", "c ind 3 4 0", "answer"},
	{"projection, empty", "count -q F", partCounting, "", "c p show 1 2 0\nc p show 3 0", "c p show 0", "answer"},
	{"projection behind a clause", "count -q F", partCounting, "", "3 4 0\n", "3 4 0 c p show 4 0\n", "answer"},
	{"projection that touches a 0", "count -q F", partCounting, "", "3 4 0\n", "3 4 0c p show 4 0\n", "answer"},
	{"projection inside a clause", "count -q F", partCounting, "", "3 4 0\n", "3\nc p show 4 0\n4 0\n", "answer"},
	{"word in a projection", "count -q F", partCounting, "", "show 3", "show x", "error"},
	{"negated variable", "count -q F", partCounting, "", "show 3", "show -3", "error"},
	{"high variable", "count -q F", partCounting, "", "show 3", "show 9", "error"},
	{"0 of a projection", "count -q F", partCounting, "", "show 3 0", "show 3", "error"},
	{"text after a projection", "count -q F", partCounting, "", "show 3 0", "show 3 0 4", "error"},
	{"type", "count -q F", partCounting, "", "t pmc", "t mc", "error"},
	{"type with weights", "count -q F", partCounting, "", "t pmc", "t pwmc", "answer"},
	{"unknown type", "count -q F", partCounting, "", "t pmc", "t amc", "warning"},
	{"second type", "count -q F", partCounting, "", "t pmc\n", "t pmc\nc t mc\n", "error"},
	{"weight", "count -q F", partCounting, "", "c t pmc\n", "c p weight 1 0.5 0\n", "error"},
	{"weight of 1", "count -q F", partCounting, "", "c t pmc\n", "c p weight 1 1 0\n", "error"},
	{"old weight", "count -q F", partCounting, "", "3 4 0\n", "3 4 0\nw 1 0.5\n", "error"},
	{"misspelled line", "count -q F", partCounting, "", "c p show 3 0", "c p shows 3 0", "warning"},
	{"factor", "count -q F", partCounting, "", "c t pmc\n", "c t pmc\nc MUST MULTIPLY BY 2 0\n", "warning"},
	{"--project besides a projection", "count -q F --project 1", partCNF, "", "c a sample", "c p show 3 0", "warning"},
	{"number of the old header", "count -q F", partOld, "", "4 3 2", "4 3 1", "error"},
	{"variables of an old line", "count -q F", partOld, "", "vp 1 3", "vp 1 2", "answer"},
	{"old line", "count -q F", partOld, "", "vp 1 3 0\n", "", "error"},
	{"projection, converted", "convert F", partCounting, "", "show 3", "show 4", "answer"},
	{"weight, converted", "convert F", partCounting, "", "c t pmc\n", "c p weight 1 0.5 0\n", "answer"},
	{"projection, shuffled", "convert --shuffle F", partCounting, "", "show 3", "show 4", "answer"},
	{"projection, substituted", "convert --substitute xor:2 F", partCNF, "", "c a sample", "c p show 3 0", "warning"},
	{"projection, simplified", "simplify -q F", partCounting, "", "show 3", "show 4", "answer"},

	// Solutions.
	{"answer", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "SATISFIABLE", "UNSATISFIABLE", "error"},
	{"unknown answer", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "SATISFIABLE", "PERHAPS", "error"},
	{"second answer", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "v 1", "s UNKNOWN\nv 1", "error"},
	{"text after the answer", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "SATISFIABLE", "SATISFIABLE 0", "error"},
	{"value", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "1 2", "1 -2", "answer"},
	{"missing value", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "3 -4", "-4", "answer"},
	{"value of no variable", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "-4 0", "-4 5 0", "warning"},
	{"contradiction", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "-4 0", "-4 4 0", "error"},
	{"0 of the values", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "-4 0", "-4", "error"},
	{"values after the 0", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "-4 0\n", "-4 0\nv 4\n", "error"},
	{"v", "check G F", "s SATISFIABLE\nv 1 2 0\n", "p cnf 2 1\n1 2 0\n", "v 1 2 0\n", "v 1\n2 0\n", "error"},
	{"word among the values", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "3 -4", "3 x -4", "error"},
	{"objective", "check G F", "s SATISFIABLE\nv 1 2 3 -4 0\n", partCNF, "v 1", "o 1\nv 1", "error"},

	// Proofs: DRAT, LRAT, and binary DRAT.
	{"lemma", "check G F", partDRAT, partUNSAT, "1 2 0\n", "", "answer"},
	{"literal of a lemma", "check G F", partDRAT, partUNSAT, "\n1 0\n", "\n4 0\n", "answer"},
	{"deletion", "check G F", partDRAT, partUNSAT, "\n1 0\n", "\nd 1 2 0\n1 0\n", "answer"},
	{"deletion of no clause", "check G F", partDRAT, partUNSAT, "\n1 0\n", "\nd 1 2 3 4 0\n1 0\n", "warning"},
	{"deletion of a unit clause", "check G F", partDRAT, partUNSAT, "\n2 0\n", "\nd 1 0\n2 0\n", "answer"},
	{"0 of a lemma", "check G F", partDRAT, partUNSAT, "\n1 0\n", "\n1\n", "answer"},
	{"word of a proof", "check G F", partDRAT, partUNSAT, "\n1 0\n", "\nx 0\n", "error"},
	{"sign of 0", "check G F", partDRAT, partUNSAT, "\n1 0\n", "\n1 -0\n", "error"},
	{"id of a lemma", "check G F", partLRAT, partUNSAT, "9 1 2", "3 1 2", "answer"},
	{"hint", "check G F", partLRAT, partUNSAT, "10 1 0 9 3", "10 1 0 9 5", "answer"},
	{"missing hint", "check G F", partLRAT, partUNSAT, "9 3 4 0", "9 3 0", "answer"},
	{"deleted id", "check G F", partLRAT, partUNSAT, "d 1 2", "d 5 2", "answer"},
	{"deletion of an unknown id", "check G F", partLRAT, partUNSAT, "d 1 2", "d 1 20", "warning"},
	{"0 of the hints", "check G F", partLRAT, partUNSAT, "9 3 4 0", "9 3 4", "error"},
	{"letter of a step", "check G F", partBinary, partUNSAT, "a\x02\x00", "b\x02\x00", "error"},
	{"binary literal", "check G F", partBinary, partUNSAT, "a\x02\x00", "a\x08\x00", "answer"},
	{"binary 0", "check G F", partBinary, partUNSAT, "a\x02\x00a\x04", "a\x02a\x04", "answer"},
	{"binary step", "check G F", partBinary, partUNSAT, "a\x02\x04\x00", "", "answer"},
}

const (
	partCNF      = "c a sample\np cnf 4 3\n1 2 0\n-1 2 0\n3 4 0\n"
	partCounting = "c p show 1 2 0\nc p show 3 0\nc t pmc\np cnf 4 3\n1 2 0\n-1 2 0\n3 4 0\n"
	partOld      = "p pcnf 4 3 2\nvp 1 3 0\n1 2 0\n-1 2 -3 0\n3 4 0\n"
	partUNSAT    = "p cnf 4 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n"
	partDRAT     = "1 2 0\n1 0\n2 0\n0\n"
	partLRAT     = "9 1 2 0 1 2 0\n10 1 0 9 3 4 0\n10 d 1 2 0\n11 2 0 10 5 6 0\n12 0 10 11 7 8 0\n"
	partBinary   = "a\x02\x04\x00a\x02\x00a\x04\x00a\x00"
)

// elapsed matches what differs from run to run.
var elapsed = regexp.MustCompile(`\d+\.\d+ s`)

// TestParts runs the rows. An error has the exit code 1 and no answer, and a warning is on
// standard error in spite of -q.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	for _, r := range partRows {
		file, other := filepath.Join(dir, "f"), clitest.Write(t, "g", r.other)
		run := func(text string) (code int, out, errs string) {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			args := strings.Fields(r.args)
			for i, a := range args {
				switch a {
				case "F":
					args[i] = file
				case "G":
					args[i] = other
				}
			}
			code, out, errs = execute(t, new(cli.Env), args...)
			return code, elapsed.ReplaceAllString(out, ""), errs
		}
		if !strings.Contains(r.sample, r.from) {
			t.Fatalf("%s: the sample has no %q", r.part, r.from)
		}
		code, out, errs := run(r.sample)
		newCode, newOut, newErrs := run(strings.Replace(r.sample, r.from, r.to, 1))
		var got string
		switch {
		case newCode == cli.CodeInput && !strings.Contains("\n"+newOut, "\ns "):
			got = "error"
		case newErrs != errs && strings.Contains(newErrs, "warning"):
			got = "warning"
		case newCode != code || newOut != out:
			got = "answer"
		default:
			got = "no effect"
		}
		if got != r.want || code == cli.CodeInput || errs != "" {
			t.Errorf("%s, %s: got %s, want %s; before: %d\n%s%s\nafter: %d\n%s%s", r.part, r.args, got, r.want, code, out, errs, newCode, newOut, newErrs)
		}
	}
}
