// Hidden information: how the planner plays each hand the person could hold, and what the others may hold.

import { h } from "./dom.js";
import { percent } from "./formatting.js";

// Colours that colour-blind people can tell apart; for more actions than colours, shades in their order.
const FEW = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

function colours(count) {
  if (count <= FEW.length) return FEW.slice(0, count);
  const shade = (n) => `hsl(${260 - (200 * n) / (count - 1)} 60% ${34 + (40 * n) / (count - 1)}%)`;
  return Array.from({ length: count }, (_, n) => shade(n));
}

function coloured(element, colour) {
  element.style.background = colour;
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

export function rangesOf({ seat, hands }) {
  const most = Math.max(...hands.map((one) => one.probability), 1e-9);
  const rows = hands.map((one) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${(100 * one.probability) / most}%`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, one.hand),
      h("td", { class: "track" }, bar),
      h("td", {}, percent(one.probability)),
    );
  });
  return h(
    "section",
    { class: "range" },
    h("h3", {}, `What player ${seat} may hold`),
    h("table", { class: "bars" }, h("tbody", {}, rows)),
  );
}
