// What pages with a search step by step share: the controls, and the list of clauses.

import { clear, el, field, option } from "./dom.js";

// Examples and families with formulas that a few steps decide.
export const smallExamples = {
	"Four pigeons, three holes": "c Variable 3p+h-3: pigeon p is in hole h.\np cnf 12 22\n1 2 3 0\n4 5 6 0\n7 8 9 0\n10 11 12 0\n-1 -4 0\n-1 -7 0\n-1 -10 0\n-4 -7 0\n-4 -10 0\n-7 -10 0\n-2 -5 0\n-2 -8 0\n-2 -11 0\n-5 -8 0\n-5 -11 0\n-8 -11 0\n-3 -6 0\n-3 -9 0\n-3 -12 0\n-6 -9 0\n-6 -12 0\n-9 -12 0\n",
	"No model": "p cnf 3 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n",
};
export const smallFamilies = ["coloring", "ksat", "langford", "ordering", "pebbling", "php", "planted", "queens", "ramsey", "schur", "tseitin", "vdw"];

// The times of a step in an animation, in milliseconds.
const speeds = [[2000, "2 s"], [1000, "1 s"], [400, "0.4 s"], [100, "0.1 s"], [10, "10 ms"]];

// A Stepper goes through states 0 to count. show(n) shows a state and returns its text. stop(n)
// tells whether an animation ends at a state; by default the last one alone. more are controls
// beside its own.
export class Stepper {
	#show;
	#stop;
	#timer = 0;
	count;
	step = 0;

	constructor(count, { show, stop = () => false, more = [] }) {
		this.count = count;
		this.#show = show;
		this.#stop = stop;
		this.slider = el("input", { id: "step", type: "range", min: "0", max: String(count), value: "0", "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
		this.playButton = el("button", { id: "play", type: "button", text: "Play", onclick: () => (this.#timer ? this.pause() : this.#play()) });
		this.speed = el("select", { id: "speed", onchange: () => this.#timer && this.#play() }, ...speeds.map(([ms, text]) => option(String(ms), text, ms === 400)));
		this.said = el("p", { id: "said", role: "status", class: "mono" });
		const button = (id, text, step) => el("button", { id, type: "button", text, onclick: () => this.go(step()) });
		this.element = el(
			"div", {},
			this.slider,
			el(
				"div", { class: "buttons" },
				button("to-begin", "First", () => 0), button("back", "Back", () => this.step - 1), this.playButton,
				button("forward", "Forward", () => this.step + 1), ...more, button("to-end", "Last", () => this.count), field("Time of a step", this.speed),
			),
			this.said,
		);
	}

	// go shows a state.
	go(step) {
		this.step = Math.max(0, Math.min(this.count, step));
		this.slider.value = String(this.step);
		const text = `Step ${this.step} of ${this.count}: ${this.#show(this.step)}`;
		this.said.textContent = text;
		this.slider.setAttribute("aria-valuetext", text);
		if (this.step === this.count) this.pause();
	}

	// find shows the next state at which wanted(n) holds, or the last one.
	find(wanted) {
		let step = this.step + 1;
		while (step < this.count && !wanted(step)) step++;
		this.go(step);
	}

	pause() {
		clearInterval(this.#timer);
		this.#timer = 0;
		this.playButton.textContent = "Play";
	}

	#play() {
		clearInterval(this.#timer);
		if (this.step === this.count) this.go(0);
		this.playButton.textContent = "Pause";
		this.#timer = setInterval(() => {
			this.go(this.step + 1);
			if (this.#stop(this.step)) this.pause();
		}, Number(this.speed.value));
	}
}

// The most clauses that are listed.
const mostListed = 300;

// A ClauseList shows clauses with the values of their literals. onask, if given, is called with
// the number of a learned clause that is clicked.
export class ClauseList {
	#onask;

	constructor(onask) {
		this.#onask = onask;
		this.list = el("div", { id: "clauses", class: "scroll mono", tabindex: "0", role: "region", "aria-label": "Clauses" });
		this.element = el("div", {}, this.list, el("p", { class: "note", text: "Bold: true. Struck: false. A bar: the clause is satisfied, falsified, or unit." }));
	}

	// show lists clauses by number, {lits, watches, learned, deleted}. value(l) is 1, 0 or -1. The
	// one with the number current is marked, and scrolled to.
	show(clauses, value, current) {
		const rows = [];
		for (const [number, clause] of Object.entries(clauses)) {
			if (clause.deleted) continue;
			if (rows.length === mostListed) {
				rows.push(el("p", { class: "note", text: `The first ${mostListed} are listed.` }));
				break;
			}
			rows.push(clauseRow(Number(number), clause, value, current, this.#onask));
		}
		const at = this.list.scrollTop;
		clear(this.list).append(...rows);
		this.list.scrollTop = at;
		const row = this.list.querySelector(".current");
		if (row && (row.offsetTop < at || row.offsetTop + row.offsetHeight > at + this.list.clientHeight)) this.list.scrollTop = row.offsetTop - this.list.clientHeight / 2;
	}
}

function clauseRow(number, clause, value, current, onask) {
	const values = clause.lits.map(value);
	const open = values.filter((v) => v === 0).length;
	const kind = values.includes(1) ? "satisfied" : open > 1 ? "open" : open === 1 ? "unit" : "falsified";
	const lits = clause.lits.flatMap((l, i) => [" ", el("span", { class: `${["false", "unassigned", "true"][values[i] + 1]}${clause.watches?.includes(l) ? " watched" : ""}`, text: l })]);
	return el("div", { class: `clause ${kind}${current === number ? " current" : ""}`, title: kind }, clause.learned ? el("button", { type: "button", class: "asked", title: "to the conflict behind it", text: `learned c${number}`, onclick: () => onask?.(number) }) : `c${number}`, ...lits);
}
