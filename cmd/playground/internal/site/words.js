// The words of the field, explained where they stand.

import { el } from "./dom.js";

const words = {
	"2-SAT": "Satisfiability of clauses with at most two literals, which is decided in linear time.",
	"backtracks": "It takes assignments back, the last decision first.",
	"CDCL": "Conflict-driven clause learning: search that learns a clause from each conflict.",
	"clause": "Literals of which one at least must be true. In DIMACS it is a line that ends with 0.",
	"conflict": "A clause whose literals are all false.",
	"decides": "A decision assigns a variable without a reason, and opens a level.",
	"DIMACS CNF": "A text: \"p cnf VARIABLES CLAUSES\", then a line of numbers for each clause, with 0 at its end.",
	"DPLL": "Search by Davis, Putnam, Logemann and Loveland: decide, propagate, backtrack.",
	"first UIP": "Unique implication point: the last literal through which all ways from the decision to the conflict lead.",
	"formula": "Clauses that must all be true: conjunctive normal form (CNF).",
	"implication graph": "An arrow from each true literal to the literals that it implies.",
	"level": "The number of decisions so far; level 0 holds in every model.",
	"literal": "A variable, as in 3, or its negation, as in -3.",
	"model": "An assignment that makes every clause true.",
	"proof": "The learned clauses in their order, up to the empty one. Each follows from those before it, which a checker verifies.",
	"pure": "A literal whose complement is in no open clause: it may be true.",
	"ratio": "The number of clauses for each variable.",
	"reason": "The clause that has implied a literal, since its others were false.",
	"resolution": "From two clauses, one with a literal and one with its complement, follows the clause of all their other literals.",
	"unit": "A clause with one unassigned literal, and all others false: that literal must be true.",
	"watches": "Two literals of each clause. Only if one of them becomes false can the clause become unit.",
};

// intro returns the paragraph that begins a page. Words in brackets, as in "a [clause]", have
// their explanation when the pointer or the focus is on them.
export function intro(text) {
	const parts = text.split(/\[([^\]]+)\]/);
	return el("p", { class: "intro" }, ...parts.map((part, i) => (i % 2 === 0 ? part : word(part))));
}

function word(name) {
	return el("span", { class: "word", tabindex: "0" }, name, el("span", { class: "tip", role: "tooltip", text: ` ${words[name]}` }));
}
