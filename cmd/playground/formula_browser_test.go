//go:build browser

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dimacs/proof"
)

// TestBrowserFormula solves a formula, and reads the place of an error.
func TestBrowserFormula(t *testing.T) {
	p := openPage(t, "#formula")
	p.waitText("#answer", "Satisfiable: Ann lies, Cleo lies, after")
	p.waitText("#named", "Ben_liesfalse")
	p.looks("formula-named")
	p.choose("#example", "Can four talks share two rooms?")
	p.click("#solve")
	p.waitText("#core h2", "3 of 5 parts contradict each other")
	p.waitText("#core", "logic_red ^ proofs_red")
	p.looks("formula-core")
	p.choose("#example", "Three pigeons, two holes")
	p.click("#solve")
	p.waitText("#core h2", "9 of 9 parts")
	p.typeIn("#text", "a & (b | \n")
	p.click("#solve")
	p.waitText("#text-error", "line 2, column 1")
	p.typeIn("#text", "p cnf 3 2\n1 -2 0\n2 x 0\n")
	p.click("#solve")
	p.waitText("#text-error", "line 3, column 3")
	var selected string
	p.eval("(() => { const e = document.querySelector('#text'); return e.value.slice(e.selectionStart, e.selectionEnd); })()", &selected)
	if selected != "2 x 0" {
		t.Errorf("selected text %q", selected)
	}
}

// saved clicks a button that downloads a file, and returns its name and its text.
func (p *tab) saved(selector string) (name, text string) {
	p.t.Helper()
	var got struct{ Name, Text string }
	p.eval(fmt.Sprintf(`new Promise((resolve) => {
		const url = URL.createObjectURL;
		const click = HTMLAnchorElement.prototype.click;
		let text;
		URL.createObjectURL = (blob) => { text = blob.text(); return "about:blank"; };
		HTMLAnchorElement.prototype.click = async function () {
			URL.createObjectURL = url;
			HTMLAnchorElement.prototype.click = click;
			resolve({ Name: this.download, Text: await text });
		};
		document.querySelector(%q).click();
	})`, selector), &got)
	return got.Name, got.Text
}

// TestBrowserProof solves an unsatisfiable formula of a family, whose link is the address,
// and checks its proof.
func TestBrowserProof(t *testing.T) {
	p := openPage(t, "#formula?family=php&seed=1&holes=7")
	p.wait("the text", "document.querySelector('#text').value.includes('p cnf')")
	p.looks("formula")
	p.click("#solve")
	p.waitText("#answer", "Unsatisfiable")
	p.click("#check")
	p.waitText("#proof-state", "correct")
	p.looks("formula-proof")
	formula := p.saves("#save-formula", "php-1.cnf", "p cnf 56 204")
	text := p.saves("#save-proof", "php-1.lrat", " 0 ")
	f, err := dimacs.Read(strings.NewReader(formula))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := proof.Check(t.Context(), f, strings.NewReader(text), proof.Options{Format: proof.LRAT}); err != nil {
		t.Errorf("the downloaded proof: %v", err)
	}
	recording := p.saves("#save-recording", "php-1.jsonl", `"t":"end"`)
	if _, err := record.Read("", strings.NewReader(recording)); err != nil {
		t.Errorf("the downloaded recording: %v", err)
	}
	// Other formats, and a limit that is too small.
	p.click("details.options summary")
	for _, format := range []string{"drat", "binary-lrat"} {
		p.choose("#proof", format)
		p.click("#solve")
		p.waitText("#proof-state", "not checked")
		p.click("#check")
		p.waitText("#proof-state", "correct")
	}
	p.looks("formula-options")
	p.typeIn("#proof-limit", "0.01")
	p.click("#solve")
	p.waitText("#proof-state", "exceeded its limit")
	p.choose("#proof", "")
	p.typeIn("#time", "0.0001")
	p.click("#solve")
	p.waitText("#answer", "the time limit was reached")
}

// saves clicks a button and checks the name of the file and a part of its text, which it
// returns.
func (p *tab) saves(selector, name, part string) string {
	p.t.Helper()
	n, text := p.saved(selector)
	if n != name || !strings.Contains(text, part) {
		p.t.Errorf("%s saves %s with %.200q", selector, n, text)
	}
	return text
}

// TestBrowserFiles opens files, also compressed and dropped ones, and takes an example and a
// model.
func TestBrowserFiles(t *testing.T) {
	p := openPage(t, "#formula")
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"small.cnf":     []byte("p cnf 2 2\n1 2 0\n-1 0\n"),
		"packed.cnf.gz": compress([]byte("p cnf 2 2\n-1 2 0\n1 0\n")),
		"broken.cnf.gz": []byte("p cnf 1 1\n1 0\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	open := func(name string) {
		p.do("open "+name, chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{filepath.Join(dir, name)}, chromedp.NodeReady))
	}
	open("small.cnf")
	p.waitText("#text-note", "small.cnf, 21 bytes")
	p.click("#solve")
	p.waitText("#answer", "Satisfiable")
	p.saves("#save-model", "small.sol", "v -1 2 0")
	open("packed.cnf.gz")
	p.waitText("#text-note", "packed.cnf.gz")
	p.click("#solve")
	p.waitText("#model", "1 2")
	p.saves("#save-model", "packed.sol", "v 1 2 0")
	open("broken.cnf.gz")
	p.waitText("#text-error", "broken.cnf.gz cannot be read")
	var dropped bool
	p.eval(`(() => {
		const data = new DataTransfer();
		data.items.add(new File(["p cnf 1 2\n1 0\n-1 0\n"], "dropped.cnf"));
		return document.querySelector("#text").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })) || true;
	})()`, &dropped)
	p.waitText("#text-note", "dropped.cnf")
	p.click("#solve")
	p.waitText("#answer", "Unsatisfiable")
	p.choose("#example", "A syntax error")
	p.click("#solve")
	p.waitText("#text-error", "line 3, column 3")
}

// TestBrowserLinks checks that an address holds a formula: a text, or a family with its
// parameters and seed.
func TestBrowserLinks(t *testing.T) {
	p := openPage(t, "#formula")
	p.typeIn("#text", "p cnf 2 1\n1 -2 0\n")
	var hash, text string
	p.eval("location.hash", &hash)
	p.open(hash)
	p.eval("document.querySelector('#text').value", &text)
	if text != "p cnf 2 1\n1 -2 0\n" {
		t.Errorf("%s has the text %q", hash, text)
	}
	p.choose("#family", "ksat")
	p.typeIn("#param-vars", "20")
	p.click("#next-seed")
	p.wait("the text", "document.querySelector('#text').value.includes('--vars 20') && document.querySelector('#text').value.includes('--seed 2')")
	p.eval("document.querySelector('#text').value", &text)
	p.eval("location.hash", &hash)
	p.open(hash)
	var again string
	p.wait("the text", "document.querySelector('#text').value.includes('p cnf')")
	if p.eval("document.querySelector('#text').value", &again); again != text {
		t.Errorf("%s has another text", hash)
	}
	p.typeIn("#param-vars", "-1")
	p.waitText("#text-error", "vars")
	p.open("#formula?family=none")
	p.waitText("#text-error", "unknown family, none")
	p.open("#none")
	p.wait("the first page", "document.querySelector('nav a[aria-current]') === document.querySelector('nav a')")
}

// TestBrowserKeyboard goes through the site by keys alone.
func TestBrowserKeyboard(t *testing.T) {
	p := openPage(t, "#formula")
	focused := func() string {
		var text string
		p.eval("(() => { const e = document.activeElement; return e.id || e.textContent.trim(); })()", &text)
		return text
	}
	var order []string
	p.waitText("#answer", "Satisfiable") // of the first example, without a click
	for range 60 {
		p.press("Tab")
		if order = append(order, focused()); order[len(order)-1] == "solve" {
			break
		}
	}
	want := "Skip to content"
	if order[0] != want || order[len(order)-1] != "solve" || !slices.Contains(order, "text") || !slices.Contains(order, "family") {
		t.Errorf("the focus goes through %q", order)
	}
	p.press("Enter")
	p.waitText("#answer", "Satisfiable")
	p.open("#formula")
	for focused() != "2-SAT" {
		p.press("Tab")
	}
	p.press("Enter")
	p.waitText("h1", "2-SAT")
	if focused() != "title" {
		t.Errorf("after a change of the page, the focus is on %s", focused())
	}
	p.open("#formula")
	p.press("Tab")
	p.press("Enter")
	if focused() != "main" {
		t.Errorf("after the skip link, the focus is on %s", focused())
	}
}

// TestBrowserTree goes through the steps of a search.
func TestBrowserTree(t *testing.T) {
	p := openPage(t, "#tree")
	p.click("#search")
	p.waitText("#answer", "nodes")
	p.click("#to-begin")
	p.waitText("#said", "Step 0 of")
	shown := func() (n int) {
		p.eval("[...document.querySelector('.drawing').shadowRoot.querySelectorAll('title')].filter((t) => t.parentNode.style.display !== 'none').length", &n)
		return n
	}
	if n := shown(); n != 1 {
		t.Errorf("%d nodes are shown before the first step", n)
	}
	for i := range 8 {
		p.click("#forward")
		p.waitText("#said", fmt.Sprintf("Step %d of", i+1))
	}
	p.looks("tree-step")
	p.click("#back")
	p.waitText("#said", "Step 7 of")
	p.click("#play")
	p.waitText("#said", "Step 9 of")
	p.click("#play")
	p.waitText("#play", "Play")
	var ok bool
	p.eval("document.querySelector('#step').focus() ?? true", &ok)
	p.press("End")
	if n := shown(); n < 5 {
		t.Errorf("%d nodes are shown at the end", n)
	}
	p.eval("document.querySelector('.drawing').shadowRoot.querySelectorAll('rect.conflict:not(.legend *)')[0].dispatchEvent(new MouseEvent('click'))", &ok)
	p.waitText("#said", "conflict: all literals of clause")
	p.saves("#save-svg", "formula.svg", "<svg")
	p.choose("#heuristic", "first")
	p.choose("#pure", "off")
	p.choose("#family", "php")
	p.typeIn("#nodes", "20")
	p.typeIn("#param-holes", "6")
	p.wait("the text", "document.querySelector('#text').value.includes('--holes 6')")
	p.click("#search")
	p.waitText("#answer", "the tree has the first 20 nodes")
}

// TestBrowserTwoSAT asks for the chain of a literal.
func TestBrowserTwoSAT(t *testing.T) {
	p := openPage(t, "#2sat")
	p.click("#solve")
	p.waitText("#answer", "Satisfiable")
	p.click("button.lit")
	p.waitText("#chain", "is true in every solution")
	p.looks("2sat")
	p.click("#condensed")
	p.wait("the components", "[...document.querySelectorAll('#result h2')].some((h) => h.textContent.startsWith('Components'))")
	p.typeIn("#why", "-3")
	p.press("Enter")
	p.waitText("#chain", "-3 is false in every solution")
	p.typeIn("#why", "99")
	p.press("Enter")
	p.waitText("#text-error", "no variable 99")
	p.typeIn("#why", "")
	p.choose("#example", "Contradiction")
	p.click("#solve")
	p.waitText("#answer", "Unsatisfiable")
	p.looks("2sat-contradiction")
	p.saves("#save-svg", "formula.svg", "<svg")
	p.choose("#example", "With a longer clause")
	p.click("#solve")
	p.waitText("#facts", "Longer clauses, left out")
	p.choose("#family", "2sat")
	p.typeIn("#param-vars", "1000")
	p.wait("the text", "document.querySelector('#text').value.includes('--vars 1000')")
	p.click("#solve")
	p.waitText("#too-large", "Without a drawing")
}

// TestBrowserThreshold moves the slider, draws the curve, and follows the link to a formula.
func TestBrowserThreshold(t *testing.T) {
	p := openPage(t, "#threshold?vars=30&count=10")
	p.waitText("#answer", "Ratio 4.26")
	var ok bool
	p.eval("document.querySelector('#ratio').focus() ?? true", &ok)
	p.press("ArrowRight")
	p.waitText("#answer", "Ratio 4.27")
	p.click("#curve")
	p.wait("the curve", "document.querySelectorAll('.share-point').length > 40 && document.querySelector('#stop').disabled")
	p.looks("threshold")
	p.typeIn("#vars", "250")
	p.typeIn("#count", "1000")
	p.waitText("#answer", "Solving 1000 formulas")
	p.wait("the run", "!document.querySelector('#stop').disabled")
	p.click("#stop")
	p.wait("the end", "document.querySelector('#stop').disabled")
	p.typeIn("#vars", "20")
	p.typeIn("#count", "5")
	p.waitText("#hardest", "seed")
	p.click("#hardest a")
	p.waitText("h1", "Formulas")
	p.wait("the formula", "document.querySelector('#text').value.includes('--vars 20')")
}

// TestBrowserFirstView checks that a page is shown before the engine is asked for, and
// reports the times.
func TestBrowserFirstView(t *testing.T) {
	p := openPage(t, "#formula")
	var painted, shown []float64
	for range 5 {
		p.open("#formula")
		var ms [3]float64
		p.eval(`new Promise((resolve) => {
			const check = () => {
				const [paint] = performance.getEntriesByName("first-contentful-paint");
				const worker = performance.getEntriesByType("resource").find((r) => r.name.endsWith("/worker.js"));
				if (paint && worker) resolve([paint.startTime, performance.getEntriesByName("page-shown")[0].startTime, worker.startTime]);
				else setTimeout(check, 10);
			};
			check();
		})`, &ms)
		painted, shown = append(painted, ms[0]), append(shown, ms[1])
		if ms[2] < ms[1] {
			t.Errorf("the page is shown after %.0f ms, and the engine was asked for after %.0f ms", ms[1], ms[2])
		}
	}
	slices.Sort(painted)
	slices.Sort(shown)
	t.Logf("first paint after %.0f ms, the page after %.0f ms (medians of five warm loads)", painted[2], shown[2])
}

// TestBrowserKept checks that a formula goes along to another page, and a large file does not.
func TestBrowserKept(t *testing.T) {
	p := openPage(t, "#formula")
	p.typeIn("#text", "p cnf 2 1\n1 -2 0\n")
	p.click("nav a[href='#tree']")
	p.waitText("h1", "Search tree")
	p.wait("the same formula", "document.querySelector('#text').value === 'p cnf 2 1\\n1 -2 0\\n'")
	p.waitText("#answer", "Satisfiable")
	name := filepath.Join(t.TempDir(), "large.cnf")
	if err := os.WriteFile(name, []byte("p cnf 2 100000\n"+strings.Repeat("1 -2 0\n", 100_000)), 0o666); err != nil {
		t.Fatal(err)
	}
	p.do("open a file", chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{name}, chromedp.NodeReady))
	p.waitText("#text-note", "the text shows its beginning")
	p.click("#open-in a")
	p.waitText("h1", "Formulas")
	p.waitText("#answer", "Ann lies")
}
