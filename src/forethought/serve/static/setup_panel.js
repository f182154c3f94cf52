// Sets up a position: pieces are placed on the board and taken away, and somebody is to move.

import * as api from "./api.js";
import { BoardDrawing } from "./board_view.js";
import { h, refused, replace } from "./dom.js";

export class SetupPanel {
  constructor() {
    this.body = h("div", {});
    this.element = h("details", { class: "set-up" }, h("summary", {}, "Set up a position"), this.body);
    this.element.addEventListener("toggle", () => this.#load());
  }

  // Offer it, if the positions of this game can be set up. `from`: the position of a session to begin with.
  offer(game, spec, from = null) {
    this.element.hidden = !game.can_set_up;
    if (this.spec === spec) return;
    Object.assign(this, { name: game.name, spec, from, pieces: null, loaded: null });
    this.#load();
  }

  // What was set up, as the server takes it; null if nothing was.
  get start() {
    return this.element.open && !this.element.hidden && this.pieces
      ? { pieces: this.pieces, to_move: Number(this.mover.value) }
      : null;
  }

  async #load() {
    const { spec, from } = this;
    if (!this.element.open || this.element.hidden || this.loaded === spec) return;
    this.loaded = spec;
    try {
      const { board, positions } = await api.rules(spec);
      const begun = from && (await shownIn(from));
      if (spec === this.spec) this.#show(board, positions[0].pieces, begun);
    } catch (error) {
      this.loaded = null;
      refused(this.body)(error);
    }
  }

  #show(board, first, begun) {
    const anywhere = board.cells.map((_, target) => ({ origin: -1, target, kind: 0 }));
    this.legal = board.cells.map(({ name }, action) => ({ action, name }));
    this.drawing = new BoardDrawing({ ...board, stacks: false, moves: anywhere }, this.name, ([{ action }]) => this.#click(action));
    this.owner = h("select", { "aria-label": "what a click places" }, choices(["Player 0's piece", "Player 1's piece", "Nothing"]));
    this.mover = h("select", { "aria-label": "who is to move" }, choices(["Player 0 moves", "Player 1 moves"]));
    this.mover.value = begun?.mover ?? 0;
    const button = (text, pieces) => h("button", { type: "button", click: () => this.#put(pieces) }, text);
    replace(
      this.body,
      h("p", { class: "muted" }, "A click places a piece; another on the same takes it away."),
      h("div", { class: "line" }, this.owner, this.mover),
      this.drawing.element,
      h("div", { class: "line" }, button("Clear the board", first.map(() => 0)), button("First position", first)),
    );
    this.#put(begun?.pieces ?? first);
  }

  #click(cell) {
    const placed = (Number(this.owner.value) + 1) % 3; // Nothing is the last choice
    this.#put(this.pieces.with(cell, this.pieces[cell] === placed ? 0 : placed));
  }

  #put(pieces) {
    this.pieces = pieces;
    this.drawing.show({ pieces, last: null }, this.legal);
  }
}

const choices = (texts) => texts.map((text, value) => h("option", { value }, text));

// The pieces of a position of a session, and who is to move there.
async function shownIn({ id, ply }) {
  const [view, positions] = await Promise.all([api.session(id), api.positions(id)]);
  const mover = ply < view.history.length ? view.history[ply].player : view.to_move;
  return { pieces: positions[ply].pieces, mover: mover ?? 0 };
}
