//go:build browser

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sator/internal/effort"
)

// The browser tests click through the pages in headless Chromium. They are compiled with the
// tag browser alone, since the packages that drive Chromium take longer to compile than all
// of ours. SATOR_BROWSER names the program, which is searched for otherwise. SATOR_AXE is the file axe.min.js of the npm package axe-core, which finds faults of
// accessibility. SATOR_SCREENSHOTS is a folder for pictures of the pages.

// A tab is a page in a tab of the browser.
type tab struct {
	t     *testing.T
	ctx   context.Context
	loads int // of the page

	mu     sync.Mutex
	errors []string // messages of the console and uncaught exceptions
}

// browser is the site and the browser, started by the first test that needs them.
var browser struct {
	once   sync.Once
	err    error
	url    string
	ctx    context.Context
	cancel []func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	for i := range browser.cancel {
		browser.cancel[len(browser.cancel)-1-i]()
	}
	os.Exit(code)
}

// chromium returns the browser's program.
func chromium() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"}
	if name := os.Getenv("SATOR_BROWSER"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser: none of %s is in PATH", strings.Join(names, ", "))
}

// startBrowser builds and serves the site, and starts the browser.
func startBrowser() error {
	program, err := chromium()
	if err != nil {
		return err
	}
	files, err := build(context.Background())
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler(files)}
	go server.Serve(l)
	browser.url = "http://" + l.Addr().String() + "/"
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.Flag("headless", "new"))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses its sandbox to root
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closing := chromedp.NewContext(ctx)
	browser.ctx = ctx
	browser.cancel = []func(){func() { server.Close() }, stop, closing}
	return chromedp.Do(ctx)
}

// openPage opens the site in a new tab, at an address such as "#formula?family=php", and
// waits until the page is shown. At the end of the test, messages of errors on the console
// are a failure.
func openPage(t *testing.T, hash string) *tab {
	t.Helper()
	browser.once.Do(func() { browser.err = startBrowser() })
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	p := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		stop()
		cancel()
		for _, e := range p.taken() {
			t.Errorf("on the console: %s", e)
		}
	})
	_, enable := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	if err := errors.Join(enable, chromedp.Listen(ctx, p.listen)); err != nil {
		t.Fatal(err)
	}
	p.desktop()
	p.open(hash)
	return p
}

// open moves to an address of the site by loading it. A query that differs from the last one
// has the browser load the page even if only the part after # would change; leaving the site
// for another page in between would start a process for each of them.
func (p *tab) open(hash string) {
	p.t.Helper()
	p.loads++
	p.do("open "+hash, chromedp.Navigate(fmt.Sprintf("%s?%d%s", browser.url, p.loads, hash)))
	p.wait("a page", "document.documentElement?.dataset.page !== undefined")
}

// listen notes errors.
func (p *tab) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		p.errors = append(p.errors, text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			var text []string
			for _, a := range e.Args {
				text = append(text, string(a.Value)+a.Description)
			}
			p.errors = append(p.errors, strings.Join(text, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// taken returns the errors so far, and forgets them.
func (p *tab) taken() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	errors := p.errors
	p.errors = nil
	return errors
}

// do runs actions.
func (p *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatalf("%s: %v%s", what, err, p.situation())
	}
}

// situation describes the page for the message of a failure.
func (p *tab) situation() string {
	if errs := p.taken(); errs != nil {
		return "\non the console: " + strings.Join(errs, "\n")
	}
	if errors.Is(p.ctx.Err(), context.DeadlineExceeded) {
		return "\nthe time of the test is over"
	}
	return ""
}

// click clicks the first element of a CSS selector, as a mouse does.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.wait("an enabled "+selector, fmt.Sprintf("document.querySelector(%q)?.disabled !== true", selector))
	p.do("click "+selector, chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector)))
}

// typeIn replaces the text of an input by typing.
func (p *tab) typeIn(selector, text string) {
	p.t.Helper()
	var ok bool
	p.eval(fmt.Sprintf("(() => { const e = document.querySelector(%q); e.focus(); e.select(); return true; })()", selector), &ok)
	p.do("type in "+selector, chromedp.KeyEvent(kb.Backspace), chromedp.SendKeys(chromedp.CSS(selector), text))
}

// choose selects the option of a select element with a value, when it is there.
func (p *tab) choose(selector, value string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("the option %q of %s", value, selector), fmt.Sprintf("[...document.querySelector(%q)?.options ?? []].some((o) => o.value === %q)", selector, value))
	var ok bool
	p.eval(fmt.Sprintf(`(() => {
		const s = document.querySelector(%q);
		s.value = %q;
		s.dispatchEvent(new Event("input", {bubbles: true}));
		s.dispatchEvent(new Event("change", {bubbles: true}));
		return s.value === %q;
	})()`, selector, value, value), &ok)
	if !ok {
		p.t.Fatalf("%s has no option %q", selector, value)
	}
}

// press presses a key, named as in KeyboardEvent.key: a character, "Tab", "ArrowRight".
func (p *tab) press(key string) {
	p.t.Helper()
	names := map[string]string{"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Backspace": kb.Backspace, "Delete": kb.Delete, "Home": kb.Home, "End": kb.End,
		"ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown, "PageUp": kb.PageUp, "PageDown": kb.PageDown}
	if code, ok := names[key]; ok {
		key = code
	}
	p.do("press "+key, chromedp.KeyEvent(key))
}

// eval stores the value of a JavaScript expression, which may be a promise, in *result.
func (p *tab) eval(expression string, result any) {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal(value, result)
	}
	if err != nil {
		p.t.Fatalf("evaluate %s: %v%s", expression, err, p.situation())
	}
}

// text returns the text of an element.
func (p *tab) text(selector string) string {
	p.t.Helper()
	var s string
	p.eval(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector), &s)
	return s
}

// patience is the time after which wait gives up. It is long, since machines may be slow.
const patience = 2 * time.Minute

// wait waits until a JavaScript expression is true.
func (p *tab) wait(what, expression string) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var ok bool
		if p.eval("!!("+expression+")", &ok); ok {
			return
		}
	}
	p.t.Fatalf("waiting for %s%s\nthe page:\n%s", what, p.situation(), p.text("main"))
}

// waitText waits until the text of an element contains a part.
func (p *tab) waitText(selector, part string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%q in %s", part, selector), fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, part))
}

// desktop, phone and dark set the size of the window and the color scheme.
func (p *tab) desktop() {
	p.t.Helper()
	p.do("resize", chromedp.EmulateViewport(1280, 900))
}

func (p *tab) phone() {
	p.t.Helper()
	p.do("resize", chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
}

func (p *tab) dark(on bool) {
	p.t.Helper()
	scheme := "light"
	if on {
		scheme = "dark"
	}
	features := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, features); err != nil {
		p.t.Fatal(err)
	}
}

// looks checks the page for faults of accessibility and of width, and takes its screenshots:
// at the width of a desktop and of a phone, light and dark. With SATOR_PART=I/N axe-core
// examines one in N of all pages at both widths, and others for the next I.
func (p *tab) looks(name string) {
	p.t.Helper()
	pictures := os.Getenv("SATOR_SCREENSHOTS") != ""
	part, parts := effort.Part()
	first := int(crc32.ChecksumIEEE([]byte(name))%1000) + part
	p.desktop()
	if first%parts == 0 {
		p.axe() // colors differ in the dark, and what has to scroll on a phone
	}
	p.screenshot(name + "-desktop")
	if pictures {
		p.dark(true)
		p.screenshot(name + "-desktop-dark")
		p.dark(false)
		p.phone()
		p.screenshot(name + "-phone")
	}
	p.dark(true)
	p.phone()
	p.fits()
	if (first+1)%parts == 0 {
		p.axe()
	}
	p.screenshot(name + "-phone-dark")
	p.dark(false)
	p.desktop()
}

// fits checks that the page needs no horizontal scrolling. A chart gets its new width some
// frames after the window.
func (p *tab) fits() {
	p.t.Helper()
	p.wait("a page that fits its window", "document.documentElement.scrollWidth <= innerWidth")
}

// axe runs axe-core. Findings with impact serious or critical are failures. Elements without
// violations are not described. Style sheets and media are not fetched again: only rules that
// are off, or about sound, need them.
func (p *tab) axe() {
	p.t.Helper()
	name := os.Getenv("SATOR_AXE")
	if name == "" {
		p.t.Log("without axe-core: SATOR_AXE is not set")
		return
	}
	source, err := os.ReadFile(name)
	if err != nil {
		p.t.Fatal(err)
	}
	var loaded bool
	p.eval("typeof axe === 'object'", &loaded)
	if !loaded {
		p.do("load axe-core", chromedp.Evaluate[chromedp.Void](string(source)+"; null"))
	}
	var findings []string
	p.eval(`axe.run({ resultTypes: ["violations"], preload: false }).then((r) => r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
		.map((v) => v.id + ": " + v.help + "\n" + v.nodes.map((n) => n.html + "\n" + n.failureSummary).join("\n")))`, &findings)
	for _, f := range findings {
		p.t.Errorf("accessibility: %s", f)
	}
}

// screenshot stores a picture of the whole page in the folder SATOR_SCREENSHOTS, if it is
// set.
func (p *tab) screenshot(name string) {
	p.t.Helper()
	dir := os.Getenv("SATOR_SCREENSHOTS")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o666); err != nil {
		p.t.Fatal(err)
	}
}
