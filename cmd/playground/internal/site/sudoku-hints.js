// The panel for hints: the next step with its cells marked, step after step, and the list of
// all steps.

import { clear, el } from "./dom.js";
import { panel } from "./sudoku-text.js";

export function hintPanel(page) {
	let hint = null; // {steps, marks}: the hint that is shown
	let at = 0; // its step
	const words = el("div", { id: "hint" });
	const list = el("ol", { id: "steps", tabindex: 0, "aria-label": "All steps", hidden: true });
	const button = (id, text, onclick, attributes = {}) => el("button", { id, type: "button", text, onclick, ...attributes });
	const next = button("next-hint", "Hint", step, { class: "primary" });
	const hide = button("hide-hint", "Hide", () => {
		page.show(null);
		page.status("");
	}, { disabled: true });

	// step applies the step that is shown, and shows the next one.
	async function step() {
		if (hint) {
			const { steps } = hint;
			const applied = steps[at];
			page.state.apply(applied);
			const rest = { steps, at: at + 1, marks: hint.marks.filter((candidate) => !(applied.eliminated ?? []).includes(candidate)) };
			page.changed(false);
			if (rest.at < steps.length) {
				show(rest, rest.at);
				return;
			}
		}
		const { state } = page;
		const done = await page.run("Hint", "sudoku.hint", { grid: state.grid(), entries: state.entries, eliminated: state.eliminated });
		if (!done) return;
		const found = done.result;
		if (found.wrong?.length) {
			wrong(found.wrong);
		} else if (found.steps.length) {
			show(found, 0);
		} else {
			clear(words).append(el("p", { text: "Every cell has its digit." }));
			page.status("Every cell has its digit.");
		}
	}

	function wrong(cells) {
		const text = `Wrong: ${cells.map((cell) => page.grid.name(cell)).join(", ")}. The entries differ from the solution.`;
		page.show({
			describe(cell, d) {
				if (!cells.includes(cell)) return;
				d.flags.push("wrong");
				d.words.push("wrong");
			},
		});
		clear(words).append(el("p", { class: "error", text }));
		page.status(text);
	}

	// show marks the cells and candidates of a step.
	function show(found, which) {
		const s = found.steps[which];
		const n = page.state.size;
		const open = new Set(found.marks);
		const sets = { hit: new Set(s.placed < 0 ? [] : [s.placed]), out: new Set(s.eliminated), part: new Set(s.candidates) };
		const cells = new Set(s.cells);
		const reasons = new Set(s.givens);
		const involved = new Set([...cells, ...[...sets.hit, ...sets.out, ...sets.part].map((candidate) => Math.floor(candidate / n))]);
		page.show({
			close: dropped,
			describe(cell, d) {
				if (cells.has(cell)) d.flags.push("cell");
				if (reasons.has(cell)) {
					d.flags.push("reason");
					d.words.push("reason");
				}
				if (!d.text && (n <= 16 || involved.has(cell))) {
					d.marks = Array.from({ length: n }, (_, i) => {
						const candidate = cell * n + i;
						return Object.keys(sets).find((look) => sets[look].has(candidate)) ?? (open.has(candidate) ? "open" : "");
					});
				}
				const symbol = (candidate) => page.state.puzzle.symbols[candidate % n];
				if (sets.hit.has(s.placed) && Math.floor(s.placed / n) === cell) d.words.push(`hint: ${symbol(s.placed)}`);
				const out = [...sets.out].filter((candidate) => Math.floor(candidate / n) === cell);
				if (out.length) d.words.push(`hint: not ${out.map(symbol).join(" ")}`);
			},
		});
		hint = found; // only now: what was shown before is dropped
		at = which;
		const rating = s.rating ? ` (${s.rating})` : "";
		const title = `${s.conclusion}, ${s.technique}${rating}`;
		clear(words).append(
			el("p", {}, el("strong", { text: title }), `: ${s.text}.`),
			found.steps.length > 1 ? el("p", { class: "note", text: `Step ${at + 1} of ${found.steps.length} to the next digit.` }) : "",
			s.details?.length ? el("div", { id: "hint-details", class: "mono", tabindex: 0, role: "region", "aria-label": "All links of the chain", text: s.details.join("\n") }) : "",
			el("p", { class: "note", text: "Marks: disc, the digit that follows; struck out in a frame, a digit that is excluded; square, a digit of the pattern; framed cells, the cells of the reason." }),
		);
		page.status(`${title}: ${s.text}.`);
		next.textContent = "Apply, and next hint";
		hide.disabled = false;
	}

	// dropped is called when the grid shows something else.
	function dropped() {
		hint = null;
		clear(words);
		next.textContent = "Hint";
		hide.disabled = true;
	}

	async function path() {
		const done = await page.run("All steps", "sudoku.path", { grid: page.state.grid() });
		if (!done) return;
		const { steps } = done.result;
		list.hidden = false;
		list.replaceChildren(...steps.map((s) => el("li", {}, el("strong", { text: s.conclusion }), ` ${s.technique}${s.rating ? ` (${s.rating})` : ""}: ${s.text}.`)));
		page.status(`${steps.length} steps to the solution.`);
	}

	const node = panel("panel-hints", "Hints", true, el("div", { class: "buttons" }, next, hide, button("all-steps", "All steps", path)), words, list);
	return {
		node,
		changed() {
			list.hidden = true;
			clear(words);
		},
	};
}
