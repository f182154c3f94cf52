// One run, updated while it trains: the verdict on its learning, how far it is, a chart per metric, its newest games, its
// settings; and what can be done with it: stop it, resume it, play against it.

import * as api from "./api.js";
import { ChartControls } from "./chart_controls.js";
import { metricChart } from "./metric_chart.js";
import { h, refused, replace } from "./dom.js";
import { ReplayControls } from "./replay_controls.js";
import { PositionView } from "./position_view.js";
import { about, state } from "./runs_page.js";
import { TrainingControls } from "./training_controls.js";
import { signed } from "./formatting.js";
import { scrolled } from "./tables.js";
import { ProcessList } from "./process_list.js";

const NEWEST = 12; // games in the list
const EVERY = 1000; // milliseconds between two looks at a run that is being started

export function watchRun(root, name, fail) {
  const page = new RunPage(name, fail);
  root.append(page.element);
  let leave = () => {};
  let left = false;
  const look = async () => {
    try {
      const process = await beingStarted(name);
      if (process && !left) {
        page.wait();
        setTimeout(look, EVERY);
        return;
      }
      page.show(await api.run(name));
      const handlers = { run: (newer) => page.show(newer) };
      if (!left) leave = api.runEvents(name, handlers, (...state) => page.connected(...state));
    } catch (error) {
      page.refuse(error);
    }
  };
  look();
  return () => {
    left = true;
    leave();
    page.begun();
    page.replay.stop();
  };
}

// The process of a run that was started from the page and is not there yet; what failed before is told in its place.
async function beingStarted(name) {
  const [runs, processes] = await Promise.all([api.runs(), api.processes()]);
  const process = processes.find(({ run }) => run === name);
  if (!process || runs.some((run) => run.name === name)) return null;
  if (process.state === "failed") throw new Error(process.told);
  return process.state === "running" ? process : null;
}

class RunPage {
  constructor(name, fail) {
    this.name = name;
    this.fail = fail;
    this.badge = h("span", {});
    this.about = h("p", { class: "muted" });
    this.header = h("header", {}, h("a", { href: "#watch" }, "All runs"), h("h1", {}, name), this.badge);
    this.verdict = h("p", { class: "verdict", role: "status" }, "Loading …");
    this.charts = h("div", { class: "charts" });
    this.controls = new ChartControls(name, () => this.#draw(), fail);
    this.training = new TrainingControls(name, fail, () => this.wait());
    this.games = h("ul", { class: "games" });
    this.settings = h("tbody", {});
    this.positionPlace = h("div", {});
    this.replay = new ReplayControls((place) => this.positionView?.show(this.positions[place]));
    this.replayed = h("div", { class: "replayed", hidden: true }, this.positionPlace, this.replay.element);
    this.body = h(
      "div",
      { hidden: true },
      this.about,
      this.training.element,
      this.controls.element,
      this.charts,
      h(
        "section",
        { class: "panel" },
        h("header", {}, h("h2", {}, "Newest games of self-play"), h("span", { class: "muted" }, "click to replay")),
        this.games,
        this.replayed,
      ),
      h(
        "details",
        { class: "panel settings" },
        h("summary", {}, "Settings"),
        scrolled(h("table", {}, this.settings)),
      ),
    );
    this.element = h("div", { class: "watch" }, this.header, this.verdict, this.body);
  }

  // There is nothing to show yet but the process that starts the training; it can be stopped.
  wait() {
    this.verdict.textContent = "The training is being started.";
    if (this.starting) return;
    const isOwn = ({ run, state: is }) => run === this.name && (is === "running" || is === "failed");
    this.starting = new ProcessList(isOwn, this.fail);
    this.verdict.after(this.starting.element);
  }

  begun() {
    this.starting?.leave();
    this.starting?.element.remove();
    this.starting = null;
  }

  show(run) {
    if (run.training) this.begun();
    this.body.hidden = false;
    [this.game] = run.game.split("(");
    replace(this.badge, state(run));
    this.verdict.textContent = run.verdict;
    this.about.textContent = about(run);
    this.run = run;
    this.#draw();
    this.training.show(run);
    const newest = run.games.slice(-NEWEST).reverse();
    replace(
      this.games,
      newest.length ? newest.map((game) => this.#game(game)) : h("li", { class: "muted" }, "There are none yet."),
    );
    if (run.settings) replace(this.settings, Object.entries(run.settings).map(setting));
  }

  #draw() {
    if (!this.run) return;
    const chart = (metric) => metricChart(this.controls.series(this.run, metric), this.controls.view);
    replace(this.charts, this.run.metrics.map(chart));
  }

  // Nothing can be shown of this run: say why in place of everything else.
  refuse(error) {
    const why = h("div", {});
    refused(why)(error);
    replace(this.element, this.header, why);
  }

  connected(connected, refused) {
    if (connected) return; // the stream starts with the newest state
    const next = refused ? "reload this page to continue." : "trying again …";
    this.verdict.textContent = `The server does not answer; ${next}`;
  }

  #game(game) {
    const result = game.returns.map((value) => signed(value)).join(" : ");
    const text = `iteration ${game.iteration}, game ${game.index + 1}: ${game.plies} plies, ${result}`;
    return h("li", {}, h("button", { type: "button", class: "link", click: () => this.#open(game) }, text));
  }

  async #open(game) {
    try {
      const replay = await api.runGame(this.name, game.iteration, game.index);
      this.positions = replay.positions;
      this.positionView = new PositionView(replay.board, this.game);
      replace(this.positionPlace, this.positionView.element);
      this.replayed.hidden = false;
      this.replay.reset(this.positions.length - 1, 0);
      this.replay.go(0);
    } catch (error) {
      this.fail(error);
    }
  }
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
