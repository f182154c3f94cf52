// Marks that an earlier position is shown, and offers what can be done there.

import { h } from "./dom.js";

export class PastBar {
  constructor({ back, think, play, change }) {
    this.text = h("span", { role: "status" });
    this.think = h("button", { type: "button", click: think }, "Think here");
    this.play = h("button", { type: "button", click: play }, "Play from here");
    this.change = h("button", { type: "button", click: change }, "With other players");
    this.back = h("button", { type: "button", class: "primary", click: back }, "Back to now");
    this.element = h("div", { class: "past-bar", hidden: true }, this.text, this.back, this.think, this.play, this.change);
  }

  // Show that this position of so many is shown, unless it is the last; whether one can think and play on there.
  mark(place, last, { thinkable, playable }) {
    this.element.hidden = place === last;
    this.text.textContent = place === last ? "" : `Looking back: position ${place} of ${last}.`;
    this.think.hidden = !thinkable;
    this.play.hidden = this.change.hidden = !playable;
  }
}
