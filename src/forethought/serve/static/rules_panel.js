// The rules of a game in a minute, with the beginning of a game as an example.

import * as api from "./api.js";
import { h, refused, replace } from "./dom.js";
import { PositionView } from "./position_view.js";
import { ReplayControls } from "./replay_controls.js";

export class RulesPanel {
  constructor() {
    this.body = h("div", {});
    this.element = h("details", { class: "panel rules" }, h("summary", {}, h("h2", {}, "Rules")), this.body);
    this.element.addEventListener("toggle", () => this.#load());
  }

  // The game to explain, by its spec and its name; asked for when somebody opens the panel.
  offer(spec, name) {
    if (spec === this.spec) return;
    Object.assign(this, { spec, name, loaded: null });
    replace(this.body);
    this.#load();
  }

  leave() {
    this.replay?.stop();
  }

  async #load() {
    const { spec } = this;
    if (!this.element.open || !spec || this.loaded === spec) return;
    this.loaded = spec;
    try {
      const rules = await api.rules(spec);
      if (spec === this.spec) this.#show(rules);
    } catch (error) {
      if (spec === this.spec) refused(this.body)(error);
    }
  }

  #show({ paragraphs, board, moves, positions }) {
    this.leave();
    const view = new PositionView(board, this.name);
    const move = h("p", { class: "muted", "aria-live": "polite" });
    this.replay = new ReplayControls((place) => {
      view.show(positions[place]);
      move.textContent = place === 0 ? "The first position" : `After: ${moves[place - 1]}`;
    });
    this.replay.reset(moves.length);
    this.replay.go(moves.length);
    const example = h("figure", { class: "example" }, h("figcaption", { class: "muted" }, "A game played at random"));
    example.append(view.element, move, this.replay.element);
    replace(this.body, paragraphs.map((text) => h("p", {}, withCode(text))), example);
  }
}

// What stands between backquotes, names of parameters, is code.
const withCode = (text) => text.split("`").map((part, n) => (n % 2 ? h("code", {}, part) : part));
