// The page of formulas: a formula from a text, a file or a generator.

import { clear, el, field, option } from "./dom.js";

export const title = "Formulas";

// The examples are small formulas that show what an answer looks like.
const examples = {
	"A model": "c Three people, at most one of them lies.\np cnf 3 4\n1 2 3 0\n-1 -2 0\n-1 -3 0\n-2 -3 0\n",
	"No model": "c All four combinations of two variables are excluded.\np cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n",
	"An error": "p cnf 3 2\n1 -2 0\n2 x 0\n",
};

export function mount(root, app) {
	const page = new FormulaPage(root, app);
	return () => page.leave();
}

class FormulaPage {
	constructor(root, app) {
		this.app = app;
		this.text = el("textarea", { id: "text", spellcheck: "false", autocomplete: "off", "aria-describedby": "text-error" });
		this.error = el("p", { id: "text-error", class: "error", role: "alert" });
		this.summary = el("div", { id: "summary" });
		root.append(
			el(
				"div",
				{ class: "panel" },
				field("Formula in DIMACS CNF", this.text),
				this.error,
				el("div", { class: "buttons" }, el("button", { id: "load", class: "primary", text: "Load", onclick: () => this.load() })),
				this.summary,
			),
		);
		this.text.value = examples["A model"];
	}

	leave() {}

	async load() {
		this.error.textContent = "";
		clear(this.summary);
		try {
			const { result } = await this.app.call("formula.load", { text: this.text.value });
			this.summary.append(el("p", { text: `${result.vars} variables, ${result.clauses} clauses, ${result.literals} literals` }));
		} catch (error) {
			this.error.textContent = error.line ? `line ${error.line}, column ${error.column}: ${error.message}` : error.message;
		}
	}
}
