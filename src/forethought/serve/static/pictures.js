// A picture of what is on the page, as PNG: what is seen is painted anew as SVG, boards and cards alike.

import { h, svg } from "./dom.js";

// What a copy of a drawing takes from the page's style sheets.
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"],
  ...["stroke-linejoin", "opacity", "visibility", "paint-order", "font-family", "font-size", "font-weight"],
  ...["text-anchor", "dominant-baseline", "transform"],
];
const ENLARGED = 2; // pixels of a picture for each of the page
const MARGIN = 12;

// Paint an element on a ground of this colour.
export async function picture(element, ground) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const box = [left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
  const size = { width: ENLARGED * box[2], height: ENLARGED * box[3] };
  const drawn = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: box.join(" "), ...size }, [...painted(element)]);
  const content = new Blob([new XMLSerializer().serializeToString(drawn)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(content);
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = h("canvas", size);
  const context = canvas.getContext("2d");
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// All that an element shows: its box, its texts, and the drawings in it.
function* painted(element) {
  const place = element.getBoundingClientRect();
  if (place.width <= 1 || element.matches("kbd")) return; // not shown, or a hint for who plays
  if (element instanceof SVGElement) {
    yield placed(styled(element), place);
    return;
  }
  yield boxOf(element, place);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) yield* painted(child);
    else if (child.nodeType === Node.TEXT_NODE) yield* linesOf(child);
  }
}

function placed(drawing, { x, y, width, height }) {
  for (const [name, value] of Object.entries({ x, y, width, height })) drawing.setAttribute(name, value);
  return drawing;
}

// A rectangle as the style sheets fill and frame it; what is striped there has one colour here.
function boxOf(element, { x, y, width, height }) {
  const style = getComputedStyle(element);
  const [stripe] = style.backgroundImage.match(/rgba?\([^)]*\)/) ?? [style.backgroundColor];
  const edge = parseFloat(style.borderLeftWidth) || 0;
  const around = parseFloat(style.borderTopWidth) || 0; // a mark at the left only is no frame
  const frame = around > 0 && { stroke: style.borderTopColor, "stroke-width": around };
  const inset = around / 2;
  const shape = { x: x + inset, y: y + inset, width: width - around, height: height - around, rx: parseFloat(style.borderTopLeftRadius) || 0 };
  const mark = edge > around && svg("rect", { x, y, width: edge, height, fill: style.borderLeftColor });
  return svg("g", { opacity: style.opacity }, svg("rect", { ...shape, fill: stripe, ...frame }), mark);
}

// The lines of a text, as the browser breaks them.
function* linesOf(node) {
  const style = getComputedStyle(node.parentElement);
  const given = { fill: style.color, "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight };
  const range = document.createRange();
  let line = null;
  for (let at = 0; at < node.data.length; at++) {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const { x, y, width, height } = range.getBoundingClientRect();
    if (width === 0) continue;
    if (line && Math.abs(line.y - y) > height / 2) yield written(line, given);
    if (!line || Math.abs(line.y - y) > height / 2) line = { x, y, height, text: "" };
    line.text += node.data[at];
  }
  if (line) yield written(line, given);
}

const written = ({ x, y, height, text }, given) =>
  svg("text", { x, y: y + height / 2, "dominant-baseline": "central", "xml:space": "preserve", ...given }, text);

// A copy that looks the same without the page's style sheets.
function styled(element) {
  const copy = element.cloneNode(false);
  const style = getComputedStyle(element);
  copy.removeAttribute("style");
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value !== "none" || name !== "transform") copy.setAttribute(name, value);
  }
  copy.append(...[...element.childNodes].map((child) => (child.nodeType === 1 ? styled(child) : child.cloneNode())));
  return copy;
}
