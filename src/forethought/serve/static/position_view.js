// One position, drawn as a board, as cards and dice, or as text; for playing and for replay.

import { actionsOnCards, drawing } from "./card_view.js";
import { ActionButtons } from "./action_buttons.js";
import { BoardDrawing } from "./board_view.js";
import { Choices } from "./move_choices.js";
import { h, replace } from "./dom.js";

export class PositionView {
  // `names` are those of the seats; `play` is called with the chosen action. Without it nothing can be played.
  constructor(board, game, names = [], play = () => {}) {
    this.names = names;
    this.board = board ? new BoardDrawing(board, game, (entries) => this.#meant(entries)) : null;
    this.buttons = new ActionButtons((entries) => this.#meant(entries));
    this.play = play;
    this.picture = h("div", { class: "picture" }, this.board?.element);
    this.element = h("div", { class: "position" }, this.picture, this.buttons.element);
  }

  show(position, legal = []) {
    if (this.board && position.pieces) {
      this.board.show(position, legal);
      this.buttons.offer(new Choices(this.board.board, position.pieces, legal).rest);
      return;
    }
    const clickable = actionsOnCards(position.drawing);
    const open = legal.filter((entry) => !clickable.has(entry.action));
    replace(this.picture, position.drawing ? this.#drawn(position.drawing, legal) : written(position.text));
    this.buttons.offer(open, open.length ? [] : legal);
  }

  heat(shares) {
    this.board?.heat(shares);
  }

  pressed(event) {
    return this.buttons.pressed(event);
  }

  #drawn(items, legal) {
    return drawing(items, this.names, legal, (entries) => this.#meant(entries));
  }

  #meant(entries) {
    if (entries.length === 1) this.play(entries[0].action);
    else this.buttons.ask(entries);
  }
}

const written = (text) => h("pre", { class: "text" }, text || "This game has no drawing.");
