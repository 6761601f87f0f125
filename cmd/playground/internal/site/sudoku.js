// The page of Sudokus: a grid with its keys, and panels for what the engine can do with it.
// The address holds the puzzle.

import { counted, el } from "./dom.js";
import { filmPanel } from "./sudoku-film.js";
import { formulaPanel } from "./sudoku-formula.js";
import { GridView } from "./sudoku-grid.js";
import { hintPanel } from "./sudoku-hints.js";
import { generatePanel } from "./sudoku-generate.js";
import { solvePanel } from "./sudoku-solve.js";
import { loadTables } from "./source.js";
import { State } from "./sudoku-state.js";
import { textPanel } from "./sudoku-text.js";
import { intro } from "./words.js";

export const title = "Sudoku";

// progress returns what the browser has kept of the puzzle, or "", and keeps another text.
function progress(text) {
	try {
		if (text === undefined) return localStorage.getItem("sudoku") ?? "";
		localStorage.setItem("sudoku", text);
	} catch {
		// The browser keeps nothing.
	}
	return "";
}

export function mount(root, app) {
	const page = new SudokuPage(root, app);
	page.start();
	return () => page.leave();
}

// A SudokuPage has the state of the page. The panels call run, load, changed and status.
export class SudokuPage {
	state = null;
	menus = null;
	conflict = { cells: [], message: "" };
	pencil = false;
	overlay = null; // {describe(cell, description)} changes what the grid shows: a hint, witnesses, a film
	#busy = null; // the AbortController of the request that runs
	#checks = 0; // number of requests for conflicts
	complaint = ""; // the message of the last one

	constructor(root, app) {
		this.app = app;
		this.grid = new GridView(
			(event, cell) => this.#key(event, cell),
			(cell) => this.panels.forEach((panel) => panel.cell?.(cell)),
		);
		this.statusLine = el("p", { id: "status", role: "status" });
		this.error = el("p", { id: "error", class: "error", role: "alert" });
		this.rules = el("p", { id: "rules", class: "note" });
		this.keypad = el("div", { class: "keypad", role: "group", "aria-label": "Digits" });
		const button = (id, text, onclick, attributes = {}) => el("button", { id, type: "button", text, onclick, ...attributes });
		this.pencilButton = button("pencil", "Pencil marks", () => this.#togglePencil(), { "aria-pressed": "false", title: "Digits become pencil marks (Shift with a digit does the same)" });
		this.formButton = button("form", "Set givens", () => this.#toggleForm(), { "aria-pressed": "false", title: "Digits become givens of the puzzle" });
		this.undoButton = button("undo", "Undo", () => this.undo(), { title: "Ctrl+Z" });
		this.redoButton = button("redo", "Redo", () => this.redo(), { title: "Ctrl+Y" });
		this.stopButton = button("stop", "Stop", () => this.stop(), { disabled: true });
		const tools = el(
			"div",
			{ class: "buttons", role: "group", "aria-label": "Tools" },
			this.undoButton,
			this.redoButton,
			this.pencilButton,
			button("fill-marks", "Fill marks", () => this.#fillMarks(), { title: "Pencil marks of all digits that no peer excludes" }),
			this.formButton,
			button("reset", "Clear entries", () => this.#reset()),
		);
		this.busyLine = el("span", {});
		this.busyBar = el("div", { class: "busy", hidden: true }, this.busyLine, this.stopButton);
		const board = el("div", { class: "board" }, this.statusLine, this.error, el("div", { class: "sudoku-frame" }, this.grid.node), this.rules, this.keypad, tools);
		this.panels = [textPanel, solvePanel, hintPanel, generatePanel, filmPanel, formulaPanel].map((make) => make(this));
		this.desk = el("div", { class: "desk", inert: true }, board, el("div", { class: "panels" }, ...this.panels.map((panel) => panel.node)), this.busyBar);
		root.append(intro("Fill the grid: each row, column and box has each digit once. The engine solves a puzzle as a [formula], proves that the solution is unique, rates it, and explains the next step as people do."), this.desk);
		this.onPaste = (event) => this.#paste(event);
		document.addEventListener("paste", this.onPaste);
	}

	// start shows the puzzle of the address, which the engine reads. An address without one
	// shows the example, which is a file of the site, so that nobody waits for the engine.
	async start() {
		const givens = this.app.params.get("givens");
		try {
			const { menus, example } = (await loadTables()).sudoku;
			this.menus = menus;
			for (const panel of this.panels) panel.menus?.(menus);
			const kept = progress();
			const puzzle = givens ? (await this.app.call("sudoku.read", { text: givens })).result : (kept ? JSON.parse(kept).puzzle : example);
			this.load(puzzle, { link: false });
			if (kept && this.state.restore(kept)) this.changed(false);
		} catch (error) {
			this.fail(error);
			if (givens) {
				this.app.params.delete("givens");
				await this.start();
				this.fail(error);
			}
		}
	}

	leave() {
		this.stop();
		document.removeEventListener("paste", this.onPaste);
		for (const panel of this.panels) panel.leave?.();
	}

	// run sends a request whose result a panel shows, and cancels the one before it. The page
	// can stop it. The result is undefined after an error, which is shown, and after a newer request.
	async run(what, op, args, { progress } = {}) {
		this.stop();
		const busy = (this.#busy = new AbortController());
		this.stopButton.disabled = false;
		this.error.textContent = "";
		this.status(`${what} ...`);
		// The bar is for requests that take a while; it would flicker for all others.
		const bar = setTimeout(() => (this.busyBar.hidden = false), 200);
		try {
			const answer = await this.app.call(op, args, { signal: busy.signal, progress: (m) => busy === this.#busy && progress && this.status(`${what}: ${progress(m)}`) });
			if (busy !== this.#busy) return undefined;
			this.status(busy.signal.aborted ? `${what}: stopped` : "");
			return answer;
		} catch (error) {
			if (busy !== this.#busy) return undefined;
			if (busy.signal.aborted) this.status(`${what}: stopped`);
			else this.fail(error);
			return undefined;
		} finally {
			clearTimeout(bar);
			if (busy === this.#busy) {
				this.#busy = null;
				this.stopButton.disabled = true;
				this.busyBar.hidden = true;
			}
		}
	}

	stop() {
		this.#busy?.abort();
	}

	// status shows a line about the last action; screen readers read it.
	status(text) {
		this.statusLine.textContent = text;
		this.busyLine.textContent = text;
	}

	// fail shows an error, with its position.
	fail(error) {
		this.status("");
		this.error.textContent = error.line ? `line ${error.line}, column ${error.column}: ${error.message}` : error.message;
		this.error.scrollIntoView({ block: "nearest" });
	}

	// load shows another puzzle.
	load(puzzle, { link = true } = {}) {
		if (this.state) this.state.load(puzzle);
		else this.state = new State(puzzle);
		this.desk.inert = false;
		this.drawKeypad();
		this.changed(link);
	}

	// changed is called after each change of the state, and drops what was shown about the
	// state before.
	changed(link = true) {
		progress(this.state.kept());
		this.show(null);
		this.error.textContent = "";
		this.conflict = { cells: [], message: "" };
		this.refresh();
		this.#check();
		if (link) this.#link();
		for (const panel of this.panels) panel.changed?.();
	}

	// show sets what is shown over the puzzle.
	show(overlay) {
		const before = this.overlay;
		this.overlay = overlay;
		if (before !== overlay) before?.close?.();
		this.desk.classList.toggle("showing", Boolean(overlay));
		this.refresh();
	}

	// look scrolls to the grid, which may be out of view on a small screen.
	look() {
		this.statusLine.scrollIntoView({ block: "nearest" });
	}

	refresh() {
		if (!this.state) return;
		const { puzzle } = this.state;
		this.grid.setPuzzle(puzzle);
		this.grid.show((cell) => (this.overlay?.whole ? this.overlay.describe(cell) : this.#describe(cell)));
		const words = [`${puzzle.size}x${puzzle.size}`];
		if (puzzle.boxRows) words.push(`boxes of ${puzzle.boxRows}x${puzzle.boxCols}`);
		else words.push(puzzle.areas ? "irregular regions" : "no boxes");
		words.push(...puzzle.notes);
		if (puzzle.cages.length) words.push(`${counted(puzzle.cages.length, "cage")} with sums`);
		if (puzzle.symbols[9] === "10") words.push(`the keys from A on are the digits from 10 on`);
		this.rules.textContent = `${words.join("; ")}. ${counted(puzzle.cells.filter(Boolean).length, "given")}. This browser keeps your progress.`;
		this.undoButton.disabled = !this.state.canUndo;
		this.redoButton.disabled = !this.state.canRedo;
		this.formButton.setAttribute("aria-pressed", this.state.forms);
	}

	// #describe describes a cell of the puzzle, with the overlay.
	#describe(cell) {
		const { state } = this;
		const digit = state.digit(cell);
		const d = { flags: [], words: [], marks: [] };
		if (digit) {
			d.text = state.puzzle.symbols[digit - 1];
			d.kind = state.puzzle.cells[cell] ? "given" : "entry";
		} else {
			for (let i = 0; i < state.size; i++) d.marks.push((state.marks[cell] >> i) & 1 ? "open" : "");
		}
		if (this.conflict.cells.includes(cell)) {
			d.flags.push("conflict");
			d.words.push("conflict");
		}
		this.overlay?.describe(cell, d);
		return d;
	}

	// #check asks for the cells that break rules.
	async #check() {
		const check = ++this.#checks;
		try {
			const { result } = await this.app.call("sudoku.check", { grid: this.state.current() });
			if (check !== this.#checks) return;
			this.conflict = result;
			if (result.message) this.status(result.message);
			else if (result.full && !this.state.puzzle.cells.every(Boolean)) this.status("Solved.");
			else if (["Solved.", this.complaint].includes(this.statusLine.textContent)) this.status("");
			this.complaint = result.message;
			this.refresh();
		} catch (error) {
			if (check === this.#checks) this.fail(error);
		}
	}

	// #link puts the puzzle into the address.
	async #link() {
		const { puzzle } = this.state;
		try {
			const { result } = await this.app.call("sudoku.write", { grid: this.state.grid() });
			if (puzzle === this.state.puzzle) this.app.setParams({ givens: result.text.trim() });
		} catch (error) {
			this.fail(error);
		}
	}

	drawKeypad() {
		const { puzzle } = this.state;
		const buttons = puzzle.symbols.map((symbol, i) => el("button", { type: "button", "data-digit": i + 1, text: symbol, "aria-label": `Digit ${symbol}`, onclick: () => this.#enter(this.grid.cell, i + 1, this.pencil) }));
		this.keypad.replaceChildren(...buttons, el("button", { id: "clear-cell", type: "button", text: "⌫", "aria-label": "Clear the cell", onclick: () => this.#enter(this.grid.cell, 0, false) }));
	}

	#togglePencil() {
		this.pencil = !this.pencil;
		this.pencilButton.setAttribute("aria-pressed", this.pencil);
	}

	#toggleForm() {
		this.state.forms = !this.state.forms;
		this.status(this.state.forms ? "Digits become givens." : "Digits become entries; givens stay.");
		this.refresh();
	}

	#reset() {
		this.state.reset();
		this.changed(false);
	}

	undo() {
		if (this.state.undo()) this.#moved();
	}
	redo() {
		if (this.state.redo()) this.#moved();
	}
	#moved() {
		this.drawKeypad();
		this.changed();
	}

	async #fillMarks() {
		const answer = await this.run("Pencil marks", "sudoku.marks", { grid: this.state.current() });
		if (!answer) return;
		this.state.setMarks(answer.result.candidates);
		this.changed(false);
	}

	// #enter writes a digit or a mark into a cell.
	#enter(cell, digit, pencil) {
		const done = pencil ? this.state.mark(cell, digit) : this.state.write(cell, digit);
		if (done) this.changed(this.state.forms);
		else this.status(`${this.grid.name(cell)} has a digit that stays; "Set givens" allows to change it.`);
	}

	// #key handles a key in the grid other than those that move. It reports whether it did.
	#key(event, cell) {
		const key = event.key.toUpperCase();
		if (event.ctrlKey || event.metaKey) {
			if (key === "Z" && !event.shiftKey) this.undo();
			else if (key === "Y" || key === "Z") this.redo();
			else return false;
			return true;
		}
		if (event.altKey) return false;
		const { symbols } = this.state.puzzle;
		// With Shift, the key of a digit has another name, but the same code.
		const typed = event.shiftKey && event.code.startsWith("Digit") ? event.code.slice(5) : key;
		const digit = symbols.findIndex((symbol, i) => symbol.toUpperCase() === typed || (symbol === String(i + 1) && typed === (i + 1).toString(36).toUpperCase())) + 1;
		if (digit) this.#enter(cell, digit, this.pencil !== event.shiftKey);
		else if (["DELETE", "BACKSPACE", "0", ".", " "].includes(key)) this.#enter(cell, 0, false);
		else if (key === "INSERT") this.#togglePencil();
		else return false;
		return true;
	}

	// #paste reads a text that is pasted anywhere but into an input.
	#paste(event) {
		if (event.target.closest?.("input, textarea, select")) return;
		const text = event.clipboardData?.getData("text/plain");
		if (!text) return;
		event.preventDefault();
		this.read(text);
	}

	// read loads a puzzle from a text or, with bytes, from a file.
	async read(text, number = 1, bytes = undefined) {
		this.stop();
		this.error.textContent = "";
		try {
			const { result } = await this.app.call("sudoku.read", bytes ? { text: "", number } : { text, number }, { bytes });
			this.load(result);
			this.look();
			this.status([`Read as ${result.format}${result.label ? `: ${result.label}` : ""}.`, ...(result.warnings ?? [])].join(" "));
			return result;
		} catch (error) {
			this.fail(error);
			return undefined;
		}
	}
}
