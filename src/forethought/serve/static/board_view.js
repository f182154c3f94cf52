// A board as SVG: squares, hexagons or crossings, with pieces, legal moves, the last move and a heat map of thoughts.

import { arrow } from "./arrows.js";
import { drawnCell } from "./board_cells.js";
import { Choices, landingOf, moveOf, restOf } from "./move_choices.js";
import { isTyping, replace, svg } from "./dom.js";
import { UNIT, centre, hexagon, labels, neighbour, outline, rhombusSides, viewBox } from "./board_geometry.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MOST_ARROWS = 5; // moves of a search that are drawn
const MOST_EXPECTED = 4; // moves of a line that are drawn as arrows
const FAINT = 0.1; // shares below this part of the largest are not drawn
const EXPECTED = "expected"; // stands where a move of a line would put a piece
const PLENTY = 30; // if more cells can be played, hints are small

export class BoardDrawing {
  // `play` is called with the legal actions that a click may mean: usually one.
  constructor(board, game, play) {
    this.board = board;
    this.play = play;
    this.selected = null;
    this.focused = 0;
    this.choices = new Choices(board, null, []);
    this.cells = board.cells.map((_, number) => drawnCell(board, number));
    this.shares = svg("g", { class: "shares", "aria-hidden": "true" }, this.cells.map(({ text }) => text));
    this.decisive = svg("g", { class: "marks" });
    this.marks = svg("g", { class: "marks" });
    this.arrows = svg("g", { class: "arrows" });
    this.line = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.element = this.#drawing(game);
  }

  // Show a position; with legal actions, it can be clicked.
  show(position, legal = []) {
    this.pieces = position.pieces ?? [];
    this.piles = position.piles ?? [];
    if (position.moves) this.board.moves = position.moves; // what actions do may depend on the position: on the dice
    this.choices = new Choices(this.board, this.pieces, legal);
    this.selected = this.choices.onlyOrigin;
    this.#markLast(position.last);
    this.#toggle("fresh", position.fresh ?? []);
    this.#update();
  }

  // Frame the cells that decide the game, above all cells: a frame in its cell would lie under the next one.
  mark(cells) {
    const frame = (number) => {
      const { x, y } = centre(this.board.cells[number]);
      return svg("path", { class: "decisive", d: outline(this.board.tiling), transform: `translate(${x} ${y})` });
    };
    replace(this.decisive, cells.map(frame));
  }

  #toggle(kind, cells) {
    const chosen = new Set(cells);
    this.cells.forEach(({ element }, number) => element.classList.toggle(kind, chosen.has(number)));
  }

  // Colour the cells (or draw arrows, where pieces move) by the shares of a search's actions, 0 to 1; [] clears.
  // `line`: the moves that the search expects, which are numbered.
  heat(shares, line = []) {
    const strongest = Math.max(...shares.map(({ share }) => share), 0);
    const seen = shares.filter(({ share }) => share > FAINT * strongest);
    const warm = new Map();
    for (const { action, share } of seen) {
      const { origin, target } = moveOf(this.board, action);
      if (origin < 0 && target >= 0) warm.set(this.#resting(target), share);
    }
    this.cells.forEach((cell, number) => warmed(cell, warm.get(number) ?? 0, strongest));
    const moving = seen.filter(({ action }) => {
      const { origin, target } = moveOf(this.board, action);
      return origin >= 0 && target >= 0;
    });
    this.#expect(line);
    const top = moving.sort((a, b) => b.share - a.share).slice(0, MOST_ARROWS);
    replace(this.arrows, top.map(({ action, share }) => this.#arrow(this.board.moves[action], share / strongest)));
  }

  // Number the moves of a line after the first, which the heat shows; a cell has the number of the first that goes there.
  #expect(line) {
    const pieces = [...this.pieces];
    const steps = line.map(({ action, player }, n) => ({ ...moveOf(this.board, action), player, number: n + 1 }));
    const spots = steps.map(({ origin, target, player, number }) => {
      if (target < 0) return [];
      if (origin >= 0) return this.#expectMove({ origin, target, player, number }, pieces);
      const cell = this.board.stacks ? landingOf(this.board, pieces, target) : target;
      const isFirst = number === 1 || pieces[cell] !== EXPECTED;
      pieces[cell] = EXPECTED;
      return number > 1 && isFirst ? [this.#numbered({ target: cell, player }, number)] : [];
    });
    replace(this.line, spots.flat());
  }

  // Where pieces move, the first few moves are arrows, too.
  #expectMove({ origin, target, player, number }, pieces) {
    if (number === 1 || number > MOST_EXPECTED) return [];
    const drawn = [this.#arrow({ origin, target }, 0.4, `expected owner${player + 1}`)];
    if (pieces[target] !== EXPECTED) drawn.push(this.#numbered({ target, player }, number));
    pieces[target] = EXPECTED;
    return drawn;
  }

  #numbered({ target, player }, number) {
    const { x, y } = centre(this.board.cells[target]);
    return svg(
      "g",
      { class: `expected owner${player + 1}` },
      svg("circle", { cx: x, cy: y, r: UNIT * 0.24 }),
      svg("text", { x, y: y + 1 }, String(number)),
    );
  }

  // Where a piece that goes to a cell would come to rest.
  #resting(target) {
    return this.board.stacks ? landingOf(this.board, this.pieces, target) : target;
  }

  #drawing(game) {
    const written = labels(this.board);
    const box = viewBox(this.board, written);
    const texts = written.map(({ text, anchor, x, y }) =>
      svg("text", { class: "label", x, y, "text-anchor": anchor }, text),
    );
    const lines = (this.board.lines ?? []).map(([from, to]) => {
      const [a, b] = [centre(this.board.cells[from]), centre(this.board.cells[to])];
      return svg("line", { class: "road", x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    });
    const sides = game === "hex" ? rhombusSides(this.board.cells) : [];
    const edges = sides.map(([d, player]) => svg("path", { class: `side owner${player + 1}`, d }));
    const element = svg(
      "svg",
      { class: `board tiling-${this.board.tiling}`, viewBox: box.join(" "), role: "group", "aria-label": "board" },
      svg("g", { "aria-hidden": "true" }, texts, this.cells.map(({ label }) => label), edges, sides.length ? this.#ground() : [], lines),
      this.cells.map((cell) => cell.element),
      this.decisive,
      this.marks,
      this.shares,
      this.arrows,
      this.line,
    );
    element.style.setProperty("--ratio", box[2] / box[3]);
    element.style.setProperty("--across", box[2] / UNIT);
    element.addEventListener("click", (event) => this.#clicked(event));
    element.addEventListener("keydown", (event) => this.#keyed(event));
    return element;
  }

  // Drawn under the cells of Hex, so that the coloured sides show only outside.
  #ground() {
    const places = this.board.cells.map(centre).map(({ x, y }) => `translate(${x} ${y})`);
    return places.map((transform) => svg("path", { class: "under", d: hexagon(), transform }));
  }

  #update() {
    const targets = new Set(this.choices.targets(this.selected));
    const landings = new Set(this.choices.landings.values());
    this.element.classList.toggle("plenty", targets.size > PLENTY);
    const turns = this.selected === null ? this.choices.moves : new Map();
    this.cells.forEach(({ element, show }, number) => {
      const owner = this.pieces[number] ?? 0;
      const said = show(owner, this.piles[number]);
      const isTarget = targets.has(number);
      element.classList.toggle("target", isTarget && (!this.board.stacks || landings.has(number)));
      element.classList.toggle("open", isTarget || this.choices.moves.has(number));
      element.classList.toggle("origin", turns.has(number));
      element.classList.toggle("selected", number === this.selected);
      element.classList.toggle("taken", owner > 0);
      const can = [
        isTarget && "can be played",
        turns.has(number) && "can move",
        number === this.selected && "selected",
      ];
      const words = [...said, ...can.filter(Boolean)];
      element.setAttribute("aria-label", words.join(", "));
    });
    this.#rove();
  }

  // Exactly one cell is reached by Tab; arrow keys move on from there.
  #rove() {
    this.cells.forEach(({ element }, number) => element.setAttribute("tabindex", number === this.focused ? 0 : -1));
  }

  #markLast(action) {
    const move = action === null || action === undefined ? null : moveOf(this.board, action);
    const marks = [];
    if (move && move.target >= 0) {
      const { x, y } = centre(this.board.cells[restOf(this.board, this.pieces, move.target)]);
      marks.push(svg("circle", { class: "last", cx: x, cy: y, r: UNIT * 0.44 }));
    }
    if (move && move.origin >= 0 && move.target >= 0) marks.push(this.#arrow(move, 0.4, "trail"));
    replace(this.marks, marks);
  }

  #arrow({ origin, target }, strength, kind = "idea") {
    return arrow(centre(this.board.cells[origin]), centre(this.board.cells[target]), strength, kind);
  }

  #clicked(event) {
    const cell = event.target.closest("[data-cell]");
    if (cell === null) return;
    this.focused = Number(cell.dataset.cell);
    this.#chosen(this.focused);
  }

  #chosen(number) {
    const { play, select } = this.choices.click(number, this.selected);
    if (play) {
      this.play(play);
      return;
    }
    this.selected = select ?? this.choices.onlyOrigin;
    this.#update();
  }

  #keyed(event) {
    if (isTyping(event)) return;
    if (event.key in ARROWS) {
      this.focused = neighbour(this.board.cells, this.focused, ...ARROWS[event.key]) ?? this.focused;
      this.#rove();
      this.cells[this.focused].element.focus();
    } else if (event.key === "Enter" || event.key === " ") this.#chosen(this.focused);
    else if (event.key === "Escape") {
      this.selected = this.choices.onlyOrigin;
      this.#update();
    } else return;
    event.preventDefault();
  }
}

function warmed({ element, heat, text }, share, strongest) {
  const strength = strongest ? share / strongest : 0;
  heat.setAttribute("opacity", 0.85 * strength);
  text.textContent = share >= 0.05 ? Math.round(100 * share) : ""; // per cent
  element.classList.toggle("warm", share >= 0.05);
}
