// The page of formulas: solve one, watch the search, and take the model or the proof away.

import { clear, counted, el, field, option } from "./dom.js";
import { SourceEditor, loadTables } from "./source.js";
import { intro } from "./words.js";

export const title = "Formulas";

const examples = {
	"Who lies?": "# Ann says: Ben lies. Ben says: Cleo lies. Cleo says: Ann and Ben both lie.\n# Who lies says what is false, and the others say what is true.\n!Ann_lies <-> Ben_lies\n!Ben_lies <-> Cleo_lies\n!Cleo_lies <-> Ann_lies & Ben_lies\n",
	"Can four talks share two rooms?": "# Three of four talks are at the same time. Each is in the red room or not.\nlogic_red ^ proofs_red\nproofs_red ^ search_red\nsearch_red ^ logic_red\n# The fourth talk, in the evening, may be anywhere.\nevening_red | !evening_red\nlogic_red | evening_red\n",
	"Three pigeons, two holes": "c Variable 2p+h-2: pigeon p is in hole h.\np cnf 6 9\n1 2 0\n3 4 0\n5 6 0\n-1 -3 0\n-1 -5 0\n-3 -5 0\n-2 -4 0\n-2 -6 0\n-4 -6 0\n",
	"At most one of three, with names": "c 1 Monday\nc 2 Tuesday\nc 3 Friday\np cnf 3 4\n1 2 3 0\n-1 -2 0\n-1 -3 0\n-2 -3 0\n",
	"A syntax error": "p cnf 3 2\n1 -2 0\n2 x 0\n",
};

const proofs = [
	["", "none"],
	["lrat", "LRAT, text"],
	["binary-lrat", "LRAT, binary"],
	["drat", "DRAT, text"],
	["binary-drat", "DRAT, binary"],
];

// The number of lines of a recording above which samples are thinned out.
const mostLines = 50_000;

const answers = { SATISFIABLE: "sat", UNSATISFIABLE: "unsat", UNKNOWN: "unknown" };

export function mount(root, app) {
	const page = new FormulaPage(root, app);
	return () => page.leave();
}

class FormulaPage {
	#app;
	#editor;
	#running = null; // AbortController of the run or the check
	#lines = []; // of the recording
	#name = "formula"; // of the formula that was solved

	constructor(root, app) {
		this.#app = app;
		this.#editor = new SourceEditor(app, { examples, families: null });
		this.seed = el("input", { id: "engine-seed", type: "number", min: "0", step: "1", value: "0" });
		this.preset = el("select", { id: "preset" }, option("", "no preference"));
		this.proof = el("select", { id: "proof" }, ...proofs.map(([value, text]) => option(value, text, value === "lrat")));
		this.limit = el("input", { id: "proof-limit", type: "number", min: "1", max: "1500", step: "1", value: "256" });
		this.time = el("input", { id: "time", type: "number", min: "0", step: "any", value: "0" });
		this.solveButton = el("button", { id: "solve", class: "primary", type: "button", text: "Solve", onclick: () => this.#solve() });
		this.stopButton = el("button", { id: "stop", type: "button", text: "Stop", disabled: true, onclick: () => this.#running?.abort() });
		this.status = el("p", { id: "answer", role: "status" });
		this.details = el("div", { id: "details" });
		this.charts = el("div", { id: "charts" });
		this.chartPanel = el("details", { id: "search", class: "panel", hidden: true }, el("summary", { text: "The search" }), this.charts);
		const options = el(
			"details", { class: "options" },
			el("summary", { text: "Options of the run" }),
			el(
				"div", { class: "row" },
				field("Proof", this.proof), field("Proof limit (MB)", this.limit),
				field("Expected answer", this.preset), field("Time limit (s), 0: none", this.time), field("Seed of the search", this.seed),
			),
			el("p", { class: "note", text: "The proof is kept in memory. A proof that exceeds its limit is dropped, and the search goes on." }),
		);
		root.append(
			intro("Is there an assignment that makes a [formula] true? Write statements with ! & | ^ -⁠> and <⁠-⁠>, or one [clause] a line in [DIMACS CNF]; the answer is a [model], or a [proof] that there is none."),
			this.#editor.element,
			el("div", { class: "panel" }, options, el("div", { class: "buttons" }, this.solveButton, this.stopButton), this.status, this.details),
			this.chartPanel,
		);
		loadTables().then(({ presets }) => this.preset.append(...presets.map((p) => option(p.name, p.help))), () => {});
		this.#editor.ready.then((short) => short && this.#solve());
	}

	leave() {
		this.#running?.abort();
		this.#editor.leave();
	}

	// #begin disables what must wait for the end of an operation.
	#begin() {
		this.#running = new AbortController();
		this.solveButton.disabled = true;
		this.stopButton.disabled = false;
		return this.#running.signal;
	}

	#end() {
		this.#running = null;
		this.solveButton.disabled = false;
		this.stopButton.disabled = true;
	}

	#say(text, className = "") {
		this.status.className = className;
		this.status.textContent = text;
	}

	async #solve() {
		const signal = this.#begin();
		clear(this.details);
		this.chartPanel.hidden = true;
		this.#editor.succeed();
		this.#say("Solving...");
		this.#lines = [];
		this.#name = this.#editor.name();
		try {
			const { args, bytes } = this.#editor.args();
			const { result: summary } = await this.#app.call("formula.load", args, { bytes, signal });
			this.#say(`Solving ${summary.vars} variables, ${summary.clauses} clauses...`);
			const charts = await this.#newCharts();
			const { result } = await this.#app.call(
				"formula.solve",
				{ seed: Number(this.seed.value), preset: this.preset.value, proof: this.proof.value, proofLimit: Number(this.limit.value), time: Number(this.time.value) },
				{ signal, progress: (lines) => this.#record(lines, charts) },
			);
			charts.end();
			if (this.#lines.filter((line) => line.t === "sample").length > 2) this.chartPanel.hidden = false;
			await this.#show(summary, result, signal);
		} catch (error) {
			this.#say("");
			this.#editor.fail(error);
		}
		this.#end();
	}

	// #newCharts makes the charts of a run. They open by themselves after half a second of it.
	async #newCharts() {
		const { RunCharts } = await import("./charts.js");
		const element = el("div");
		clear(this.charts).append(element);
		this.chartPanel.hidden = true; // until there are samples
		this.chartPanel.open = false;
		this.began = performance.now();
		return new RunCharts(element, { label: this.#name });
	}

	#record(lines, charts) {
		if (performance.now() - this.began > 500 && this.chartPanel.hidden) {
			this.chartPanel.hidden = false;
			this.chartPanel.open = true;
		}
		for (const line of lines) {
			this.#lines.push(line);
			charts.push(line);
		}
		// A long run keeps every second sample, again and again.
		if (this.#lines.length > mostLines) this.#lines = this.#lines.filter((line, i) => line.t !== "sample" || i % 2 === 0);
	}

	// #show shows the result of a run.
	async #show(summary, result, signal) {
		const text = { SATISFIABLE: "Satisfiable", UNSATISFIABLE: "Unsatisfiable", UNKNOWN: `Unknown: ${result.reason}` }[result.status];
		const yes = result.named?.filter((n) => n.value).map((n) => n.name);
		const names = yes?.length > 0 && yes.length <= 10 ? `: ${yes.join(", ").replaceAll("_", " ")}` : "";
		this.#say(`${text}${names}, after ${counted(result.conflicts, "conflict")} and ${result.seconds.toFixed(2)} s`, answers[result.status]);
		this.details.append(...(summary.warnings?.map((w) => el("p", { class: "warning", text: `Warning: ${w}` })) ?? []));
		if (result.model) this.#showModel(summary, result);
		if (result.status === "UNSATISFIABLE") await this.#showCore(signal);
		this.details.append(this.#formulaTable(summary));
		if (result.proof && result.status !== "SATISFIABLE") this.#showProof(result.proof);
		this.#showStatistics();
	}

	// #showCore shows a smallest set of statements or clauses that contradict each other.
	async #showCore(signal) {
		const place = el("div", { id: "core" });
		this.details.append(place);
		try {
			const { result } = await this.#app.call("formula.core", {}, { signal });
			const [noun, verb] = result.parts.length === 1 ? ["part", "contradicts itself"] : ["parts", "contradict each other"];
			place.append(
				el("h2", { text: `${result.parts.length} of ${result.of} ${noun} ${verb}` }),
				el("p", { class: "note", text: result.minimal ? "Without any one of them the others have a model." : "The search for a smaller set was stopped." }),
				el("div", { class: "mono literals", tabindex: "0", role: "region", "aria-label": "Contradiction" }, ...result.parts.map((part) => el("div", { text: part }))),
			);
		} catch (error) {
			place.append(el("p", { class: "note", text: error.message }));
		}
	}

	#formulaTable(summary) {
		const sizes = summary.sizes.map((n, size) => [n, size]).filter(([n]) => n > 0).map(([n, size]) => `${n} of ${size === 10 ? "10 and more" : size}`);
		return el("p", {}, `${summary.vars} variables, ${summary.clauses} clauses, ${summary.literals} literals`, sizes.length > 0 ? `; clauses by size: ${sizes.join(", ")}` : "");
	}

	#showModel(summary, result) {
		const more = summary.vars > result.model.length ? `; the first ${result.model.length} variables are shown` : "";
		this.details.append(
			el("h2", { text: "Model" }),
			el("p", { class: "note", text: `It satisfies all clauses of the formula as read${more}.` }),
			result.named?.length ? el("div", { class: "literals", tabindex: "0", role: "region", "aria-label": "Values of names" }, el("table", { id: "named" }, el("tbody", {}, ...result.named.map((n) => el("tr", {}, el("th", { scope: "row", text: n.name }), el("td", { class: n.value ? "sat" : "note", text: String(n.value) })))))) : null,
			el("div", { id: "model", class: "mono literals", tabindex: "0", role: "region", "aria-label": "True literals", text: result.model.join(" ") }),
			el("div", { class: "buttons" }, el("button", { id: "save-model", type: "button", text: "Download the model", onclick: () => this.#download("formula.model", `${this.#name}.sol`) })),
		);
	}

	#showProof(proof) {
		const size = `${proof.lemmas.toLocaleString("en")} lemmas, ${proof.bytes.toLocaleString("en")} bytes of ${proof.format}`;
		if (proof.full) {
			this.details.append(el("h2", { text: "Proof" }), el("p", { id: "proof-state", class: "warning", text: "The proof exceeded its limit and was dropped." }));
			return;
		}
		this.proofState = el("p", { id: "proof-state", role: "status", text: proof.complete ? `${size}; not checked` : `${size}; it ends where the search ended, and refutes nothing` });
		this.details.append(
			el("h2", { text: "Proof" }),
			this.proofState,
			el(
				"div", { class: "buttons" },
				proof.complete ? el("button", { id: "check", type: "button", text: "Check the proof", onclick: () => this.#check(size) }) : null,
				el("button", { id: "save-proof", type: "button", text: "Download the proof", onclick: () => this.#download("formula.proof", `${this.#name}.${proof.file}`) }),
				el("button", { id: "save-formula", type: "button", text: "Download the formula", onclick: () => this.#download("formula.text", `${this.#name}.cnf`) }),
			),
		);
	}

	async #check(size) {
		const signal = this.#begin();
		this.proofState.className = "";
		this.proofState.textContent = "Checking...";
		try {
			const progress = (p) => (this.proofState.textContent = `Checking: ${p.Phase} ${p.Done}${p.Total ? ` of ${p.Total}` : ""}`);
			const { result } = await this.#app.call("formula.check", {}, { signal, progress });
			this.proofState.className = "sat";
			this.proofState.textContent = `${size}; correct: ${result.checked} lemmas checked in ${result.seconds.toFixed(2)} s, ${result.core} clauses of the formula are needed`;
		} catch (error) {
			this.proofState.className = "error";
			this.proofState.textContent = `${size}; ${error.message}`;
		}
		this.#end();
	}

	async #download(op, name) {
		try {
			const { blob } = await this.#app.call(op);
			this.#app.download(name, blob);
		} catch (error) {
			this.#app.announce(error.message);
			this.details.append(el("p", { class: "error", text: error.message }));
		}
	}

	// #showStatistics shows the counters of the last line of the recording.
	#showStatistics() {
		const end = this.#lines.at(-1);
		const stats = end?.t === "end" ? end.stats?.[0] : null;
		if (!stats) return;
		const rows = Object.entries(stats).filter(([, value]) => value);
		this.details.append(
			el(
				"details", { id: "statistics" },
				el("summary", { text: "Statistics" }),
				el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row", text: name.replaceAll("_", " ") }), el("td", { class: "number", text: typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 3 }) : String(value) })))))),
			),
			el("div", { class: "buttons" }, el("button", { id: "save-recording", type: "button", text: "Download the recording", onclick: () => this.#app.download(`${this.#name}.jsonl`, this.#lines.map((line) => JSON.stringify(line) + "\n").join("")) })),
		);
	}
}
