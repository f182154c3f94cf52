// A small picture for each game in the list: dots on a board, cards or dice.

import { svg } from "./dom.js";

// Rows from the top: 1 and 2 are the players' pieces, dots empty cells, spaces no cells.
const BOARDS = {
  tic_tac_toe: ["1.2", ".1.", "2.1"],
  connect_four: ["....", "..2.", ".21.", "1121"],
  othello: ["....", ".12.", ".21.", "...."],
  breakthrough: ["2222", "....", "..1.", "11.1"],
  knightthrough: ["22.2", ".2..", "...1", "111."],
  hex: ["..2.", ".11.", "12..", "...."],
  gomoku: ["2..1", ".21.", ".12.", "1..."],
  yavalath: [" 1. ", ".21.", ".12.", " .. "],
  teeko: ["1..2", ".11.", "2.1.", "..22"],
  fanorona: ["222.2", "22.12", "11.21", "111.1"],
  go: [".21.", "2.21", ".21.", "..1."],
};
const LEANING = new Set(["hex"]);

const CARDS = { kuhn: ["J", "Q", "K"], leduc: ["K", "K"], generic_poker: ["T", "K"], goofspiel: ["1", "7", "12"] };

export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 48 48", "aria-hidden": "true" }, picture(name));
}

function picture(name) {
  if (name === "liars_dice" || name === "backgammon") return dice();
  if (Object.hasOwn(BOARDS, name)) return dots(BOARDS[name], LEANING.has(name));
  return cards(Object.hasOwn(CARDS, name) ? CARDS[name] : ["?"]);
}

function dots(rows, leaning) {
  const step = 42 / (rows[0].length + (leaning ? 1.2 : 0));
  const low = (48 - step * rows.length) / 2;
  return rows.flatMap((row, y) =>
    [...row].map((mark, x) => {
      if (mark === " ") return null;
      const cx = 3 + step * (x + 0.5 + (leaning ? 0.4 * (rows.length - 1 - y) : 0));
      const owner = mark === "." ? "spot" : `owner${mark}`;
      return svg("circle", { class: owner, cx, cy: low + step * (y + 0.5), r: step * (mark === "." ? 0.14 : 0.38) });
    }),
  );
}

function cards(ranks) {
  return ranks.map((rank, n) => {
    const x = 24 - 10 - (ranks.length - 1) * 4 + n * 8;
    return svg(
      "g",
      { transform: `rotate(${(n - (ranks.length - 1) / 2) * 12} 24 44)` },
      svg("rect", { class: "leaf", x, y: 9, width: 20, height: 29, rx: 3 }),
      svg("text", { class: "pip", x: x + 6.5, y: 20 }, rank),
    );
  });
}

function dice() {
  const die = (x, y, turn, pips) =>
    svg(
      "g",
      { transform: `translate(${x} ${y}) rotate(${turn})` },
      svg("rect", { class: "leaf", x: -9.5, y: -9.5, width: 19, height: 19, rx: 4 }),
      pips.map(([cx, cy]) => svg("circle", { class: "owner1", cx: cx * 5, cy: cy * 5, r: 1.9 })),
    );
  return [die(16, 28, -10, [[-1, -1], [1, 1], [1, -1], [-1, 1]]), die(33, 19, 14, [[-1, -1], [0, 0], [1, 1]])];
}
