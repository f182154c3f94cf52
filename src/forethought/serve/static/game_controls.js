// What can be done with a game: next and new games, undo, resign, and saving it as a file or a picture.

import * as api from "./api.js";
import { h } from "./dom.js";
import { download, textFile } from "./downloads.js";
import { isHuman } from "./formatting.js";
import { picture } from "./pictures.js";

const LATER = "A game with hidden information can be saved when it is over.";

export class GameControls {
  // `attempt(work)` does something that may be refused; `drawing()` is the position as it is drawn.
  constructor(id, attempt, drawing) {
    Object.assign(this, { id, attempt, drawing });
    this.next = this.#button("Next game", () => this.#open(api.nextGame(id)), { class: "primary", hidden: true });
    this.next.title = "The next game of a series: everybody moves on by a seat, and totals are kept. Key: n";
    this.again = this.#button("Play again", () => this.#playAgain(), { hidden: true });
    this.undo = this.#button("Undo", () => api.undo(id));
    this.resign = h(
      "button",
      { type: "button", click: () => this.#resign(), blur: () => this.#askToResign(false) },
      "Resign",
    );
    this.save = this.#button("Save", () => this.#save());
    this.sgf = this.#button("SGF", () => this.#saveAsSgf(), { hidden: true, title: "Save the game for other programs" });
    this.picture = this.#button("PNG", () => this.#saveAsPicture(), { title: "Save a picture of what you see" });
    const other = h("a", { class: "button", href: "#play" }, "New game");
    const buttons = [this.next, this.again, this.undo, this.resign, this.save, this.sgf, this.picture, other];
    this.element = h("div", { class: "controls" }, buttons);
  }

  show(view) {
    this.view = view;
    const isHost = view.role === "host";
    const hasDecided = view.history.some((entry) => isHuman(view.seats[entry.player]));
    this.undo.hidden = !isHost || view.seats.includes("guest");
    this.undo.disabled = (view.over && view.game.hidden) || !hasDecided || view.has_next;
    const left = document.activeElement === this.resign && view.over;
    this.resign.hidden = view.role === "spectator";
    this.resign.disabled = view.over || !view.seats.some(isHuman);
    this.#askToResign(false);
    this.save.disabled = view.game.hidden && !view.over;
    this.save.title = this.save.disabled ? LATER : "";
    this.sgf.hidden = !view.game.sgf;
    this.next.hidden = !view.over;
    this.again.hidden = !view.over || !isHost || view.series !== null;
    if (left) this.next.focus(); // a button that is disabled loses the keyboard
  }

  // A key that is not for the position: n begins the next game.
  pressed({ key }) {
    if (key !== "n" || this.next.hidden) return false;
    this.next.click();
    return true;
  }

  get seats() {
    return this.view.seats;
  }

  #button(text, work, attributes = {}) {
    return h("button", { type: "button", ...attributes, click: () => this.attempt(work) }, text);
  }

  async #open(started) {
    location.hash = `#play/${encodeURIComponent((await started).id)}`;
  }

  // Begin the same game again, from the same position if it was set up.
  async #playAgain() {
    const { start } = await api.record(this.id);
    return this.#open(api.startSession(this.view.game.spec, this.seats, start));
  }

  // The first click asks, the second resigns.
  #resign() {
    if (this.asked) this.attempt(() => api.resign(this.id));
    else this.#askToResign(true);
  }

  #askToResign(asked) {
    this.asked = asked;
    this.resign.textContent = asked ? "Really resign?" : "Resign";
    this.resign.classList.toggle("warning", asked);
  }

  async #save() {
    const record = await api.record(this.id);
    download(`${this.view.game.name}.json`, textFile(JSON.stringify(record), "application/json"));
  }

  async #saveAsSgf() {
    const { text } = await api.sgf(this.id);
    download(`${this.view.game.name}.sgf`, textFile(text, "application/x-go-sgf"));
  }

  async #saveAsPicture() {
    const ground = getComputedStyle(this.element.closest(".panel")).backgroundColor;
    download(`${this.view.game.name}.png`, await picture(this.drawing(), ground));
  }
}
