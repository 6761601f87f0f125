package animate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/film"
)

// A browser is a headless Chromium, controlled by the DevTools protocol: JSON
// messages, each followed by a zero byte, to its file descriptor 3 and from 4.
type browser struct {
	t       *testing.T
	to      io.Writer
	from    *bufio.Reader
	id      int
	session string
}

// newBrowser opens a page. It skips the test if there is no Chromium.
func newBrowser(t *testing.T, address string) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" {
		t.Skip("no Chromium on the PATH")
	}
	b := &browser{t: t}
	b.start(program)
	var made struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": address}, &made)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.await(`document.readyState === "complete" && location.protocol === "file:"`)
	return b
}

// start starts the program, which ends with the test.
func (b *browser) start(program string) {
	b.t.Helper()
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		b.t.Fatal(err)
	}
	theirIn, to, err := os.Pipe()
	if err != nil {
		b.t.Fatal(err)
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "--window-size=1000,700")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		b.t.Skipf("%s does not start: %v", program, err)
	}
	theirIn.Close()
	theirOut.Close()
	from.SetReadDeadline(time.Now().Add(10 * time.Minute))
	b.to, b.from = to, bufio.NewReader(from)
	b.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		to.Close()
		from.Close()
		os.RemoveAll(profile)
	})
}

// call calls a method and waits for its result. It skips events.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.id++
	message := map[string]any{"id": b.id, "method": method, "params": params}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID     int
			Error  *struct{ Message string }
			Result json.RawMessage
		}
		if err := json.Unmarshal(text[:len(text)-1], &answer); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case answer.ID != b.id:
		case answer.Error != nil:
			b.t.Fatalf("%s: %s", method, answer.Error.Message)
		default:
			if result != nil {
				err = json.Unmarshal(answer.Result, result)
			}
			if err != nil {
				b.t.Fatal(err)
			}
			return
		}
	}
}

// eval returns the value of a JavaScript expression as text.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return fmt.Sprint(r.Result.Value)
}

// await waits until a JavaScript condition is true.
func (b *browser) await(condition string) {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); b.eval(condition) != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("the condition is never true: %s", condition)
		}
	}
}

// press presses and releases a key.
func (b *browser) press(key string, code int) {
	b.t.Helper()
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": code}
	if key == " " || key == "Enter" {
		down["text"] = map[string]string{" ": " ", "Enter": "\r"}[key]
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}, nil)
}

// references is an expression for the symbols on the grid and their positions.
const references = `[...document.querySelectorAll("#cells use")].map(e =>
	e.getAttribute("x") + " " + e.getAttribute("y") + " " + e.getAttribute("href")).sort().join("\n")`

// want returns the expected references after some frames. at returns the position of
// slot i of a cell as text.
func want(f *Recording, frames []film.Frame, at func(s *layout, cell, i int) string) []string {
	b, s := film.NewBoard(f.Recording), f.layout()
	for _, fr := range frames {
		b.Advance(fr)
	}
	var all []string
	for cell := range f.Puzzle.Rules.Cells() {
		for i, value := range b.Shown(cell) {
			if value != 0 {
				all = append(all, at(s, cell, i)+" #"+symbol(f.Puzzle.Rules.Size(), i, value))
			}
		}
	}
	return all
}

// onPage returns a position as the page computes it: the corner of the cell plus the
// position of the slot in the first cell.
func onPage(s *layout, cell, i int) string {
	n := s.f.Puzzle.Rules.Size()
	corner, origin, slot := s.cellBounds(cell).Min, s.cellBounds(0).Min, s.slotPosition(0, i, n)
	x := float64(corner.X) + rounded(slot.x-float64(origin.X))
	y := float64(corner.Y) + rounded(slot.y-float64(origin.Y))
	return fmt.Sprint(x, " ", y)
}

func inDrawing(s *layout, cell, i int) string {
	at := s.slotPosition(cell, i, s.f.Puzzle.Rules.Size())
	return decimal(at.x) + " " + decimal(at.y)
}

// TestPage operates the page by keyboard.
func TestPage(t *testing.T) {
	f := recordings(t)["hard"]
	f.Frames, f.Speed = 200, 50
	frames := f.Group(200)
	var page bytes.Buffer
	if err := f.HTML(&page); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "recording.html")
	if err := os.WriteFile(file, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, "file://"+filepath.ToSlash(file)+"#3")
	at := func(n int) {
		t.Helper()
		if got, want := b.eval(`document.getElementById("number").textContent`), fmt.Sprintf("%d of %d", n, len(frames)); got != want {
			t.Fatalf("the page shows frame %s, not %s", got, want)
		}
		shown, wanted := strings.Split(b.eval(references), "\n"), want(f, frames[:n], onPage)
		if len(shown) != len(wanted) {
			t.Fatalf("frame %d has %d symbols, want %d", n, len(shown), len(wanted))
		}
		have := make(map[string]bool)
		for _, s := range shown {
			have[s] = true
		}
		for _, w := range wanted {
			if !have[w] {
				t.Fatalf("frame %d lacks %s", n, w)
			}
		}
		if line := b.eval(`document.getElementById("line").textContent`); line != caption(f, frames[n-1]) {
			t.Fatalf("frame %d has the caption %q", n, line)
		}
	}
	at(3)
	b.press("ArrowRight", 39)
	at(4)
	b.press("ArrowLeft", 37)
	b.press("ArrowLeft", 37)
	at(2)
	b.press("End", 35)
	at(len(frames))
	b.press("ArrowRight", 39)
	at(len(frames))
	b.press("Home", 36)
	at(1)
	branch := 1
	for !frames[branch].Branch {
		branch++
	}
	b.press("PageDown", 34)
	at(branch + 1)

	// A focused slider handles the keys itself, and has a text for its value.
	b.eval(`document.getElementById("position").focus()`)
	b.press("ArrowRight", 39)
	at(branch + 2)
	if text := b.eval(`document.getElementById("position").getAttribute("aria-valuetext")`); !strings.Contains(text, caption(f, frames[branch+1])) {
		t.Errorf("the text of the slider is %q", text)
	}

	// The keyboard also presses a focused button.
	b.eval(`document.getElementById("back").focus()`)
	b.press("Enter", 13)
	at(branch + 1)

	// The speed stays within its bounds.
	b.press("-", 189)
	if rate := b.eval(`document.getElementById("rate").textContent`); rate != "49 frames a second" {
		t.Errorf("the speed is %s", rate)
	}
	for range 20 {
		b.press("+", 187)
	}
	if rate := b.eval(`document.getElementById("rate").textContent`); rate != "60 frames a second" {
		t.Errorf("the speed is %s", rate)
	}

	// Playing stops at a key and at the end. The speed is low, so that the test sees
	// the page playing on a busy machine, too.
	for range 55 {
		b.press("-", 189)
	}
	b.eval(`document.activeElement.blur()`)
	b.press(" ", 32)
	b.await(`document.getElementById("play").textContent === "Pause" && document.getElementById("position").value > ` + fmt.Sprint(branch+4))
	b.press(" ", 32)
	b.await(`document.getElementById("play").textContent === "Play"`)
	b.eval(fmt.Sprintf(`location.hash = "#%d"`, len(frames)-2))
	b.await(fmt.Sprintf(`document.getElementById("position").value == %d`, len(frames)-2))
	b.eval(`document.getElementById("play").click()`)
	b.await(fmt.Sprintf(`document.getElementById("position").value == %d && document.getElementById("play").textContent === "Play"`, len(frames)))
	at(len(frames))

	// All controls have names, and the page made no network requests.
	for _, question := range []string{
		`[...document.querySelectorAll("button")].every(e => e.ariaLabel || /^(Play|Pause)$/.test(e.textContent))`,
		`[...document.querySelectorAll("input")].every(e => e.labels.length === 1)`,
		`document.querySelector("#grid > svg > title").textContent !== ""`,
		`performance.getEntriesByType("resource").length === 0`,
	} {
		if b.eval(question) != "true" {
			t.Errorf("not true: %s", question)
		}
	}
}

// caption returns the caption of a frame.
func caption(f *Recording, fr film.Frame) string {
	return film.NewBoard(f.Recording).Readout(fr).Caption
}

// TestDrawing sets the clock of a drawing and compares the visible symbols with those
// of the frame.
func TestDrawing(t *testing.T) {
	f := recordings(t)["hard"]
	f.Frames, f.Speed = 60, 1
	frames := f.Group(60)
	var drawing bytes.Buffer
	if err := f.SVG(&drawing); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "recording.svg")
	if err := os.WriteFile(file, drawing.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, "file://"+filepath.ToSlash(file))
	b.eval(`document.documentElement.pauseAnimations()`)
	const visible = `[...document.querySelectorAll("use")].filter(e =>
		getComputedStyle(e).visibility === "visible" && e.href.animVal.length > 1).map(e =>
		e.getAttribute("x") + " " + e.getAttribute("y") + " " + e.href.animVal).sort().join("\n")`
	passed := 0
	for i := range frames {
		if i%9 == 0 || i == len(frames)-1 {
			b.eval(fmt.Sprintf(`document.documentElement.setCurrentTime(%d.5)`, passed))
			shown, wanted := strings.Split(b.eval(visible), "\n"), want(f, frames[:i+1], inDrawing)
			have := make(map[string]bool)
			for _, s := range shown {
				have[s] = true
			}
			if len(shown) != len(wanted) {
				t.Errorf("frame %d has %d symbols, want %d", i, len(shown), len(wanted))
			}
			for _, w := range wanted {
				if !have[w] {
					t.Errorf("frame %d lacks %s", i, w)
				}
			}
		}
		passed += frames[i].Weight
	}
}
