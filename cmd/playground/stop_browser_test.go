//go:build browser

package main

import (
	"encoding/json"
	"math"
	"testing"

	"sator/cmd/playground/internal/service"
)

// hardRun is a formula that is not solved soon.
const hardRun = "#formula?family=ksat&seed=1&vars=400&ratio=4.26"

// TestBrowserStop stops a run by a click. The answer comes within 200 ms, and what was derived
// so far is kept.
func TestBrowserStop(t *testing.T) {
	p := openPage(t, hardRun)
	p.wait("the text", "document.querySelector('#text').value.includes('p cnf')")
	p.click("#solve")
	p.wait("a chart", "document.querySelector('#charts svg polyline, #charts svg path')")
	// A loaded machine may delay some answers.
	best := math.Inf(1)
	for n := 0; n < 5 && best > 200; n++ {
		p.wait("the run", "!document.querySelector('#stop').disabled && document.querySelectorAll('#charts svg path').length > 0")
		// The time is measured in the page, from the click to the text of the answer.
		var ms float64
		p.eval(`new Promise((resolve) => {
			const start = performance.now();
			new MutationObserver((_, o) => { if (document.querySelector("#answer").textContent.includes("stopped")) { o.disconnect(); resolve(performance.now() - start); } })
				.observe(document.querySelector("#answer"), { childList: true, characterData: true, subtree: true });
			document.querySelector("#stop").click();
		})`, &ms)
		t.Logf("a stop took %.0f ms", ms)
		best = min(best, ms)
		p.waitText("#proof-state", "it ends where the search ended")
		p.click("#solve")
	}
	if best > 200 {
		t.Errorf("each stop took %.0f ms or more", best)
	}
	p.click("#stop")
	p.waitText("#answer", "stopped")
	p.screenshot("formula-stopped")
}

// TestBrowserReplace checks that the client replaces a worker that does not answer, and one
// that ends.
func TestBrowserReplace(t *testing.T) {
	p := openPage(t, "#formula")
	var got string
	p.eval(`(async () => {
		const real = globalThis.Worker;
		const ended = [];
		// The first worker answers nothing, the second one ends at once.
		globalThis.Worker = class {
			constructor() { setTimeout(() => this.onmessage({ data: { ready: true } })); }
			postMessage(m) { if (m.op === "end") setTimeout(() => this.onmessage({ data: { failed: "it has ended" } })); }
			terminate() { ended.push(this); }
		};
		const { Client } = await import("./client.js");
		const states = [];
		const client = new Client((state) => states.push(state));
		const abort = new AbortController();
		const texts = [];
		const call = client.call("sleep", {}, { signal: abort.signal }).catch((e) => texts.push(e.message));
		setTimeout(() => abort.abort(), 100);
		await call;
		await client.call("end").catch((e) => texts.push(e.message));
		globalThis.Worker = real;
		const { result } = await client.call("formula.load", { text: "1 -2 0" });
		return [...texts, ended.length, states.join(), result.vars].join("; ");
	})()`, &got)
	if want := "the engine did not stop in time, and was started again; it has ended; 2; loading,ready,failed,loading,ready,failed,loading,ready; 2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestBrowserConflicts compares runs in the browser with native runs, and reports the
// speeds.
func TestBrowserConflicts(t *testing.T) {
	native := service.New(nil)
	p := openPage(t, "#formula")
	for _, load := range []string{
		`{"family": "ksat", "values": {"vars": 250, "ratio": 4.26}, "seed": 2}`,
		`{"family": "php", "values": {"holes": 9}, "seed": 1}`,
		`{"family": "multiplier", "values": {"bits": 12}, "seed": 1}`,
	} {
		const solve = `{"proof": "", "seed": 0}`
		if r := native.Call(t.Context(), "formula.load", []byte(load), nil, nil); r.Err != nil {
			t.Fatal(r.Err)
		}
		r := native.Call(t.Context(), "formula.solve", []byte(solve), nil, nil)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		var here, there service.SolveReply
		if err := json.Unmarshal(r.Result, &here); err != nil {
			t.Fatal(err)
		}
		p.eval(`(async () => {
			const { Client } = await import("./client.js");
			const client = new Client();
			await client.call("formula.load", `+load+`);
			return (await client.call("formula.solve", `+solve+`)).result;
		})()`, &there)
		if here.Status != there.Status || here.Conflicts != there.Conflicts {
			t.Errorf("%s: %s after %d conflicts in the browser, natively %s after %d", load, there.Status, there.Conflicts, here.Status, here.Conflicts)
		}
		t.Logf("%s: %d conflicts; %.2f s in the browser, %.2f s natively, ratio %.2f", load, here.Conflicts, there.Seconds, here.Seconds, here.Seconds/there.Seconds)
	}
}
