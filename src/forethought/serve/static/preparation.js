// Compilation that a game waits for, the first time only: how long it takes, how far it is, and a button to cancel it.

import * as api from "./api.js";
import { h } from "./dom.js";

export function sentence({ game, functions, seconds }) {
  const time = functions > 0 ? `, about ${seconds}\u00a0s` : " …";
  return `Preparing ${game}, first time only${time}`;
}

export class Preparation {
  constructor() {
    this.text = h("span", { role: "status" });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "functions compiled" });
    this.cancel = h("button", { type: "button" }, "Cancel");
    this.element = h("div", { class: "line preparation", hidden: true }, this.text, this.bar, this.cancel);
  }

  // Wait until a game and its players are compiled. False if that was cancelled; a failure is told by what comes next.
  wait(game, seats) {
    return new Promise((resolve) => {
      const end = (ready) => {
        leave();
        this.element.hidden = true;
        resolve(ready);
      };
      const hear = (progress) => (progress.ready ? end(true) : this.#show(progress));
      const leave = api.preparationEvents(game, seats, { preparation: hear }, (connected) => connected || end(true));
      this.cancel.onclick = () => end(false);
    });
  }

  #show(progress) {
    this.element.hidden = false;
    this.text.textContent = sentence(progress);
    this.bar.max = Math.max(1, progress.functions);
    this.bar.value = progress.compiled;
  }
}
