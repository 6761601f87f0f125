// Elements, made in one expression.

const svgSpace = "http://www.w3.org/2000/svg";

// el returns an element with attributes and children (elements or strings; null is left
// out). The attribute "text" is the text content; attributes that begin with "on" are
// listeners, as in onclick; true and false add or omit an attribute without value.
export function el(tag, attributes = {}, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

// svg is el for SVG elements.
export function svg(tag, attributes = {}, ...children) {
	return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (name === "text") node.textContent = value;
		else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
		else if (value === true) node.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
	}
	node.append(...children.filter((child) => child !== null && child !== undefined));
	return node;
}

// clear removes all children of a node and returns it.
export function clear(node) {
	node.replaceChildren();
	return node;
}

// field returns a label with its input below. A check box stands before its label.
export function field(label, input) {
	const text = el("span", { class: "label", text: label });
	return input.type === "checkbox" ? el("label", { class: "field check" }, input, text) : el("label", { class: "field" }, text, input);
}

// option returns an option of a select element.
export function option(value, text, selected = false) {
	return el("option", { value, selected, text });
}

// drawing returns an element with a drawing that the engine made as SVG text, and the SVG
// element in it. The drawing has a style sheet of its own, which must not apply to the page,
// so that it is in a shadow root. It has no scripts: the engine escapes all text in it, and
// the page's policy forbids them.
export function drawing(text, label) {
	const image = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
	image.setAttribute("role", "img");
	image.setAttribute("aria-label", label);
	image.querySelector(".page")?.remove(); // the page's own background shows
	const host = el("div", { class: "drawing" });
	host.attachShadow({ mode: "open" }).append(image);
	const scroller = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, host);
	const width = image.width.baseVal.value;
	const size = el("select", { onchange: () => image.style.setProperty("width", size.value) }, option("", "fit"), ...[50, 100, 200].map((percent) => option(`${(width * percent) / 100}px`, `${percent} %`)));
	image.style.cssText = "max-height: none; height: auto; display: block;";
	size.addEventListener("change", () => (image.style.maxWidth = size.value ? "none" : "100%"));
	image.style.maxWidth = "100%";
	return { element: el("div", {}, el("div", { class: "row" }, field("Size of the drawing", size)), scroller), image, scroller };
}

// counted returns a number with a noun, as in "1,000 cells".
export function counted(n, noun) {
	return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
