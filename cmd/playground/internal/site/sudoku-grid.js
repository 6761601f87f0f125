// The grid of a Sudoku: drawing, keyboard and labels for screen readers. It knows nothing of
// the puzzle's state; the page gives it a description of each cell.

import { el, svg } from "./dom.js";
import { lines, shapes } from "./sudoku-lines.js";

// A GridView shows a puzzle.
//
// A description of a cell has these members, all optional:
//   text   the digit
//   kind   its look: given, entry, found, decided, flipped, pure, propagated
//   pair   two texts that are shown in place of the digit
//   marks  by digit from 1: its look ("open", "hit", "out", "part", "decided", "flipped"), or ""
//   flags  looks of the cell: conflict, wrong, differ, cell, given-reason, and pointers
//   words  what a screen reader adds to the digit
export class GridView {
	#cells = [];
	#keys = [];
	#at = 0;
	#puzzle = null;

	// onKey(event, cell) handles keys other than those that move; onCell(cell) is called for the cell
	// in focus or below the pointer.
	constructor(onKey, onCell) {
		this.onKey = onKey;
		this.onCell = onCell;
		this.under = svg("svg", { class: "under", "aria-hidden": "true" });
		this.over = svg("svg", { class: "over", "aria-hidden": "true" });
		this.rows = el("div", { id: "grid", role: "grid", "aria-describedby": "rules", onkeydown: (event) => this.#key(event) });
		this.node = el("div", { class: "sudoku-grid" }, this.under, this.rows, this.over);
		this.rows.addEventListener("focusin", (event) => this.#focused(event.target));
		this.rows.addEventListener("pointerdown", (event) => this.#point(event));
		this.rows.addEventListener("pointerover", (event) => {
			const node = event.target.closest("[role=gridcell]");
			if (node) this.onCell(Number(node.dataset.cell));
		});
	}

	// setPuzzle draws the lines and empty cells of a puzzle, unless it has the same rules as
	// the one before.
	setPuzzle(puzzle) {
		if (this.#puzzle?.rules === puzzle.rules) {
			this.#puzzle = puzzle;
			return;
		}
		this.#puzzle = puzzle;
		const n = puzzle.size;
		this.node.style.setProperty("--size", n);
		this.node.dataset.size = n;
		const columns = puzzle.boxCols > 1 ? puzzle.boxCols : Math.ceil(Math.sqrt(n));
		this.node.style.setProperty("--mark-columns", columns);
		this.node.style.setProperty("--mark-rows", Math.ceil(n / columns));
		this.node.style.setProperty("--mark-scale", n > 9 ? 0.66 : 0.78); // digits of two characters keep their distance
		for (const picture of [this.under, this.over]) picture.setAttribute("viewBox", `0 0 ${n} ${n}`);
		this.under.replaceChildren(shapes(puzzle));
		this.over.replaceChildren(lines(puzzle));
		// Marks are below the sums of cages and above the clues in the lower corner of a cell.
		this.node.style.setProperty("--above-marks", puzzle.cages.length ? 0.28 : 0.03);
		this.node.style.setProperty("--below-marks", puzzle.clues ? 0.28 : 0.03);
		this.rows.setAttribute("aria-label", `Sudoku, ${n} rows and ${n} columns`);
		this.#cells = [];
		this.#keys = [];
		const rows = [];
		for (let y = 0; y < n; y++) {
			const row = el("div", { role: "row" });
			for (let x = 0; x < n; x++) {
				const cell = el("div", { role: "gridcell", tabindex: -1, "data-cell": y * n + x });
				this.#cells.push(cell);
				row.append(cell);
			}
			rows.push(row);
		}
		this.rows.replaceChildren(...rows);
		this.#at = Math.min(this.#at, n * n - 1);
		this.#cells[this.#at].tabIndex = 0;
	}

	// show shows the description of each cell.
	show(describe) {
		for (const [cell, node] of this.#cells.entries()) {
			const d = describe(cell);
			const key = JSON.stringify(d);
			if (key === this.#keys[cell]) continue;
			this.#keys[cell] = key;
			this.#draw(node, cell, d);
		}
	}

	// #draw draws a cell. Style shows the attribute data-text, which a screen reader does not
	// read beside the label.
	#draw(node, cell, d) {
		node.className = (d.flags ?? []).map((flag) => `is-${flag}`).join(" ");
		node.replaceChildren();
		if (d.pair) {
			node.append(el("span", { class: "pair first", "data-text": d.pair[0] }), el("span", { class: "pair second", "data-text": d.pair[1] }));
		} else if (d.text) {
			node.append(el("span", { class: `digit ${d.kind ?? ""}`, text: d.text }));
		} else if (d.marks?.some((look) => look)) {
			const marks = el("span", { class: "marks" });
			d.marks.forEach((look, i) => marks.append(el("span", look ? { class: `mark ${look}`, "data-text": this.#puzzle.symbols[i] } : {})));
			node.append(marks);
		}
		node.setAttribute("aria-label", this.#label(cell, d));
	}

	// #label returns the text for screen readers.
	#label(cell, d) {
		const parts = [d.pair ? `${d.pair[0]} or ${d.pair[1]}` : d.text || "empty"];
		if (d.text && d.kind) parts.push(d.kind);
		const open = (d.marks ?? []).map((look, i) => (look && look !== "out" ? this.#puzzle.symbols[i] : "")).filter(Boolean);
		if (!d.text && !d.pair && open.length) parts.push(`marks ${open.join(" ")}`);
		for (const cage of this.#puzzle.cages) if (cage.cells.includes(cell)) parts.push(`cage of ${cage.sum}`);
		return `${this.name(cell)}: ${[...parts, ...(d.words ?? [])].join(", ")}`;
	}

	// name returns the name of a cell, such as R3C5.
	name(cell) {
		const n = this.#puzzle.size;
		return `R${Math.floor(cell / n) + 1}C${(cell % n) + 1}`;
	}

	get cell() {
		return this.#at;
	}

	// focus moves to a cell.
	focus(cell = this.#at) {
		this.#cells[cell]?.focus();
	}

	#focused(target) {
		const cell = Number(target.dataset.cell);
		if (Number.isNaN(cell)) return;
		this.#cells[this.#at]?.setAttribute("tabindex", "-1");
		this.#cells[this.#at]?.removeAttribute("aria-selected");
		this.#at = cell;
		target.tabIndex = 0;
		target.setAttribute("aria-selected", "true");
		this.#showPeers(cell);
		this.onCell(cell);
	}

	// mark outlines cells, and no others.
	mark(cells) {
		for (const [cell, node] of this.#cells.entries()) {
			if (cells.includes(cell)) node.dataset.clause = "";
			else delete node.dataset.clause;
		}
	}

	// #showPeers shades the cells that must differ from a cell.
	#showPeers(cell) {
		for (const node of this.rows.querySelectorAll("[data-peer]")) delete node.dataset.peer;
		for (const peer of this.#puzzle.peers[cell]) this.#cells[peer].dataset.peer = "";
	}

	#point(event) {
		const node = event.target.closest("[role=gridcell]");
		if (!node) return;
		event.preventDefault();
		node.focus({ preventScroll: true });
	}

	#key(event) {
		const n = this.#puzzle.size;
		const x = this.#at % n;
		const y = Math.floor(this.#at / n);
		const moves = {
			ArrowLeft: () => [x - 1, y],
			ArrowRight: () => [x + 1, y],
			ArrowUp: () => [x, y - 1],
			ArrowDown: () => [x, y + 1],
			Home: () => [0, event.ctrlKey ? 0 : y],
			End: () => [n - 1, event.ctrlKey ? n - 1 : y],
			PageUp: () => [x, 0],
			PageDown: () => [x, n - 1],
		};
		if (event.key in moves && !event.altKey && !event.metaKey) {
			const [toX, toY] = moves[event.key]();
			if (toX >= 0 && toX < n && toY >= 0 && toY < n) this.focus(toY * n + toX);
			event.preventDefault();
			return;
		}
		if (this.onKey(event, this.#at)) event.preventDefault();
	}
}
