// The cells of a board, each with what lies on it: one piece, or on the points of a race a pile of pieces.

import { PILE, UNIT, centre, outline, pileOutline, wedge } from "./board_geometry.js";
import { replace, svg } from "./dom.js";

const OWNERS = ["empty", "first player", "second player"];
const MOST_DRAWN = 5; // pieces of a pile; of more, the number is written on the last

const disc = (x, y) => [
  svg("circle", { cx: x, cy: y, r: UNIT * 0.38 }),
  svg("circle", { class: "ring", cx: x, cy: y, r: UNIT * 0.2 }),
];

// A cell with its parts: `show` draws who has a piece there and returns what to say of it.
export const drawnCell = (board, number) =>
  board.tiling === "pile" ? pileCell(board.cells[number], number) : plainCell(board, number);

function plainCell(board, number) {
  const cell = board.cells[number];
  const path = outline(board.tiling);
  const shade = board.checkered && (Math.round(cell.x) + Math.round(cell.y)) % 2 === 0 ? " dark" : "";
  const piece = svg("g", { class: "piece" }, disc(0, 0));
  const parts = { ground: svg("path", { class: `ground${shade}`, d: path }), piece, outline: path, heat: path };
  const show = (owner) => {
    piece.setAttribute("class", `piece owner${owner}`);
    return [cell.name, OWNERS[owner]];
  };
  return { ...framed(cell, number, parts), show };
}

// A pile grows from the edge of the board towards its middle.
function pileCell(cell, number) {
  const inwards = cell.y > 0 ? 1 : -1; // on the screen y points down
  const edge = -inwards * (PILE / 2) * UNIT;
  const piece = svg("g", { class: "piece" });
  const { x, y } = centre(cell);
  const label = svg("text", { class: "label", x, y: y + edge - inwards * UNIT * 0.42, "text-anchor": "middle" });
  const ground = svg(
    "g",
    {},
    svg("path", { class: `ground${cell.plain ? " dark" : ""}`, d: pileOutline() }),
    !cell.plain && svg("path", { class: `wedge${number % 2 ? " odd" : ""}`, d: wedge(inwards) }),
  );
  const parts = { ground, piece, outline: pileOutline(), heat: cell.plain ? pileOutline() : wedge(inwards) };
  const spot = (n) => edge + inwards * UNIT * (0.42 + 0.8 * n);
  const show = (owner, { count, name }) => {
    const drawn = Math.min(count, MOST_DRAWN);
    piece.setAttribute("class", `piece owner${owner}`);
    const rest = count > drawn && svg("text", { class: "count", x: 0, y: spot(drawn - 1) + 1 }, String(count));
    replace(piece, Array.from({ length: drawn }, (_, n) => disc(0, spot(n))).flat(), rest);
    label.textContent = name;
    return [name, owner > 0 ? `${count} of ${OWNERS[owner]}` : OWNERS[0]];
  };
  return { ...framed(cell, number, parts), label, show };
}

function framed(cell, number, { ground, piece, outline: path, heat: warm }) {
  const { x, y } = centre(cell);
  const heat = svg("path", { class: "heat", d: warm, opacity: 0 });
  const element = svg(
    "g",
    { class: "cell", "data-cell": number, transform: `translate(${x} ${y})`, role: "button", tabindex: -1 },
    ground,
    heat,
    piece,
    svg("circle", { class: "hint", r: UNIT * 0.12 }),
    svg("path", { class: "halo", d: path }),
  );
  return { element, heat, text: svg("text", { class: "share", x, y: y + 1 }) };
}
