// The panel for the puzzle as a formula: encodings and their sizes, the download, and models
// of other solvers.

import { el, field, option } from "./dom.js";
import { panel, wide } from "./sudoku-text.js";

export function formulaPanel(page) {
	const encoding = el("select", { id: "encoding", onchange: () => (help(), toggle()) });
	const about = el("p", { id: "encoding-help", class: "note" });
	const amo = el("select", { id: "amo" });
	const numbering = el("select", { id: "numbering" });
	const notes = el("input", { id: "notes", type: "checkbox" });
	const rows = el("tbody", { id: "sizes" });
	const sizes = el(
		"div",
		{ class: "scroll", tabindex: 0, role: "region", "aria-label": "Sizes of the encodings", hidden: true },
		el("table", {}, el("thead", {}, el("tr", {}, ...["Encoding", "Variables", "Clauses", "Literals", "At most one"].map((name) => el("th", { scope: "col", text: name })))), rows),
	);
	const model = el("textarea", { id: "model", spellcheck: "false", autocomplete: "off" });
	const formula = el("input", { id: "formula-file", type: "file", onchange: () => readFormula(formula.files[0]) });
	const formulaName = el("p", { id: "formula-name", class: "note" });
	const cellClauses = el("div", { id: "cell-clauses", class: "scroll", tabindex: 0, role: "region", "aria-label": "Clauses of a cell", hidden: true });
	const follow = el("input", { id: "follow", type: "checkbox", onchange: () => toggle() });
	let shown = -1;
	let formulaText = "";
	let table = [];
	const button = (id, text, onclick, attributes = {}) => el("button", { id, type: "button", text, onclick, ...attributes });
	const coding = (name = encoding.value) => ({ encoding: name, atMostOne: amo.value, numbering: numbering.value });

	function help() {
		about.textContent = table.find(({ name }) => name === encoding.value)?.help ?? "";
	}

	function toggle() {
		cellClauses.hidden = !follow.checked;
		shown = -1;
		if (follow.checked) clauses(page.grid.cell);
		else page.grid.mark([]);
	}

	// clauses lists the clauses about a cell. Each outlines the cells that it is about.
	async function clauses(cell) {
		if (!follow.checked || cell === shown) return;
		shown = cell;
		try {
			const { result } = await page.app.call("sudoku.clauses", { grid: page.state.grid(), coding: coding(), cell });
			if (cell !== shown) return;
			const item = ({ text, cells }) => {
				const mark = () => page.grid.mark(cells);
				return el("li", { class: "clause", tabindex: 0, text, onpointerenter: mark, onfocus: mark });
			};
			const part = ({ text, count, clauses: list }) => [
				el("p", { text: `${count.toLocaleString("en")} ${count === 1 ? "clause" : "clauses"}: ${text}` }),
				el("ul", {}, ...list.map(item), count > list.length ? el("li", { class: "note", text: `and ${(count - list.length).toLocaleString("en")} more` }) : null),
			];
			page.grid.mark([cell]);
			cellClauses.replaceChildren(el("h3", { text: page.grid.name(cell) }), ...result.flatMap(part));
			if (!result.length) cellClauses.append(el("p", { text: "No clause is about this cell: the givens decide it." }));
		} catch (error) {
			if (cell === shown) cellClauses.replaceChildren(el("p", { text: error.message }));
		}
	}

	async function compare() {
		rows.replaceChildren();
		sizes.hidden = false;
		const grid = page.state.grid();
		for (const { name } of table) {
			const done = await page.run(`Sizes: ${name}`, "sudoku.encode", { grid, coding: coding(name) });
			if (!done || done.result === null) return;
			const r = done.result;
			const cell = (n) => el("td", { class: "number", text: n.toLocaleString("en") });
			rows.append(el("tr", {}, el("th", { scope: "row", text: name }), cell(r.vars), cell(r.clauses), cell(r.literals), el("td", { class: "number", text: r.coding.atMostOne })));
		}
		page.status(`The sizes of ${table.length} encodings.`);
	}

	async function download() {
		const done = await page.run("Encode", "sudoku.encode", { grid: page.state.grid(), coding: coding(), notes: notes.checked, text: true });
		if (!done?.blob) return;
		page.app.download(`sudoku-${encoding.value}.cnf`, done.blob);
		page.status(`${done.result.vars.toLocaleString("en")} variables, ${done.result.clauses.toLocaleString("en")} clauses, ${done.blob.size.toLocaleString("en")} bytes.`);
	}

	async function readFormula(file) {
		formulaText = file ? await file.text() : "";
		formulaName.textContent = file ? `The puzzle and the meaning of the variables are taken from ${file.name}.` : "";
	}

	async function decode() {
		const args = { grid: page.state.grid(), coding: coding(), model: model.value };
		if (formulaText) args.formula = formulaText;
		const done = await page.run("Decode", "sudoku.decode", args);
		if (!done) return;
		const { puzzle, solution } = done.result;
		if (formulaText) page.load(puzzle);
		page.state.enter(solution);
		page.changed(false);
		page.look();
		page.status("The model is a solution; the grid shows it.");
	}

	const target = el(
		"div",
		{
			class: "drop",
			ondragover: (event) => {
				event.preventDefault();
				event.stopPropagation();
				target.classList.add("dropping");
			},
			ondragleave: () => target.classList.remove("dropping"),
			ondrop: async (event) => {
				event.preventDefault();
				event.stopPropagation();
				target.classList.remove("dropping");
				for (const file of event.dataTransfer.files) {
					const text = await file.text();
					if (/^p\s+cnf\s/m.test(text) && !/^[sv]\s/m.test(text)) await readFormula(file);
					else model.value = text;
				}
				if (!event.dataTransfer.files.length) model.value = event.dataTransfer.getData("text/plain");
				if (model.value) await decode();
			},
		},
		wide("Model of any solver: paste it, or drop its file here (with the formula, if it is of another puzzle)", model),
		el("div", { class: "row" }, field("Formula of the model (none: that of the puzzle and the encoding above)", formula)),
		formulaName,
		el("div", { class: "buttons" }, button("decode", "Decode the model", decode)),
	);

	const node = panel(
		"panel-formula",
		"Formula for other solvers",
		false,
		el("div", { class: "row" }, field("Encoding", encoding), field("At most one", amo), field("Numbering", numbering)),
		about,
		el("div", { class: "row" }, field("Comments on the clauses", notes), field("Show the clauses of the cell below the pointer or in focus", follow)),
		cellClauses,
		el("div", { class: "buttons" }, button("download", "Download DIMACS", download, { class: "primary" }), button("compare", "Compare sizes", compare)),
		sizes,
		target,
	);
	return {
		node,
		changed() {
			sizes.hidden = true;
			shown = -1;
			clauses(page.grid.cell);
		},
		cell: clauses,
		menus(menus) {
			table = menus.encodings;
			encoding.replaceChildren(...table.map(({ name }) => option(name, name, name === "extended")));
			amo.replaceChildren(option("", "default"), ...menus.atMostOnes.map(({ name, help: text }) => option(name, name + ": " + text)));
			numbering.replaceChildren(...menus.numberings.map(({ name, help: text }) => option(name, name + ": " + text)));
			help();
		},
	};
}
