// Actions as buttons: those that have no place on a board or card, and those among which a click left a choice. Digits
// press them.

import { h, isTyping, replace } from "./dom.js";

const KEYS = "1234567890";

export class ActionButtons {
  constructor(play) {
    this.play = play;
    this.entries = [];
    this.buttons = h("div", { class: "actions", role: "group", "aria-label": "actions" });
    this.question = h("p", { class: "question" });
    this.element = h("div", {}, this.question, this.buttons);
  }

  // Offer actions; digits also press those in `silent`, which can be clicked elsewhere.
  offer(entries, silent = []) {
    this.entries = entries.length ? entries : silent;
    this.question.textContent = "";
    replace(this.buttons, entries.map((entry, place) => this.#button(entry, place)));
  }

  // Ask which of several actions is meant.
  ask(entries) {
    this.offer(entries);
    this.question.textContent = "Which of these?";
    this.buttons.firstElementChild?.focus();
  }

  // A key was pressed anywhere on the page; returns whether it played something.
  pressed(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const entry = this.entries[KEYS.indexOf(event.key)];
    if (entry === undefined || KEYS.indexOf(event.key) < 0) return false;
    this.play([entry]);
    return true;
  }

  #button(entry, place) {
    const hasKey = this.entries.length > 1 && place < KEYS.length;
    const key = hasKey && h("kbd", { "aria-hidden": "true" }, KEYS[place]);
    const play = () => this.play([entry]);
    return h("button", { type: "button", class: "action", "data-action": entry.action, click: play }, key, entry.name);
  }
}
