// The page of clause learning: plain search of the engine cdcl step by step.

import { clear, counted, drawing, el, field, option } from "./dom.js";
import { SourceEditor } from "./source.js";
import { ClauseList, Stepper, smallExamples, smallFamilies } from "./steps.js";
import { intro } from "./words.js";

export const title = "Clause learning";

const examples = {
	"A small contradiction": "p cnf 6 9\n-1 2 0\n-1 3 5 0\n-2 4 5 0\n-3 -4 0\n1 5 -2 0\n2 3 0\n2 -3 0\n6 -5 0\n-5 -6 0\n",
	...smallExamples,
};

export function mount(root, app) {
	const page = new CDCLPage(root, app);
	return () => page.leave();
}

class CDCLPage {
	#app;
	#editor;
	#running = null;
	#run = null; // the reply of the engine, and its request
	#decisions = []; // that the user has taken
	#stepper = null;
	#drawn = -1; // number of the conflict in the drawing

	constructor(root, app) {
		this.#app = app;
		this.#editor = new SourceEditor(app, { examples, families: smallFamilies, defaults: { ksat: { vars: 20 }, php: { holes: 3 } }, onchange: () => (this.#decisions = []) });
		this.phase = el("select", { id: "phase" }, option("", "true"), option("1", "false"));
		this.searchButton = el("button", { id: "search", class: "primary", type: "button", text: "Search", onclick: () => this.#restart() });
		this.answer = el("p", { id: "answer", role: "status" });
		this.result = el("div", { id: "result" });
		root.append(
			intro("[CDCL] searches as [DPLL] does, and learns from each [conflict]: [resolution] with the [reason] of each [literal] of the last [level], latest first, ends at a [clause] with the [first UIP] alone, which is then [unit] on a lower level. Each clause is visited only through its two [watches]."),
			this.#editor.element,
			el("div", { class: "panel" }, el("div", { class: "row" }, field("First value of a variable", this.phase)), el("div", { class: "buttons" }, this.searchButton), this.answer),
			this.result,
		);
		this.#editor.ready.then((short) => short && this.#search());
	}

	leave() {
		this.#running?.abort();
		this.#stepper?.pause();
		this.#editor.leave();
	}

	#restart() {
		this.#decisions = [];
		this.#search();
	}

	// #search solves the formula and shows a step; by default the first conflict.
	async #search(step = null) {
		this.#stepper?.pause();
		this.#running?.abort();
		const run = (this.#running = new AbortController());
		this.answer.className = "";
		this.answer.textContent = "Searching...";
		this.#editor.succeed();
		try {
			const { args, bytes } = this.#editor.args();
			const request = { ...args, negative: this.phase.value !== "", decisions: this.#decisions };
			const { result } = await this.#app.call("cdcl.search", request, { bytes, signal: run.signal });
			if (run !== this.#running) return;
			this.#run = { ...result, request, bytes };
			this.#show(step);
		} catch (error) {
			if (run !== this.#running) return;
			if (this.#decisions.length > 0 && this.#run) { // another decision that cannot be taken: the run before it stays
				this.#decisions = this.#run.request.decisions;
				this.answer.textContent = error.message;
				return;
			}
			clear(this.result);
			this.answer.textContent = "";
			this.#editor.fail(error);
		}
	}

	#show(step) {
		const { steps, status, full } = this.#run;
		const conflicts = steps.filter((s) => s.event === "conflict").length;
		const [text, className] = { SATISFIABLE: ["Satisfiable", "sat"], UNSATISFIABLE: ["Unsatisfiable", "unsat"], UNKNOWN: ["Unknown", "unknown"] }[status];
		this.answer.className = className;
		this.answer.textContent = `${text}, after ${counted(conflicts, "conflict")}${full ? `; the first ${steps.length} steps are shown` : ""}`;
		const button = (id, label, onclick) => el("button", { id, type: "button", text: label, onclick });
		const event = (n) => steps[n - 1].event;
		this.stopAt = el("input", { id: "stop-at", type: "text", size: "8", placeholder: "5 or c12", "aria-describedby": "stop-note" });
		this.#stepper = new Stepper(steps.length, {
			show: (n) => this.#showStep(n),
			stop: (n) => this.#stopsAt(steps[n - 1]),
			more: [
				button("next-conflict", "Next conflict", () => this.#stepper.find((n) => event(n) === "conflict")),
				button("run", "Run to stop", () => this.#stepper.find((n) => this.#stopsAt(steps[n - 1]))),
				field("Stop at", this.stopAt),
			],
		});
		this.trail = el("div", { id: "trail", class: "mono" });
		this.derivation = el("div", { id: "derivation" });
		this.clauses = new ClauseList((number) => this.#goTo(number));
		this.decide = el("input", { id: "decide", type: "number", step: "1", placeholder: "literal", oninput: () => this.decide.setCustomValidity("") });
		this.graph = el("div", { id: "graph" });
		this.proof = el("div", { id: "proof" });
		this.#drawn = -1;
		clear(this.result).append(
			el(
				"div", { class: "panel" },
				el("h2", { text: "Steps" }), this.#stepper.element,
				el("p", { id: "stop-note", class: "note", text: "Stop at a variable or, with c, at a clause; an animation ends there, too." }),
				el("div", { class: "row" }, field("Another decision here", this.decide), button("take", "Decide", () => this.#take()), this.#decisions.length ? button("undo", `Without my ${counted(this.#decisions.length, "decision")}`, () => this.#restart()) : null),
			),
			el("div", { class: "columns" }, el("div", { class: "panel" }, el("h2", { text: "Trail" }), this.trail), el("div", { class: "panel" }, el("h2", { text: "Clauses" }), this.clauses.element, el("p", { class: "note", text: "Underlined: watched. A click on a learned clause goes to the conflict behind it." }))),
			el("div", { class: "panel" }, el("h2", { text: "Conflict" }), el("div", { class: "columns" }, this.derivation, this.graph)),
			el("details", { class: "panel", ontoggle: (e) => e.target.open && this.#drawProof() }, el("summary", { text: "The resolution proof" }), this.proof),
		);
		const first = steps.findIndex((s) => s.event === "conflict") + 1;
		this.#stepper.go(step ?? (first || steps.length));
	}

	// #stopsAt reports whether a step is about the variable or the clause to stop at.
	#stopsAt(step) {
		const [, clause, number] = this.stopAt.value.trim().match(/^(c?)-?(\d+)$/) ?? [];
		if (!number || step.event === "visit" || step.event === "add") return false;
		return clause ? step.clause === Number(number) : Math.abs(step.lit) === Number(number);
	}

	// #take solves again, with the decisions so far and another one.
	#take() {
		const { steps, vars } = this.#run;
		const lit = Number(this.decide.value);
		const n = this.#stepper.step;
		const before = steps[n - 1]?.event === "decide" ? n - 1 : n; // another one in its place
		const known = Number.isInteger(lit) && lit !== 0 && Math.abs(lit) <= vars;
		this.decide.setCustomValidity(!known ? `a literal of the ${vars} variables` : stateAfter(steps, before).value(lit) ? `${lit} is assigned here` : "");
		if (!this.decide.reportValidity()) return;
		this.#decisions = [...steps.slice(0, before).filter((s) => s.event === "decide").map((s) => s.lit), lit];
		this.#search(n);
	}

	#showStep(n) {
		const { steps, status } = this.#run;
		const state = stateAfter(steps, n);
		this.#showTrail(state);
		this.clauses.show(state.clauses, state.value, steps[n - 1]?.clause);
		this.#showConflict(state);
		if (n === steps.length) return status === "UNSATISFIABLE" ? "the empty clause is derived: the formula is unsatisfiable" : status === "SATISFIABLE" ? "all variables are assigned: the trail is a model" : "the rest is not shown";
		return n > 0 ? describe(steps[n - 1], state) : "the clauses are not read yet";
	}

	#showTrail(state) {
		const levels = new Map();
		for (const a of state.trail) levels.set(a.level, [...(levels.get(a.level) ?? []), a]);
		const chip = (a) => el("span", { class: a.reason ? "lit-chip" : "lit-chip decided", title: a.reason ? `by clause ${a.reason}: ${state.clauses[a.reason].lits.join(" ")}` : "decision", text: a.reason ? `${a.lit} (c${a.reason})` : a.lit });
		clear(this.trail).append(
			el("table", {}, el("tbody", {}, ...[...levels].map(([level, row]) => el("tr", {}, el("th", { scope: "row", text: `level ${level}` }), el("td", { class: "lits" }, ...row.map(chip)))))),
			levels.size ? "" : el("p", { class: "note", text: "No variable is assigned." }),
		);
	}

	// #showConflict shows the derivation of the clause that is learned from the current or the
	// last conflict, and the implication graph.
	#showConflict(state) {
		const { steps, derivations } = this.#run;
		const at = steps.findIndex((s, i) => i > state.conflictAt && s.event === "learn");
		clear(this.derivation);
		const rows = state.conflicts > 0 ? derivations[at] : null;
		if (!rows) {
			this.derivation.append(el("p", { class: "note", text: "There was no conflict yet." }));
			clear(this.graph);
			this.#drawn = -1;
			return;
		}
		const row = (r, i) => el("li", {}, i ? `resolve on ${r.pivot} with c${r.clause} (${state.clauses[r.clause].lits.join(" ")}): ` : `c${r.clause} is falsified: `, el("strong", { text: r.lits.join(" ") || "empty" }), r.uip ? ", first UIP" : "");
		this.derivation.append(el("p", { text: `${state.conflict ? "This" : "The last"} conflict, number ${state.conflicts}, derives clause c${steps[at].clause}:` }), el("ol", { class: "mono" }, ...rows.map(row)));
		this.#drawConflict(state.conflicts);
	}

	async #drawConflict(conflict) {
		if (conflict === this.#drawn) return;
		this.#drawn = conflict;
		const svg = await this.#draw(conflict, this.graph);
		if (svg && this.#drawn === conflict) clear(this.graph).append(drawing(svg, `Implication graph of conflict ${conflict}`).element, this.#saveButton("save-graph", `conflict-${conflict}`, svg));
	}

	// #goTo goes to the step that adds a clause.
	#goTo(clause) {
		this.#stepper.go(this.#run.steps.findIndex((s) => s.clause === clause) + 1);
	}

	async #drawProof() {
		const svg = await this.#draw(0, this.proof);
		if (!svg) return;
		const picture = drawing(svg, "Resolution proof");
		for (const node of picture.image.querySelectorAll("rect")) {
			const clause = Number(node.querySelector("title")?.textContent.match(/^clause (\d+)/)?.[1]);
			if (!clause) continue;
			node.style.cursor = "pointer";
			node.addEventListener("click", () => this.#goTo(clause));
		}
		clear(this.proof).append(picture.element, el("p", { class: "note", text: "A click on a clause goes to the step that adds it." }), this.#saveButton("save-proof", "proof", svg));
	}

	// #draw returns a drawing, or shows in its place why there is none.
	async #draw(conflict, place) {
		const { request, bytes } = this.#run;
		try {
			return (await this.#app.call("cdcl.draw", { ...request, conflict }, { bytes, signal: this.#running.signal })).result;
		} catch (error) {
			clear(place).append(el("p", { class: "note", text: `No drawing: ${error.message}` }));
			return null;
		}
	}

	#saveButton(id, name, svg) {
		return el("div", { class: "buttons" }, el("button", { id, type: "button", text: "Download the drawing", onclick: () => this.#app.download(`${this.#editor.name()}-${name}.svg`, new Blob([svg], { type: "image/svg+xml" })) }));
	}
}

// stateAfter returns the state of the search after n steps.
function stateAfter(steps, n) {
	const state = { clauses: {}, trail: [], values: new Map(), conflict: 0, conflicts: 0, value: (l) => (state.values.get(Math.abs(l)) ?? 0) * Math.sign(l) };
	for (const [i, s] of steps.slice(0, n).entries()) {
		switch (s.event) {
			case "add":
			case "learn": {
				const lits = s.lits ?? [];
				state.clauses[s.clause] = { lits, watches: lits.length === 2 ? lits : [], learned: s.event === "learn" };
				break;
			}
			case "watch":
				state.clauses[s.clause].watches = s.lits;
				break;
			case "delete":
				state.clauses[s.clause].deleted = true;
				break;
			case "assume":
			case "decide":
			case "imply":
				state.trail.push({ lit: s.lit, level: s.level, reason: s.clause });
				state.values.set(Math.abs(s.lit), Math.sign(s.lit));
				break;
			case "conflict":
				state.conflict = s.clause;
				state.conflictAt = i;
				state.conflicts++;
				break;
			case "backtrack":
				state.conflict = 0;
				while (state.trail.at(-1)?.level > s.level) state.values.delete(Math.abs(state.trail.pop().lit));
		}
	}
	return state;
}

// describe returns a step as text.
function describe(step, state) {
	const clause = step.clause ? `clause c${step.clause} (${state.clauses[step.clause].lits.join(" ") || "empty"})` : "";
	switch (step.event) {
		case "decide":
			return `decide ${step.lit} at level ${step.level}`;
		case "imply":
			return `${clause} implies ${step.lit} at level ${step.level}`;
		case "visit":
			return `visit the clauses watched by ${-step.lit}, which is false`;
		case "watch":
			return `${clause} is watched by ${step.lits.join(" and ")}`;
		case "conflict":
			return `conflict ${state.conflicts}: all literals of ${clause} are false`;
		case "learn":
			return `learn ${clause}${state.conflict ? "" : `, from ${step.hints.map((n) => `c${n}`).join(", ")}`}`;
		case "backtrack":
			return `backtrack to level ${step.level}`;
		case "restart":
			return "restart: take back all decisions that others would replace";
		case "delete":
			return `delete ${clause}`;
	}
	return `read ${clause}`;
}
