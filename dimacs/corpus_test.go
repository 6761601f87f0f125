package dimacs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/file"
)

// rejected lists the files of a collection of odd and malformed inputs that a
// strict reader rejects by the rules of [dimacs.Reader], with the error. A
// relaxed reader accepts some of them, with a warning. Both readers accept all
// other files of the collection without a warning.
//
// Some files are named after a mistake in a solution beside them, or after an
// option of their origin. These are correct formulas.
var rejected = []struct {
	name    string
	err     string
	relaxed bool // a relaxed reader accepts the file
}{
	{"hdr-mismatch_par8-1.cnf_properly_formatted.cnf", `124:1: 102 clauses, but the header announces 1149`, true},
	{"hdr-mismatch_G2347.cnf", `71949:1: more clauses than the 71947 announced`, true},
	{"hdr-mismatch_sub1_1.cnf", `3776:1: more clauses than the 4285 announced`, true},
	{"hdr-mismatch_sudoku-rules.cnf", `11990:1: 11988 clauses, but the header announces 12016`, true},
	{"kissat-anainsteadoflit.cnf", `3:1: "a" is not a number: quantifiers (QDIMACS) and cubes (iCNF) are not part of CNF`, false},
	{"kissat-embeddedcrmissingnl.cnf", `1:14: a carriage return without a line feed`, false},
	{"kissat-emptyfile.cnf", `1:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"kissat-emptyline.cnf", `2:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"kissat-eofafterlit.cnf", `3:4: the last clause is not ended by 0`, true},
	{"kissat-eofafterlitcomment.cnf", `2:1: "1comment" is not a number`, false},
	{"kissat-eofbeforeheader.cnf", `2:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"kissat-eofheadercomment.cnf", `1:32: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"kissat-eofinclauses.cnf", `1:10: 0 clauses, but the header announces 1`, true},
	{"kissat-eofinheaderafterc.cnf", `1:3: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"kissat-eofinmaxvar.cnf", `1:8: no number of clauses in the header`, false},
	{"kissat-nlafterp.cnf", `1:2: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"kissat-nlaftersign.cnf", `2:1: "-" is not a number`, false},
	{"kissat-nlaftervars.cnf", `1:8: no number of clauses in the header`, false},
	{"kissat-nocafterpspace.cnf", `2:3: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"kissat-nocnorp.cnf", `1:1: "a" where the header "p cnf VARIABLES CLAUSES" is expected`, false},
	{"kissat-nodigitafterpcnfspace.cnf", `2:7: "nodigit" is not a number`, false},
	{"kissat-nodigitaftersign.cnf", `4:1: "-nodigit" is not a number`, false},
	{"kissat-nodigitaftervarsnspace.cnf", `1:9: "nodigit" is not a number`, false},
	{"kissat-nofaftern.cnf", `4:3: the format is "cnF", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"kissat-nonafterc.cnf", `1:3: the format is "c", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"kissat-nonlaftercrafterheaderline.cnf", `1:15: a carriage return without a line feed`, false},
	{"kissat-nonlaftercrafterheadliner.cnf", `1:2: a carriage return without a line feed`, false},
	{"kissat-nonlaftercrafterlit.cnf", `2:2: a carriage return without a line feed`, false},
	{"kissat-nonlaftercrinbody.cnf", `2:1: a carriage return without a line feed`, false},
	{"kissat-nonlafterheaderline.cnf", `1:15: 0 clauses, but the header announces 1`, true},
	{"kissat-nonlafterinvalidembeddedoption.cnf", `1:3: a carriage return without a line feed`, false},
	{"kissat-nospaceafterf.cnf", `1:6: no number of variables in the header`, false},
	{"kissat-nospaceafterp.cnf", `1:1: "pa" is not a number, nor the p of a header`, false},
	{"kissat-nospaceaftervars.cnf", `4:7: "1nospace" is not a number`, false},
	{"kissat-notrailingzero.cnf", `3:1: the last clause is not ended by 0`, true},
	{"kissat-nowsafterlit.cnf", `4:3: "1a" is not a number`, false},
	{"kissat-oneclausemissing.cnf", `2:1: 0 clauses, but the header announces 1`, true},
	{"kissat-onlycomments.cnf", `3:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"kissat-onlycr.cnf", `1:1: a carriage return without a line feed`, false},
	{"kissat-onlycraftervars.cnf", `1:8: no number of clauses in the header`, false},
	{"kissat-othercharafterheaderline.cnf", `1:15: "nonl" after the header`, false},
	{"kissat-signeof.cnf", `2:1: "-" is not a number`, false},
	{"kissat-toolargeclauses1.cnf", `1:13: 20000000000000000000 clauses are more than 9223372036854775807`, false},
	{"kissat-toolargeclauses2.cnf", `1:13: 18446744073709551616 clauses are more than 9223372036854775807`, false},
	{"kissat-toolargevars1.cnf", `1:7: 2000000000 variables are more than 1073741823`, false},
	{"kissat-toolargevars2.cnf", `1:7: 1073741824 variables are more than 1073741823`, false},
	{"kissat-toomanyclauses.cnf", `2:1: more clauses than the 0 announced`, true},
	{"kissat-twoclausesmissing.cnf", `2:1: 0 clauses, but the header announces 2`, true},
	{"kissat-varidxexceeded.cnf", `2:1: literal 14 is above the 13 announced variables`, true},
	{"kissat-varidxtoolarge1.cnf", `2:1: literal "2684354550" is above the limit of 1073741823 variables`, false},
	{"kissat-varidxtoolarge2.cnf", `2:1: literal "1073741824" is above the limit of 1073741823 variables`, false},
	{"kissat-zeroaftersign.cnf", `2:1: "-0" is not a literal`, false},
	{"dimocheck-relaxed-comment.cnf", `2:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"dimocheck-relaxed-eofaftercls.cnf", `1:10: 0 clauses, but the header announces 1`, true},
	{"dimocheck-relaxed-eofafterclsnspaces.cnf", `1:14: 0 clauses, but the header announces 1`, true},
	{"dimocheck-relaxed-eofafterheader.cnf", `1:10: 0 clauses, but the header announces 1`, true},
	{"dimocheck-relaxed-eofinbodycomment.cnf", `3:1: "1comment" is not a number`, false},
	{"dimocheck-relaxed-eofinheadercomment.cnf", `1:38: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"dimocheck-relaxed-expectedvardigit.cnf", `1:7: "nodigit" is not a number`, false},
	{"dimocheck-relaxed-invalidheaderchar.cnf", `2:1: "and" where the header "p cnf VARIABLES CLAUSES" is expected`, false},
	{"dimocheck-relaxed-maxclsexceededinheader1.cnf", `1:9: 18446744073709551616 clauses are more than 9223372036854775807`, false},
	{"dimocheck-relaxed-maxclsexceededinheader2.cnf", `1:9: 123123123123123123123123 clauses are more than 9223372036854775807`, false},
	{"dimocheck-relaxed-maxclsexceededinheader3.cnf", `1:9: 200000000000000000000000 clauses are more than 9223372036854775807`, false},
	{"dimocheck-relaxed-maxvarexceededinbody1.cnf", `2:4: literal "2147483649" is above the limit of 1073741823 variables`, false},
	{"dimocheck-relaxed-maxvarexceededinbody2.cnf", `3:5: literal "300000000000" is above the limit of 1073741823 variables`, false},
	{"dimocheck-relaxed-maxvarexceededinheader1.cnf", `1:7: 2147483648 variables are more than 1073741823`, false},
	{"dimocheck-relaxed-maxvarexceededinheader2.cnf", `1:7: 100000000000000 variables are more than 1073741823`, false},
	{"dimocheck-relaxed-maxvarexceededinheader3.cnf", `1:7: 3000000000 variables are more than 1073741823`, false},
	{"dimocheck-relaxed-negativezero.cnf", `3:7: "-0" is not a literal`, false},
	{"dimocheck-relaxed-nocafterp.cnf", `1:3: the format is "d", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"dimocheck-relaxed-nodigit.cnf", `2:3: "X" is not a number`, false},
	{"dimocheck-relaxed-nodigitafterminus.cnf", `2:4: "-nodigit" is not a number`, false},
	{"dimocheck-relaxed-nodigitafterpcnfvar.cnf", `1:10: "nodigit0" is not a number`, false},
	{"dimocheck-relaxed-nofaftern.cnf", `1:3: the format is "cnooof", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"dimocheck-relaxed-nonafterc.cnf", `1:3: the format is "cm", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"dimocheck-relaxed-nospaceaftercls.cnf", `1:9: "1nospace" is not a number`, false},
	{"dimocheck-relaxed-nospaceafterf.cnf", `1:3: the format is "cnfnospace", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"dimocheck-relaxed-nospaceafterliteral.cnf", `4:1: literal 3 is above the 2 announced variables`, false},
	{"dimocheck-relaxed-nospaceafterp.cnf", `1:2: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"dimocheck-relaxed-nospaceaftervars.cnf", `1:7: "42N0" is not a number`, false},
	{"dimocheck-relaxed-nozero.cnf", `3:1: the last clause is not ended by 0`, true},
	{"dimocheck-strict-clauseterminatingzerocrnonl.cnf", `2:6: a carriage return without a line feed`, false},
	{"dimocheck-strict-missingclause.cnf", `2:1: 0 clauses, but the header announces 1`, true},
	{"dimocheck-strict-missingclauses.cnf", `3:1: 1 clause, but the header announces 3`, true},
	{"dimocheck-strict-nonlaftercrafterheader.cnf", `1:10: a carriage return without a line feed`, false},
	{"dimocheck-strict-nonlafterheader.cnf", `1:9: "0c" is not a number`, false},
	{"dimocheck-strict-spacecr.cnf", `3:3: a carriage return without a line feed`, false},
	{"dimocheck-strict-toomanyclauses1.cnf", `3:1: more clauses than the 1 announced`, true},
	{"dimocheck-strict-toomanyclauses2.cnf", `4:1: more clauses than the 2 announced`, true},
	{"dimocheck-strict-varexceedsspecified1.cnf", `4:1: literal 3 is above the 2 announced variables`, true},
	{"dimocheck-strict-varexceedsspecified2.cnf", `4:1: literal 3 is above the 2 announced variables`, true},
	{"cadical-missing-clause.cnf", `2:1: more clauses than the 0 announced`, true},
	{"cadical-variable-too-large.cnf", `2:1: literal 1 is above the 0 announced variables`, true},
	{"jam-BadLiteral.cnf", `3:3: "z4" is not a number`, false},
	{"jam-InvalidStringInHeader.cnf", `2:3: the format is "dnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"jam-LiteralOutOfRangeNeg.cnf", `3:3: literal "-1222333444555" is above the limit of 1073741823 variables`, false},
	{"jam-LiteralOutOfRangePos.cnf", `1:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"jam-MissingClauseCountInHeader.cnf", `1:8: no number of clauses in the header`, false},
	{"jam-MissingCountsInHeader.cnf", `1:6: no number of variables in the header`, false},
	{"jam-MissingHeader.cnf", `2:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"jam-TooFewClauses.cnf", `4:1: 2 clauses, but the header announces 3`, true},
	{"jam-TooManyClauses.cnf", `5:1: more clauses than the 3 announced`, true},
	{"logicng-contains-line-without-zero.cnf", `1:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"cms-indep-1.cnf", `2:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"cms-indep-3.cnf", `2:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"cms-indep_vars_2.cnf", `3:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"cms-simptest2.cnf", `2:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"cms-xor.cnf", `3:1: "x1" is not a number: neither names nor XOR clauses are DIMACS`, false},
	{"cms-xor_longer.cnf", `3:1: "x1" is not a number: neither names nor XOR clauses are DIMACS`, false},
	{"own-more-clauses-than-header.cnf", `3:1: more clauses than the 1 announced`, true},
	{"own-fewer-clauses-than-header.cnf", `4:1: 2 clauses, but the header announces 5`, true},
	{"own-var-above-header.cnf", `3:1: literal -7 is above the 2 announced variables`, true},
	{"own-missing-last-zero.cnf", `4:1: the last clause is not ended by 0`, true},
	{"own-no-header.cnf", `1:1: a clause before the header "p cnf VARIABLES CLAUSES"`, true},
	{"own-two-headers.cnf", `2:1: a second header`, true},
	{"own-header-dnf.cnf", `1:3: the format is "dnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"own-header-wcnf.cnf", `1:3: the format is "wcnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"own-header-knf.cnf", `1:3: the format is "knf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"own-letters.cnf", `2:3: "a" is not a number: quantifiers (QDIMACS) and cubes (iCNF) are not part of CNF`, false},
	{"own-plus-sign.cnf", `2:1: "+1" is not a number`, false},
	{"own-minus-zero.cnf", `2:5: "-0" is not a literal`, false},
	{"own-double-minus.cnf", `2:1: "--1" is not a number`, false},
	{"own-float.cnf", `2:1: "1.5" is not a number`, false},
	{"own-int-overflow.cnf", `2:1: literal "4294967297" is above the limit of 1073741823 variables`, false},
	{"own-int-min.cnf", `1:7: 2147483647 variables are more than 1073741823`, false},
	{"own-header-overflow.cnf", `1:7: 99999999999999999999 variables are more than 1073741823`, false},
	{"own-negative-header.cnf", `1:7: "-2" is not a number of variables`, false},
	{"own-nul-bytes.cnf", `2:3: "\x00" is not a number`, false},
	{"own-empty-file.cnf", `1:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"own-only-comments.cnf", `3:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`, false},
	{"own-incremental-p-inccnf.cnf", `1:3: the format is "inccnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`, false},
	{"own-xor-line.cnf", `2:1: "x1" is not a number: neither names nor XOR clauses are DIMACS`, false},
	{"own-cr-only.cnf", `1:10: a carriage return without a line feed`, false},
	{"own-trailing-garbage.cnf", `3:1: "hello" is not a number`, false},
	{"own-solution-file.cnf", `1:1: "s" where the header "p cnf VARIABLES CLAUSES" is expected`, false},
	{"own-gzip-truncated.cnf.gz", `3:1: a second header`, false},
}

// TestCorpus reads the collection in the directory in the environment variable
// SATOR_CORPUS.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("SATOR_CORPUS")
	if dir == "" {
		t.Skip("SATOR_CORPUS is not set")
	}
	dir = filepath.Join(dir, "odd")
	list, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	type decision struct {
		err     string
		relaxed bool
	}
	decisions := map[string]decision{}
	for _, r := range rejected {
		decisions[r.name] = decision{r.err, r.relaxed}
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	for _, line := range lines[1:] {
		name, _, _ := strings.Cut(line, "\t")
		d, bad := decisions[name]
		delete(decisions, name)
		path := filepath.Join(dir, name)
		f, _, err := readCorpus(path, false)
		if got := strings.TrimPrefix(text(err), dir+string(filepath.Separator)); got != d.err {
			t.Errorf("%s: got error %q, want %q", name, got, d.err)
		}
		relaxed, warnings, err := readCorpus(path, true)
		if got, want := err == nil, !bad || d.relaxed; got != want {
			t.Errorf("%s: relaxed gives %v", name, err)
		}
		if got, want := len(warnings) > 0, bad && d.relaxed; err == nil && got != want {
			t.Errorf("%s: warnings %q", name, warnings)
		}
		if f != nil && (relaxed == nil || f.Len() != relaxed.Len() || f.Size() != relaxed.Size()) {
			t.Errorf("%s: relaxed reads another formula", name)
		}
	}
	for name := range decisions {
		t.Errorf("%s is not in the collection", name)
	}
}

// readCorpus reads one file.
func readCorpus(path string, relaxed bool) (f *dimacs.Formula, warnings []string, err error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	r := &dimacs.Reader{Relaxed: relaxed, Warn: func(e *dimacs.SyntaxError) { warnings = append(warnings, e.Error()) }}
	f, err = r.Read(in)
	return f, warnings, err
}

// text returns the text of err, or "".
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
