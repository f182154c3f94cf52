// Actions as buttons: those that have no place on a board or card, and those among which a click left a choice.

import { h, replace } from "./dom.js";

export class ActionButtons {
  constructor(play) {
    this.play = play;
    this.buttons = h("div", { class: "actions", role: "group", "aria-label": "actions" });
    this.question = h("p", { class: "question", role: "status" });
    this.element = h("div", {}, this.question, this.buttons);
  }

  // Offer actions; `keys`: the digit of each that has one; `notes`: what the game says of an action besides its name.
  offer(entries, keys, notes = new Map(), question = "") {
    this.question.textContent = question;
    replace(this.buttons, entries.map((entry) => this.#button(entry, keys.get(entry), notes.get(entry.action))));
  }

  #button(entry, key, note) {
    return h(
      "button",
      {
        type: "button",
        class: "action",
        "data-action": entry.action,
        "aria-keyshortcuts": key,
        click: () => this.play([entry]),
      },
      keyCap(key),
      entry.name,
      note && h("small", { class: "note" }, note),
    );
  }
}

export const keyCap = (key) => key && h("kbd", { "aria-hidden": "true" }, key);
