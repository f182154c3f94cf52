// A player, chosen among those that suit a game, with its budget.

import { BudgetInput } from "./budget_input.js";
import { h } from "./dom.js";

export class PlayerChoice {
  constructor(who, players, chosen = 0) {
    this.players = players;
    this.select = h(
      "select",
      { "aria-label": who, change: () => this.budget.offer(this.player) },
      players.map((player, place) => h("option", { value: place }, player.label)),
    );
    this.select.value = Math.min(chosen, players.length - 1);
    this.budget = new BudgetInput(who);
    this.budget.offer(this.player);
    this.element = h("div", { class: "seat" }, h("span", {}, who), this.select, this.budget.element);
  }

  // Choose another level if this player is among those that are taken.
  differ(taken) {
    for (const kind of this.budget.levels.keys()) {
      if (!taken.includes(this.spec)) return;
      this.budget.offer(this.player, { kind });
    }
  }

  get player() {
    return this.players[this.select.value];
  }

  get spec() {
    return this.budget.fill(this.player.template);
  }
}
