// What charts share: round numbers beside axes and scales; and ratings with whiskers.

import { h } from "./dom.js";

const TICKS = 4;

// Round numbers between two values, about `wanted` of them.
export function ticks(low, high, wanted = TICKS) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

export function scale(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

const place = (element, left, width) => {
  element.style.left = `${100 * left}%`;
  if (width !== undefined) element.style.width = `${100 * width}%`;
  return element;
};

const written = ({ value, low, high }, format) =>
  low < high ? `${format(value)} (${format(low)} to ${format(high)})` : format(value);

// Ratings: a row for each, a dot with a whisker from low to high. `rows`: [{name, value, low, high}], best first.
export function whiskers(rows, format) {
  const values = rows.flatMap((row) => [row.low, row.high, row.value]);
  const room = (Math.max(...values) - Math.min(...values) || 100) * 0.06;
  const [low, high] = [Math.min(...values) - room, Math.max(...values) + room];
  const at = scale(low, high, 0, 1);
  const marks = ticks(low, high, 5);
  const rules = () => marks.map((mark) => place(h("i", { class: "upright" }), at(mark)));
  const drawn = rows.flatMap((row) => [
    h("span", { class: "who" }, row.name, h("small", {}, written(row, format))),
    h(
      "div",
      { class: "lane", "aria-hidden": "true" },
      rules(),
      place(h("i", { class: "whisker" }), at(row.low), at(row.high) - at(row.low)),
      place(h("i", { class: "estimate" }), at(row.value)),
    ),
  ]);
  const scaleRow = h("div", { class: "lane scale", "aria-hidden": "true" }, marks.map((mark) => place(h("span", {}, String(mark)), at(mark))));
  return h("div", { class: "whiskers" }, drawn, h("span", {}), scaleRow);
}
