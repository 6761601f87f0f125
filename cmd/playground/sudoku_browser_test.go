//go:build browser

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const (
	// sudokuEasy is solved by singles; its solution begins with 483.
	sudokuEasy = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
	// sudokuHard needs chains.
	sudokuHard = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
)

// openSudoku opens a panel of the page of Sudokus.
func openSudoku(t *testing.T, givens, panel string) *tab {
	t.Helper()
	p := openPage(t, "#2sat")
	var cleared bool
	p.eval("localStorage.clear() ?? true", &cleared) // progress of other tests
	p.open("#sudoku?givens=" + givens)
	p.ready()
	if panel != "" {
		p.unfold(panel)
	}
	return p
}

// calm sets the preference for reduced motion.
func (p *tab) calm() {
	p.t.Helper()
	features := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, features); err != nil {
		p.t.Fatal(err)
	}
}

// ready waits until the page shows a puzzle.
func (p *tab) ready() {
	p.t.Helper()
	p.wait("a puzzle", `document.querySelector(".desk:not([inert]) #grid [role=gridcell]")`)
}

// puzzle moves to the address of a puzzle.
func (p *tab) puzzle(givens string) {
	p.t.Helper()
	p.open("#sudoku?givens=" + givens)
	p.ready()
}

// keepDownloads keeps the texts that are downloaded from now on in window.saved.
func (p *tab) keepDownloads() {
	p.t.Helper()
	p.eval(`(() => {
		window.saved = [];
		const old = URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			blob.text().then((text) => window.saved.push(text));
			return old(blob);
		};
		return 1;
	})()`, new(int))
}

// unfold opens a panel.
func (p *tab) unfold(panel string) {
	p.t.Helper()
	var open bool
	if p.eval(fmt.Sprintf("document.querySelector(%q).open", panel), &open); !open {
		p.click(panel + " > summary")
	}
}

// cell returns the selector of a cell, numbered from 0.
func cell(n int) string { return fmt.Sprintf("#grid [data-cell=%q]", fmt.Sprint(n)) }

// label returns what a screen reader says about a cell.
func (p *tab) label(n int) string {
	p.t.Helper()
	var s string
	p.eval(fmt.Sprintf("document.querySelector(%q).getAttribute('aria-label')", cell(n)), &s)
	return s
}

// TestBrowserSudoku solves a puzzle by keyboard and by the engine.
func TestBrowserSudoku(t *testing.T) {
	p := openSudoku(t, sudokuEasy, "")
	p.click(cell(0))
	p.press("4")
	p.press("ArrowRight")
	p.press("3") // which the row has
	p.waitText("#status", "both have the digit 3")
	if s := p.label(1); s != "R1C2: 3, entry, conflict" {
		t.Errorf("the label of a wrong entry is %q", s)
	}
	p.click("#undo")
	if s := p.label(1); s != "R1C2: empty" {
		t.Errorf("the label after Undo is %q", s)
	}
	if s := p.label(2); s != "R1C3: 3, given" {
		t.Errorf("the label of a given is %q", s)
	}
	p.click("#next-hint")
	p.waitText("#hint", "single")
	p.click("#unique")
	p.waitText("#answer", "this is proved")
	p.click("#solve")
	p.waitText("#status", "Solved")
	if s := p.label(1); s != "R1C2: 8, entry" {
		t.Errorf("the solution has %q", s)
	}
}

// TestBrowserSudokuKeys operates the grid by keyboard alone.
func TestBrowserSudokuKeys(t *testing.T) {
	p := openSudoku(t, sudokuEasy, "")
	focused := func(want int) {
		t.Helper()
		var at int
		if p.eval(`Number(document.activeElement.dataset.cell)`, &at); at != want {
			t.Errorf("the focus is on cell %d, not %d", at, want)
		}
	}
	p.click(cell(0))
	for _, move := range []struct {
		key  string
		cell int
	}{{"ArrowLeft", 0}, {"ArrowDown", 9}, {"ArrowRight", 10}, {"End", 17}, {"PageDown", 80}, {"Home", 72}, {"ArrowUp", 63}, {"PageUp", 0}} {
		p.press(move.key)
		focused(move.cell)
	}
	var peers int
	if p.eval(`document.querySelectorAll("#grid [data-peer]").length`, &peers); peers != 20 {
		t.Errorf("%d cells are shaded as peers, not 20", peers)
	}
	p.press("!") // Shift with 1
	p.press("$") // Shift with 4
	if s := p.label(0); s != "R1C1: empty, marks 1 4" {
		t.Errorf("a pencil mark by Shift: %q", s)
	}
	p.click("#pencil")
	p.click("[data-digit='5']")
	if s := p.label(0); s != "R1C1: empty, marks 1 4 5" {
		t.Errorf("a pencil mark by the pad: %q", s)
	}
	p.looks("sudoku-keys")
	p.click("#pencil")
	p.click("#fill-marks")
	p.wait("marks", `document.querySelectorAll("#grid .mark").length > 100`)
	p.click(cell(0))
	p.press("4")
	if s := p.label(0); s != "R1C1: 4, entry" {
		t.Errorf("after typing: %q", s)
	}
	if s := p.label(1); strings.Contains(s, "4") {
		t.Errorf("a peer keeps the mark: %q", s)
	}
	p.open("#sudoku") // the browser has kept the puzzle with its entries
	p.ready()
	if s := p.label(0); s != "R1C1: 4, entry" {
		t.Errorf("after a reload: %q", s)
	}
	p.click(cell(0))
	p.press("Backspace")
	if s := p.label(0); s != "R1C1: empty" {
		t.Errorf("after Backspace: %q", s)
	}
	p.click("#reset")
	p.click(cell(2))
	p.press("5")
	p.waitText("#status", "stays")
	p.click("#form")
	p.press("5") // the button keeps the focus
	p.click(cell(2))
	p.press("7")
	if s := p.label(2); s != "R1C3: 7, given" {
		t.Errorf("a changed given: %q", s)
	}
	p.wait("the link", `new URLSearchParams(location.hash.split("?")[1]).get("givens")?.startsWith("..7.2")`)
	p.eval(`(() => { document.querySelector("#grid [tabindex='0']").dispatchEvent(new KeyboardEvent("keydown", {key: "z", ctrlKey: true, bubbles: true})); return 1; })()`, new(int))
	if s := p.label(2); s != "R1C3: 3, given" {
		t.Errorf("after Ctrl+Z: %q", s)
	}
	p.click("#redo")
	if s := p.label(2); s != "R1C3: 7, given" {
		t.Errorf("after Redo: %q", s)
	}
}

// TestBrowserSudokuRelations reads a puzzle with relations, and says and draws them.
func TestBrowserSudokuRelations(t *testing.T) {
	p := openSudoku(t, sudokuEasy, "")
	p.typeIn("#puzzle-text", "# rules 4 boxes 2x2 disjoint thermo R1C1+R1C2+R3C3 difference R4C1+R4C2 ratio R4C3+R4C4 sandwich 5:R2C1+R2C2+R2C3+R2C4\n................\n")
	p.click("#read")
	p.waitText("#rules", "thermo R1C1+R1C2+R3C3: digits increase")
	p.wait("the rule as a checkbox", `document.querySelector("#rule-disjoint").checked`)
	p.wait("shapes", `document.querySelectorAll(".under .relations polygon").length === 6 && document.querySelectorAll(".over .relations polygon").length === 3`)
	p.click("#fill-marks")
	p.wait("marks above the clue", `(() => {
		const clue = [...document.querySelectorAll(".relations text")].find((text) => text.textContent === "5").getBoundingClientRect();
		const marks = [...document.querySelectorAll("#grid [data-cell='4'] .mark")].map((mark) => mark.getBoundingClientRect());
		return marks.length > 1 && marks.every((mark) => mark.bottom < clue.top + clue.height / 4);
	})()`)
	p.looks("sudoku-relations")
}

// TestBrowserSudokuTexts types, drops, pastes and exports puzzles, and opens links.
func TestBrowserSudokuTexts(t *testing.T) {
	p := openSudoku(t, sudokuEasy, "")
	p.typeIn("#puzzle-text", "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 9\n")
	p.click("#read")
	p.waitText("#error", "line 4, column 7")
	p.looks("sudoku-error")
	p.typeIn("#puzzle-text", "1234\n3412\n2143\n43..\n")
	p.click("#read")
	p.waitText("#status", "Read as grid")
	p.waitText("#rules", "4x4; boxes of 2x2")
	p.wait("the link", `location.hash.includes("givens=123434122143")`)
	p.looks("sudoku-four")

	for _, way := range []string{"drop", "paste"} {
		event := `const e = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}); document.querySelector(".board").dispatchEvent(e);`
		if way == "paste" {
			event = `document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));`
		}
		p.eval(fmt.Sprintf(`(() => { const data = new DataTransfer(); data.setData("text/plain", %q); %s return 1; })()`, "# rules 6 boxes 2x3 x\n1....."+strings.Repeat(".", 29)+map[string]string{"drop": "2", "paste": "3"}[way], event), new(int))
		p.waitText("#rules", "6x6; boxes of 2x3; both diagonals")
		p.wait(way, fmt.Sprintf(`document.querySelector(%q).textContent === %q`, cell(35), map[string]string{"drop": "2", "paste": "3"}[way]))
	}
	var link string
	p.wait("the link", `decodeURIComponent(location.hash).includes("rules+6+boxes+2x3+x")`)
	p.eval("location.hash", &link)
	p.open(link)
	p.ready()
	p.waitText("#rules", "6x6; boxes of 2x3; both diagonals")
	var checked bool
	if p.eval(`document.querySelector("#rule-x").checked`, &checked); !checked {
		t.Error("the rule of diagonals is not checked")
	}
	p.click("#rule-x")
	p.waitText("#rules", "6x6; boxes of 2x3. 2 givens.")
	p.click("#rule-hyper")
	p.waitText("#error", "square")
	p.choose("#export-format", "grid")
	p.click("#export")
	p.wait("the export", `document.querySelector("#puzzle-text").value.includes("+---")`)
	p.keepDownloads()
	p.choose("#export-format", "json")
	p.click("#save")
	p.wait("the download", `window.saved[0]?.includes('"rules":"6 boxes 2x3"')`)
	p.click("#copy-link")
	p.waitText("#status", "The link is")

	p.eval(fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([%q], "list.txt"));
		document.querySelector(".board").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
		return 1;
	})()`, sudokuEasy+" # one\n"+sudokuHard+" # two\n"), new(int))
	p.waitText("#puzzle-total", "of 2")
	p.waitText("#status", "one")
	p.eval(`(() => { const n = document.querySelector("#puzzle-number"); n.value = 2; n.dispatchEvent(new Event("change")); return 1; })()`, new(int))
	p.waitText("#status", "two")
	p.wait("the second puzzle", fmt.Sprintf(`document.querySelector(%q).textContent === "4"`, cell(0)))

	p.eval(`(() => {
		const data = new DataTransfer();
		data.items.add(new File(["1234\n3412\n2143\n4...\n"], "puzzle.txt"));
		const input = document.querySelector("#puzzle-file");
		input.files = data.files;
		input.dispatchEvent(new Event("change"));
		return 1;
	})()`, new(int))
	p.waitText("#rules", "4x4")

	p.choose("#size", "16")
	p.click("#blank")
	p.waitText("#rules", "16x16; boxes of 4x4; the keys from A on are the digits from 10 on. 0 givens.")
	p.press("g")
	if s := p.label(0); s != "R1C1: 16, given" {
		t.Errorf("a letter is typed as %q", s)
	}
	p.wait("the link", `decodeURIComponent(location.hash).includes("G....")`)
	var address string
	p.eval("location.hash", &address)
	p.open(address)
	p.ready()
	p.waitText("#rules", "1 given.")
	p.choose("#size", "7")
	p.click("#blank-latin")
	p.waitText("#rules", "7x7; no boxes")

	// Pencil marks of the text: the cell of the first row has the marks 2 and 4.
	p.puzzle("1 24 3 24 34 2 1 34 2 3 4 1 4 1 2 3")
	if s := p.label(1); s != "R1C2: empty, marks 2 4" {
		t.Errorf("a cell with pencil marks is %q", s)
	}

	p.puzzle("12")
	p.wait("an error", `document.querySelector("#error").textContent !== ""`)
	p.waitText("#rules", "4x4") // the last puzzle
}

// TestBrowserSudokuSolve counts, checks and rates.
func TestBrowserSudokuSolve(t *testing.T) {
	p := openSudoku(t, sudokuHard, "")
	p.click("#rate")
	p.waitText("#answer", "Hardest technique")
	p.looks("sudoku-rate")
	p.puzzle("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9")
	p.click("#solve")
	p.waitText("#answer", "Solved")

	p.puzzle("..3.2....9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1....")
	p.click("#unique")
	p.waitText("#answer", "Not unique")
	p.looks("sudoku-witnesses")
	var pairs, listed int
	p.eval(`document.querySelectorAll("#grid .is-differ").length`, &pairs)
	p.eval(`document.querySelector("#differ").textContent.split("/").length - 1`, &listed)
	if pairs == 0 || pairs != listed {
		t.Errorf("%d cells are marked, and %d listed", pairs, listed)
	}
	p.click("#count")
	p.waitText("#answer", "solutions.")
	p.puzzle(strings.Repeat(".", 80) + "1")
	p.choose("#count-limit", "1000000000000000")
	p.click("#count")
	p.waitText("#status", "solutions so far")
	p.wait("the bar", `!document.querySelector(".busy").hidden`)
	p.looks("sudoku-busy")
	p.click("#stop")
	p.waitText("#answer", "the count was stopped")
	p.puzzle("11..............")
	p.click("#solve")
	p.waitText("#answer", "No solution: R1C1 and R1C2 both have the digit 1")
}

// nextHint applies a hint and waits for the next one.
func (p *tab) nextHint() {
	p.t.Helper()
	var before string
	p.eval(`document.querySelector("#hint").textContent`, &before)
	p.click("#next-hint")
	p.wait("the next hint", fmt.Sprintf(`!["", %q].includes(document.querySelector("#hint").textContent)`, before))
}

// TestBrowserSudokuHints walks through hints.
func TestBrowserSudokuHints(t *testing.T) {
	p := openSudoku(t, sudokuHard, "")
	p.click("#next-hint")
	p.waitText("#hint", ",")
	p.looks("sudoku-hint")
	for range 4 {
		p.nextHint()
	}
	p.looks("sudoku-hint-later")
	p.click("#hide-hint")
	p.wait("no hint", `document.querySelector("#hint").textContent === "" && !document.querySelector(".mark.hit")`)

	// A puzzle that needs chains: a step excludes candidates, with the links of its chain.
	p.puzzle("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")
	for chain, hints := false, 0; !chain; hints++ {
		if hints == 60 {
			t.Fatal("no hint by a chain")
		}
		p.nextHint()
		p.eval(`Boolean(document.querySelector("#hint-details") && document.querySelector("#grid .mark.out"))`, &chain)
	}
	p.looks("sudoku-hint-chain")
	var out int
	if p.eval(`[...document.querySelectorAll("#grid [role=gridcell]")].filter((e) => e.ariaLabel.includes("hint: not")).length`, &out); out == 0 {
		t.Error("no label has the excluded candidates")
	}

	p.puzzle(sudokuEasy)
	p.click(cell(1))
	p.press("5")
	p.click("#next-hint")
	p.waitText("#hint", "Wrong: R1C2")
	p.looks("sudoku-wrong")
	p.click("#undo")
	p.click("#all-steps")
	p.wait("all steps", `document.querySelectorAll("#steps li").length > 40`)
}

// TestBrowserSudokuGenerate makes puzzles of several kinds.
func TestBrowserSudokuGenerate(t *testing.T) {
	p := openSudoku(t, sudokuEasy, "#panel-generate")
	p.choose("#make-symmetry", "rotate180")
	p.choose("#make-class", "fl")
	p.typeIn("#make-seed", "5")
	p.click("#generate")
	p.waitText("#made", "seed 5")
	p.click("#rate")
	p.waitText("#answer", "fl")
	for variant, want := range map[string]string{"x": "diagonals", "jigsaw": "irregular", "killer": "cages", "hyper": "windows", "anti-knight": "knight"} {
		p.choose("#make-class", "")
		p.choose("#make-variant", variant)
		p.click("#generate")
		p.waitText("#rules", want)
		p.looks("sudoku-" + variant)
	}
	p.choose("#make-variant", "plain")
	p.choose("#make-size", "25")
	p.click("#generate")
	p.waitText("#rules", "25x25")
	p.looks("sudoku-25")
	p.choose("#make-size", "16")
	p.click("#generate")
	p.waitText("#rules", "16x16")
	p.click("#fill-marks")
	p.wait("marks", `document.querySelectorAll("#grid .mark").length > 100`)
	p.looks("sudoku-16")
	p.choose("#make-size", "9")
	p.typeIn("#make-max-givens", "16")
	p.click("#generate")
	p.waitText("#status", "% of the effort")
	p.wait("the bar", `!document.querySelector(".busy").hidden`)
	p.click("#stop")
	p.waitText("#status", "stopped")
}

// TestBrowserSudokuFilm plays a search.
func TestBrowserSudokuFilm(t *testing.T) {
	p := openSudoku(t, sudokuHard, "#panel-film")
	p.choose("#heuristic", "mom")
	p.click("#animate")
	p.waitText("#film-number", "1 of ")
	p.waitText("#stage", "heuristic mom")
	p.click("#film-following")
	p.waitText("#film-caption", "decision")
	p.looks("sudoku-film")
	for range 12 {
		p.click("#film-following")
	}
	p.wait("a conflict", `(() => {
		for (let i = 0; i < 2000 && !document.querySelector(".is-at-conflict"); i++) document.querySelector("#film-next").click();
		return document.querySelector(".is-at-conflict");
	})()`)
	p.looks("sudoku-film-conflict")
	p.click("#film-first")
	p.waitText("#film-number", "1 of ")
	p.click("#film-play")
	p.wait("playing", `Number(document.querySelector("#film-position").value) > 4`)
	p.click("#film-play")
	p.waitText("#film-play", "Play")
	p.click("#film-last")
	p.waitText("#film-caption", "solution")
	p.click("#film-close")
	p.calm()
	p.click("#animate")
	p.waitText("#panel-film", "2 frames a second")
	p.click("#film-close")
	p.wait("the puzzle", `document.querySelector("#stage").textContent === "" && document.querySelectorAll("#grid .digit").length === 17`)
}

// TestBrowserSudokuFormula compares encodings, downloads a formula, and decodes models.
func TestBrowserSudokuFormula(t *testing.T) {
	p := openSudoku(t, "1234341221434...", "#panel-formula")
	p.click("#compare")
	p.waitText("#status", "The sizes of 7 encodings")
	p.looks("sudoku-formula")
	var sizes string
	p.eval(`[...document.querySelectorAll("#sizes tr")].map((row) => row.textContent).join("\n")`, &sizes)
	for _, want := range []string{"minimal", "extended", "reduced", "pairs"} {
		if !strings.Contains(sizes, want) {
			t.Errorf("the sizes lack %s: %s", want, sizes)
		}
	}
	p.click("#follow")
	p.waitText("#cell-clauses", "R1C1 is 1 or R1C1 is 2")
	p.eval(`(document.querySelector("[data-cell='5']").dispatchEvent(new PointerEvent("pointerover", {bubbles: true})), 1)`, new(int))
	p.waitText("#cell-clauses h3", "R2C2")
	p.eval(`(document.querySelector("#cell-clauses li:last-of-type").focus(), 1)`, new(int))
	p.wait("the cells of a clause", `document.querySelectorAll("[data-clause]").length > 0 && document.querySelector("[data-cell='5']").dataset.clause === ""`)
	p.looks("sudoku-clauses")
	p.click("#follow")
	p.wait("no cells of a clause", `document.querySelectorAll("[data-clause]").length === 0`)
	p.keepDownloads()
	p.click("#download")
	p.wait("the download", `window.saved.length === 1`)
	var formula string
	p.eval(`window.saved[0]`, &formula)
	if !strings.Contains(formula, "c sudoku rules 4 boxes 2x2\n") || !strings.Contains(formula, "\np cnf 64 ") {
		t.Errorf("the formula is %.300s", formula)
	}
	var model strings.Builder
	model.WriteString("s SATISFIABLE\nv")
	for i, digit := range "1234341221434321" {
		fmt.Fprint(&model, " ", 4*i+int(digit-'0'))
	}
	model.WriteString(" 0\n")
	p.typeIn("#model", "s SATISFIABLE\nv 1 2 0\n")
	p.click("#decode")
	p.waitText("#error", "R1C1 has two digits")
	p.typeIn("#model", model.String())
	p.click("#decode")
	p.waitText("#status", "Solved")
	if s := p.label(15); s != "R4C4: 1, entry" {
		t.Errorf("the decoded model has %q", s)
	}

	// Files of a formula and of its model, for another puzzle than that of the page.
	p.puzzle(sudokuEasy)
	p.unfold("#panel-formula")
	p.eval(fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([%q], "four.cnf"));
		data.items.add(new File([%q], "four.out"));
		document.querySelector("#panel-formula .drop").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
		return 1;
	})()`, formula, model.String()), new(int))
	p.waitText("#rules", "4x4")
	p.waitText("#status", "Solved")
}
