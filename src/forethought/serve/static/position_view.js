// One position: its board, its cards and dice, or its text; for playing and for replay.

import { actionsOnCards, drawing, markedCells, notesOf } from "./card_view.js";
import { ActionButtons } from "./action_buttons.js";
import { BoardDrawing } from "./board_view.js";
import { boardOfPoints, onBoard, pointsOf } from "./point_board.js";
import { entriesByKey } from "./keys.js";
import { h, isTyping, replace } from "./dom.js";

export class PositionView {
  // `names` are those of the seats; `play` is called with the chosen action. Without it nothing can be played.
  constructor(board, game, names = [], play = () => {}) {
    this.names = names;
    this.game = game;
    this.board = board ? this.#drawn(board) : null;
    this.buttons = new ActionButtons((entries) => this.#meant(entries));
    this.play = play;
    this.entries = new Map(); // by the digits that play them
    this.table = h("div", { class: "table-top" });
    this.picture = h("div", { class: "picture" }, this.board?.element, this.table);
    this.element = h("div", { class: "position", tabindex: -1 }, this.picture, this.buttons.element);
  }

  #drawn(board) {
    return new BoardDrawing(board, this.game, (entries) => this.#meant(entries));
  }

  // Points that a game draws are a board, too.
  #onBoard(position) {
    const points = pointsOf(position.drawing);
    if (!points) return position;
    if (!this.board) this.picture.prepend((this.board = this.#drawn(boardOfPoints(points))).element);
    return (this.shown = onBoard(position, points, this.shown));
  }

  show(given, legal = []) {
    const position = this.#onBoard(given);
    const held = this.#held();
    this.board?.show(position, legal);
    const offBoard = this.board ? this.board.choices.rest : legal;
    const keys = this.#assignKeys(offBoard);
    const onCards = actionsOnCards(position.drawing);
    this.notes = notesOf(position.drawing);
    this.board?.mark(markedCells(position.drawing));
    replace(this.table, this.#tableTop(position, legal, keys));
    this.buttons.offer(offBoard.filter((entry) => !onCards.has(entry.action)), keys, this.notes);
    this.#hold(held);
  }

  heat(shares, line = []) {
    this.board?.heat(shares, line);
  }

  // A key was pressed anywhere on the page; returns whether it played something.
  pressed(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || !this.entries.has(event.key)) return false;
    this.play(this.entries.get(event.key).action);
    return true;
  }

  // Give digits to actions; returns the digit of each action that has one.
  #assignKeys(entries) {
    this.entries = entriesByKey(entries);
    return new Map([...this.entries].map(([key, entry]) => [entry, key]));
  }

  #tableTop(position, legal, keys) {
    if (position.drawing) return drawing(position.drawing, this.names, legal, keys, (entries) => this.#meant(entries));
    return this.board ? null : h("pre", { class: "text", tabindex: 0 }, position.text || "What is hidden is shown when the game is over.");
  }

  #meant(entries) {
    if (entries.length === 1) {
      this.play(entries[0].action);
      return;
    }
    this.buttons.offer(entries, this.#assignKeys(entries), this.notes, "Which of these?");
    this.element.querySelector(".action").focus();
  }

  // The action whose button or card has the keyboard, "" if the view itself has it, null if neither.
  #held() {
    const focused = document.activeElement;
    if (focused === this.element) return "";
    return this.element.contains(focused) ? (focused.dataset.action ?? null) : null;
  }

  // Buttons and cards are made anew for each position: the keyboard stays with the same action, or the first.
  #hold(action) {
    if (action === null) return;
    const same = this.element.querySelector(`[data-action="${CSS.escape(action)}"]`);
    (same ?? this.element.querySelector("[data-action]") ?? this.element).focus({ preventScroll: true });
  }
}
