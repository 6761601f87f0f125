// The panel for puzzles as text: type, paste or drop one, choose size and rules, export.

import { el, field, option } from "./dom.js";

// panel returns a panel that opens and closes.
export function panel(id, heading, open, ...children) {
	return el("details", { class: "panel", id, open }, el("summary", { text: heading }), ...children);
}

// wide returns a field as wide as its panel.
export function wide(label, input) {
	const node = field(label, input);
	node.classList.add("wide");
	return node;
}

const sizes = [4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 25];

export function textPanel(page) {
	const text = el("textarea", { id: "puzzle-text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
	const file = el("input", { id: "puzzle-file", type: "file", onchange: () => file.files[0] && readFile(file.files[0]) });
	const formats = el("ul", { class: "note" });
	const number = el("input", { id: "puzzle-number", type: "number", min: 1, value: 1, onchange: () => again(Number(number.value)) });
	const total = el("span", { id: "puzzle-total" });
	const several = el("div", { class: "row", hidden: true }, field("Puzzle", number), total);
	const size = el("select", { id: "size" }, ...sizes.map((n) => option(n, `${n}x${n}`, n === 9)));
	const rules = {
		x: "Diagonals", hyper: "Windows", disjoint: "Disjoint groups", "anti-knight": "Anti-knight", "anti-king": "Anti-king",
		"non-consecutive": "Non-consecutive", "all-ratios": "All black dots given", "all-sums": "All X and V given",
	};
	const boxes = Object.fromEntries(Object.keys(rules).map((name) => [name, el("input", { type: "checkbox", id: `rule-${name}`, onchange: () => vary() })]));
	const format = el("select", { id: "export-format" });
	const button = (id, label, onclick, attributes = {}) => el("button", { id, type: "button", text: label, onclick, ...attributes });
	let source = null; // what was read last: {text, bytes}

	async function read(which) {
		source = which;
		const result = await page.read(which.text, 1, which.bytes);
		show(result);
	}

	// again reads another puzzle of the same text.
	async function again(n) {
		if (source) show(await page.read(source.text, n, source.bytes));
	}

	function show(result) {
		if (!result) return;
		several.hidden = !(result.puzzles > 1);
		number.max = result.puzzles;
		number.value = result.number;
		total.textContent = `of ${result.puzzles}`;
	}

	async function readFile(from) {
		await read({ text: "", bytes: new Uint8Array(await from.arrayBuffer()) });
	}

	async function blank(latin) {
		const answer = await page.run("Empty grid", "sudoku.blank", { size: Number(size.value), latin });
		if (!answer) return;
		page.load(answer.result);
		page.status("An empty grid: type the givens.");
		page.grid.focus(0);
	}

	async function vary() {
		const args = { grid: page.state.grid(), words: Object.keys(boxes).filter((name) => boxes[name].checked) };
		const answer = await page.run("Rules", "sudoku.vary", args);
		if (answer) {
			page.state.vary(answer.result);
			page.changed();
		} else {
			changed();
		}
	}

	async function write() {
		const answer = await page.run("Text", "sudoku.write", { grid: page.state.grid(), format: format.value });
		return answer?.result.text;
	}

	async function save() {
		const written = await write();
		if (written !== undefined) page.app.download(`sudoku.${{ csv: "csv", json: "json", sdk: "sdk", sdm: "sdm", ss: "ss" }[format.value] ?? "txt"}`, written);
	}

	async function exportText() {
		const written = await write();
		if (written === undefined) return;
		text.value = written;
		page.status(`The puzzle as ${format.value} is in the text field.`);
	}

	async function copyLink() {
		try {
			await navigator.clipboard.writeText(location.href);
			page.status("The link is copied.");
		} catch {
			text.value = location.href;
			text.select();
			page.status("The link is in the text field.");
		}
	}

	// Files and texts can be dropped anywhere on the page, except where another panel takes
	// them.
	const over = (event) => {
		event.preventDefault();
		page.desk.classList.add("dropping");
	};
	const out = () => page.desk.classList.remove("dropping");
	const drop = async (event) => {
		event.preventDefault();
		out();
		const [first] = event.dataTransfer.files;
		if (first) await readFile(first);
		else await read({ text: event.dataTransfer.getData("text/plain") });
	};
	queueMicrotask(() => {
		page.desk.addEventListener("dragover", over);
		page.desk.addEventListener("dragleave", out);
		page.desk.addEventListener("drop", drop);
	});

	function changed() {
		const { puzzle } = page.state;
		for (const name in boxes) boxes[name].checked = puzzle.words.includes(name);
		if (sizes.includes(puzzle.size)) size.value = puzzle.size;
	}

	const node = panel(
		"panel-text",
		"Puzzle: type, paste, drop",
		matchMedia("(min-width: 56rem)").matches,
		wide("Puzzle in any text form", text),
		el(
			"div",
			{ class: "buttons" },
			button("read", "Read the text", () => read({ text: text.value }), { class: "primary" }),
			button("copy-link", "Copy link", copyLink),
		),
		several,
		el("div", { class: "row" }, field("From a file (or drop one on the page)", file)),
		el(
			"div",
			{ class: "row" },
			field("Size", size),
			button("blank", "Empty grid", () => blank(false)),
			button("blank-latin", "Without boxes", () => blank(true)),
		),
		el("div", { class: "row", role: "group", "aria-label": "More rules" }, ...Object.keys(rules).map((name) => field(rules[name], boxes[name]))),
		el("div", { class: "row" }, field("Export as", format), button("export", "To the text field", exportText), button("save", "Download", save)),
		el("details", {}, el("summary", { class: "note", text: "Forms that are read" }), formats),
	);
	return {
		node,
		changed,
		menus(menus) {
			format.replaceChildren(...menus.outputFormats.map(({ name }) => option(name, name)));
			formats.replaceChildren(...menus.inputFormats.map(({ name, help }) => el("li", { text: `${name}: ${help}` })));
		},
	};
}
