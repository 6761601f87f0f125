// The page of random 3-SAT: the share of satisfiable formulas, and the effort to decide them,
// against the ratio of clauses to variables.

import { clear, counted, el, field, svg } from "./dom.js";
import { intro } from "./words.js";

export const title = "Random 3-SAT";

const lowest = 2;
const highest = 7;
const threshold = 4.267;
const step = 0.1; // between the ratios of the curve

export function mount(root, app) {
	const page = new ThresholdPage(root, app);
	return () => page.leave();
}

class ThresholdPage {
	#app;
	#points = new Map(); // replies by ratio
	#running = null; // AbortController
	#timer = 0;
	#sizes; // ResizeObserver of the chart

	constructor(root, app) {
		this.#app = app;
		const number = (name, fallback, min, max) => {
			const n = Number(app.params.get(name));
			return app.params.has(name) && n >= min && n <= max ? n : fallback;
		};
		this.ratio = el("input", {
			id: "ratio", type: "range", min: lowest, max: highest, step: 0.01, value: number("ratio", 4.26, lowest, highest), "aria-describedby": "answer",
			oninput: () => this.#changed(300),
		});
		this.shown = el("output", { id: "shown-ratio", for: "ratio" });
		this.vars = el("input", { id: "vars", type: "number", min: "3", max: "250", step: "1", value: number("vars", 100, 3, 250), oninput: () => this.#restart() });
		this.count = el("input", { id: "count", type: "number", min: "1", max: "1000", step: "1", value: number("count", 20, 1, 1000), oninput: () => this.#restart() });
		this.seed = el("input", { id: "seed", type: "number", min: "0", step: "1", value: number("seed", 1, 0, Number.MAX_SAFE_INTEGER), oninput: () => this.#restart() });
		this.curveButton = el("button", { id: "curve", class: "primary", type: "button", text: "Draw the whole curve", onclick: () => this.#curve() });
		this.stopButton = el("button", { id: "stop", type: "button", text: "Stop", disabled: true, onclick: () => this.#stop() });
		this.answer = el("p", { id: "answer", role: "status" });
		this.hardest = el("p", { class: "note", id: "hardest" });
		this.error = el("p", { class: "error", role: "alert" });
		this.chart = el("div", { id: "chart" });
		this.table = el("tbody");
		root.append(
			intro("Draw each [clause] of a [formula] at random from three variables: with few clauses a [model] is easy to find, with many a contradiction is. Move the [ratio], and see where the answer changes, and where the search takes longest."),
			el(
				"div", { class: "panel" },
				el("label", { class: "field wide" }, el("span", { class: "label" }, "Clauses per variable: ", this.shown), this.ratio),
				el("div", { class: "row" }, field("Variables", this.vars), field("Formulas per ratio", this.count), field("First seed", this.seed)),
				el("div", { class: "buttons" }, this.curveButton, this.stopButton),
				this.answer, this.hardest, this.error,
			),
			el(
				"div", { class: "panel" },
				this.chart,
				el("p", { class: "note", text: `For large formulas the threshold is at about ${threshold} clauses per variable. The hardest formulas are near it.` }),
				el(
					"details", {},
					el("summary", { text: "Figures" }),
					el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures" }, el("table", {}, el("thead", {}, el("tr", {}, ...["Ratio", "Formulas", "Satisfiable", "Median conflicts", "Most conflicts"].map((text) => el("th", { scope: "col", text })))), this.table)),
				),
			),
		);
		this.#changed(0);
		this.#sizes = new ResizeObserver(() => this.#draw());
		this.#sizes.observe(this.chart);
	}

	leave() {
		clearTimeout(this.#timer);
		this.#running?.abort();
		this.#sizes.disconnect();
	}

	// #restart forgets the points, which belong to other formulas.
	#restart() {
		this.#points.clear();
		this.#changed(400);
	}

	// #changed samples the ratio of the slider after a while without changes.
	#changed(delay) {
		this.#running?.abort();
		const ratio = Number(this.ratio.value);
		this.shown.textContent = ratio.toFixed(2);
		this.#app.setParams({ ratio: ratio.toFixed(2), vars: this.vars.value, count: this.count.value, seed: this.seed.value });
		this.#draw();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#run([ratio]), delay);
	}

	#curve() {
		const ratios = [];
		for (let i = 0; lowest + i * step < highest + step / 2; i++) ratios.push(Number((lowest + i * step).toFixed(2)));
		// From the threshold outwards would jump; from the easy side the curve grows.
		this.#run(ratios.filter((r) => !this.#points.has(r)));
	}

	#stop() {
		clearTimeout(this.#timer);
		this.#running?.abort();
	}

	async #run(ratios) {
		this.#running?.abort();
		const run = (this.#running = new AbortController());
		this.stopButton.disabled = false;
		this.error.textContent = "";
		clear(this.hardest);
		try {
			for (const ratio of ratios) {
				this.answer.textContent = `Solving ${this.count.value} formulas at ratio ${ratio.toFixed(2)}...`;
				const args = { vars: Number(this.vars.value), ratio, count: Number(this.count.value), seed: Number(this.seed.value) };
				const { result } = await this.#app.call("threshold.sample", args, { signal: run.signal });
				if (run !== this.#running) return;
				if (result.solved > 0) this.#points.set(ratio, result);
				this.#draw();
				if (run.signal.aborted) break;
			}
		} catch (error) {
			if (run !== this.#running) return;
			this.error.textContent = error.message;
		}
		this.stopButton.disabled = true;
		this.#say();
	}

	// #say shows the point of the slider, or of the nearest ratio that was sampled.
	#say() {
		const ratio = Number(this.ratio.value);
		const p = this.#points.get(ratio);
		if (!p) {
			this.answer.textContent = "Stopped.";
			return;
		}
		this.answer.textContent = `Ratio ${ratio.toFixed(2)}: ${p.satisfiable} of ${p.solved} formulas are satisfiable; median ${counted(p.conflicts, "conflict")}, most ${p.most}.`;
		const href = `#formula?family=ksat&seed=${p.seed}&vars=${this.vars.value}&ratio=${ratio}`;
		clear(this.hardest).append("The formula with most conflicts: ", el("a", { href, text: `seed ${p.seed}` }));
	}

	#draw() {
		const points = [...this.#points.values()].sort((a, b) => a.ratio - b.ratio);
		const width = Math.max(280, Math.min(840, this.chart.clientWidth));
		clear(this.chart).append(picture(points, Number(this.ratio.value), width));
		clear(this.table).append(
			...points.map((p) => el("tr", {}, ...[p.ratio.toFixed(2), p.solved, p.satisfiable, p.conflicts, p.most].map((value) => el("td", { class: "number", text: String(value) })))),
		);
	}
}

// rounded returns the least number of 2, 4, 8 and 10 times a power of ten that is not less than n,
// so that quarters of it are round.
function rounded(n) {
	const power = 10 ** Math.floor(Math.log10(n));
	return [1, 2, 4, 8, 10].map((k) => k * power).find((m) => m >= n);
}

// picture returns the chart: shares on the left axis, conflicts on the right one.
function picture(points, ratio, width) {
	const height = 300;
	const [left, right, top, bottom] = [48, width - 56, 26, 256];
	const most = rounded(Math.max(10, ...points.map((p) => p.conflicts)));
	const x = (r) => left + ((r - lowest) / (highest - lowest)) * (right - left);
	const share = (p) => bottom - (p.satisfiable / p.solved) * (bottom - top);
	const effort = (p) => bottom - (p.conflicts / most) * (bottom - top);
	const line = (y, name) => svg("polyline", { class: name, points: points.map((p) => `${x(p.ratio).toFixed(1)},${y(p).toFixed(1)}`).join(" ") });
	const text = (x, y, anchor, content, name = "axis") => svg("text", { x, y, "text-anchor": anchor, class: name, text: content });
	const rule = (x1, y1, x2, y2, name) => svg("line", { x1, y1, x2, y2, class: name });
	const parts = [];
	for (let r = lowest; r <= highest; r++) parts.push(rule(x(r), bottom, x(r), bottom + 5, "frame"), text(x(r), bottom + 20, "middle", String(r)));
	for (const s of [0, 0.25, 0.5, 0.75, 1]) {
		const y = bottom - s * (bottom - top);
		parts.push(rule(left, y, right, y, "grid"), text(left - 6, y + 4, "end", `${100 * s} %`), text(right + 6, y + 4, "start", Math.round(s * most).toLocaleString("en")));
	}
	parts.push(
		text(4, 14, "start", "satisfiable", "share-name"), text(width - 4, 14, "end", "median conflicts", "effort-name"),
		text((left + right) / 2, height - 4, "middle", "clauses per variable"),
		rule(x(threshold), top, x(threshold), bottom, "threshold"), rule(x(ratio), top, x(ratio), bottom, "slider"),
		line(effort, "effort"), line(share, "share"),
		...points.flatMap((p) => [svg("circle", { class: "share-point", cx: x(p.ratio), cy: share(p), r: 3.5 }), svg("rect", { class: "effort-point", x: x(p.ratio) - 3, y: effort(p) - 3, width: 6, height: 6 })]),
	);
	return svg("svg", { class: "threshold", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Share of satisfiable formulas and median conflicts at ${points.length} ratios; the table has the figures` }, ...parts);
}
