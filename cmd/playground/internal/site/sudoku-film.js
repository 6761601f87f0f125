// The panel for the search as an animation.

import { clear, counted, el, field, option } from "./dom.js";
import { Player } from "./sudoku-player.js";
import { panel } from "./sudoku-text.js";

export function filmPanel(page) {
	const heuristic = el("select", { id: "heuristic", onchange: () => help() });
	const about = el("p", { id: "heuristic-help", class: "note" });
	const encoding = el("select", { id: "film-encoding" });
	const pure = el("select", { id: "pure" });
	const stage = el("div", { id: "stage" });
	let player = null;
	let table = [];

	function help() {
		about.textContent = table.find(({ name }) => name === heuristic.value)?.help ?? "";
	}

	async function record() {
		const done = await page.run("Search", "sudoku.animate", { grid: page.state.grid(), heuristic: heuristic.value, encoding: encoding.value, pure: pure.value });
		if (!done) return;
		const film = done.result;
		player = new Player(film, page.state.puzzle, () => page.refresh(), () => page.show(null));
		page.show({ whole: true, describe: (cell) => player.describe(cell), close });
		clear(stage).append(el("p", { class: "note", text: `${film.status}; ${counted(film.events, "event")} in ${counted(film.frames.length, "frame")}${film.truncated ? ", cut off there" : ""}; ${film.caption}` }), player.node);
		page.status(`${counted(film.frames.length, "frame")}; the grid shows the first one.`);
	}

	function close() {
		player?.pause();
		player = null;
		clear(stage);
	}

	const node = panel(
		"panel-film",
		"Search as an animation",
		false,
		el("div", { class: "row" }, field("Heuristic", heuristic), field("Encoding", encoding), field("Pure literals", pure)),
		about,
		el("div", { class: "buttons" }, el("button", { id: "animate", type: "button", class: "primary", text: "Record the search", onclick: record })),
		stage,
	);
	return {
		node,
		leave: close,
		menus(menus) {
			table = menus.heuristics;
			heuristic.replaceChildren(...table.map(({ name }) => option(name, name, name === "mom")));
			encoding.replaceChildren(...menus.encodings.map(({ name }) => option(name, name, name === "extended")));
			pure.replaceChildren(...menus.pure.map((name) => option(name, name, name === "off")));
			help();
		},
	};
}
