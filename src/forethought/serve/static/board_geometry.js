// Where the cells of a board are drawn, and their shapes. In the API y points up, on the screen down.

export const UNIT = 44; // from cell to cell
export const PILE = 4.2; // the height of a pile, in cells

const HALF = UNIT / 2;
const RADIUS = UNIT / Math.sqrt(3); // of a hexagon whose neighbours are a unit away
const GAP = 1.5; // between cells
const EDGE = 0.72; // from the centre of a cell to the edge of the drawing, in cells
const LETTER = 0.4; // room for a label on either side of its middle, in cells
const NUMBER = 0.72; // room for a label before its end

export const centre = (cell) => ({ x: cell.x * UNIT, y: -cell.y * UNIT });

// A corner of a pointy-topped hexagon; corner 0 is at the lower right, then clockwise.
function corner(radius, number) {
  const angle = Math.PI / 6 + (Math.PI / 3) * number;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

const spot = (point) => `${point.x.toFixed(2)} ${point.y.toFixed(2)}`;

export const hexagon = (gap = 0) => `M${[0, 1, 2, 3, 4, 5].map((n) => spot(corner(RADIUS - gap, n))).join("L")}Z`;

// The place of a pile: a column, and in it a triangle that points to the middle of the board.
const rectangle = (right, down) => `M${-right} ${-down}H${right}V${down}H${-right}Z`;

export const pileOutline = () => rectangle(HALF - GAP / 2, (PILE / 2) * UNIT);

export function wedge(inwards) {
  const [side, edge] = [HALF - GAP, -inwards * (PILE / 2) * UNIT];
  return `M${-side} ${edge}L0 ${-0.9 * edge}L${side} ${edge}Z`;
}

export function outline(tiling) {
  if (tiling === "hex") return hexagon(GAP);
  const half = tiling === "point" ? HALF : HALF - GAP / 2;
  const round = tiling === "point" ? half : 4;
  const side = 2 * (half - round);
  const bend = (x, y) => `a${round} ${round} 0 0 1 ${x} ${y}`;
  const right = `h${side}${bend(round, round)}v${side}${bend(-round, round)}`;
  const left = `h${-side}${bend(-round, -round)}v${-side}${bend(round, -round)}`;
  return `M${round - half} ${-half}${right}${left}Z`;
}

// The rectangle [left, top, width, height] that holds all cells and labels.
export function viewBox({ cells, tiling }, written) {
  const [aside, above] = tiling === "pile" ? [0.55, PILE / 2 + 0.85] : [EDGE, EDGE];
  const around = ({ x, y }, room, before = room, high = room) => [
    { x: x - before * UNIT, y: y - high * UNIT },
    { x: x + room * UNIT, y: y + high * UNIT },
  ];
  const corners = [
    ...cells.flatMap((cell) => around(centre(cell), aside, aside, above)),
    ...written.flatMap((label) => around(label, LETTER, label.anchor === "end" ? NUMBER : LETTER)),
  ];
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

// Numbers left of the first cell of each row, from names like "c4", and letters below the lowest cell of each column;
// where columns lean, above the highest, since left of the lowest may be the number of its row.
export function labels(board) {
  const leaning = board.tiling === "hex";
  const isFurther = (cell, other) => (leaning ? cell.y > other.y : cell.y < other.y);
  const ends = new Map();
  const leftmost = new Map();
  for (const cell of board.cells) {
    const [, letter, number] = /^([a-z]+)(\d+)$/.exec(cell.name) ?? [];
    if (!letter) return [];
    if (!ends.has(letter) || isFurther(cell, ends.get(letter))) ends.set(letter, cell);
    if (!leftmost.has(number) || cell.x < leftmost.get(number).x) leftmost.set(number, cell);
  }
  const [right, up, left] = leaning ? [0.54, 0.94, 0.9] : [0, -0.78, 0.58];
  const letter = ([text, { x, y }]) => ({ text, anchor: "middle", ...centre({ x: x + right, y: y + up }) });
  const number = ([text, { x, y }]) => ({ text, anchor: "end", ...centre({ x: x - left, y }) });
  return [...[...ends].map(letter), ...[...leftmost].map(number)];
}

// The nearest cell in a direction (steps to the right and down), preferring those straight ahead; null at the edge.
export function neighbour(cells, from, right, down) {
  let best = null;
  let least = Infinity;
  const here = centre(cells[from]);
  cells.forEach((cell, number) => {
    const there = centre(cell);
    const ahead = (there.x - here.x) * right + (there.y - here.y) * down;
    const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * right);
    const far = ahead + 2 * aside;
    if (ahead > 1 && far < least) [best, least] = [number, far];
  });
  return best;
}

// The sides of a rhombus of hexagons as [path, player]: in Hex player 0 joins left and right, player 1 bottom and top.
export function rhombusSides(cells) {
  const places = cells.map((cell) => {
    const row = Math.round(cell.y / (Math.sqrt(3) / 2));
    return { cell, row, column: Math.round(cell.x - row / 2) };
  });
  const rows = Math.max(...places.map((place) => place.row));
  const columns = Math.max(...places.map((place) => place.column));
  const along = (cell, ...corners) => {
    const middle = centre(cell);
    return corners.map((n) => corner(RADIUS, n)).map(({ x, y }) => spot({ x: middle.x + x, y: middle.y + y }));
  };
  const path = (chosen, ...corners) => `M${chosen.flatMap(({ cell }) => along(cell, ...corners)).join("L")}`;
  const column = (wanted) => places.filter((place) => place.column === wanted);
  const row = (wanted) => places.filter((place) => place.row === wanted);
  return [
    [path(row(0), 2, 1, 0), 1],
    [path(row(rows), 3, 4, 5), 1],
    [path(column(0), 2, 3), 0],
    [path(column(columns), 0, 5), 0],
  ];
}
