// One run, live: the sentence on its learning, its curves with intervals, its newest games, its settings.

import * as api from "./api.js";
import { curve } from "./charts.js";
import { h, replace } from "./dom.js";
import { Replay } from "./replay_controls.js";
import { Stage } from "./position_view.js";
import { state } from "./runs_page.js";
import { measured, percent, signed } from "./formatting.js";

// The curves in their order: the measure's key, its name, how its numbers are written, where its axis begins.
const CURVES = [
  ["nashconv", "NashConv (0 is unbeatable)", measured, 0],
  ["win_rate", "Win rate", (share) => percent(share, 1)],
  ["loss", "Loss", measured],
  ["value_loss", "Value loss", measured],
  ["entropy", "Entropy of the policy", measured],
  ["games_per_second", "Games a second", measured],
];
const NEWEST = 12; // games in the list

export function watchRun(root, name, fail) {
  const page = new RunPage(name, fail);
  root.append(page.element);
  let leave = () => {};
  let left = false;
  api.run(name).then((run) => {
    page.show(run);
    if (!left) leave = api.runEvents(name, { run: (newer) => page.show(newer) }, (...state) => page.connected(...state));
  }, fail);
  return () => {
    left = true;
    leave();
    page.replay.stop();
  };
}

class RunPage {
  constructor(name, fail) {
    this.name = name;
    this.fail = fail;
    this.badge = h("span", {});
    this.about = h("p", { class: "muted" });
    this.sentence = h("p", { class: "sentence", role: "status" }, "One moment …");
    this.curves = h("div", { class: "charts" });
    this.games = h("ul", { class: "games" });
    this.settings = h("tbody", {});
    this.stagePlace = h("div", {});
    this.replay = new Replay((place) => this.stage?.show(this.positions[place]));
    this.film = h("div", { class: "film", hidden: true }, this.stagePlace, this.replay.element);
    this.element = h(
      "div",
      { class: "watch" },
      h("header", {}, h("a", { href: "#watch" }, "All runs"), h("h1", {}, name), this.badge),
      this.sentence,
      this.about,
      this.curves,
      h(
        "section",
        { class: "panel" },
        h("header", {}, h("h2", {}, "Newest games of self-play")),
        this.games,
        this.film,
      ),
      h(
        "details",
        { class: "panel settings" },
        h("summary", {}, "Settings"),
        h("div", { class: "scroll" }, h("table", {}, this.settings)),
      ),
    );
  }

  show(run) {
    [this.game] = run.game.split("(");
    replace(this.badge, state(run));
    this.sentence.textContent = run.sentence;
    this.about.textContent = `${run.game} · ${run.algorithm} · ${run.iterations} iterations`;
    replace(this.curves, CURVES.map((one) => drawn(run.curves, ...one)));
    const newest = run.games.slice(-NEWEST).reverse();
    replace(
      this.games,
      newest.length ? newest.map((game) => this.#game(game)) : h("li", { class: "muted" }, "None is kept yet."),
    );
    if (run.settings) replace(this.settings, Object.entries(run.settings).map(setting));
  }

  connected(connected, refused) {
    if (connected) return; // what is new comes at once
    const next = refused ? "reload this page to go on." : "trying again …";
    this.sentence.textContent = `The server does not answer; ${next}`;
  }

  #game(game) {
    const result = game.returns.map((value) => signed(value)).join(" : ");
    const text = `iteration ${game.iteration}, game ${game.index + 1}: ${game.plies} plies, ${result}`;
    return h("li", {}, h("button", { type: "button", class: "link", click: () => this.#open(game) }, text));
  }

  async #open(game) {
    try {
      const kept = await api.runGame(this.name, game.iteration, game.index);
      this.positions = kept.positions;
      this.stage = new Stage(kept.board, this.game);
      replace(this.stagePlace, this.stage.element);
      this.film.hidden = false;
      this.replay.reset(this.positions.length - 1, 0);
      this.replay.go(0);
    } catch (error) {
      this.fail(error);
    }
  }
}

// A curve of what was measured; what never was has none.
function drawn(curves, key, name, format, least) {
  const [ys, lows, highs] = [key, `${key}_low`, `${key}_high`].map((one) => curves[one] ?? []);
  const all = curves.iteration.map((x, n) => ({ x, y: ys[n], low: lows[n], high: highs[n] }));
  const points = all.filter((point) => Number.isFinite(point.y));
  const flat = key === "value_loss" && points.every((point) => point.y === 0);
  return points.length && !flat ? curve(name, points, format, least) : null;
}

function setting([key, { value, about }]) {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, key),
    h("td", {}, value === null ? "none" : String(value)),
    h("td", { class: "muted" }, about),
  );
}
