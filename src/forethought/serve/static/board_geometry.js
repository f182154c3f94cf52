// Where the cells of a board are drawn, and their shapes. In the API y points up, on the screen down.

export const UNIT = 44; // from cell to cell

const HALF = UNIT / 2;
const RADIUS = UNIT / Math.sqrt(3); // of a hexagon whose neighbours are a unit away
const GAP = 1.5; // between cells
const MARGIN = 0.95; // cells of free space around, for labels

export const centre = (cell) => ({ x: cell.x * UNIT, y: -cell.y * UNIT });

// A corner of a pointy-topped hexagon; corner 0 is at the lower right, then clockwise.
function corner(radius, number) {
  const angle = Math.PI / 6 + (Math.PI / 3) * number;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

const spot = (point) => `${point.x.toFixed(2)} ${point.y.toFixed(2)}`;

export const hexagon = (gap = 0) => `M${[0, 1, 2, 3, 4, 5].map((n) => spot(corner(RADIUS - gap, n))).join("L")}Z`;

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

export function viewBox(cells) {
  const xs = cells.map((cell) => cell.x * UNIT);
  const ys = cells.map((cell) => -cell.y * UNIT);
  const left = Math.min(...xs) - MARGIN * UNIT;
  const top = Math.min(...ys) - MARGIN * UNIT * 0.75;
  return [left, top, Math.max(...xs) + MARGIN * UNIT * 0.75 - left, Math.max(...ys) + MARGIN * UNIT - top];
}

// Letters below the lowest cell of each column and numbers left of the first cell of each row, from names like "c4".
export function labels(board) {
  const lowest = new Map();
  const leftmost = new Map();
  for (const cell of board.cells) {
    const [, letter, number] = /^([a-z]+)(\d+)$/.exec(cell.name) ?? [];
    if (!letter) return [];
    if (!lowest.has(letter) || cell.y < lowest.get(letter).y) lowest.set(letter, cell);
    if (!leftmost.has(number) || cell.x < leftmost.get(number).x) leftmost.set(number, cell);
  }
  const lean = board.tiling === "hex" ? 0.38 : 0;
  const below = [...lowest].map(([text, { x, y }]) => ({ text, ...centre({ x: x - lean, y: y - 0.78 }) }));
  return below.concat([...leftmost].map(([text, { x, y }]) => ({ text, ...centre({ x: x - 0.76, y }) })));
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
