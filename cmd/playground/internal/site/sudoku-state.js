// The state of a Sudoku on the page: the puzzle, what the user entered, and undo.

// A State has a puzzle as the engine describes it, and the user's digits and pencil marks.
// Cells are numbered row by row from 0; a candidate is cell*size + digit-1; the marks of a
// cell are the bits of a number, bit digit-1.
export class State {
	#past = [];
	#future = [];

	constructor(puzzle) {
		this.#set(puzzle);
	}

	#set(puzzle) {
		this.puzzle = puzzle;
		this.entries = new Array(puzzle.cells.length).fill(0);
		this.marks = marksOf(puzzle);
		this.eliminated = []; // candidates that hints eliminated
		// Digits that are typed become givens in an empty grid; cages make a puzzle without givens.
		this.forms = !puzzle.cells.some(Boolean) && !puzzle.cages.length;
	}

	get size() {
		return this.puzzle.size;
	}

	// digit returns the digit of a cell, or 0.
	digit(cell) {
		return this.puzzle.cells[cell] || this.entries[cell];
	}

	// digits returns all digits.
	digits() {
		return this.puzzle.cells.map((digit, cell) => digit || this.entries[cell]);
	}

	// grid returns the puzzle for a request; current includes the entries.
	grid() {
		const { rules, cells, excluded } = this.puzzle;
		return excluded ? { rules, cells, excluded } : { rules, cells };
	}
	current() {
		return { ...this.grid(), cells: this.digits() };
	}

	// load replaces the puzzle.
	load(puzzle) {
		this.#save();
		this.#set(puzzle);
	}

	// vary replaces the puzzle by one with other rules and the same cells.
	vary(puzzle) {
		this.#save();
		this.puzzle = puzzle;
	}

	// write puts a digit into a cell, or clears it with 0, as a given while the puzzle is
	// formed. It returns false if the cell has a given that must stay.
	write(cell, digit) {
		if (!this.forms && this.puzzle.cells[cell]) return false;
		this.#save();
		if (this.forms) {
			const cells = this.puzzle.cells.slice();
			cells[cell] = digit;
			this.entries[cell] = 0;
			this.puzzle = { ...this.puzzle, cells };
		} else {
			this.entries[cell] = digit;
		}
		this.marks[cell] = 0;
		if (digit) for (const peer of this.puzzle.peers[cell]) this.marks[peer] &= ~(1 << (digit - 1));
		return true;
	}

	// mark adds or removes a pencil mark. It returns false if the cell has a digit.
	mark(cell, digit) {
		if (this.digit(cell)) return false;
		this.#save();
		this.marks[cell] ^= 1 << (digit - 1);
		return true;
	}

	// clear clears a cell. It returns false if it has a given that must stay.
	clear(cell) {
		return this.write(cell, 0);
	}

	// setMarks replaces all pencil marks by candidates.
	setMarks(candidates) {
		this.#save();
		this.marks.fill(0);
		for (const candidate of candidates) this.marks[Math.floor(candidate / this.size)] |= 1 << candidate % this.size;
	}

	// reset removes all entries and marks.
	reset() {
		this.#save();
		this.entries.fill(0);
		this.marks = marksOf(this.puzzle);
		this.eliminated = [];
	}

	// enter puts the digits of a solution into the empty cells.
	enter(solution) {
		this.#save();
		this.entries = solution.map((digit, cell) => (this.puzzle.cells[cell] ? 0 : digit));
		this.marks.fill(0);
	}

	// apply applies the step of a hint.
	apply(step) {
		this.#save();
		const n = this.size;
		for (const candidate of step.eliminated ?? []) {
			this.eliminated.push(candidate);
			this.marks[Math.floor(candidate / n)] &= ~(1 << candidate % n);
		}
		if (step.placed < 0) return;
		const cell = Math.floor(step.placed / n);
		const digit = (step.placed % n) + 1;
		this.entries[cell] = digit;
		this.marks[cell] = 0;
		for (const peer of this.puzzle.peers[cell]) this.marks[peer] &= ~(1 << (digit - 1));
	}

	// kept returns the state as text, for a later visit; restore takes it back if it is of this
	// puzzle, and reports that.
	kept() {
		return JSON.stringify(this.#copy());
	}
	restore(text) {
		const kept = JSON.parse(text);
		if (JSON.stringify([kept.puzzle.rules, kept.puzzle.cells]) !== JSON.stringify([this.puzzle.rules, this.puzzle.cells])) return false;
		Object.assign(this, kept);
		return true;
	}

	#copy() {
		const { puzzle, entries, marks, eliminated, forms } = this;
		return { puzzle, entries: entries.slice(), marks: marks.slice(), eliminated: eliminated.slice(), forms };
	}

	#save() {
		this.#past.push(this.#copy());
		if (this.#past.length > 1000) this.#past.shift();
		this.#future = [];
	}

	// undo and redo return false if there is nothing to undo or redo.
	undo() {
		return this.#move(this.#past, this.#future);
	}
	redo() {
		return this.#move(this.#future, this.#past);
	}
	#move(from, to) {
		if (!from.length) return false;
		to.push(this.#copy());
		Object.assign(this, from.pop());
		return true;
	}
	get canUndo() {
		return this.#past.length > 0;
	}
	get canRedo() {
		return this.#future.length > 0;
	}
}

// marksOf returns the pencil marks that a puzzle comes with, for the cells where it excludes
// candidates.
function marksOf({ size, cells, excluded }) {
	const marks = new Array(cells.length).fill(0);
	const all = (excluded ?? []).filter((candidate) => !cells[Math.floor(candidate / size)]);
	for (const candidate of all) marks[Math.floor(candidate / size)] = (1 << size) - 1;
	for (const candidate of all) marks[Math.floor(candidate / size)] &= ~(1 << candidate % size);
	return marks;
}
