// Charts of a recorded run of the solver, as SVG. The report page draws a finished
// recording with them; sator-lab watch and the playground draw a run while it goes on.
//
//   import { RunCharts } from "./charts.js";
//   const charts = new RunCharts(document.querySelector("#charts"));
//   charts.push(line); // for each line of the recording, as a parsed JSON object
//   charts.end();      // after the last line
//
// The constructor takes an element, which it fills, and options:
//
//   group     a ChartGroup: the charts of its members have the same axes and one cursor,
//             so that runs can be compared
//   pace      least time between two drawings, in milliseconds (250)
//   label     the name of the run, which the charts have in their accessible names
//
// The module has no dependencies. All text is set as text, never as markup, because names
// in a recording are data. Colors are CSS variables (--sc-...), which follow the color
// scheme of the page; each series has a dash pattern, too, so that the charts can be read
// without color. A chart can be focused: the arrow keys move its cursor, and the legend
// shows the values there. Each chart has its figures as a table.
//
// A chart is a row of the table `kinds`: its title, and a function that returns its
// content from the data of a solver.

const css = `
.sc {
  --sc-ink: #1d2329; --sc-soft: #5b6672; --sc-line: #d3d9df; --sc-fill: #ffffff;
  --sc-0: #0b5cad; --sc-1: #b34700; --sc-2: #1c7a3c; --sc-3: #7a3fa8; --sc-4: #8a6d00; --sc-5: #a8234f;
  --sc-shade: #dfe8f3; --sc-hatch: #b9c9dc;
  color: var(--sc-ink); display: grid; gap: 1rem 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
}
@media (prefers-color-scheme: dark) { .sc {
  --sc-ink: #e4e8ec; --sc-soft: #a3adb8; --sc-line: #3a434d; --sc-fill: #14181c;
  --sc-0: #6cb0ff; --sc-1: #ffa35c; --sc-2: #6fd08c; --sc-3: #cfa0ff; --sc-4: #e6c74c; --sc-5: #ff8fb1;
  --sc-shade: #1e2936; --sc-hatch: #34465a;
} }
.sc figure { margin: 0; min-width: 0; }
.sc figure.sc-wide { grid-column: 1 / -1; }
.sc figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .15rem; }
.sc .sc-note { color: var(--sc-soft); font-size: .8rem; font-weight: 400; margin: .1rem 0 0; }
.sc svg.sc-plot { display: block; width: 100%; height: auto; touch-action: pan-y; }
.sc svg.sc-plot:focus-visible { outline: 2px solid var(--sc-0); outline-offset: 2px; }
.sc svg text { fill: var(--sc-soft); font: 11px system-ui, sans-serif; }
.sc svg text.sc-strong { fill: var(--sc-ink); }
.sc svg text.sc-inside { fill: var(--sc-fill); font-weight: 600; }
.sc ul.sc-legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .15rem 0 0; padding: 0; font-size: .8rem; }
.sc ul.sc-legend li { display: flex; align-items: center; gap: .35rem; }
.sc ul.sc-legend .sc-value { color: var(--sc-soft); font-variant-numeric: tabular-nums; }
.sc .sc-choice { grid-column: 1 / -1; font-size: .9rem; }
.sc details { font-size: .8rem; margin-top: .15rem; }
.sc details summary { color: var(--sc-soft); cursor: pointer; }
.sc .sc-scroll { overflow-x: auto; max-height: 20rem; }
.sc table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.sc th, .sc td { text-align: right; padding: .1rem .5rem; border-bottom: 1px solid var(--sc-line); font-weight: 400; white-space: nowrap; }
.sc th { color: var(--sc-soft); }
.sc th:first-child, .sc td:first-child { text-align: left; padding-left: 0; }
.sc .sc-absent { color: var(--sc-soft); font-size: .85rem; margin: .3rem 0; }
`;

// adopt gives the style sheet to a document, once.
const styled = new WeakSet();
function adopt(document) {
  if (styled.has(document)) return;
  styled.add(document);
  const sheet = new document.defaultView.CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

// ---- numbers ----

const spaced = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

// number returns a figure in a few characters, as in 12.3k.
export function number(n) {
  if (!Number.isFinite(n)) return "–";
  const a = Math.abs(n);
  for (const [unit, name] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (a >= unit) return trimmed(n / (name === "k" ? 1e3 : unit)) + name;
  }
  if (a >= 100 || Number.isInteger(n)) return spaced(Math.round(n));
  return trimmed(n);
}

function trimmed(n) {
  const a = Math.abs(n);
  return String(Number(n.toFixed(a >= 100 ? 0 : a >= 10 ? 1 : a >= 1 ? 2 : 3)));
}

// bytes returns an amount of memory.
export function bytes(n) {
  if (!Number.isFinite(n)) return "–";
  for (const [unit, name] of [[2 ** 30, "GB"], [2 ** 20, "MB"], [2 ** 10, "kB"]]) {
    if (n >= unit) return trimmed(n / unit) + " " + name;
  }
  return Math.round(n) + " B";
}

// seconds returns a time.
export function seconds(t) {
  if (!Number.isFinite(t)) return "–";
  if (t >= 6000) return Math.floor(t / 3600) + " h " + Math.round((t % 3600) / 60) + " min";
  if (t > 0 && t < 0.1) return trimmed(t * 1000) + " ms";
  return trimmed(t) + " s";
}

const percent = (x) => (Number.isFinite(x) ? trimmed(100 * x) + " %" : "–");

// steps returns about n round numbers from 0 to at least max.
function steps(max, n) {
  if (!(max > 0)) return [0, 1];
  const raw = max / n, unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * unit).find((s) => s >= raw * 0.999);
  const all = [];
  for (let i = 0; ; i++) {
    all.push(Number((i * step).toPrecision(12)));
    if (all[i] >= max * 0.999) return all;
  }
}

// ---- the data of a solver ----

// mostSamples is the number of samples that are kept. When there are more, every second
// one is dropped, and later ones are taken as rarely. A chart has fewer pixels.
const mostSamples = 1200;

// A Track holds the lines of one solver of a run.
class Track {
  constructor() {
    this.samples = [];
    this.modes = [];      // {time, mode}: where a mode begins
    this.passes = [];
    this.events = [];
    this.reductions = []; // events "reduce"
    this.stride = 1;
    this.seen = 0;
  }

  get last() { return this.samples[this.samples.length - 1]; }

  sample(line) {
    if (!this.modes.length || this.modes[this.modes.length - 1].mode !== line.mode) {
      this.enter(line.time, line.mode);
    }
    // The last sample is always kept, but replaced if it is not one of the stride.
    if (this.extra) this.samples.pop();
    this.extra = this.seen++ % this.stride !== 0;
    this.samples.push(line);
    if (this.samples.length > mostSamples) {
      this.samples = this.samples.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
      this.seen = (this.samples.length - 1) * this.stride + 1;
      this.extra = false;
    }
  }

  enter(time, mode) {
    if (mode) this.modes.push({ time: this.modes.length ? time : 0, mode });
  }

  event(line) {
    if (line.kind === "mode") {
      const before = this.modes[this.modes.length - 1];
      if (!before || before.mode !== line.mode) this.enter(line.time, line.mode);
    } else if (line.kind === "reduce" && line.reduce && line.reduce.kept + line.reduce.deleted > 0) {
      this.reductions.push(line);
      if (this.reductions.length > mostSamples) this.reductions = this.reductions.filter((_, i) => i % 2 === 1);
    } else {
      this.events.push(line);
      if (this.events.length > mostSamples) this.events.shift();
    }
  }

  pass(line) {
    this.passes.push(line);
    // Passes that changed nothing are dropped first.
    if (this.passes.length > 4000) this.passes = this.passes.filter((p, i) => i % 2 === 0 || removed(p) > 0);
    if (this.passes.length > 8000) this.passes = this.passes.slice(4000);
  }
}

// removed returns the variables and clauses that a pass removed, as numbers above 0.
function removed(p) {
  const d = (name) => Math.max(0, ((p.before || {})[name] || 0) - ((p.after || {})[name] || 0));
  return d("vars") + d("irredundant") + d("redundant");
}

// ---- what a chart shows ----

// rates returns the points of the growth of a counter, per second. Samples less than a
// 300th of the run apart are taken together.
function rates(samples, name) {
  if (samples.length < 2) return [];
  const least = (samples[samples.length - 1].time - samples[0].time) / 300;
  const points = [];
  let from = samples[0];
  for (const s of samples.slice(1)) {
    const dt = s.time - from.time;
    if (dt <= 0 || dt < least) continue;
    if (s[name] >= from[name]) points.push([s.time, (s[name] - from[name]) / dt]);
    from = s;
  }
  return points;
}

const points = (samples, get) => {
  const all = [];
  for (const s of samples) {
    const y = get(s);
    if (Number.isFinite(y)) all.push([s.time, y]);
  }
  return all;
};

const field = (name) => (s) => s[name];

// average returns a getter of an average that each mode has of its own.
// Before the first conflict it is 0.
const average = (name, mode) => (s) => (s[mode] && s[mode][name]) || NaN;

// rooted returns a getter of a number of literals as a share of the variables that are not
// removed. Literals of the root are on each trail. A trail may be from a time before variables
// were removed.
const rooted = (name) => (s) => Math.min(1, s[name] / (s.vars + s.fixed));

// lines returns the content of a chart of lines: {name, points, ...}. A series that is
// missing in the recording, or always 0 where that says nothing, is left out.
const lines = (...series) => ({ series: series.filter((s) => s.points.length && !(s.optional && s.points.every((p) => !p[1]))) });

const byMode = (samples, name) => lines(
  { name: "focused mode", points: points(samples, average(name, "focused")), optional: true },
  { name: "stable mode", points: points(samples, average(name, "stable")), optional: true },
);

const kinds = [
  {
    id: "rate", title: "Conflicts per second", format: number, wide: true, note: "It falls where passes simplify the formula: search stands still.",
    content: (t) => lines({ name: "conflicts per second", points: rates(t.samples, "conflicts") }),
  },
  {
    id: "passes", title: "Passes of simplification", lanes: true,
    note: "A bar is a pass, as long as it took. A filled dot: it removed variables or clauses, more the larger it is; an open dot: it removed none.",
    content: (t) => ({ passes: t.passes }),
  },
  {
    id: "glue", title: "Glue of learned clauses, moving average", format: number,
    content: (t) => byMode(t.samples, "glue"),
  },
  {
    id: "size", title: "Literals of learned clauses, moving average", format: number,
    content: (t) => byMode(t.samples, "size"),
  },
  {
    id: "trail", title: "Assigned variables at conflicts", format: percent, note: "Share of the variables. The largest assignments without conflict are kept as target and best phases.",
    content: (t) => lines(
      { name: "focused mode", points: points(t.samples, average("trail", "focused")), optional: true },
      { name: "stable mode", points: points(t.samples, average("trail", "stable")), optional: true },
      { name: "target", points: points(t.samples, rooted("target")), optional: true },
      { name: "best", points: points(t.samples, rooted("best")), optional: true },
    ),
  },
  {
    id: "level", title: "Decision level at conflicts, moving average", format: number,
    content: (t) => byMode(t.samples, "level"),
  },
  {
    id: "clauses", title: "Learned clauses by tier", format: number, stacked: true, note: "Tier 1 has the smallest glue. Reductions keep its clauses while they are used, and delete mostly from tier 3.",
    content: (t) => lines(
      { name: "tier 1", points: points(t.samples, field("tier1")) },
      { name: "tier 2", points: points(t.samples, field("tier2")) },
      { name: "tier 3", points: points(t.samples, field("tier3")) },
    ),
  },
  {
    id: "survival", title: "Survival of learned clauses in reductions", format: percent, note: "A reduction deletes learned clauses that were of little use. The share is of all learned clauses.",
    content: (t) => lines({
      name: "kept", dots: true,
      points: t.reductions.map((e) => [e.time, e.reduce.kept / (e.reduce.kept + e.reduce.deleted)]),
    }),
  },
  {
    id: "formula", title: "What is left of the formula", format: percent, note: "Shares of the first sample.",
    content: (t) => lines(...["vars", "irredundant", "binary"].map((name) => {
      const first = t.samples.length ? t.samples[0][name] : 0;
      return {
        name: { vars: "variables left", irredundant: "irredundant clauses", binary: "binary clauses" }[name],
        points: first > 0 ? points(t.samples, (s) => s[name] / first) : [],
      };
    })),
  },
  {
    id: "memory", title: "Memory over time", format: bytes,
    content: (t) => lines(
      { name: "resident", points: points(t.samples, field("resident")), optional: true },
      { name: "heap", points: points(t.samples, field("heap")), optional: true },
      { name: "clauses (arena)", points: points(t.samples, field("arena")), optional: true },
      { name: "watches", points: points(t.samples, field("watches")), optional: true },
    ),
  },
  {
    id: "phases", title: "Time by activity", flame: true, note: "The width of a box is its share of the time.",
    content: (t, run) => ({ tree: timeTree(t, run) }),
  },
];

// searching lists the activities of the search.
const searching = new Set(["search-focused", "search-stable", "reduce", "collect", "walk", "lucky", "look-ahead"]);

// timeTree returns the time of a run as a tree of {name, seconds, parts}. At the end the
// recording has the time of each phase; until then passes are summed up, and the rest is
// search.
function timeTree(track, run) {
  const total = run.end ? run.end.time : run.now;
  const known = run.end && run.end.phases;
  const passes = new Map();
  for (const p of track.passes) passes.set(p.name, (passes.get(p.name) || 0) + p.seconds);
  if (!(total > 0)) return null;
  const parts = [];
  const simplify = { name: "simplify", parts: [] };
  const search = { name: "search", parts: [] };
  if (known) {
    const single = new Set([...passes.keys()].flatMap((name) => [name, ...name.split("+")]));
    for (const [name, t] of Object.entries(known)) {
      if (!(t > 0)) continue;
      const part = { name: name.replace(/^search-/, ""), seconds: t, parts: [] };
      if (single.has(name)) simplify.parts.push(part);
      else if (searching.has(name)) search.parts.push(part);
      else parts.push(part);
    }
  } else {
    for (const [name, t] of passes) simplify.parts.push({ name, seconds: t, parts: [] });
  }
  const sum = (list) => list.reduce((n, p) => n + p.seconds, 0);
  simplify.seconds = sum(simplify.parts);
  search.seconds = sum(search.parts);
  if (!known) search.seconds = Math.max(0, total - simplify.seconds);
  for (const p of [search, simplify]) if (p.seconds > 0) parts.push(p);
  const order = (list) => list.sort((a, b) => b.seconds - a.seconds);
  order(parts); order(simplify.parts); order(search.parts);
  const rest = total - sum(parts);
  if (known && rest > total / 200) parts.push({ name: "other", seconds: rest, parts: [] });
  return { name: "run", seconds: Math.max(total, sum(parts)), parts };
}

// ---- elements ----

const svgSpace = "http://www.w3.org/2000/svg";

// svg returns an SVG element with attributes and content.
function svg(document, name, attributes = {}, ...content) {
  const e = document.createElementNS(svgSpace, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, typeof v === "number" ? Math.round(v * 100) / 100 : v);
  e.append(...content);
  return e;
}

// html returns an HTML element with attributes and content.
function html(document, name, attributes = {}, ...content) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...content);
  return e;
}

const dashes = ["", "7 3", "2 2", "9 3 2 3", "1 4", "12 4"];
const stroke = (i) => ({ stroke: `var(--sc-${i % 6})`, "stroke-dasharray": dashes[i % 6], "stroke-width": 1.8, fill: "none" });

let patterns = 0; // identifiers of patterns are unique in a page

// hatch returns a pattern of diagonal lines in a color.
function hatch(document, color, background) {
  const id = `sc-hatch-${++patterns}`;
  const p = svg(document, "pattern", { id, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  if (background) p.append(svg(document, "rect", { width: 7, height: 7, fill: background }));
  p.append(svg(document, "line", { x1: 0, y1: 0, x2: 0, y2: 7, stroke: color, "stroke-width": 2 }));
  return { id, pattern: p };
}

// ---- charts ----

/** A ChartGroup gives several RunCharts the same axes and one cursor. */
export class ChartGroup {
  constructor() { this.members = new Set(); this.cursor = null; }

  // redraw draws all members but one again.
  redraw(except) {
    for (const m of this.members) if (m !== except) m.later();
  }

  point(time) {
    this.cursor = time;
    for (const m of this.members) for (const c of m.charts) c.point(time);
  }
}

/** RunCharts draws the lines of one recording. */
export class RunCharts {
  constructor(element, options = {}) {
    this.element = element;
    this.document = element.ownerDocument;
    this.group = options.group || new ChartGroup();
    this.group.members.add(this);
    this.pace = options.pace ?? 250;
    this.label = options.label || "";
    this.tracks = [];
    this.run = { now: 0, end: null, line: null };
    this.solver = 0;
    this.drawn = 0;
    this.timer = 0;
    adopt(this.document);
    element.classList.add("sc");
    this.charts = kinds.map((k) => new Chart(this, k));
    element.replaceChildren(...this.charts.map((c) => c.figure));
    const view = this.document.defaultView;
    if (view.ResizeObserver) {
      let width = 0;
      new view.ResizeObserver(() => {
        if (element.clientWidth !== width) { width = element.clientWidth; this.later(); }
      }).observe(element);
    }
    this.later();
  }

  /** push takes the next line of the recording. Unknown lines are skipped. */
  push(line) {
    if (!line || typeof line !== "object") return;
    const track = () => this.track(line.s || 0);
    switch (line.t) {
      case "run": this.run.line = line; break;
      case "sample": track().sample(line); break;
      case "event": track().event(line); break;
      case "pass": track().pass(line); break;
      case "end":
        this.run.end = line;
        if (!this.chosen && line.winner > 0 && this.tracks[line.winner]) {
          this.solver = line.winner;
          this.choices = 0; // the choice is shown anew
        }
        break;
    }
    if (Number.isFinite(line.time)) this.run.now = Math.max(this.run.now, line.time);
    this.later();
  }

  /** end draws what has not been drawn. */
  end() { this.draw(); this.group.redraw(this); }

  track(i) {
    while (this.tracks.length <= i) this.tracks.push(new Track());
    return this.tracks[i];
  }

  // later draws soon, but not more often than the pace.
  later() {
    if (this.timer) return;
    this.timer = setTimeout(() => this.draw(), Math.max(0, this.drawn + this.pace - Date.now()));
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.drawn = Date.now();
    this.choose();
    for (const c of this.charts) c.update();
    const scale = JSON.stringify(this.charts.map((c) => c.extent()));
    if (this.scale !== scale) { this.scale = scale; this.group.redraw(this); }
  }

  // choose shows the choice of a solver if there are several.
  choose() {
    if (this.tracks.length < 2 || this.choices === this.tracks.length) return;
    this.choices = this.tracks.length;
    const names = (this.run.line && this.run.line.solvers) || [];
    const select = html(this.document, "select");
    this.tracks.forEach((_, i) => {
      const o = html(this.document, "option", { value: i }, names[i] ? `${i + 1}: ${names[i]}` : `${i + 1}`);
      o.selected = i === this.solver;
      select.append(o);
    });
    select.addEventListener("change", () => { this.chosen = true; this.solver = Number(select.value); this.later(); });
    const choice = html(this.document, "label", { class: "sc-choice" }, "Solver ", select);
    if (this.choice) this.choice.replaceWith(choice);
    else this.element.prepend(choice);
    this.choice = choice;
  }
}

const margin = { left: 52, right: 10, top: 8, bottom: 22 };

// A Chart is one figure of RunCharts.
class Chart {
  constructor(owner, kind) {
    this.owner = owner;
    this.kind = kind;
    const d = (this.document = owner.document);
    this.id = `sc-${++patterns}`;
    const caption = html(d, "figcaption", {}, kind.title);
    if (kind.note) caption.append(html(d, "p", { class: "sc-note" }, kind.note));
    this.box = html(d, "div");
    this.legend = html(d, "ul", { class: "sc-legend" });
    this.tableBox = html(d, "div", { class: "sc-scroll", tabindex: 0, role: "region", "aria-label": "Figures: " + kind.title });
    this.table = html(d, "details", {}, html(d, "summary", {}, "Figures"), this.tableBox);
    this.table.addEventListener("toggle", () => this.fillTable());
    this.said = html(d, "p", { class: "sc-note", "aria-live": "polite" });
    this.figure = html(d, "figure", { "data-chart": kind.id }, caption, this.box, this.legend, this.said, this.table);
    if (kind.wide || kind.lanes || kind.flame) this.figure.classList.add("sc-wide");
  }

  // update computes the content again and draws it.
  update() {
    const o = this.owner;
    this.data = this.kind.content(o.tracks[o.solver] || new Track(), o.run);
    this.draw();
    if (this.table.open) this.fillTable();
  }

  // extent returns the largest values of the axes, for the group.
  extent() {
    const d = this.data || {};
    let top = 0;
    for (const s of this.stack()) for (const p of s.points) top = Math.max(top, p[1]);
    return { time: this.owner.run.now, top, lanes: d.passes ? new Set(d.passes.map((p) => p.name)).size : 0 };
  }

  // common returns the largest values of this chart in all runs of the group.
  common() {
    let time = 0, top = 0;
    for (const m of this.owner.group.members) {
      const e = m.charts.find((c) => c.kind === this.kind).extent();
      time = Math.max(time, e.time);
      top = Math.max(top, e.top);
    }
    return { time, top };
  }

  // stack returns the series as they are drawn: of stacked ones, the sums.
  stack() {
    const series = (this.data && this.data.series) || [];
    if (!this.kind.stacked) return series;
    const sums = [];
    series.forEach((s, i) => sums.push({
      ...s, own: s.points,
      points: s.points.map(([x, y], j) => [x, y + (i ? sums[i - 1].points[j]?.[1] ?? 0 : 0)]),
    }));
    return sums;
  }

  get width() { return Math.max(260, Math.round(this.box.clientWidth || 480)); }

  draw() {
    const d = this.data;
    const empty = d.series ? !d.series.length : d.passes ? !d.passes.length : !d.tree;
    this.table.hidden = empty;
    this.legend.hidden = empty || !d.series;
    if (empty) {
      this.plot = null;
      this.box.replaceChildren(html(this.document, "p", { class: "sc-absent" }, this.owner.run.end ? "The recording has no such figures." : "No figures yet."));
      return;
    }
    if (d.series) this.drawLines();
    else if (d.passes) this.drawLanes();
    else this.drawFlame();
  }

  // frame makes the SVG element. A redrawn chart keeps the focus.
  frame(width, height, about) {
    const d = this.document;
    const name = [this.owner.label, this.kind.title, about].filter(Boolean).join(": ");
    const root = svg(d, "svg", { class: "sc-plot", viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: 0, "aria-label": name });
    const focused = this.plot && d.activeElement === this.plot;
    this.plot = root;
    this.box.replaceChildren(root);
    if (focused) root.focus({ preventScroll: true });
    return root;
  }

  // axes draws the axis of time, shades stable mode, and sets the scales.
  axes(root, width, height, top) {
    const d = this.document, common = this.common();
    const time = Math.max(common.time, 1e-3);
    const x0 = margin.left, x1 = width - margin.right, y0 = height - margin.bottom, y1 = margin.top;
    this.x = (t) => x0 + ((x1 - x0) * t) / time;
    this.unx = (px) => (time * (px - x0)) / (x1 - x0);
    this.time = time;
    const shade = hatch(d, "var(--sc-hatch)", "var(--sc-shade)");
    root.append(svg(d, "defs", {}, shade.pattern));
    const modes = (this.owner.tracks[this.owner.solver] || new Track()).modes;
    modes.forEach((m, i) => {
      if (m.mode !== "stable") return;
      const end = i + 1 < modes.length ? modes[i + 1].time : this.owner.run.now;
      const w = this.x(end) - this.x(m.time);
      root.append(svg(d, "rect", { x: this.x(m.time), y: y1, width: Math.max(w, 0.5), height: y0 - y1, fill: `url(#${shade.id})`, opacity: 0.75 }));
    });
    this.stable = modes.some((m) => m.mode === "stable") ? shade : null;
    for (const t of steps(time, width < 420 ? 4 : 7)) {
      if (t > time * 1.001) continue;
      root.append(svg(d, "line", { x1: this.x(t), x2: this.x(t), y1: y0, y2: y0 + 4, stroke: "var(--sc-soft)" }));
      const anchor = t === 0 ? "start" : this.x(t) > x1 - 18 ? "end" : "middle";
      root.append(svg(d, "text", { x: this.x(t), y: y0 + 16, "text-anchor": anchor }, t === 0 ? "0" : seconds(t)));
    }
    if (top !== undefined) {
      const unit = this.kind.format === bytes ? [2 ** 30, 2 ** 20, 2 ** 10].find((u) => u <= top) || 1 : 1;
      const ticks = steps(top / unit, 4).map((v) => v * unit), high = ticks[ticks.length - 1];
      this.y = (v) => y0 - ((y0 - y1) * v) / high;
      for (const v of ticks) {
        root.append(svg(d, "line", { x1: x0, x2: x1, y1: this.y(v), y2: this.y(v), stroke: "var(--sc-line)" }));
        root.append(svg(d, "text", { x: x0 - 6, y: this.y(v) + 4, "text-anchor": "end" }, this.kind.format(v)));
      }
    }
    root.append(svg(d, "line", { x1: x0, x2: x1, y1: y0, y2: y0, stroke: "var(--sc-soft)" }));
    return { x0, x1, y0, y1 };
  }

  drawLines() {
    const d = this.document, width = this.width, height = 190, series = this.stack();
    const root = this.frame(width, height, this.summary(series));
    const { y0, y1 } = this.axes(root, width, height, this.common().top);
    const path = (s) => s.points.map(([x, y], i) => `${i ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join("");
    const swatches = [];
    for (let i = series.length - 1; i >= 0; i--) {
      const s = series[i];
      if (this.kind.stacked && s.points.length > 1) {
        const p = hatch(d, `var(--sc-${i})`, "var(--sc-fill)");
        p.pattern.setAttribute("patternTransform", `rotate(${[0, 45, 90][i % 3]})`);
        root.append(svg(d, "defs", {}, p.pattern));
        const last = s.points[s.points.length - 1];
        root.append(svg(d, "path", { d: `${path(s)}L${this.x(last[0])} ${y0}L${this.x(s.points[0][0])} ${y0}Z`, fill: i ? `url(#${p.id})` : "var(--sc-0)", "fill-opacity": 0.75 }));
        swatches[i] = { fill: i ? `url(#${p.id})` : "var(--sc-0)", "fill-opacity": 0.75 };
      }
      if (s.dots) {
        for (const [x, y] of s.points) root.append(svg(d, "circle", { cx: this.x(x), cy: this.y(y), r: 2.2, fill: `var(--sc-${i})` }));
      }
      if (!s.dots || s.points.length < 400) root.append(svg(d, "path", { d: path(s), ...stroke(i), ...(this.kind.stacked ? { "stroke-dasharray": "" } : {}), "stroke-width": s.dots ? 0.6 : 1.6, "stroke-linejoin": "round" }));
    }
    this.marks(root, y0);
    this.cursorLine = svg(d, "line", { y1, y2: y0, x1: -9, x2: -9, stroke: "var(--sc-ink)", "stroke-width": 1, visibility: "hidden" });
    root.append(this.cursorLine);
    this.listen(root);
    this.fillLegend(series, swatches);
    this.point(this.owner.group.cursor);
  }

  // marks draws a mark on the axis of time where a round of passes begins.
  marks(root, y0) {
    const track = this.owner.tracks[this.owner.solver];
    let round = null, last = -9;
    for (const p of track ? track.passes : []) {
      if (p.round === round) continue;
      round = p.round;
      const x = this.x(Math.max(0, p.time - p.seconds));
      if (x - last < 3) continue;
      last = x;
      root.append(svg(this.document, "path", { d: `M${x.toFixed(1)} ${y0 - 6}l3 6h-6Z`, fill: "var(--sc-soft)" }));
    }
    this.rounds = round !== null;
  }

  summary(series) {
    return series.map((s) => {
      const own = s.own || s.points, ys = own.map((p) => p[1]);
      return `${s.name} from ${this.kind.format(ys[0])} to ${this.kind.format(ys[ys.length - 1])}, at most ${this.kind.format(ys.reduce((a, b) => Math.max(a, b), 0))}`;
    }).join("; ");
  }

  fillLegend(series, swatches) {
    const d = this.document;
    const box = (child) => svg(d, "svg", { width: 26, height: 12, "aria-hidden": "true" }, child);
    this.values = [];
    const items = series.map((s, i) => {
      const value = html(d, "span", { class: "sc-value" });
      this.values.push({ s, value });
      const look = swatches[i]
        ? svg(d, "rect", { width: 26, height: 12, ...swatches[i], stroke: `var(--sc-${i})` })
        : s.dots ? svg(d, "circle", { cx: 13, cy: 6, r: 3, fill: `var(--sc-${i})` })
          : svg(d, "line", { x1: 0, x2: 26, y1: 6, y2: 6, ...stroke(i) });
      return html(d, "li", {}, box(look), s.name, value);
    });
    if (this.stable) items.push(html(d, "li", {}, box(svg(d, "rect", { width: 26, height: 12, fill: `url(#${this.stable.id})` })), "time in stable mode"));
    if (this.rounds) items.push(html(d, "li", {}, box(svg(d, "path", { d: "M13 3l4 7h-8Z", fill: "var(--sc-soft)" })), "round of passes"));
    this.legend.replaceChildren(...items);
  }

  // listen moves the cursor with the pointer and the arrow keys.
  listen(root) {
    const group = this.owner.group;
    const at = (e) => {
      const r = root.getBoundingClientRect();
      return this.unx(((e.clientX - r.left) / r.width) * root.viewBox.baseVal.width);
    };
    root.addEventListener("pointermove", (e) => group.point(Math.min(this.time, Math.max(0, at(e)))));
    root.addEventListener("pointerleave", () => group.point(null));
    root.addEventListener("blur", () => { if (this.plot === root) group.point(null); });
    root.addEventListener("keydown", (e) => {
      const now = group.cursor ?? this.time, step = this.time / 100;
      const to = { ArrowLeft: now - step, ArrowRight: now + step, Home: 0, End: this.time }[e.key];
      if (e.key === "Escape") group.point(null);
      if (to === undefined) return;
      e.preventDefault();
      group.point(Math.min(this.time, Math.max(0, to)));
      this.said.textContent = "at " + seconds(group.cursor) + ": " + this.values.map(({ s, value }) => s.name + value.textContent.replace(":", "")).join(", ");
    });
  }

  // point shows the cursor at a time, or hides it if the time is null.
  point(time) {
    if (!this.plot || !this.cursorLine || !this.values) return;
    this.cursorLine.setAttribute("visibility", time === null ? "hidden" : "visible");
    if (time !== null) {
      this.cursorLine.setAttribute("x1", this.x(time));
      this.cursorLine.setAttribute("x2", this.x(time));
    } else {
      this.said.textContent = "";
    }
    for (const { s, value } of this.values) {
      const own = s.own || s.points;
      const p = time === null ? own[own.length - 1] : nearest(own, time);
      value.textContent = p ? " " + this.kind.format(p[1]) : "";
    }
  }

  drawLanes() {
    const d = this.document, width = this.width, passes = this.data.passes;
    const names = [...new Set(passes.map((p) => p.name))];
    const row = 20, height = margin.top + margin.bottom + row * names.length;
    const root = this.frame(width, height, names.map((n) => {
      const own = passes.filter((p) => p.name === n);
      return `${n} ${own.length} times, ${seconds(own.reduce((t, p) => t + p.seconds, 0))}`;
    }).join("; "));
    margin.left = Math.max(52, 8 + 7 * Math.max(...names.map((n) => n.length)));
    const { x0, x1, y1 } = this.axes(root, width, height);
    margin.left = 52;
    names.forEach((name, i) => {
      const y = y1 + row * i + row / 2;
      root.append(svg(d, "text", { x: x0 - 6, y: y + 4, "text-anchor": "end" }, name));
      root.append(svg(d, "line", { x1: x0, x2: x1, y1: y, y2: y, stroke: "var(--sc-line)" }));
      let last = -9;
      for (const p of passes) {
        if (p.name !== name) continue;
        const from = this.x(Math.max(0, p.time - p.seconds)), to = this.x(p.time), n = removed(p);
        root.append(svg(d, "rect", { x: from, y: y - 4, width: Math.max(0.8, to - from), height: 8, fill: "var(--sc-0)", "fill-opacity": 0.55 }, svg(d, "title", {}, about(p))));
        if (n === 0 && to - last < 4) continue;
        last = to;
        const r = n ? 2.2 + Math.min(5, Math.log10(1 + n)) : 2;
        root.append(svg(d, "circle", { cx: to, cy: y, r, fill: n ? "var(--sc-1)" : "var(--sc-fill)", stroke: "var(--sc-1)", "stroke-width": 1.2, "fill-opacity": n ? 0.8 : 1 }, svg(d, "title", {}, about(p))));
      }
    });
  }

  // drawFlame draws the tree of times in layers, the run on top.
  drawFlame() {
    const d = this.document, width = this.width, row = 26, tree = this.data.tree;
    const depth = (n) => 1 + Math.max(0, ...n.parts.map(depth));
    const height = row * depth(tree) + 4;
    const root = this.frame(width, height, tree.parts.map((p) => `${p.name} ${seconds(p.seconds)}`).join("; "));
    const layer = (n, x, w, level, i) => {
      if (w < 0.7) return;
      const part = `${n.name} ${seconds(n.seconds)} (${percent(n.seconds / tree.seconds)})`;
      const short = [part, `${n.name} ${percent(n.seconds / tree.seconds)}`, n.name].find((text) => text.length * 6.6 + 10 < w);
      const y = 2 + level * row;
      root.append(svg(d, "rect", { x, y, width: Math.max(0.7, w - 1), height: row - 2, rx: 2, fill: `var(--sc-${level === 0 ? 2 : level === 1 ? 0 : 3})`, "fill-opacity": i % 2 ? 0.8 : 1 }, svg(d, "title", {}, part)));
      if (short) root.append(svg(d, "text", { x: x + 6, y: y + 16, class: "sc-inside" }, short));
      let at = x;
      n.parts.forEach((p, j) => {
        const pw = (w * p.seconds) / n.seconds;
        layer(p, at, pw, level + 1, j);
        at += pw;
      });
    };
    layer(tree, 0, width, 0, 0);
  }

  // fillTable writes the figures of the chart as a table, if it is open.
  fillTable() {
    if (!this.table.open || !this.data) return;
    const d = this.document, data = this.data;
    const rowOf = (cell, ...texts) => html(d, "tr", {}, ...texts.map((t) => html(d, cell, cell === "th" ? { scope: "col" } : {}, t)));
    const rows = [];
    if (data.series && data.series.length) {
      rows.push(rowOf("th", "time", ...data.series.map((s) => s.name)));
      const longest = data.series.reduce((a, b) => (b.points.length > a.points.length ? b : a));
      const every = Math.max(1, Math.ceil(longest.points.length / 24));
      longest.points.forEach(([t], i) => {
        if (i % every && i !== longest.points.length - 1) return;
        rows.push(rowOf("td", seconds(t), ...data.series.map((s) => this.kind.format((nearest(s.points, t) || [])[1]))));
      });
    } else if (data.passes) {
      rows.push(rowOf("th", "pass", "round", "ended at", "took", "variables", "irredundant", "redundant"));
      const change = (p, name) => number(((p.after || {})[name] || 0) - ((p.before || {})[name] || 0));
      for (const p of data.passes.slice(-200)) rows.push(rowOf("td", p.name, String(p.round), seconds(p.time), seconds(p.seconds), change(p, "vars"), change(p, "irredundant"), change(p, "redundant")));
    } else if (data.tree) {
      rows.push(rowOf("th", "phase", "time", "share"));
      const walk = (n, level) => {
        rows.push(rowOf("td", "\u00a0".repeat(3 * level) + n.name, seconds(n.seconds), percent(n.seconds / data.tree.seconds)));
        for (const p of n.parts) walk(p, level + 1);
      };
      walk(data.tree, 0);
    }
    this.tableBox.replaceChildren(html(d, "table", {}, ...rows));
  }
}

// nearest returns the point whose time is nearest, by binary search.
function nearest(list, time) {
  let low = 0, high = list.length - 1;
  if (high < 0) return undefined;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][0] < time) low = middle + 1; else high = middle;
  }
  return low > 0 && time - list[low - 1][0] < list[low][0] - time ? list[low - 1] : list[low];
}

// about describes a pass in a line.
function about(p) {
  const parts = [`${p.name}, round ${p.round}, ${seconds(p.seconds)}`];
  for (const [name, word] of [["vars", "variables"], ["irredundant", "irredundant clauses"], ["redundant", "learned clauses"]]) {
    const n = ((p.after || {})[name] || 0) - ((p.before || {})[name] || 0);
    if (n) parts.push(`${n > 0 ? "+" : "−"}${spaced(Math.abs(n))} ${word}`);
  }
  for (const [name, n] of Object.entries(p.did || {})) parts.push(`${name.replaceAll("_", " ")} ${spaced(n)}`);
  return parts.join("; ");
}
