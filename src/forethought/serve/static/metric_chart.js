// The chart of a metric, of one run or of several: over iterations or time, on a linear or logarithmic scale, smoothed.

import { scale, ticks } from "./charts.js";
import { h, replace, svg } from "./dom.js";
import { duration, measured, percent } from "./formatting.js";

const WIDTH = 400;
const HEIGHT = 190;
const LEFT = 54;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 24;
const MOST_DOTS = 40; // with more points only the line is drawn
const SHARE = "share"; // the unit of numbers from 0 to 1 that are shown as percentages

// `runs`: [{name, metric}], as the server describes the metric of each. `view`: {axis: "iteration" or "time",
// logarithmic, smoothing: from 0 to 1, the weight of the past}.
export function metricChart(runs, view) {
  const [{ metric: { name, title, unit } }] = runs;
  const lines = runs.map((run, place) => lineOf(run, place, view)).filter((line) => line.points.length);
  const format = unit === SHARE ? (share) => percent(share, 1) : measured;
  const suffix = unit && unit !== SHARE ? `\u00a0${unit}` : "";
  const read = (point) => `${format(point.raw)}${suffix}${interval(point, format)}`;
  const reading = h("span", { class: "reading" });
  const plot = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label(title, lines, read, view) });
  const rest = lines.length === 1 ? read(lines[0].points.at(-1)) : lines.length ? legend(lines) : "no value above 0";
  replace(reading, rest);
  if (lines.length) draw(plot, lines, view, format, (line, point) => {
    const who = lines.length > 1 ? `${line.name}: ` : "";
    replace(reading, point ? `${who}${read(point)} at ${placeName(point.x, view)}` : rest);
  });
  const caption = h("figcaption", {}, h("strong", {}, title), reading);
  const points = runs[0].metric.points.length;
  return h("figure", { class: "chart", "data-metric": name, "data-points": points, "data-runs": lines.length }, caption, plot);
}

function lineOf({ name, metric }, place, { axis, logarithmic, smoothing }) {
  const points = metric.points
    .map(([iteration, raw], n) => ({
      x: axis === "time" ? metric.seconds[n] : iteration,
      raw,
      low: metric.low?.[n],
      high: metric.high?.[n],
    }))
    .filter(({ raw }) => !logarithmic || raw > 0);
  return { name, place, points: smoothed(points, smoothing) };
}

// Exponential moving average without the bias of its beginning.
function smoothed(points, weight) {
  let [sum, total] = [0, 0];
  return points.map((point) => {
    sum = weight * sum + (1 - weight) * point.raw;
    total = weight * total + (1 - weight);
    return { ...point, y: sum / total };
  });
}

function draw(plot, lines, view, format, tell) {
  const { x, y } = axes(plot, lines, view, format);
  const path = (points, value) => `M${points.map((point) => `${x(point.x)} ${y(value(point))}`).join("L")}`;
  for (const { place, points } of lines) {
    const upper = points.filter((point) => Number.isFinite(point.high) && (!view.logarithmic || point.low > 0));
    const group = svg("g", { class: `run${place % 5}` });
    if (upper.length > 1) group.append(svg("path", { class: "band", d: band(upper, x, y) }));
    if (view.smoothing > 0) group.append(svg("path", { class: "curve faint", d: path(points, ({ raw }) => raw) }));
    group.append(svg("path", { class: "curve", d: path(points, (point) => point.y) }));
    const dot = (point) => svg("circle", { class: "dot", cx: x(point.x), cy: y(point.y), r: 2.4 });
    if (points.length < MOST_DOTS) group.append(...points.map(dot));
    plot.append(group);
  }
  const cursor = svg("g", { class: "cursor" });
  plot.append(cursor);
  plot.addEventListener("pointermove", (event) => {
    const { line, point } = nearest(lines, x, y, plot, event);
    tell(line, point);
    const rule = svg("line", { x1: x(point.x), x2: x(point.x), y1: TOP, y2: HEIGHT - BOTTOM });
    replace(cursor, rule, svg("circle", { class: `run${line.place % 5}`, cx: x(point.x), cy: y(point.y), r: 4 }));
  });
  plot.addEventListener("pointerleave", () => {
    tell(null, null);
    replace(cursor);
  });
}

function axes(plot, lines, { axis, logarithmic }, format) {
  const all = lines.flatMap(({ points }) => points);
  const values = all.flatMap((point) => [point.raw, point.low, point.high])
    .filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  const places = all.map((point) => point.x);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const x = scale(first, last, LEFT, WIDTH - RIGHT);
  const { y, marks } = upright(values, logarithmic);
  for (const mark of marks) {
    plot.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(mark), y2: y(mark) }));
    plot.append(svg("text", { class: "tick end", x: LEFT - 6, y: y(mark) + 4 }, format(mark)));
  }
  const shown = axis === "time" ? duration : String;
  for (const mark of ticks(first, last, axis === "time" ? 3 : 5).filter((tick) => axis === "time" || Number.isInteger(tick))) {
    plot.append(svg("text", { class: "tick middle", x: x(mark), y: HEIGHT - 6 }, shown(mark)));
  }
  return { x, y };
}

// The scale of the values, and the values beside it: round ones, or powers of ten.
function upright(values, logarithmic) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!logarithmic) {
    const [low, high] = extent(least, most);
    return { y: scale(low, high, HEIGHT - BOTTOM, TOP), marks: ticks(low, high) };
  }
  const [low, high] = [Math.log10(least) - 0.04, Math.log10(most) + 0.04];
  const powers = ticks(Math.floor(low), Math.ceil(high)).filter(Number.isInteger).map((power) => 10 ** power);
  const inside = powers.filter((power) => Math.log10(power) >= low && Math.log10(power) <= high);
  const at = scale(low, high, HEIGHT - BOTTOM, TOP);
  return { y: (value) => at(Math.log10(value)), marks: inside.length > 1 ? inside : [least, most].map(rounded) };
}

const rounded = (value) => Number(value.toPrecision(2));

// The range of an axis: a little more than its values; from 0 if they come near it and none is negative.
function extent(least, most) {
  const margin = (most - least || Math.abs(most) || 1) * 0.08;
  const nearZero = least >= 0 && least < most / 2;
  return [nearZero ? 0 : least - margin, most + margin];
}

function band(points, x, y) {
  const over = points.map((point) => `${x(point.x)} ${y(point.high)}`);
  const under = points.map((point) => `${x(point.x)} ${y(point.low)}`).reverse();
  return `M${[...over, ...under].join("L")}Z`;
}

function nearest(lines, x, y, plot, event) {
  const box = plot.getBoundingClientRect();
  const [left, top] = [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
  const far = ({ point }) => Math.abs(x(point.x) - left) + Math.abs(y(point.y) - top) / 10;
  const all = lines.flatMap((line) => line.points.map((point) => ({ line, point })));
  return all.reduce((best, one) => (far(one) < far(best) ? one : best));
}

const placeName = (place, { axis }) => (axis === "time" ? duration(place) : `iteration ${place}`);

const legend = (lines) => lines.map(({ name, place }) => h("span", { class: `key run${place % 5}` }, name));

function label(title, lines, read, view) {
  const described = lines.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    const who = lines.length > 1 ? `${name}, ` : "";
    return `${who}${read(first)} at ${placeName(first.x, view)}, ${read(last)} at ${placeName(last.x, view)}`;
  });
  return `${title}: ${described.join("; ")}`;
}

function interval({ low, high }, format) {
  return Number.isFinite(high) ? ` (${format(low)} to ${format(high)})` : "";
}
