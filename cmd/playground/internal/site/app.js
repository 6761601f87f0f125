// The frame of the playground: it shows the page that the address names, as in
// #formula?family=php&seed=1, and starts the engine.
//
// A page is a module that exports title and mount(root, app); see App for what it can use.
// mount may return a function that is called before the page is left.

import { Client } from "./client.js";

const pages = {
	formula: () => import("./formula.js"),
	tree: () => import("./tree.js"),
	cdcl: () => import("./cdcl.js"),
	"2sat": () => import("./twosat.js"),
	threshold: () => import("./threshold.js"),
	sudoku: () => import("./sudoku.js"),
};
const first = Object.keys(pages)[0];

const main = document.querySelector("main");
const state = document.querySelector("#engine");
const announcer = document.querySelector("#announcer");

const client = new Client((name, message) => {
	state.dataset.state = name;
	state.textContent = { loading: "engine: loading", ready: "engine: ready", failed: `engine: ${message}` }[name];
	if (name === "ready") performance.mark("engine-ready");
	if (name === "failed") announce(message);
});

// announce says a text to screen readers.
function announce(text) {
	announcer.textContent = "";
	// A region that changes twice at once is read once.
	setTimeout(() => (announcer.textContent = text), 50);
}

// An App is what a page sees of the frame.
class App {
	page;
	params;
	announce = announce;

	constructor(page, params) {
		this.page = page;
		this.params = params;
	}

	// setParams changes parameters of the address; null and "" remove one. The page stays
	// mounted.
	setParams(changes) {
		for (const [name, value] of Object.entries(changes)) {
			if (value === null || value === undefined || value === "") this.params.delete(name);
			else this.params.set(name, value);
		}
		const text = this.params.toString();
		history.replaceState(null, "", `#${this.page}${text ? "?" + text : ""}`);
		address = location.hash;
	}

	// call sends a request to the engine; see Client.call.
	async call(op, args, options) {
		await painted;
		return client.call(op, args, options);
	}

	// download saves a Blob or a text as a file.
	download(name, content) {
		const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain" }));
		const a = document.createElement("a");
		a.href = url;
		a.download = name;
		a.click();
		setTimeout(() => URL.revokeObjectURL(url), 10_000);
	}
}

// The engine starts after the first view is painted.
let paint;
const painted = new Promise((resolve) => (paint = resolve));

let address = null; // of the page that is shown
let leave = null; // what mount returned

async function show() {
	if (location.hash === address) return;
	const [name, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
	const page = name in pages ? name : first;
	const moved = address !== null;
	const shown = (address = location.hash);
	const module = await pages[page]();
	if (shown !== address) return; // the user went on
	leave?.();
	const root = document.createElement("section");
	root.className = `page-${page}`;
	root.setAttribute("aria-labelledby", "title");
	document.title = `${module.title} - Sator playground`;
	for (const a of document.querySelectorAll("nav a")) {
		if (a.hash === `#${page}`) a.setAttribute("aria-current", "page");
		else a.removeAttribute("aria-current");
	}
	const heading = document.createElement("h1");
	heading.id = "title";
	heading.tabIndex = -1;
	heading.textContent = module.title;
	root.append(heading);
	const body = document.createElement("div");
	root.append(body);
	main.replaceChildren(root);
	leave = module.mount(body, new App(page, new URLSearchParams(query))) ?? null;
	if (moved) heading.focus({ preventScroll: true });
	performance.mark("page-shown");
	document.documentElement.dataset.page = page; // for tests
}

addEventListener("hashchange", show);
// The address names the page, so that the link cannot name a place in it.
document.querySelector(".skip").addEventListener("click", (event) => {
	event.preventDefault();
	main.focus();
});
await show();
requestAnimationFrame(() => setTimeout(() => {
	client.start();
	paint();
}));
