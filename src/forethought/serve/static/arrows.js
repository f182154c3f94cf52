// Arrows on boards: from a spot to another, the stronger the wider.

import { UNIT } from "./board_geometry.js";
import { svg } from "./dom.js";

export function arrow(a, b, strength, kind) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [right, down] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const tip = { x: b.x - right * UNIT * 0.12, y: b.y - down * UNIT * 0.12 };
  const width = 3 + 6 * strength;
  const x = (far, side) => tip.x - width * (right * far + down * side);
  const y = (far, side) => tip.y - width * (down * far - right * side);
  const behind = (far, side) => `${x(far, side)} ${y(far, side)}`; // the tip, in widths of the arrow
  return svg(
    "g",
    { class: kind, opacity: 0.3 + 0.6 * strength },
    svg("path", { class: "shaft", d: `M${a.x} ${a.y}L${behind(1.5, 0)}`, "stroke-width": width * 0.7 }),
    svg("path", { class: "head", d: `M${tip.x} ${tip.y}L${behind(2, 1)}L${behind(2, -1)}Z` }),
  );
}
