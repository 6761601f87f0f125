// The editor of a formula, which several pages have: a text in DIMACS CNF, a file, or a
// generated formula of a family. The address holds a short text, or the family with its
// parameters and seed. The tab keeps them while it is open (session storage), so that a page
// without a formula in its address begins with the last one.

import { clear, el, field, option } from "./dom.js";

// The longest text that an address holds, in characters.
const longestLink = 2000;

// The most bytes of a file that are shown.
const longestShown = 200_000;

// The longest text that the tab keeps.
const longestKept = 1_000_000;

// The pages that show a formula, by their addresses.
const viewers = { formula: "Formulas", tree: "Search tree", cdcl: "Clause learning", "2sat": "2-SAT" };

// recall returns what keep has stored: {text, family, values}, or {}.
function recall() {
	try {
		return JSON.parse(sessionStorage.getItem("formula") ?? "{}");
	} catch {
		return {}; // the browser keeps nothing
	}
}

function keep(source) {
	try {
		sessionStorage.setItem("formula", JSON.stringify(source));
	} catch {
		// The browser keeps nothing.
	}
}

let tables = null;

// loadTables returns the tables of families, heuristics and presets, which are files of the
// site, so that a page can show them before the engine is loaded.
export function loadTables() {
	tables ??= fetch("tables.json").then((response) => {
		if (!response.ok) throw new Error(`tables.json: ${response.status}`);
		return response.json();
	});
	return tables;
}

// A SourceEditor has the member element. Its options are
//
//   examples  texts by name; the first one is the initial text
//   families  the names of families to choose from, or null for all
//   defaults  values of parameters by family, instead of the usual ones
//   onchange  called when the formula has changed
//
// The member ready is a promise of whether there is a short text, so that a page may begin
// with a result of it.
export class SourceEditor {
	#app;
	#options;
	#source = { kind: "text" }; // or {kind: "file", bytes, name}, {kind: "family"}
	#families = [];
	#inputs = new Map(); // of the parameters of the family, by name
	#pending = null; // AbortController of the text of a generated formula
	#timer = 0;

	constructor(app, options) {
		this.#app = app;
		this.#options = options;
		const examples = Object.keys(options.examples);
		this.text = el("textarea", {
			id: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off",
			"aria-describedby": "text-error text-note", oninput: () => this.#edited(),
		});
		this.error = el("p", { id: "text-error", class: "error", role: "alert" });
		this.note = el("p", { id: "text-note", class: "note" });
		this.file = el("input", { id: "file", type: "file", class: "visually-hidden", tabindex: "-1", "aria-label": "File in DIMACS CNF", onchange: () => this.#open(this.file.files[0]) });
		this.example = el("select", { id: "example", onchange: () => this.#chooseExample() }, option("", "choose an example"), ...examples.map((name) => option(name, name)));
		this.family = el("select", { id: "family", onchange: () => this.#chooseFamily({}) }, option("", "choose a family"));
		this.params = el("div", { id: "params", class: "row" });
		this.about = el("p", { class: "note" });
		this.seed = el("input", { id: "seed", type: "number", min: "0", max: String(Number.MAX_SAFE_INTEGER), step: "1", value: "1", oninput: () => this.#generate() });
		this.seeds = el(
			"div", { class: "row", hidden: true },
			field("Seed", this.seed),
			el("button", { id: "next-seed", type: "button", text: "Next seed", onclick: () => this.#nextSeed() }),
		);
		const left = el(
			"div", { class: "panel" },
			el("label", { class: "field wide" }, el("span", { class: "label", text: "Formula, as statements or in DIMACS CNF: type, paste or drop a file" }), this.text),
			this.error, this.note,
			el("div", { class: "buttons" }, el("button", { id: "open", type: "button", text: "Open a file", onclick: () => this.file.click() }), this.file),
			el("p", { id: "open-in", class: "note" }, "Open in ", ...Object.entries(viewers).filter(([page]) => page !== app.page).flatMap(([page, name], i) => [i ? ", " : "", el("a", { href: `#${page}`, onclick: () => this.#keep(), text: name })])),
		);
		const right = el("div", { class: "panel" }, field("Example", this.example), " ", field("Generated formula", this.family), this.about, this.params, this.seeds);
		this.element = el("div", { class: "columns source" }, left, right);
		this.#acceptDrops(left);
		this.ready = this.#start().then(() => this.#source.kind === "text" && this.text.value.length > 0 && this.text.value.length <= longestLink);
	}

	// args returns the members of a request that name the formula, and its bytes if it is a
	// file.
	args() {
		switch (this.#source.kind) {
			case "file":
				return { args: {}, bytes: this.#source.bytes };
			case "family":
				return { args: this.#familyArgs(), bytes: undefined };
		}
		return { args: { text: this.text.value }, bytes: undefined };
	}

	// name returns a name for downloads, without an extension.
	name() {
		if (this.#source.kind === "file") return this.#source.name.replace(/(\.cnf)?(\.gz)?$/i, "");
		if (this.#source.kind === "family") return `${this.family.value}-${this.seed.value}`;
		return "formula";
	}

	// fail shows an error of a request, and where it is in the text.
	fail(error) {
		this.error.textContent = error.line ? `line ${error.line}, column ${error.column}: ${error.message}` : error.message;
		if (error.line && this.#source.kind === "text") {
			const before = this.text.value.split("\n").slice(0, error.line - 1).join("\n").length + (error.line > 1 ? 1 : 0);
			const end = this.text.value.indexOf("\n", before);
			this.text.focus();
			this.text.setSelectionRange(before, end < 0 ? this.text.value.length : end);
		}
	}

	succeed() {
		this.error.textContent = "";
	}

	// leave ends requests.
	leave() {
		clearTimeout(this.#timer);
		this.#pending?.abort();
	}

	// #start shows the formula of the address, or the first example.
	async #start() {
		const { params } = this.#app;
		const given = params.has("text") || params.has("family");
		const { text, family, values } = given ? { text: params.get("text"), family: params.get("family"), values: Object.fromEntries(params) } : recall();
		const known = !family || !this.#options.families || this.#options.families.includes(family);
		const wanted = known || given ? family : null;
		if (text !== undefined && text !== null && !wanted) this.text.value = text;
		else if (!wanted) [this.example.value, this.text.value] = Object.entries(this.#options.examples)[0];
		try {
			this.#families = (await loadTables()).families;
		} catch (error) {
			this.note.textContent = `The families are missing: ${error.message}`;
			return;
		}
		if (this.#options.families) this.#families = this.#families.filter((f) => this.#options.families.includes(f.name));
		this.family.append(...this.#families.map((f) => option(f.name, `${f.name}: ${f.help}`)));
		if (!wanted) return;
		if (!this.#families.some((f) => f.name === wanted)) {
			this.fail(new Error(`the address names an unknown family, ${wanted}`));
			return;
		}
		this.family.value = wanted;
		if (/^\d+$/.test(values.seed ?? "")) this.seed.value = values.seed;
		this.#chooseFamily(values);
	}

	// #keep stores the formula for the other pages.
	#keep() {
		const whole = this.#source.kind !== "file" || this.#source.bytes.length <= longestShown;
		const text = whole && this.text.value.length <= longestKept ? this.text.value : undefined;
		if (this.#source.kind !== "family") keep({ text });
		else {
			const { family, values, seed } = this.#familyArgs();
			keep({ text, family, values: { ...values, seed: String(seed) } });
		}
	}

	#edited() {
		this.#source = { kind: "text" };
		this.note.textContent = "";
		this.succeed();
		this.example.value = "";
		if (this.family.value) {
			this.family.value = "";
			this.#showFamily({});
		}
		this.#pending?.abort();
		this.#clearLink();
		if (this.text.value.length <= longestLink) this.#app.setParams({ text: this.text.value });
		this.#keep();
		this.#options.onchange?.();
	}

	#clearLink() {
		for (const name of [...this.#app.params.keys()]) this.#app.setParams({ [name]: null });
	}

	#chooseExample() {
		if (!this.example.value) return;
		const name = this.example.value;
		this.text.value = this.#options.examples[name];
		this.#edited();
		this.example.value = name;
	}

	#chooseFamily(values) {
		this.example.value = "";
		this.#showFamily(values);
		if (this.family.value) this.#generate(0);
	}

	// #showFamily makes the inputs of the family's parameters.
	#showFamily(values) {
		const family = this.#families.find((f) => f.name === this.family.value);
		this.#inputs.clear();
		clear(this.params);
		this.seeds.hidden = !family;
		this.about.textContent = family ? `${family.help}.` : "";
		const defaults = Object.keys(values).length === 0 && this.#options.defaults?.[family?.name]; // an address names what differs from the usual ones
		for (const p of family?.params ?? []) {
			const given = values[p.name] ?? defaults?.[p.name];
			const input =
				p.kind === "switch"
					? el("input", { type: "checkbox", id: `param-${p.name}`, checked: Number(given) === 1, title: p.help })
					: el("input", { type: "number", id: `param-${p.name}`, min: p.min, max: p.max, step: p.kind === "int" ? 1 : "any", value: given ?? p.default, title: p.help });
			input.addEventListener("input", () => this.#generate());
			this.#inputs.set(p.name, { input, param: p });
			this.params.append(field(p.name, input));
		}
	}

	#familyArgs() {
		const values = {};
		for (const [name, { input, param }] of this.#inputs) {
			const value = param.kind === "switch" ? Number(input.checked) : Number(input.value);
			if (value !== param.default) values[name] = value;
		}
		return { family: this.family.value, values, seed: Number(this.seed.value) };
	}

	#nextSeed() {
		this.seed.value = String(Number(this.seed.value) + 1);
		this.#generate(0);
	}

	// #generate makes the formula of the family the formula, and shows it.
	#generate(delay = 300) {
		const source = { kind: "family" };
		this.#source = source;
		const args = this.#familyArgs();
		this.#clearLink();
		this.#app.setParams({ family: args.family, seed: String(args.seed), ...args.values });
		this.#pending?.abort();
		this.#pending = new AbortController();
		const { signal } = this.#pending;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#show(args, signal, source), delay);
	}

	async #show(args, signal, source) {
		this.text.value = "";
		this.note.textContent = "generating...";
		try {
			const { result, blob } = await this.#app.call("source.text", args, { signal });
			if (signal.aborted || this.#source !== source) return;
			this.succeed();
			this.text.value = blob ? await blob.text() : result.comments.map((line) => `c ${line}\n`).join("");
			this.#keep();
			this.note.textContent = blob ? "" : `The formula is too large to be shown: ${result.vars} variables, ${result.clauses} clauses.`;
			this.#options.onchange?.();
		} catch (error) {
			if (signal.aborted) return;
			this.note.textContent = "";
			this.fail(error);
		}
	}

	#acceptDrops(zone) {
		const over = (event) => {
			event.preventDefault();
			zone.classList.add("dropping");
		};
		zone.addEventListener("dragenter", over);
		zone.addEventListener("dragover", over);
		zone.addEventListener("dragleave", () => zone.classList.remove("dropping"));
		zone.addEventListener("drop", (event) => {
			event.preventDefault();
			zone.classList.remove("dropping");
			const [file] = event.dataTransfer.files;
			if (file) this.#open(file);
		});
	}

	// #open reads a file, decompressed if its name ends with .gz. A short one becomes the text.
	async #open(file) {
		if (!file) return;
		this.file.value = "";
		this.note.textContent = `reading ${file.name}...`;
		const gzip = /\.gz$/i.test(file.name);
		let bytes;
		try {
			const stream = gzip ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
			bytes = new Uint8Array(await new Response(stream).arrayBuffer());
		} catch (error) {
			this.note.textContent = "";
			this.fail(new Error(`${file.name} cannot be read: ${gzip ? "it is not compressed by gzip, or damaged" : error.message}`));
			return;
		}
		const shown = new TextDecoder().decode(bytes.subarray(0, longestShown));
		this.text.value = shown;
		this.#edited();
		this.#source = { kind: "file", bytes, name: file.name };
		this.#clearLink();
		this.#keep();
		this.note.textContent = `${file.name}, ${bytes.length.toLocaleString("en")} bytes` + (bytes.length > longestShown ? "; the text shows its beginning" : "");
	}
}
