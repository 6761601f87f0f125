package cli

import (
	"strings"
	"testing"
)

// TestNarrow arranges a help text for terminals of several widths.
func TestNarrow(t *testing.T) {
	const page = `sator trace - show a search: DPLL's tree, or CDCL step by step
usage: sator trace FILE

Solves a formula and shows the search: the search tree of the engine dpll, or
the steps of the engine cdcl.
A second paragraph.

  sator trace problem.cnf
  sator trace problem.cnf --engine cdcl

  --time T                stop after T, in seconds (2.5) or with units that Go has
                          such as 1h30m
  -q, --quiet             print less
`
	if narrow(page, 0) != page || narrow(page, HelpWidth) != page {
		t.Error("a page for a wide terminal is changed")
	}
	want := `Solves a formula and shows the search: the search
tree of the engine dpll, or the steps of the engine
cdcl.
A second paragraph.

  sator trace problem.cnf
  sator trace problem.cnf --engine cdcl

  --time T                stop after T, in seconds
                          (2.5) or with units that
                          Go has such as 1h30m
  -q, --quiet             print less
`
	got := narrow(page, 52)
	if !strings.HasSuffix(got, want) || !strings.Contains(got, "\nusage: sator trace FILE\n") {
		t.Errorf("got\n%s", got)
	}
	for width := 20; width < HelpWidth; width++ {
		if strings.Join(strings.Fields(narrow(page, width)), " ") != strings.Join(strings.Fields(page), " ") {
			t.Errorf("width %d: words are lost", width)
		}
	}
}
