// Tables of numbers that scroll where they are too wide.

import { h } from "./dom.js";

// Scrolls sideways, by the keyboard, too.
export const scrolled = (...children) => h("div", { class: "scroll", tabindex: 0 }, children);

// `names` of the columns, an empty one for a column without a heading; `rows` of cells: text, numbers or elements.
export function table(names, rows) {
  const heading = (name) => (name ? h("th", { scope: "col" }, name) : h("td", {}));
  const body = rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell instanceof Node ? cell : String(cell)))));
  const head = h("thead", {}, h("tr", {}, names.map(heading)));
  return scrolled(h("table", { class: "data" }, head, h("tbody", {}, body)));
}
