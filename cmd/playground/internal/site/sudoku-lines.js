// The lines of a Sudoku as SVG: cells, boxes or regions, diagonals, windows, cages and relations. A cell
// is a square of side 1.

import { svg } from "./dom.js";

// shapes returns the shapes behind the digits: windows and diagonals.
export function shapes(puzzle) {
	const n = puzzle.size;
	const g = svg("g", {});
	for (const house of puzzle.houses) {
		if (house.kind !== "diagonal") {
			for (const cell of house.cells) g.append(svg("rect", { class: "window", x: cell % n, y: Math.floor(cell / n), width: 1, height: 1 }));
		} else {
			const [first, last] = [house.cells[0], house.cells.at(-1)];
			const down = first % n === 0;
			g.append(svg("line", { class: "diagonal", x1: down ? 0 : n, y1: 0, x2: down ? n : 0, y2: Math.floor(last / n) + 1 }));
		}
	}
	g.append(relations(puzzle, 0));
	return g;
}

// relations returns the thermometers, arrows, dots and the like that the engine drew: 0 for those below the
// lines, 1 for those above.
function relations({ size, relations: drawn }, level) {
	const node = svg("svg", { class: "relations", width: size, height: size, viewBox: `0 0 ${40 * size} ${40 * size}` });
	node.innerHTML = drawn[level];
	return node;
}

// lines returns the lines above the digits: borders, and cages with their sums.
export function lines(puzzle) {
	const n = puzzle.size;
	let thin = "";
	for (let i = 1; i < n; i++) thin += `M${i} 0V${n}M0 ${i}H${n}`;
	const g = svg("g", {}, svg("path", { class: "thin", d: thin }), svg("path", { class: "thick", d: `M0 0H${n}V${n}H0Z` + borders(puzzle) }));
	for (const cage of puzzle.cages) {
		const cell = cage.cells[0];
		g.append(
			svg("path", { class: "cage", d: outline(cage.cells, n) }),
			svg("text", { class: "sum", x: (cell % n) + 0.09, y: Math.floor(cell / n) + 0.27, text: cage.sum }),
		);
	}
	g.append(relations(puzzle, 1));
	return g;
}

// borders returns the path of the borders between areas.
function borders({ size: n, areas }) {
	let d = "";
	if (!areas) return d;
	for (let cell = 0; cell < n * n; cell++) {
		const x = cell % n;
		const y = Math.floor(cell / n);
		if (x + 1 < n && areas[cell] !== areas[cell + 1]) d += `M${x + 1} ${y}v1`;
		if (y + 1 < n && areas[cell] !== areas[cell + n]) d += `M${x} ${y + 1}h1`;
	}
	return d;
}

// inset is the distance between the outline of a cage and the cells around it.
const inset = 0.07;

// outline returns the path around the cells of a cage, inside of them.
function outline(cells, n) {
	const inside = new Set(cells);
	const has = (x, y) => x >= 0 && x < n && y >= 0 && y < n && inside.has(y * n + x);
	let d = "";
	for (const cell of cells) {
		const x = cell % n;
		const y = Math.floor(cell / n);
		const [left, right, up, down] = [has(x - 1, y), has(x + 1, y), has(x, y - 1), has(x, y + 1)];
		const x1 = x + (left ? 0 : inset);
		const x2 = x + 1 - (right ? 0 : inset);
		const y1 = y + (up ? 0 : inset);
		const y2 = y + 1 - (down ? 0 : inset);
		if (!up) d += `M${x1} ${y + inset}H${x2}`;
		if (!down) d += `M${x1} ${y + 1 - inset}H${x2}`;
		if (!left) d += `M${x + inset} ${y1}V${y2}`;
		if (!right) d += `M${x + 1 - inset} ${y1}V${y2}`;
		// A corner where the cage turns around a cell that is not in it.
		for (const [dx, dy] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
			if (!has(x + dx, y) || !has(x, y + dy) || has(x + dx, y + dy)) continue;
			const cx = dx < 0 ? x : x + 1;
			const cy = dy < 0 ? y : y + 1;
			d += `M${cx} ${cy - dy * inset}H${cx - dx * inset}V${cy}`;
		}
	}
	return d;
}
