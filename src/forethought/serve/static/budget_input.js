// How much a player searches per decision: a number with its unit, hidden for players that do not search.

import { h } from "./dom.js";

export class BudgetInput {
  constructor(who) {
    this.input = h("input", { type: "number", min: 1, class: "budget" });
    this.unit = h("span", { class: "muted" });
    this.element = h("label", { class: "budget-label", "aria-label": `budget of ${who}` }, this.input, this.unit);
    this.offer(null);
  }

  // Offer the budget of a player as the server lists it; `amount` is chosen first.
  offer(player, amount = player?.budget?.default) {
    this.budget = player?.budget ?? null;
    this.element.hidden = this.budget === null;
    if (this.budget === null) return;
    this.unit.textContent = this.budget.name;
    Object.assign(this.input, { value: amount, max: this.budget.maximum });
  }

  // The chosen number; undefined for a player that does not search.
  get amount() {
    return this.budget ? this.input.value : undefined;
  }

  // Put the chosen number into the template of a player.
  fill(template) {
    if (this.budget === null) return template;
    const chosen = Math.round(Number(this.input.value));
    return template.replace("{budget}", chosen >= 1 ? Math.min(chosen, this.budget.maximum) : this.budget.default);
  }
}
