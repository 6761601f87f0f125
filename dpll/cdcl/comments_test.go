package cdcl

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Numbers as they occur in results of measurements, and words that say what was measured.
var (
	figures  = regexp.MustCompile(`\b[0-9]+(\.[0-9]+|,[0-9]{3})\b|\b[0-9]+ ?(%|s\b|MB\b)`)
	measures = regexp.MustCompile(`\b(of|times|instead of) (the|its|[0-9,.]+) ([A-Za-z]+ )?(time|ticks|conflicts|flips)\b|\b(took|fell|saved) |standard error`)
)

// measured reports whether a paragraph of a comment quotes measurements.
func measured(paragraph string) bool {
	return len(figures.FindAllString(paragraph, 2)) == 2 && measures.MatchString(paragraph)
}

// TestMeasuredComments: results of measurements are in dpll/docs/tried.md alone. A comment
// says what was tried and whether it helped.
func TestMeasuredComments(t *testing.T) {
	for _, p := range []string{"took 0.94 of the time and 1.02 times the\nconflicts", "peaks fell from 42.9 to\n29.1 MB"} {
		if !measured(p) {
			t.Errorf("%q counts as a comment without measurements", p)
		}
	}
	for _, p := range []string{"Tried: a share of 65 % (no gain).", "Linux since version 6.1 and 5.14"} {
		if measured(p) {
			t.Errorf("%q counts as a measurement", p)
		}
	}
	for _, pattern := range []string{"*.go", "internal/*/*.go", "../portfolio/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				checkComments(t, name)
			}
		}
	}
}

func checkComments(t *testing.T, name string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Comments {
		for p := range strings.SplitSeq(group.Text(), "\n\n") {
			if measured(p) {
				t.Errorf("%s: a comment quotes measurements, which belong into dpll/docs/tried.md:\n%s", set.Position(group.Pos()), p)
			}
		}
	}
}
