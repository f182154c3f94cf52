// Charts: a metric over iterations with its interval, and ratings with whiskers.

import { h, replace, svg } from "./dom.js";
import { measured, percent } from "./formatting.js";

const WIDTH = 400;
const HEIGHT = 190;
const LEFT = 54;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 24;
const TICKS = 4;
const MOST_DOTS = 40; // with more points only the line is drawn
const SHARE = "share"; // the unit of numbers from 0 to 1 that are shown as percentages

// Round numbers between two values, about `wanted` of them.
export function ticks(low, high, wanted = TICKS) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

function scale(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

// The chart of a metric over iterations, as the server describes it: its title, unit, points and perhaps intervals.
export function metricChart({ name, title, unit, points: pairs, low, high }) {
  const points = pairs.map(([x, y], n) => ({ x, y, low: low?.[n], high: high?.[n] }));
  const format = formatOf(unit);
  const reading = h("span", { class: "reading" });
  const newest = points.at(-1);
  const suffix = unit && unit !== SHARE ? `\u00a0${unit}` : "";
  const read = (point) => `${format(point.y)}${suffix}${interval(point, format)}`;
  const rest = read(newest);
  reading.textContent = rest;
  const label = `${title}: ${read(points[0])} at iteration ${points[0].x}, ${rest} at iteration ${newest.x}`;
  const plot = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  const { x, y } = axes(plot, points, format);
  const upper = points.filter((point) => Number.isFinite(point.high));
  if (upper.length > 1) plot.append(svg("path", { class: "band", d: band(upper, x, y) }));
  plot.append(svg("path", { class: "curve", d: `M${points.map((point) => `${x(point.x)} ${y(point.y)}`).join("L")}` }));
  const dot = (point) => svg("circle", { class: "dot", cx: x(point.x), cy: y(point.y), r: 2.4 });
  if (points.length < MOST_DOTS) plot.append(...points.map(dot));
  const cursor = svg("g", { class: "cursor" });
  plot.append(cursor);
  plot.addEventListener("pointermove", (event) => {
    const nearest = nearestTo(points, x, plot, event);
    reading.textContent = `${read(nearest)} at iteration ${nearest.x}`;
    const line = svg("line", { x1: x(nearest.x), x2: x(nearest.x), y1: TOP, y2: HEIGHT - BOTTOM });
    replace(cursor, line, svg("circle", { cx: x(nearest.x), cy: y(nearest.y), r: 4 }));
  });
  plot.addEventListener("pointerleave", () => {
    reading.textContent = rest;
    replace(cursor);
  });
  const caption = h("figcaption", {}, h("strong", {}, title), reading);
  return h("figure", { class: "chart", "data-metric": name, "data-points": points.length }, caption, plot);
}

const formatOf = (unit) => (unit === SHARE ? (share) => percent(share, 1) : measured);

function interval({ low, high }, format) {
  return Number.isFinite(high) ? ` (${format(low)} to ${format(high)})` : "";
}

function axes(plot, points, format) {
  const values = points.flatMap((point) => [point.y, point.low, point.high]).filter(Number.isFinite);
  const [low, high] = extent(values);
  const x = scale(points[0].x, points.at(-1).x, LEFT, WIDTH - RIGHT);
  const y = scale(low, high, HEIGHT - BOTTOM, TOP);
  for (const tick of ticks(low, high)) {
    plot.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }));
    plot.append(svg("text", { class: "tick end", x: LEFT - 6, y: y(tick) + 4 }, format(tick)));
  }
  for (const tick of ticks(points[0].x, points.at(-1).x, 5).filter(Number.isInteger)) {
    plot.append(svg("text", { class: "tick middle", x: x(tick), y: HEIGHT - 6 }, String(tick)));
  }
  return { x, y };
}

// The range of an axis: a little more than its values; from 0 if they come near it and none is negative.
function extent(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = (most - least || Math.abs(most) || 1) * 0.08;
  const nearZero = least >= 0 && least < most / 2;
  return [nearZero ? 0 : least - margin, most + margin];
}

function band(points, x, y) {
  const over = points.map((point) => `${x(point.x)} ${y(point.high)}`);
  const under = points.map((point) => `${x(point.x)} ${y(point.low)}`).reverse();
  return `M${[...over, ...under].join("L")}Z`;
}

function nearestTo(points, x, plot, event) {
  const box = plot.getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * WIDTH;
  return points.reduce((best, point) => (Math.abs(x(point.x) - at) < Math.abs(x(best.x) - at) ? point : best));
}

const place = (element, left, width) => {
  element.style.left = `${100 * left}%`;
  if (width !== undefined) element.style.width = `${100 * width}%`;
  return element;
};

// Ratings: a row for each, a dot with a whisker from low to high. `rows`: [{name, value, low, high}], best first.
export function whiskers(rows, format) {
  const values = rows.flatMap((row) => [row.low, row.high, row.value]);
  const room = (Math.max(...values) - Math.min(...values) || 100) * 0.06;
  const [low, high] = [Math.min(...values) - room, Math.max(...values) + room];
  const at = scale(low, high, 0, 1);
  const marks = ticks(low, high, 5);
  const rules = () => marks.map((mark) => place(h("i", { class: "upright" }), at(mark)));
  const drawn = rows.flatMap((row) => [
    h("span", { class: "who" }, row.name),
    h(
      "div",
      { class: "lane", title: `${format(row.value)} (${format(row.low)} to ${format(row.high)})` },
      rules(),
      place(h("i", { class: "whisker" }), at(row.low), at(row.high) - at(row.low)),
      place(h("i", { class: "estimate" }), at(row.value)),
    ),
  ]);
  const scaleRow = h("div", { class: "lane scale" }, marks.map((mark) => place(h("span", {}, String(mark)), at(mark))));
  return h("div", { class: "whiskers", "aria-hidden": "true" }, drawn, h("span", {}), scaleRow);
}
