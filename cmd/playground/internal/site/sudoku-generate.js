// The panel for new puzzles, by class and rating.

import { counted, el, field, option } from "./dom.js";
import { panel } from "./sudoku-text.js";

const variants = {
	plain: { label: "plain" },
	x: { label: "diagonals", words: " x" },
	hyper: { label: "windows", words: " hyper" },
	"anti-knight": { label: "anti-knight", words: " anti-knight" },
	"anti-king": { label: "anti-king", words: " anti-king" },
	disjoint: { label: "disjoint groups", words: " disjoint" },
	"non-consecutive": { label: "non-consecutive", words: " non-consecutive" },
	latin: { label: "without boxes" },
	jigsaw: { label: "irregular regions" },
	killer: { label: "cages (killer)" },
};

export function generatePanel(page) {
	const number = (id, attributes = {}) => el("input", { id, type: "number", ...attributes });
	const size = el("select", { id: "make-size" }, ...[4, 6, 8, 9, 10, 12, 15, 16, 20, 25].map((n) => option(n, `${n}x${n}`, n === 9)));
	const variant = el("select", { id: "make-variant" }, ...Object.entries(variants).map(([name, { label }]) => option(name, label)));
	const symmetry = el("select", { id: "make-symmetry" });
	const kind = el("select", { id: "make-class" }, option("", "any"));
	const from = number("make-min-rating", { min: 1, max: 12, step: 0.1, placeholder: "any" });
	const to = number("make-max-rating", { min: 1, max: 12, step: 0.1, placeholder: "any" });
	const least = number("make-min-givens", { min: 0, max: 625, placeholder: "any" });
	const most = number("make-max-givens", { min: 0, max: 625, placeholder: "any" });
	const minimal = el("input", { id: "make-minimal", type: "checkbox" });
	const seed = number("make-seed", { min: 0, placeholder: "random" });
	const used = el("p", { id: "made", class: "note" });

	async function generate() {
		const blank = await page.app.call("sudoku.blank", { size: Number(size.value), latin: variant.value === "latin" });
		const decimal = (input) => (input.value === "" ? "" : Number(input.value).toFixed(1));
		const whole = (input) => (input.value === "" ? null : Number(input.value));
		const args = {
			rules: blank.result.rules + (variants[variant.value].words ?? ""),
			jigsaw: variant.value === "jigsaw",
			killer: variant.value === "killer",
			symmetry: symmetry.value,
			class: kind.value,
			minRating: decimal(from),
			maxRating: decimal(to),
			minGivens: whole(least),
			maxGivens: whole(most),
			minimal: minimal.checked,
			seed: whole(seed) ?? crypto.getRandomValues(new Uint32Array(1))[0],
		};
		used.textContent = "";
		const done = await page.run("Generate", "sudoku.generate", args, { progress: (m) => `${Math.floor((100 * m.effort) / m.limit)} % of the effort; ${m.why}` });
		if (!done) return;
		page.load(done.result);
		page.look();
		used.textContent = `Made with seed ${args.seed}.`;
		page.status(`A new puzzle with ${counted(done.result.cells.filter(Boolean).length, "given")}.`);
	}

	const node = panel(
		"panel-generate",
		"Generate",
		false,
		el("div", { class: "row" }, field("Size", size), field("Rules", variant), field("Symmetry", symmetry), field("Class", kind)),
		el("div", { class: "row" }, field("Rating from", from), field("to", to), field("Givens from", least), field("to", most)),
		el("div", { class: "row" }, field("Seed", seed), field("No redundant given", minimal)),
		el("div", { class: "buttons" }, el("button", { id: "generate", type: "button", class: "primary", text: "Generate", onclick: generate })),
		used,
	);
	return {
		node,
		menus(menus) {
			symmetry.replaceChildren(...menus.symmetries.map(({ name, help }) => option(name, help)));
			kind.replaceChildren(option("", "any"), ...menus.classes.map(({ name, help }) => option(name, `${name}: ${help}`)));
		},
	};
}
