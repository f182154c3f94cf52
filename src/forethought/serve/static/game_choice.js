// A game and its parameters, chosen in a form: a list of games, and a field for each parameter.

import { h, replace } from "./dom.js";
import { ParameterFields, partsOf } from "./parameter_fields.js";

export class GameChoice {
  // `change` is called whenever another game or another value is chosen.
  constructor(games, spec, change) {
    this.games = games;
    const [name, values] = partsOf(spec);
    this.select = h(
      "select",
      { "aria-label": "game", change: () => this.#choose(change) },
      games.map((game) => h("option", { value: game.name }, game.title)),
    );
    if (games.some((game) => game.name === name)) this.select.value = name;
    this.parameters = h("div", { class: "fields" });
    this.element = h("div", {}, h("div", { class: "fields" }, h("label", {}, "Game", this.select)), this.parameters);
    this.#offer(values, change);
  }

  get game() {
    return this.games.find((game) => game.name === this.select.value);
  }

  get spec() {
    return this.fields.spec;
  }

  #choose(change) {
    this.#offer(new Map(), change);
    change();
  }

  #offer(values, change) {
    this.fields = new ParameterFields(this.game, values, change);
    replace(this.parameters, this.fields.labels);
  }
}
