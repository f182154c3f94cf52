// A board as SVG: squares, hexagons or crossings, with pieces, legal moves, the last move and a heat map of thoughts.

import { Choices, landingOf, restOf } from "./move_choices.js";
import { isTyping, replace, svg } from "./dom.js";
import { UNIT, centre, hexagon, labels, neighbour, outline, rhombusSides, viewBox } from "./board_geometry.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const OWNERS = ["empty", "first player", "second player"];
const MOST_ARROWS = 5; // moves of a search that are drawn
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
    this.cells = board.cells.map((cell, number) => this.#cell(cell, number));
    this.shares = svg("g", { class: "shares", "aria-hidden": "true" }, this.cells.map(({ text }) => text));
    this.marks = svg("g", { class: "marks" });
    this.arrows = svg("g", { class: "arrows" });
    this.line = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.element = this.#drawing(game);
  }

  // Show a position; with legal actions, it can be clicked.
  show(position, legal = []) {
    this.pieces = position.pieces ?? [];
    this.choices = new Choices(this.board, this.pieces, legal);
    this.selected = this.choices.onlyOrigin;
    this.#markLast(position.last);
    this.#update();
  }

  // Mark the cells that decide the game.
  mark(cells) {
    const decisive = new Set(cells);
    this.cells.forEach(({ element }, number) => element.classList.toggle("decisive", decisive.has(number)));
  }

  // Colour the cells (or draw arrows, where pieces move) by the shares of a search's actions, 0 to 1; [] clears.
  // `line`: the moves that the search expects, which are numbered.
  heat(shares, line = []) {
    const strongest = Math.max(...shares.map(({ share }) => share), 0);
    const seen = shares.filter(({ share }) => share > FAINT * strongest);
    const warm = new Map();
    for (const { action, share } of seen) {
      const { origin, target } = this.board.moves[action];
      if (origin < 0 && target >= 0) warm.set(this.#resting(target), share);
    }
    this.cells.forEach((cell, number) => warmed(cell, warm.get(number) ?? 0, strongest));
    const moving = seen.filter(({ action }) => {
      const { origin, target } = this.board.moves[action];
      return origin >= 0 && target >= 0;
    });
    this.#expect(line);
    const top = moving.sort((a, b) => b.share - a.share).slice(0, MOST_ARROWS);
    replace(this.arrows, top.map(({ action, share }) => this.#arrow(this.board.moves[action], share / strongest)));
  }

  // Number the moves of a line after the first, which the heat shows; a move to where an earlier one went is left out.
  #expect(line) {
    const pieces = [...this.pieces];
    const spots = line.flatMap(({ action, player }, n) => {
      const { target } = this.board.moves[action];
      const cell = target >= 0 && this.board.stacks ? landingOf(this.board, pieces, target) : target;
      const isFirst = n === 0 || pieces[cell] !== EXPECTED;
      pieces[cell] = EXPECTED;
      return n > 0 && cell >= 0 && isFirst ? [this.#numbered({ target: cell, player }, n + 1)] : [];
    });
    replace(this.line, spots);
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
    const box = viewBox(this.board.cells, written);
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
      { class: `board tiling-${this.board.tiling}`, viewBox: box.join(" "), role: "group", "aria-label": `${game} board` },
      svg("g", { "aria-hidden": "true" }, texts, edges, sides.length ? this.#ground() : [], lines),
      this.cells.map((cell) => cell.element),
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

  #cell(cell, number) {
    const { x, y } = centre(cell);
    const path = outline(this.board.tiling);
    const shade = this.board.checkered && (Math.round(cell.x) + Math.round(cell.y)) % 2 === 0 ? " dark" : "";
    const heat = svg("path", { class: "heat", d: path, opacity: 0 });
    const piece = svg(
      "g",
      { class: "piece" },
      svg("circle", { r: UNIT * 0.38 }),
      svg("circle", { class: "ring", r: UNIT * 0.2 }),
    );
    const text = svg("text", { class: "share", x, y: y + 1 });
    const hint = svg("circle", { class: "hint", r: UNIT * 0.12 });
    const element = svg(
      "g",
      { class: "cell", "data-cell": number, transform: `translate(${x} ${y})`, role: "button", tabindex: -1 },
      svg("path", { class: `ground${shade}`, d: path }),
      heat,
      piece,
      hint,
      svg("path", { class: "halo", d: path }),
    );
    return { element, piece, heat, text };
  }

  #update() {
    const targets = new Set(this.choices.targets(this.selected));
    const landings = new Set(this.choices.landings.values());
    this.element.classList.toggle("plenty", targets.size > PLENTY);
    const turns = this.selected === null ? this.choices.moves : new Map();
    this.cells.forEach(({ element, piece }, number) => {
      const owner = this.pieces[number] ?? 0;
      piece.setAttribute("class", `piece owner${owner}`);
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
      const words = [this.board.cells[number].name, OWNERS[owner], ...can.filter(Boolean)];
      element.setAttribute("aria-label", words.join(", "));
    });
    this.#rove();
  }

  // Exactly one cell is reached by Tab; arrow keys move on from there.
  #rove() {
    this.cells.forEach(({ element }, number) => element.setAttribute("tabindex", number === this.focused ? 0 : -1));
  }

  #markLast(action) {
    const move = action === null || action === undefined ? null : this.board.moves[action];
    const marks = [];
    if (move && move.target >= 0) {
      const { x, y } = centre(this.board.cells[restOf(this.board, this.pieces, move.target)]);
      marks.push(svg("circle", { class: "last", cx: x, cy: y, r: UNIT * 0.44 }));
    }
    if (move && move.origin >= 0 && move.target >= 0) marks.push(this.#arrow(move, 0.4, "trail"));
    replace(this.marks, marks);
  }

  #arrow({ origin, target }, strength, kind = "idea") {
    const [a, b] = [centre(this.board.cells[origin]), centre(this.board.cells[target])];
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
