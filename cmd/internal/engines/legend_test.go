package engines

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// TestLegend checks that the legend has each letter of dpll/cdcl once, and fits a screen.
func TestLegend(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../../dpll/cdcl/stats.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	legend := map[string]int{}
	for _, e := range searchEvents {
		for _, l := range e.Events {
			legend[string(l)]++
		}
	}
	letters := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is || spec.Type == nil || len(spec.Values) != 1 {
			return true
		}
		if name, is := spec.Type.(*ast.Ident); !is || name.Name != "Event" {
			return true
		}
		letter, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		letters++
		if legend[letter] != 1 {
			t.Errorf("the legend has the letter %s of %s %d times", letter, spec.Names[0], legend[letter])
		}
		return true
	})
	if letters != len(legend) || letters < 20 {
		t.Errorf("dpll/cdcl has %d letters, the legend %d", letters, len(legend))
	}
	for _, engine := range []string{"auto", "cdcl", "dpll"} {
		lines := Legend(engine)
		if len(lines) == 0 || len(lines) > 12 {
			t.Errorf("%s: the legend has %d lines", engine, len(lines))
		}
		for _, line := range lines {
			if len(line) > 78 || strings.TrimSpace(line) == "" {
				t.Errorf("%s: line %q", engine, line)
			}
		}
	}
}
