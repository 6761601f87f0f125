// The page of search trees: the classic engine DPLL step by step.

import { clear, drawing, el, field, option, svg } from "./dom.js";
import { SourceEditor, loadTables } from "./source.js";
import { ClauseList, Stepper, smallExamples, smallFamilies } from "./steps.js";
import { intro } from "./words.js";

export const title = "Search tree";

const examples = {
	...smallExamples,
	"Six variables, satisfiable": "p cnf 6 16\n1 2 3 0\n1 2 -3 0\n1 -2 4 0\n1 -2 -4 0\n-1 3 5 0\n-1 3 -5 0\n-1 -3 6 0\n-3 -6 2 0\n-2 4 5 0\n-2 -4 6 0\n-5 6 3 0\n-6 4 -2 0\n5 -4 -3 0\n2 -5 -6 0\n4 -6 5 0\n-4 5 6 0\n",
};

export function mount(root, app) {
	const page = new TreePage(root, app);
	return () => page.leave();
}

class TreePage {
	#app;
	#editor;
	#running = null;
	#tree = null; // the reply of the engine
	#nodes = []; // parts of the drawing by node, from 1
	#first = []; // the step in which each node begins
	#last = []; // the step in which each node ends in a conflict or a solution
	#stepper = null;

	constructor(root, app) {
		this.#app = app;
		this.#editor = new SourceEditor(app, { examples, families: smallFamilies, defaults: { ksat: { vars: 20 } } });
		this.heuristic = el("select", { id: "heuristic" }, option("mom", "mom", true));
		this.pure = el("select", { id: "pure" }, option("every", "at every node"), option("root", "at the root"), option("off", "never"));
		this.nodes = el("input", { id: "nodes", type: "number", min: "1", max: "1000", step: "1", value: "200" });
		this.searchButton = el("button", { id: "search", class: "primary", type: "button", text: "Search", onclick: () => this.#search() });
		this.stopButton = el("button", { id: "stop", type: "button", text: "Stop", disabled: true, onclick: () => this.#running?.abort() });
		this.answer = el("p", { id: "answer", role: "status" });
		this.result = el("div", { id: "result" });
		root.append(
			intro("[DPLL] [decides] a variable, assigns what each [unit] clause implies and literals that are [pure], and [backtracks] after a [conflict]. Each node of the tree is a decision; step through the search, or click on a node."),
			this.#editor.element,
			el(
				"div", { class: "panel" },
				el("div", { class: "row" }, field("Heuristic", this.heuristic), field("Pure literals", this.pure), field("Most nodes", this.nodes)),
				el("div", { class: "buttons" }, this.searchButton, this.stopButton),
				this.answer,
			),
			this.result,
		);
		loadTables().then(({ heuristics }) => clear(this.heuristic).append(...heuristics.map((h) => option(h.name, `${h.name}: ${h.help}`, h.name === "mom"))), () => {});
		this.#editor.ready.then((short) => short && this.#search());
	}

	leave() {
		this.#running?.abort();
		this.#stepper?.pause();
		this.#editor.leave();
	}

	async #search() {
		this.#stepper?.pause();
		this.#running = new AbortController();
		this.searchButton.disabled = true;
		this.stopButton.disabled = false;
		clear(this.result);
		this.answer.className = "";
		this.answer.textContent = "Searching...";
		this.#editor.succeed();
		try {
			const { args, bytes } = this.#editor.args();
			const { result } = await this.#app.call(
				"tree.search",
				{ ...args, heuristic: this.heuristic.value, pure: this.pure.value, nodes: Number(this.nodes.value) },
				{ bytes, signal: this.#running.signal },
			);
			this.#show(result);
		} catch (error) {
			this.answer.textContent = "";
			this.#editor.fail(error);
		}
		this.#running = null;
		this.searchButton.disabled = false;
		this.stopButton.disabled = true;
	}

	#show(tree) {
		this.#tree = tree;
		const names = { SATISFIABLE: ["Satisfiable", "sat"], UNSATISFIABLE: ["Unsatisfiable", "unsat"], UNKNOWN: ["Unknown", "unknown"] };
		const [text, className] = names[tree.status];
		this.answer.className = className;
		this.answer.textContent = `${text}; ${tree.stats.Nodes} nodes, ${tree.stats.Conflicts} conflicts, depth ${tree.stats.Depth}${tree.cut ? `; the tree has ${tree.cut}` : ""}`;
		const picture = drawing(tree.svg, "Drawing of the tree");
		this.scroller = picture.scroller;
		this.scroller.classList.add("tree");
		this.#findParts(picture.image);
		const last = tree.steps.length;
		this.#stepper = new Stepper(last, { show: (step) => this.#showStep(step) });
		this.trail = el("p", { id: "trail", class: "mono literals" });
		this.clauses = new ClauseList();
		this.result.append(
			el(
				"div", { class: "panel" },
				el("h2", { text: "Steps" }),
				this.#stepper.element,
				el("p", { class: "note", text: "Assigned literals, in their order:" }),
				this.trail,
				tree.formula ? el("div", { class: "columns" }, picture.element, this.clauses.element) : picture.element,
				el("p", { class: "note", text: "Squares are conflicts, rings solutions, dashed circles unfinished nodes. A click on a node goes to its step." }),
				el(
					"div", { class: "buttons" },
					el("button", { id: "save-svg", type: "button", text: "Download the drawing", onclick: () => this.#app.download(`${this.#editor.name()}.svg`, new Blob([tree.svg], { type: "image/svg+xml" })) }),
				),
				el("details", {}, el("summary", { text: "The tree as text" }), el("pre", { id: "tree-text", class: "scroll", tabindex: "0", text: tree.text })),
			),
		);
		this.#stepper.go(last);
	}

	// #findParts finds the parts of each node in the drawing: its symbol, and the edge to it
	// with its label. A symbol has a title that begins with the number of the node. Edges end
	// in the center of their nodes, and labels are in the order of the edges.
	#findParts(image) {
		const at = new Map(); // node by the coordinates of its center
		this.#nodes = [];
		for (const symbol of image.querySelectorAll("circle, rect")) {
			const number = symbol.querySelector("title")?.textContent.match(/^node (\d+):/)?.[1];
			if (!number) continue;
			const number1 = Number(number);
			const value = (name) => Number(symbol.getAttribute(name));
			const center = symbol.tagName === "circle" ? [value("cx"), value("cy")] : [value("x") + value("width") / 2, value("y") + value("height") / 2];
			at.set(center.map((x) => x.toFixed(1)).join(), number1);
			this.#nodes[number1] = { symbol, kind: symbol.getAttribute("class"), parts: [symbol], center };
			symbol.style.cursor = "pointer";
			symbol.addEventListener("click", () => this.#stepper.go((this.#last[number1] ?? this.#first[number1]) + 1));
		}
		const labels = image.querySelectorAll("text.literal");
		for (const [i, line] of image.querySelectorAll("line:not(.legend *)").entries()) {
			const end = ["x2", "y2"].map((name) => Number(line.getAttribute(name)).toFixed(1)).join();
			this.#nodes[at.get(end)]?.parts.push(line, labels[i]);
		}
		this.marker = svg("circle", { r: 11, fill: "none", stroke: "#1f5fbf", "stroke-width": 3 });
		image.append(this.marker);
		this.#first = [];
		this.#last = [];
		this.#first[1] = 0;
		for (const [i, step] of this.#tree.steps.entries()) {
			this.#first[step.node] ??= i;
			if (step.kind === "conflict" || step.kind === "solution") this.#last[step.node] ??= i;
		}
	}

	// #follow scrolls the drawing to the current node.
	#follow() {
		const [node, view] = [this.marker, this.scroller].map((e) => e.getBoundingClientRect());
		this.scroller.scrollBy(node.x + node.width / 2 - view.x - view.width / 2, node.y + node.height / 2 - view.y - view.height / 2);
	}

	// #showStep shows the search after a number of steps, and returns the last one as text.
	#showStep(count) {
		const { steps, status } = this.#tree;
		const current = steps[count - 1];
		for (const [number, node] of this.#nodes.entries()) {
			if (!node) continue;
			const there = number === 1 || this.#first[number] < count;
			for (const part of node.parts) part.style.display = there ? "" : "none";
			// A node whose end comes later looks like an open one.
			const open = this.#last[number] !== undefined && this.#last[number] >= count;
			node.symbol.setAttribute("class", open ? "unfinished" : node.kind);
		}
		const { center } = this.#nodes[current?.node ?? 1];
		this.marker.setAttribute("cx", center[0]);
		this.marker.setAttribute("cy", center[1]);
		this.#follow();
		const trail = trailAfter(steps.slice(0, count));
		this.trail.textContent = trail.map((t) => t.text).join(" ") || "none";
		const values = new Map(trail.map((t) => [Math.abs(t.lit), Math.sign(t.lit)]));
		if (this.#tree.formula) this.clauses.show(this.#tree.formula, (l) => (values.get(Math.abs(l)) ?? 0) * Math.sign(l), current?.clause);
		if (count === steps.length && status === "UNSATISFIABLE") return `${describe(current)}; no branch is left: the formula is unsatisfiable`;
		return current ? describe(current) : "the root";
	}
}

// describe returns a step as text.
function describe(step) {
	const clause = step.clause ? `clause ${step.clause} (${step.lits.join(" ")})` : "";
	switch (step.kind) {
		case "assume":
			return `assume ${step.lit}`;
		case "decide":
			return `decide ${step.lit} at level ${step.level}`;
		case "propagate":
			return `${clause} implies ${step.lit}`;
		case "pure":
			return `the literal ${step.lit} is pure`;
		case "conflict":
			return `conflict: all literals of ${clause} are false`;
		case "backtrack":
			return `backtrack to level ${step.level}, and try ${step.lit}`;
		case "solution":
			return "all clauses are satisfied";
	}
	return step.kind;
}

// trailAfter returns the assigned literals after some steps; decisions have their level in
// front, as in "2:5".
function trailAfter(steps) {
	let trail = [];
	for (const step of steps) {
		if (step.kind === "backtrack") trail = trail.filter((t) => t.level < step.level);
		if (step.lit) trail.push({ lit: step.lit, level: step.level, text: step.kind === "decide" || step.kind === "backtrack" ? `${step.level}:${step.lit}` : String(step.lit) });
	}
	return trail;
}
