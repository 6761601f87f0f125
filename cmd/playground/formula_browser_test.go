package main

import (
	"fmt"
	"testing"
)

// TestBrowserFormula solves a formula, and reads the place of an error.
func TestBrowserFormula(t *testing.T) {
	p := openPage(t, "#formula")
	p.click("#solve")
	p.waitText("#answer", "Satisfiable")
	p.typeIn("#text", "p cnf 3 2\n1 -2 0\n2 x 0\n")
	p.click("#solve")
	p.waitText("#text-error", "line 3, column 3")
	var selected string
	p.eval("(() => { const e = document.querySelector('#text'); return e.value.slice(e.selectionStart, e.selectionEnd); })()", &selected)
	if selected != "2 x 0" {
		t.Errorf("selected text %q", selected)
	}
}

// TestBrowserProof solves an unsatisfiable formula of a family, whose link is the address,
// and checks its proof.
func TestBrowserProof(t *testing.T) {
	thorough(t)
	p := openPage(t, "#formula?family=php&seed=1&holes=7")
	p.wait("the text", "document.querySelector('#text').value.includes('p cnf')")
	p.looks("formula")
	p.click("#solve")
	p.waitText("#answer", "Unsatisfiable")
	p.click("#check")
	p.waitText("#proof-state", "correct")
	p.looks("formula-proof")
}

// TestBrowserTree goes through the steps of a search.
func TestBrowserTree(t *testing.T) {
	thorough(t)
	p := openPage(t, "#tree")
	p.click("#search")
	p.waitText("#answer", "nodes")
	p.looks("tree")
	p.click("#to-begin")
	p.waitText("#said", "Step 0 of")
	for i := range 3 {
		p.click("#forward")
		p.waitText("#said", fmt.Sprintf("Step %d of", i+1))
	}
	p.looks("tree-step")
}

// TestBrowserTwoSAT asks for the chain of a literal.
func TestBrowserTwoSAT(t *testing.T) {
	thorough(t)
	p := openPage(t, "#2sat")
	p.click("#solve")
	p.waitText("#answer", "Satisfiable")
	p.click("button.lit")
	p.waitText("#chain", "is true in every solution")
	p.looks("2sat")
	p.choose("#example", "Contradiction")
	p.click("#solve")
	p.waitText("#answer", "Unsatisfiable")
	p.looks("2sat-contradiction")
}

// TestBrowserThreshold draws the curve.
func TestBrowserThreshold(t *testing.T) {
	thorough(t)
	p := openPage(t, "#threshold?vars=30&count=10")
	p.waitText("#answer", "formulas are satisfiable")
	p.click("#curve")
	p.wait("the curve", "document.querySelectorAll('.share-point').length > 40 && document.querySelector('#stop').disabled")
	p.looks("threshold")
}
