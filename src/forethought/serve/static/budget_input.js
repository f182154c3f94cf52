// How strong a player is: a named level, or how much it searches per decision; hidden for players that do not search.

import { h, replace } from "./dom.js";

const USUAL = "Strong"; // the level that is chosen first

export class BudgetInput {
  constructor(who) {
    this.kind = h("select", { "aria-label": `strength of ${who}`, change: () => this.#propose() });
    this.input = h("input", { type: "number", class: "budget", "aria-label": `budget of ${who}` });
    this.element = h("div", { class: "budget-label" }, this.kind, this.input);
    this.offer(null);
  }

  // Offer what the server lists for a player. `chosen`: {kind, amount} as chosen before, or an amount of simulations.
  offer(player, chosen = { kind: USUAL }) {
    this.budgets = new Map((player?.budgets ?? []).map((budget) => [budget.key, budget]));
    this.levels = new Map((player?.levels ?? []).map(({ name, budget }) => [name, budget]));
    this.element.hidden = this.budgets.size === 0;
    if (this.element.hidden) return;
    const names = [...this.levels.keys(), ...[...this.budgets.values()].map(({ counts }) => `${counts}:`)];
    const values = [...this.levels.keys(), ...this.budgets.keys()];
    replace(this.kind, values.map((value, place) => h("option", { value }, names[place])));
    this.kind.value = values.includes(chosen.kind) ? chosen.kind : values[0];
    this.#propose();
    if (chosen.amount) this.input.value = chosen.amount;
  }

  // What is chosen, so that it can be offered again.
  get chosen() {
    return { kind: this.kind.value, amount: this.input.hidden ? null : this.input.value };
  }

  // Put what is chosen into the template of a player.
  fill(template) {
    return template.replace("{budget}", () => this.levels.get(this.kind.value) ?? this.#written());
  }

  #written() {
    const { key, default: usual, maximum } = this.budgets.get(this.kind.value);
    const amount = key === "simulations" ? Math.round(Number(this.input.value)) : Number(this.input.value);
    return `${key}=${amount > 0 ? Math.min(amount, maximum) : usual}`;
  }

  #propose() {
    const budget = this.budgets.get(this.kind.value);
    this.input.hidden = !budget;
    if (!budget) return;
    const whole = budget.key === "simulations";
    Object.assign(this.input, { min: whole ? 1 : 0.1, step: whole ? 1 : 0.1, max: budget.maximum, value: budget.default });
  }
}
