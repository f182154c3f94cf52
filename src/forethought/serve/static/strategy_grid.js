// Hidden information: how the planner plays each hand the person could hold, and what the others may hold.

import { h, words } from "./dom.js";
import { percent } from "./formatting.js";

const DARK = "#111111";
const LIGHT = "#ffffff";
const MOST_HANDS = 12; // of another player, the likeliest

// Colours that colour-blind people can tell apart, each with that of a text on it; for more actions than colours,
// shades in their order.
const FEW = [
  ["#0072b2", LIGHT],
  ["#e69f00", DARK],
  ["#009e73", DARK],
  ["#cc79a7", DARK],
  ["#56b4e9", DARK],
  ["#d55e00", DARK],
];

function colours(count) {
  if (count <= FEW.length) return FEW.slice(0, count);
  const shade = (n) => {
    const far = n / (count - 1);
    return [`hsl(${260 - 200 * far} 60% ${28 + 46 * far}%)`, far < 0.3 ? LIGHT : DARK];
  };
  return Array.from({ length: count }, (_, n) => shade(n));
}

function coloured(element, [ground, text]) {
  Object.assign(element.style, { background: ground, color: text });
  return element;
}

export function strategyGrid({ actions, rows }) {
  const paint = colours(actions.length);
  const legend = actions.map((name, n) => h("li", {}, coloured(h("i", {}), paint[n]), name));
  const body = rows.map(
    (row) => h(
      "tr",
      { class: row.own ? "own" : "" },
      h("th", { scope: "row" }, row.hand),
      h("td", {}, mix(row, actions, paint)),
    ),
  );
  return h(
    "section",
    { class: "grid" },
    h("h3", {}, "Strategy by hand"),
    h("p", { class: "muted" }, "How the planner plays each hand you could hold; yours is framed."),
    h("ul", { class: "legend" }, legend),
    h("table", {}, h("tbody", {}, body)),
  );
}

function mix(row, actions, paint) {
  const said = actions.map((name, n) => `${name} ${percent(row.probabilities[n])}`).join(", ");
  const parts = row.probabilities.map((probability, n) => {
    const part = coloured(h("span", {}, probability >= 0.18 ? percent(probability) : ""), paint[n]);
    part.style.flexGrow = probability;
    return part;
  });
  return h("div", { class: "mix", role: "img", "aria-label": said, title: said }, parts);
}

export function rangesOf({ seat, hands }, names) {
  const likeliest = [...hands].sort((a, b) => b.probability - a.probability).slice(0, MOST_HANDS);
  const most = Math.max(likeliest[0].probability, 1e-9);
  const rest = hands.length - likeliest.length;
  const rows = likeliest.map((one) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${(100 * one.probability) / most}%`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, words(one.hand)),
      h("td", { class: "track" }, bar),
      h("td", {}, percent(one.probability, one.probability < 0.1 ? 1 : 0)),
    );
  });
  return h(
    "section",
    { class: "range" },
    h("h3", {}, `What ${names[seat]} may hold`),
    h("table", { class: "bars" }, h("tbody", {}, rows)),
    rest > 0 && h("p", { class: "muted" }, `and ${rest} less likely hands`),
  );
}
