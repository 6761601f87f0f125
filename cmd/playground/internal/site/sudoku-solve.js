// The panel for solutions: one, their number, or two witnesses, and the rating.

import { clear, counted, el, field, option } from "./dom.js";
import { panel } from "./sudoku-text.js";

// The names of ratings on the scale of Sudoku Explainer, each up to a number.
const difficulties = [[1.7, "easy"], [2.6, "moderate"], [4.5, "hard"], [7, "very hard"], [Infinity, "extreme"]];
const difficulty = (rating) => difficulties.find(([most]) => Number(rating) <= most)[1];

export function solvePanel(page) {
	const limit = el(
		"select",
		{ id: "count-limit" },
		...[1e3, 1e4, 1e6, 1e9, 1e12, 1e15].map((n) => option(n, n.toLocaleString("en"), n === 1e4)),
	);
	const answer = el("div", { id: "answer" });
	const button = (id, text, onclick, attributes = {}) => el("button", { id, type: "button", text, onclick, ...attributes });
	const say = (text, ...more) => {
		clear(answer).append(el("p", { text }), ...more);
		page.status(text);
	};

	// verdict says why there is no solution, if so.
	function none(a) {
		if (a.verdict !== "none") return false;
		page.show({ describe: (cell, d) => a.conflict?.includes(cell) && d.flags.push("conflict") });
		say(a.message ? `No solution: ${a.message}.` : "No solution.");
		return true;
	}

	async function solve() {
		const done = await page.run("Solve", "sudoku.solve", { grid: page.state.grid() });
		if (!done) return;
		const a = done.result;
		if (none(a)) return;
		if (a.verdict === "unknown") return say("Stopped without a solution.");
		page.state.enter(a.solutions[0]);
		page.changed(false);
		page.look();
		say("Solved. Undo removes the solution.");
		const other = await page.run("Look for another solution", "sudoku.unique", { grid: page.state.grid() });
		if (other?.result.verdict === "unique") say("Solved; the solution is the only one. Undo removes it.");
		if (other?.result.verdict === "several") say("Solved, by one of several solutions: \"Check unique\" shows two. Undo removes it.");
	}

	async function count() {
		const done = await page.run("Count", "sudoku.count", { grid: page.state.grid(), limit: Number(limit.value) }, { progress: (m) => `${counted(m.count, "solution")} so far` });
		if (!done || none(done.result)) return;
		const { count: n, complete } = done.result;
		say(`${complete ? "" : "At least "}${counted(n, "solution")}${complete ? "" : "; the count was stopped there"}.`);
	}

	async function unique() {
		const done = await page.run("Check unique", "sudoku.unique", { grid: page.state.grid() });
		if (!done) return;
		const a = done.result;
		if (none(a)) return;
		if (a.verdict === "unique") return say("The solution is unique; this is proved.");
		if (a.verdict !== "several") return say("Stopped before that was certain.");
		const [first, second] = a.solutions;
		const { symbols } = page.state.puzzle;
		page.show({
			whole: false,
			describe(cell, d) {
				if (page.state.puzzle.cells[cell]) return;
				d.marks = [];
				if (first[cell] === second[cell]) {
					d.text = symbols[first[cell] - 1];
					d.kind = "found";
					return;
				}
				d.text = "";
				d.pair = [symbols[first[cell] - 1], symbols[second[cell] - 1]];
				d.flags.push("differ");
				d.words.push("the two solutions differ here");
			},
		});
		say(
			`Not unique: two solutions differ in ${counted(a.differ.length, "cell")}.`,
			el("p", { id: "differ", class: "note", text: `Split cells show the digits of the first and of the second solution: ${a.differ.map((cell) => `${page.grid.name(cell)}=${symbols[first[cell] - 1]}/${symbols[second[cell] - 1]}`).join(", ")}` }),
			el("div", { class: "buttons" }, button("hide-witnesses", "Hide", () => page.show(null))),
		);
	}

	async function rate() {
		const done = await page.run("Rate", "sudoku.rate", { grid: page.state.grid() });
		if (!done) return;
		const r = done.result;
		const row = (name, ...values) => el("tr", {}, el("th", { scope: "row", text: name }), ...values.map((v) => el("td", { class: "number", text: v })));
		const facts = el("table", {}, el("tbody", {}, ...[
			["Class", `${r.class}: ${r.solutions === 1 ? r.classHelp : "not exactly one solution"}`],
			["Rating by techniques", r.people ? `${r.people.solved ? "" : "above "}${r.people.rating}: ${difficulty(r.people.rating)}` : "none"],
			["Hardest technique", r.people ? r.people.technique : "none"],
			["Steps", r.people ? r.people.steps : "none"],
			["Filled by singles", `${r.propagation} of ${r.cells}`],
			["Filled by the 2SAT rule", `${r.twoSAT} of ${r.cells}`],
			["Filled by failed literals", `${r.probing} of ${r.cells}`],
		].map(([name, value]) => el("tr", {}, el("th", { scope: "row", text: name }), el("td", { text: value })))));
		const runs = el(
			"table",
			{},
			el("caption", { class: "note", text: "Search of the engines" }),
			el("thead", {}, el("tr", {}, ...["Encoding, engine", "decisions", "conflicts"].map((name) => el("th", { scope: "col", text: name })))),
			el("tbody", {}, ...r.runs.map((run) => row(`${run.encoding}, ${run.engine}${run.status === "UNKNOWN" ? " (up to a limit)" : ""}`, run.decisions, run.conflicts))),
		);
		const why = r.people ? "" : r.solutions !== 1 ? "There is a rating by techniques only for puzzles with one solution." : "There is a rating by techniques only up to size 9, without cages and relations.";
		say(r.people ? `Rated ${r.people.rating}, ${difficulty(r.people.rating)} (${r.people.technique}), class ${r.class}.` : `Class ${r.class}. ${why}`, el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rating" }, facts, runs));
	}

	const node = panel(
		"panel-solve",
		"Solve, count, rate",
		true,
		el(
			"div",
			{ class: "buttons" },
			button("solve", "Solve", solve, { class: "primary" }),
			button("unique", "Check unique", unique),
			button("rate", "Rate", rate),
		),
		el("div", { class: "row" }, field("Count up to", limit), button("count", "Count solutions", count)),
		answer,
	);
	return { node, changed: () => clear(answer) };
}
