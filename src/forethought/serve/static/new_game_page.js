// The form for a new game (which game, its parameters, the players), and for loading a saved one.

import * as api from "./api.js";
import { Preparation } from "./preparation.js";
import { BudgetInput } from "./budget_input.js";
import { h, refused, replace } from "./dom.js";
import { icon } from "./game_icons.js";
import { MyGames } from "./my_games.js";
import { ParameterFields, partsOf } from "./parameter_fields.js";
import { RulesPanel } from "./rules_panel.js";
import { SetupPanel } from "./setup_panel.js";

// `query`: the game to begin with, and `from` and `ply` of a game to be played on from there; with `set_up`, that position
// is changed first.
export function chooseGame(root, _argument, fail, query) {
  const form = new NewGame(fail, query.has("from") ? { id: query.get("from"), ply: Number(query.get("ply")) } : null);
  form.setUp.element.open = query.has("set_up");
  root.append(form.element);
  api.games().then((games) => form.offer(games, query.get("game") ?? ""), refused(form.list));
  return () => {
    form.preparation.cancel.click();
    form.rules.leave();
  };
}

class NewGame {
  constructor(fail, from) {
    this.fail = fail;
    this.from = from;
    this.rules = new RulesPanel();
    this.list = h("div", { class: "tiles" });
    this.about = h("p", { class: "muted about" });
    this.name = h("h1", {}, "New game");
    this.parameters = h("div", { class: "fields" });
    this.seats = h("div", { class: "fields" });
    this.preparation = new Preparation();
    this.setUp = new SetupPanel();
    this.refusal = h("div", {});
    this.chosen = [];
    this.start = h("button", { class: "primary large", disabled: true }, "Start");
    const file = h(
      "input",
      { type: "file", accept: "application/json,.json", hidden: true, change: () => this.#load(file) },
    );
    const load = h("button", { type: "button", click: () => file.click() }, "Load a saved game");
    const submit = (event) => {
      event.preventDefault();
      this.#begin();
    };
    const panel = h(
      "form",
      { class: "panel setup", submit },
      this.name,
      this.about,
      this.parameters,
      this.seats,
      this.setUp.element,
      this.refusal,
      h("div", { class: "line" }, this.start, load, file),
      this.preparation.element,
    );
    const games = h("div", {}, this.list, new MyGames(fail).element);
    this.element = h("div", { class: "choose" }, games, h("div", { class: "side" }, panel, this.rules.element));
  }

  // List the games; `spec` is the one to select first, perhaps with parameters.
  offer(games, spec) {
    const groups = [
      ["Your game", games.filter((game) => game.name === "yours")],
      ["Hidden information", games.filter((game) => game.name !== "yours" && game.hidden)],
      ["Perfect information", games.filter((game) => game.name !== "yours" && !game.hidden)],
    ];
    const drawn = groups.filter(([, members]) => members.length);
    const group = ([name, members]) =>
      h("fieldset", {}, h("legend", {}, name), h("div", { class: "group" }, members.map((game) => this.#tile(game))));
    replace(this.list, drawn.map(group));
    const [name, values] = partsOf(spec);
    this.#choose(games.find((game) => game.name === name) ?? drawn[0][1][0], values);
  }

  #tile(game) {
    const radio = h("input", { type: "radio", name: "game", value: game.name, change: () => this.#choose(game) });
    return h("label", { class: "tile", "data-game": game.name }, radio, icon(game.name), h("span", {}, game.title));
  }

  #choose(game, values = new Map()) {
    this.game = game;
    this.list.querySelector(`[data-game="${CSS.escape(game.name)}"] input`).checked = true;
    this.name.textContent = game.title;
    this.about.textContent = this.from ? `Play on from position ${this.from.ply}.` : game.summary;
    this.fields = new ParameterFields(game, values, () => this.#change());
    replace(this.parameters, this.fields.labels);
    this.#change();
  }

  #change() {
    this.ready = this.#offerSeats();
  }

  get spec() {
    return this.fields.spec;
  }

  get players() {
    return Number(this.fields.value("players") ?? this.game.players ?? 2);
  }

  // Offer the players that suit the game. What is refused cannot be started, and the form says why for as long.
  async #offerSeats() {
    const { game, spec } = this;
    try {
      const players = await api.players(spec);
      if (spec !== this.spec) return; // the choice has changed meanwhile
      this.rules.offer(spec, game.name);
      this.setUp.offer(game, spec, this.from);
      const before = game === this.offered ? this.chosen : [];
      this.offered = game;
      this.chosen = Array.from({ length: this.players }, (_, seat) => new Seat(seat, players, before[seat]));
      replace(this.seats, this.chosen.map((seat) => seat.element));
      replace(this.refusal);
      this.start.disabled = false;
    } catch (error) {
      if (spec !== this.spec) return;
      this.start.disabled = true;
      refused(this.refusal)(error);
    }
  }

  async #begin() {
    await this.ready; // Enter in a field changes it and starts at once
    if (this.start.disabled) return;
    const { spec } = this;
    const seats = this.chosen.map((seat) => seat.spec);
    this.start.disabled = true;
    try {
      if (await this.preparation.wait(spec, seats)) {
        const { start } = this.setUp;
        const view = await (this.from && !start ? this.#playOn(seats) : api.startSession(spec, seats, start));
        location.hash = `#play/${view.id}`;
      } else this.start.disabled = false;
    } catch (error) {
      this.start.disabled = false;
      this.fail(error);
    }
  }

  // Begin with the moves of another game, and perhaps other players.
  async #playOn(seats) {
    const record = await api.record(this.from.id);
    return api.loadSession({ ...record, seats, actions: record.actions.slice(0, this.from.ply), resigned: null });
  }

  async #load(input) {
    const [file] = input.files;
    input.value = "";
    try {
      const saved = JSON.parse(await file.text());
      if (saved?.forethought === undefined) throw new SyntaxError();
      const known = typeof saved?.game === "string" && Array.isArray(saved.seats);
      if (known && !(await this.preparation.wait(saved.game, saved.seats))) return;
      const view = await api.loadSession(saved);
      location.hash = `#play/${view.id}`;
    } catch (error) {
      const unlike = new Error(`${file.name} is not a game that was saved here; "Save" in a game writes such a file.`);
      this.fail(error instanceof SyntaxError ? unlike : error);
    }
  }
}

// The player of one seat: the person, or a kind of player and its budget; as before, if it was chosen before.
class Seat {
  constructor(number, players, before) {
    this.players = players;
    this.select = h(
      "select",
      { class: "player", "aria-label": `player ${number}`, change: () => this.budget.offer(this.player) },
      h("option", { value: "human" }, "You"),
      h("option", { value: "guest" }, "A person on another device"),
      players.map((player, place) => h("option", { value: place }, player.label)),
    );
    this.budget = new BudgetInput(`player ${number}`);
    if (number > 0 && players.length) this.select.value = "0";
    const again = players.findIndex((player) => player.template === before?.player?.template);
    if (before) this.select.value = before.player ? (again < 0 ? "human" : again) : before.spec;
    this.element = h(
      "div",
      { class: "seat" },
      h("span", { class: `disc owner${number + 1}` }),
      h("span", {}, `Player ${number}`),
      this.select,
      this.budget.element,
    );
    this.budget.offer(this.player, again < 0 ? undefined : before.budget.chosen);
  }

  // The chosen player as the server lists it; undefined for persons.
  get player() {
    return this.players[this.select.value];
  }

  get spec() {
    return this.player ? this.budget.fill(this.player.template) : this.select.value;
  }
}
