// A game and its parameters, chosen in a form: a list of games, and a field for each parameter.

import { h, replace } from "./dom.js";

export class GameChoice {
  // `change` is called whenever another game or another value is chosen.
  constructor(games, spec, change) {
    this.games = games;
    const [name] = spec.split("(");
    this.select = h(
      "select",
      { "aria-label": "game", change: () => this.#choose(change) },
      games.map((game) => h("option", { value: game.name }, game.title)),
    );
    if (games.some((game) => game.name === name)) this.select.value = name;
    this.parameters = h("div", { class: "fields" });
    this.element = h("div", {}, h("div", { class: "fields" }, h("label", {}, "Game", this.select)), this.parameters);
    this.#offer(new Map(written(spec)), change);
  }

  get game() {
    return this.games.find((game) => game.name === this.select.value);
  }

  // The game as the server names it: with the parameters that differ from their defaults.
  get spec() {
    const changed = this.fields.filter(({ usual, input }) => valueOf(input) !== usual);
    const given = changed.map(({ name, input }) => `${name}=${valueOf(input)}`);
    return given.length ? `${this.select.value}(${given.join(",")})` : this.select.value;
  }

  #choose(change) {
    this.#offer(new Map(), change);
    change();
  }

  #offer(values, change) {
    this.fields = this.game.parameters.map(({ name, kind, default: usual }) => {
      const value = values.get(name) ?? String(usual);
      const number = { type: "number", step: kind === "int" ? 1 : "any", value };
      const flag = { type: "checkbox", checked: value.toLowerCase() === "true" };
      const kinds = { bool: flag, str: { type: "text", value } };
      const input = h("input", { ...(kinds[kind] ?? number), required: kind !== "bool", change });
      return { name, input, usual: String(usual) };
    });
    replace(this.parameters, this.fields.map(({ name, input }) => h("label", {}, name, input)));
  }
}

const written = (spec) =>
  spec.replace(/^[^(]*\(?/, "").replace(/\)$/, "").split(",").map((part) => part.split("=", 2));

const valueOf = (input) => (input.type === "checkbox" ? String(input.checked) : input.value.trim());
