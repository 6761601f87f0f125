// The page of 2-SAT: the implication graph, its components, and chains of implications.

import { clear, counted, drawing, el, field } from "./dom.js";
import { SourceEditor } from "./source.js";
import { intro } from "./words.js";

export const title = "2-SAT";

const examples = {
	"Forced literals": "p cnf 6 8\n1 2 0\n-1 2 0\n-2 3 0\n3 -4 0\n-3 5 0\n-5 6 0\n-6 5 0\n4 1 0\n",
	"Contradiction": "p cnf 4 6\n1 2 0\n-2 1 0\n-1 3 0\n-3 4 0\n-4 -1 0\n2 -3 0\n",
	"Equivalent literals": "p cnf 5 6\n-1 2 0\n-2 3 0\n-3 1 0\n-4 -5 0\n4 5 0\n1 4 0\n",
	"With a longer clause": "c Clauses of three and more literals are left out.\np cnf 4 4\n1 2 0\n-2 3 0\n-1 3 0\n2 -3 4 0\n",
};

export function mount(root, app) {
	const page = new TwoSATPage(root, app);
	return () => page.leave();
}

class TwoSATPage {
	#app;
	#editor;
	#running = null;

	constructor(root, app) {
		this.#app = app;
		this.#editor = new SourceEditor(app, { examples, families: ["2sat"], onchange: () => (this.why.value = "") });
		this.why = el("input", { id: "why", type: "number", step: "1", value: "", placeholder: "none" });
		this.condensed = el("input", { id: "condensed", type: "checkbox" });
		this.solveButton = el("button", { id: "solve", class: "primary", type: "button", text: "Solve", onclick: () => this.#solve() });
		this.answer = el("p", { id: "answer", role: "status" });
		this.result = el("div", { id: "result" });
		this.condensed.addEventListener("change", () => this.#solve());
		this.why.addEventListener("keydown", (event) => {
			if (event.key === "Enter") this.#solve();
		});
		root.append(
			intro("A [clause] of two literals is two implications: 1 or 2 means that -1 implies 2, and -2 implies 1. [2-SAT] is read off the [implication graph]: a contradiction is a cycle through a [literal] and its complement; click on a forced literal to see why it is."),
			this.#editor.element,
			el(
				"div", { class: "panel" },
				el("div", { class: "row" }, field("Chain for the literal", this.why), field("Draw components", this.condensed)),
				el("div", { class: "buttons" }, this.solveButton),
				this.answer,
				this.result,
			),
		);
		this.#editor.ready.then((short) => short && this.#solve());
	}

	leave() {
		this.#running?.abort();
		this.#editor.leave();
	}

	async #solve() {
		this.#running?.abort();
		const run = (this.#running = new AbortController());
		this.answer.className = "";
		this.answer.textContent = "Solving...";
		this.#editor.succeed();
		try {
			const { args, bytes } = this.#editor.args();
			const { result } = await this.#app.call("twosat.solve", { ...args, why: Number(this.why.value) || 0, condensed: this.condensed.checked }, { bytes, signal: run.signal });
			if (run === this.#running) this.#show(result);
		} catch (error) {
			if (run !== this.#running) return;
			clear(this.result);
			this.answer.textContent = "";
			this.#editor.fail(error);
		}
	}

	#show(r) {
		const satisfiable = r.status === "SATISFIABLE";
		this.answer.className = satisfiable ? "sat" : "unsat";
		this.answer.textContent = satisfiable ? "Satisfiable" : "Unsatisfiable";
		clear(this.result);
		const rows = [["Variables, clauses", `${r.vars}, ${r.clauses}`], ["Strongly connected components", `${r.components}; the largest has ${counted(r.largest, "literal")}`]];
		if (r.longer) rows.push(["Longer clauses, left out", String(r.longer)]);
		if (satisfiable) rows.push(["Forced literals", this.#literals(r.forced)], ["Free variables", String(r.free)]);
		if (r.classes.length) rows.push(["Equivalent literals", r.classes.map((c) => c.join(" = ")).join("; ")]);
		if (satisfiable) rows.push(["A model", r.model.join(" ")]);
		this.result.append(el("table", { id: "facts" }, el("tbody", {}, ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row", text: name }), el("td", { class: "mono literals" }, value))))));
		if (satisfiable && r.longer) this.result.append(el("p", { class: "warning", text: "Forced literals hold for the whole formula. The model may falsify longer clauses." }));
		if (r.conflict) this.result.append(el("h2", { text: "Contradiction" }), this.#chain(r.conflict, "The literal implies its complement, and is implied by it:"));
		if (r.why) this.result.append(el("h2", { text: `Literal ${r.why.lit}` }), this.#why(r.why));
		if (!r.svg) {
			this.result.append(el("p", { id: "too-large", class: "note", text: `Without a drawing: ${r.tooLarge}` }));
			return;
		}
		const label = this.condensed.checked ? "Components of the implication graph" : "Implication graph";
		this.result.append(
			el("h2", { text: label }),
			drawing(r.svg, label).element,
			el("div", { class: "buttons" }, el("button", { id: "save-svg", type: "button", text: "Download the drawing", onclick: () => this.#app.download(`${this.#editor.name()}.svg`, new Blob([r.svg], { type: "image/svg+xml" })) })),
		);
	}

	// #literals returns literals as buttons, each of which asks for its chain.
	#literals(lits) {
		if (lits.length === 0) return "none";
		return el("span", { class: "lits" }, ...lits.slice(0, 200).map((l) => el("button", { type: "button", class: "lit", "aria-label": `Chain for the literal ${l}`, text: String(l), onclick: () => this.#ask(l) })), lits.length > 200 ? ` and ${lits.length - 200} more` : "");
	}

	#ask(lit) {
		this.why.value = String(lit);
		this.#solve();
	}

	#why(why) {
		if (why.value === "free") return el("p", { id: "chain", text: `${why.lit} is true in some solutions and false in others.` });
		return this.#chain(why, why.value === "true" ? `${why.lit} is true in every solution, since its complement implies it:` : `${why.lit} is false in every solution, since it implies its complement:`);
	}

	#chain(row, text) {
		if (row.chain.length === 0) return el("p", { id: "chain", text: `Clause ${row.steps[0].clause} is empty.` });
		return el(
			"div", { id: "chain" },
			el("p", {}, text, " ", el("span", { class: "mono", text: row.chain.join(" → ") })),
			el("ol", {}, ...row.steps.map((s) => el("li", { class: "mono", text: `${s.from} → ${s.to}: clause ${s.clause} (${s.lits.join(" ")})` }))),
		);
	}
}
