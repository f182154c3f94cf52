// The form for a match of two players, or a ladder of more.

import * as api from "./api.js";
import { GameChoice } from "./game_choice.js";
import { h, refused, replace } from "./dom.js";
import { PlayerChoice } from "./player_choice.js";

const MOST = 12; // players of a ladder

export class ContestForm {
  // `started` is called when a match or a ladder was started.
  constructor(fail, started) {
    this.fail = fail;
    this.started = started;
    this.place = h("div", {});
    this.players = h("div", { class: "fields" });
    this.games = h("input", { type: "number", min: 2, max: 1_000_000, value: 400, required: true });
    this.refusal = h("div", {});
    this.start = h("button", { class: "primary", disabled: true }, "Start");
    this.add = h("button", { type: "button", click: () => this.#add() }, "Add a player");
    this.drop = h("button", { type: "button", hidden: true, click: () => this.#drop() }, "Remove the last");
    const submit = (event) => {
      event.preventDefault();
      this.#begin();
    };
    const form = h(
      "form",
      { class: "work", submit },
      this.place,
      this.players,
      h("div", { class: "fields" }, h("label", {}, "Games of each pair", this.games)),
      this.refusal,
      h("div", { class: "line" }, this.start, this.add, this.drop),
    );
    this.element = h("details", { class: "panel" }, h("summary", {}, "New match or ladder"), form);
    this.element.addEventListener("toggle", () => this.#open(), { once: true });
  }

  async #open() {
    try {
      this.choice = new GameChoice(await api.games(), "", () => this.#ask());
      replace(this.place, this.choice.element);
      await this.#ask();
    } catch (error) {
      refused(this.refusal)(error);
    }
  }

  // Ask which players suit the game; what is refused cannot be started, and the form says why for as long.
  async #ask() {
    const { spec } = this.choice;
    try {
      const listed = await api.players(spec);
      if (spec !== this.choice.spec) return;
      this.listed = listed;
      this.chosen = [];
      replace(this.players);
      replace(this.refusal);
      this.#add();
      this.#add(listed.findIndex(({ kind }) => kind === "random"));
      this.start.disabled = false;
    } catch (error) {
      if (spec !== this.choice.spec) return;
      this.start.disabled = true;
      refused(this.refusal)(error);
    }
  }

  // Add a player: one that was not chosen yet, if there is any; else one at another level.
  #add(place = this.listed.findIndex((player) => this.chosen.every((choice) => choice.player !== player))) {
    const choice = new PlayerChoice(`Player ${this.chosen.length + 1}`, this.listed, Math.max(0, place));
    choice.differ(this.chosen.map(({ spec }) => spec));
    this.chosen.push(choice);
    this.players.append(choice.element);
    this.#count();
  }

  #drop() {
    this.chosen.pop().element.remove();
    this.#count();
  }

  #count() {
    this.add.disabled = this.chosen.length >= MOST;
    this.drop.hidden = this.chosen.length <= 2;
    this.start.textContent = this.chosen.length > 2 ? "Start the ladder" : "Start the match";
  }

  async #begin() {
    const players = this.chosen.map((choice) => choice.spec);
    const common = { game: this.choice.spec, games: Number(this.games.value) };
    this.start.disabled = true;
    try {
      if (players.length > 2) await api.startLadder({ ...common, players });
      else await api.startMatch({ ...common, a: players[0], b: players[1] });
      await this.started();
    } catch (error) {
      this.fail(error);
    }
    this.start.disabled = false;
  }
}
