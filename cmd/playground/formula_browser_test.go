package main

import "testing"

// TestBrowserFormula loads a formula.
func TestBrowserFormula(t *testing.T) {
	p := openPage(t, "#formula")
	p.click("#load")
	p.waitText("#summary", "3 variables, 4 clauses")
	p.typeIn("#text", "p cnf 3 2\n1 -2 0\n2 x 0\n")
	p.click("#load")
	p.waitText("#text-error", "line 3, column 3")
	p.looks("formula")
}
