// The parameters of a game as fields of a form, and the game as the server names it: goofspiel(cards=6).

import { h } from "./dom.js";

export class ParameterFields {
  // `values` are those to begin with, by name; `change` is called whenever another value is chosen.
  constructor(game, values, change) {
    this.game = game;
    this.fields = game.parameters.map((parameter) => {
      const input = inputFor(parameter, values.get(parameter.name), change);
      return { parameter, input, label: h("label", {}, h("span", {}, parameter.name), input) };
    });
  }

  get labels() {
    return this.fields.map(({ label }) => label);
  }

  // With the parameters that differ from their defaults.
  get spec() {
    const changed = this.fields.filter(({ parameter, input }) => valueOf(input) !== String(parameter.default));
    const given = changed.map(({ parameter, input }) => `${parameter.name}=${valueOf(input)}`);
    return given.length ? `${this.game.name}(${given.join(",")})` : this.game.name;
  }

  // The value of a parameter, if the game has it.
  value(name) {
    const field = this.fields.find(({ parameter }) => parameter.name === name);
    return field && valueOf(field.input);
  }
}

// The name of a game and the values in its spec.
export function partsOf(spec) {
  const [name, given] = spec.replace(/\)$/, "").split("(", 2);
  return [name, new Map((given ?? "").split(",").map((part) => part.split("=").map((word) => word.trim())))];
}

function inputFor({ kind, default: usual }, wanted, change) {
  const value = wanted ?? String(usual);
  if (kind === "bool") return h("input", { type: "checkbox", checked: value.toLowerCase() === "true", change });
  const number = { type: "number", step: kind === "int" ? 1 : "any" };
  return h("input", { ...(kind === "str" ? { type: "text" } : number), value, required: true, change });
}

const valueOf = (input) => (input.type === "checkbox" ? String(input.checked) : input.value.trim());
