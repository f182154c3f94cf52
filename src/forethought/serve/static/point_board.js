// Points in two rows that face each other, as in backgammon: what a game draws so is a board whose cells hold piles.

import { PILE } from "./board_geometry.js";

const GAP = 0.5; // between the rows, in cells

// The item of a drawing that is such a board.
export const pointsOf = (items) => items?.find(({ kind }) => kind === "points") ?? null;

export function boardOfPoints({ rows }) {
  const cells = rows.flatMap((row, n) =>
    row.map(({ name, plain }, x) => ({ x, y: (0.5 - n) * (PILE + GAP), name, plain })),
  );
  return { tiling: "pile", cells, lines: [], moves: [], stacks: false, checkered: false };
}

// The same position with its pieces as boards have them, and what actions do there, by action. `before`: the one shown
// before it, if it is an earlier one: piles that have grown since are fresh.
export function onBoard(position, { rows, moves }, before) {
  const piles = rows.flat();
  const pieces = piles.map(({ owner, count }) => (count > 0 ? owner + 1 : 0));
  const since = before?.ply < position.ply ? before.piles : piles;
  const hasGrown = ({ owner, count }, n) => count > (since[n].owner === owner ? since[n].count : 0);
  const fresh = piles.flatMap((pile, n) => (hasGrown(pile, n) ? [n] : []));
  const doing = Object.fromEntries(moves.map((one) => [one.action, one]));
  return { ...position, pieces, piles, fresh, last: null, moves: doing };
}
