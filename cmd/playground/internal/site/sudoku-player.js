// The player of a recorded search: buttons, slider, speed, and the state of each cell in a
// frame.

import { el, field } from "./dom.js";

// The looks of the values of a film; see the package cmd/internal/film.
const markLooks = ["", "open", "decided", "flipped", "clash"];
const styleLooks = ["propagated", "decided", "flipped", "pure"];
const pointerLooks = ["", "at-propagated", "at-pure", "at-decided", "at-flipped", "at-conflict"];

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// A Player plays a film of the engine. onShow is called after each change of the frame.
export class Player {
	#timer = 0;
	#values; // by slot

	constructor(film, puzzle, onShow, onClose) {
		Object.assign(this, { film, puzzle, onShow });
		this.slots = puzzle.size + 2;
		this.#values = new Uint16Array(puzzle.cells.length * this.slots);
		this.at = -1;
		this.caption = el("p", { id: "film-caption", "aria-live": "polite" });
		this.path = el("p", { id: "film-path" });
		this.counts = film.counters.map(() => el("dd", {}));
		this.number = el("output", { id: "film-number" });
		this.position = el("input", { id: "film-position", type: "range", min: 1, max: film.frames.length, value: 1, oninput: () => this.#go(this.position.value - 1) });
		this.speed = el("input", { id: "film-speed", type: "range", min: 1, max: 50, value: calm.matches ? 2 : 8, oninput: () => this.#rate() });
		this.rate = el("output", {});
		this.playButton = el("button", { id: "film-play", class: "primary", type: "button", text: "Play", onclick: () => (this.#timer ? this.pause() : this.play()) });
		const button = (id, text, label, to) => el("button", { id: `film-${id}`, type: "button", text, "aria-label": label, title: label, onclick: () => this.#go(to()) });
		this.node = el(
			"div",
			{ class: "player", onkeydown: (event) => this.#key(event) },
			this.caption,
			this.path,
			el("dl", { class: "counts" }, ...film.counters.map((name, i) => el("div", {}, el("dt", { text: name }), this.counts[i]))),
			el(
				"div",
				{ class: "buttons", role: "group", "aria-label": "Playback" },
				button("first", "|‹", "First frame", () => 0),
				button("previous", "«", "Previous decision or backtrack", () => this.#branch(-1)),
				button("back", "‹", "Previous frame", () => this.at - 1),
				this.playButton,
				button("next", "›", "Next frame", () => this.at + 1),
				button("following", "»", "Next decision or backtrack", () => this.#branch(1)),
				button("last", "›|", "Last frame", () => this.#end),
				el("button", { id: "film-close", type: "button", text: "Close", onclick: onClose }),
			),
			field("Frame", this.position),
			this.number,
			field("Speed", this.speed),
			this.rate,
			el("p", { class: "note", text: "Keys: Space plays and pauses, comma and point step, Page Up and Page Down step to decisions and backtracks." }),
			legend(),
		);
		this.#rate();
		this.#show(0);
	}

	get #end() {
		return this.film.frames.length - 1;
	}

	#rate() {
		this.rate.textContent = `${this.speed.value} frames a second`;
	}

	// #show applies the changes of the frames up to one, from the first one for an earlier
	// frame.
	#show(frame) {
		frame = Math.max(0, Math.min(this.#end, Number(frame)));
		if (frame < this.at) {
			this.#values.fill(0);
			this.at = -1;
		}
		while (this.at < frame) {
			const { changes = [] } = this.film.frames[++this.at];
			for (let i = 0; i < changes.length; i += 2) this.#values[changes[i]] = changes[i + 1];
		}
		const f = this.film.frames[this.at];
		this.caption.textContent = f.caption;
		this.path.textContent = `level ${f.level} ${f.path}`;
		f.counts.forEach((n, i) => (this.counts[i].textContent = n));
		this.number.textContent = `${this.at + 1} of ${this.film.frames.length}`;
		this.position.value = this.at + 1;
		this.position.setAttribute("aria-valuetext", `frame ${this.at + 1}: ${f.caption}`);
		this.onShow();
	}

	#go(frame) {
		this.pause();
		this.#show(frame);
	}

	// #branch returns the next frame in a direction that has a decision or a backtrack.
	#branch(direction) {
		let k = this.at + direction;
		while (k > 0 && k < this.#end && !this.film.frames[k].branch) k += direction;
		return k;
	}

	play() {
		if (this.at === this.#end) this.#show(0);
		this.playButton.textContent = "Pause";
		this.caption.setAttribute("aria-live", "off"); // a screen reader cannot follow
		this.#schedule();
	}

	#schedule() {
		const { weight } = this.film.frames[this.at];
		this.#timer = setTimeout(
			() => {
				this.#show(this.at + 1);
				if (this.at === this.#end) this.pause();
				else this.#schedule();
			},
			(1000 * Math.min(8, weight)) / this.speed.value,
		);
	}

	pause() {
		clearTimeout(this.#timer);
		this.#timer = 0;
		this.playButton.textContent = "Play";
		this.caption.setAttribute("aria-live", "polite");
	}

	#key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		const moves = { ",": () => this.at - 1, ".": () => this.at + 1, PageUp: () => this.#branch(-1), PageDown: () => this.#branch(1) };
		if (event.key in moves) this.#go(moves[event.key]());
		else if (event.key === " " && event.target.tagName !== "BUTTON") this.#timer ? this.pause() : this.play();
		else return;
		event.preventDefault();
	}

	// describe returns the description of a cell for the grid.
	describe(cell) {
		const n = this.puzzle.size;
		const values = this.#values.subarray(cell * this.slots, (cell + 1) * this.slots);
		const pointer = pointerLooks[values[n + 1]];
		const d = { flags: pointer ? [pointer] : [] };
		if (pointer === "at-conflict") d.words = ["conflict"];
		const fixed = this.puzzle.cells[cell] || this.film.found?.[cell];
		if (fixed) {
			return { ...d, text: this.puzzle.symbols[fixed - 1], kind: this.puzzle.cells[cell] ? "given" : "found" };
		}
		const value = values[n];
		if (value) {
			const style = (value - 1) % this.film.styles;
			return { ...d, text: this.puzzle.symbols[(value - 1 - style) / this.film.styles], kind: styleLooks[style] };
		}
		return { ...d, marks: Array.from(values.subarray(0, n), (mark) => markLooks[mark]) };
	}
}

// legend returns the key of the shapes.
function legend() {
	const entry = (look, text) => el("li", {}, el("span", { class: `sample digit ${look}`, "aria-hidden": "true", text: "1" }), text);
	return el(
		"ul",
		{ class: "legend" },
		entry("decided", "decision: a disc"),
		entry("flipped", "other branch after a backtrack: a ring"),
		entry("pure", "pure literal: a diamond"),
		entry("propagated", "propagated: no outline"),
		el("li", { text: "a small disc or ring: not that digit; a crossed cell: conflict" }),
	);
}
