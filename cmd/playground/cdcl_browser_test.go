//go:build browser

package main

import "testing"

// TestBrowserCDCL steps through a search with conflicts, stops at a clause, takes another
// decision, and draws the proof.
func TestBrowserCDCL(t *testing.T) {
	p := openPage(t, "#cdcl")
	p.waitText("#answer", "atisfiable, after")
	p.waitText("#said", "conflict 1: all literals of clause c")
	p.waitText("#derivation", "first UIP")
	p.wait("the graph", "document.querySelector('#graph .drawing')?.shadowRoot.querySelector('rect.uip')")
	p.wait("a falsified clause", "document.querySelectorAll('.clause.falsified.current').length === 1")
	p.looks("cdcl-conflict")
	p.click("#forward")
	p.waitText("#said", "learn clause c10")
	p.click("#forward")
	p.waitText("#said", "backtrack to level")
	p.wait("watches", "document.querySelectorAll('.clause .watched').length >= 8")
	p.click("#to-begin")
	p.waitText("#said", "Step 0 of")
	p.typeIn("#stop-at", "c10")
	p.click("#run")
	p.waitText("#said", "learn clause c10")
	p.choose("#speed", "10")
	p.click("#play")
	p.waitText("#said", "clause c10 (")
	p.waitText("#play", "Play")

	p.choose("#example", "Four pigeons, three holes")
	p.click("#search")
	p.waitText("#answer", "Unsatisfiable, after")
	p.click("#next-conflict")
	p.waitText("#said", "conflict 2: ")
	p.click("summary")
	p.wait("the proof", "document.querySelector('#proof .drawing')?.shadowRoot.querySelectorAll('rect.given').length > 9")
	var ok bool
	p.eval("document.querySelector('#proof .drawing').shadowRoot.querySelectorAll('rect.conflict:not(.legend *)')[0].dispatchEvent(new MouseEvent('click')) || true", &ok)
	p.waitText("#said", "the empty clause is derived")
	p.looks("cdcl-proof")
	p.click("#to-end")
	p.eval("document.querySelectorAll('#clauses button.asked')[0].click() || true", &ok)
	p.waitText("#said", "learn clause c")
	p.click("#to-end")
	p.saves("#save-proof", "formula-proof.svg", "<svg")
	p.wait("the graph of the last conflict", `document.querySelector("#graph [aria-label='Implication graph of conflict 9']") !== null`)
	p.saves("#save-graph", "formula-conflict-9.svg", "<svg")

	p.click("#to-begin")
	p.eval("(() => { while (!document.querySelector('#said').textContent.includes('decide')) document.querySelector('#forward').click(); return true; })()", &ok)
	p.typeIn("#decide", "-5")
	p.click("#take")
	p.waitText("#said", "decide -5 at level 1")
	p.typeIn("#decide", "99")
	p.click("#take")
	p.wait("a message", "document.querySelector('#decide').validationMessage === 'a literal of the 12 variables'")
	p.typeIn("#decide", "5")
	p.click("#forward")
	p.click("#take")
	p.wait("a message", "document.querySelector('#decide').validationMessage === '5 is assigned here'")

	p.choose("#family", "ksat")
	p.typeIn("#param-vars", "1000")
	p.wait("the text", "document.querySelector('#text').value.includes('--vars 1000')")
	p.click("#search")
	p.waitText("#text-error", "steps are shown of up to 500 variables")
	p.typeIn("#param-vars", "30")
	p.wait("the text", "document.querySelector('#text').value.includes('--vars 30')")
	p.click("#open-in a")
	p.waitText("h1", "Formulas")
	p.wait("the same formula", "document.querySelector('#text').value.includes('--vars 30')")
}
