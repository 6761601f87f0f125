// Package paper tests the paper of this folder.
package paper

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A quotation is a number of the paper with its source: a link to a report whose
// title is a text of the report that contains the number.
var quotation = regexp.MustCompile(`\[([^\]]+)\]\(([^) ]+) "([^"]+)"\)`)

// result is a number with a decimal point or a percent sign. The level of the
// intervals is none.
var (
	result = regexp.MustCompile(`[0-9]+\.[0-9]+|[0-9]+\s*%`)
	level  = regexp.MustCompile(`\b95\s*%`)
)

// Every quoted number is in its report, and every decimal number and percentage is quoted.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile("paper.md")
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]string{}
	all := quotation.FindAllStringSubmatch(string(text), -1)
	for _, q := range all {
		shown, file, source := q[1], q[2], strings.ReplaceAll(q[3], `\|`, "|") // a table needs the escape
		if reports[file] == "" {
			b, err := os.ReadFile(filepath.FromSlash(file))
			if err != nil {
				t.Fatal(err)
			}
			reports[file] = string(b)
		}
		if !strings.Contains(reports[file], source) {
			t.Errorf("%s does not contain %q", file, source)
		}
		if !strings.Contains(source, shown) {
			t.Errorf("%q is not in the quotation %q", shown, source)
		}
	}
	if len(all) < 30 {
		t.Errorf("only %d quotations", len(all))
	}
	plain := level.ReplaceAllString(quotation.ReplaceAllString(string(text), ""), "")
	for i, line := range strings.Split(plain, "\n") {
		if n := result.FindString(line); n != "" {
			t.Errorf("line %d: %s has no source", i+1, n)
		}
	}
}

// link is the file of a link or of a figure.
var link = regexp.MustCompile(`\]\(([^) ]+)`)

// Every figure and report that the paper, the page of the seeds and the page of the
// benchmarks name exists.
func TestFiles(t *testing.T) {
	for _, page := range []string{"paper.md", "../docs/seeds.md", "../README.md"} {
		text, err := os.ReadFile(filepath.FromSlash(page))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range link.FindAllStringSubmatch(string(text), -1) {
			file := filepath.Join(filepath.Dir(filepath.FromSlash(page)), filepath.FromSlash(l[1]))
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
