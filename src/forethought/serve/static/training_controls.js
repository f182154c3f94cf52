// What can be done with a run: watch how far it is, stop it, resume it, play against it.

import * as api from "./api.js";
import { h } from "./dom.js";
import { duration } from "./formatting.js";

export class TrainingControls {
  // `resumed` is called when a process was started that goes on with the run; it trains some seconds later.
  constructor(name, fail, resumed) {
    this.name = name;
    this.fail = fail;
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "games of this iteration" });
    this.text = h("span", { class: "muted" });
    this.progress = h("span", { class: "line", hidden: true }, this.bar, this.text);
    const button = (text, ask) => h("button", { type: "button", hidden: true, click: () => this.#do(ask) }, text);
    this.stop = button("Stop", () => api.stopTraining(name));
    this.resume = button("Resume", () => api.resumeTraining(name, this.#how()).then(resumed));
    this.play = button("Play against it", () => this.#play());
    this.more = h("input", { type: "number", min: 1, class: "budget" });
    this.unit = h("span", {});
    this.until = h("label", { hidden: true }, "to", this.more, this.unit);
    this.element = h("div", { class: "line training" }, this.progress, this.stop, this.resume, this.until, this.play);
  }

  show(run) {
    const { progress, opponent, training } = run;
    this.run = run;
    this.progress.hidden = !training;
    this.stop.hidden = !training;
    this.resume.hidden = this.until.hidden = training || run.algorithm === "";
    this.play.hidden = opponent === null;
    if (progress) {
      Object.assign(this.bar, { max: progress.games, value: Math.min(progress.finished, progress.games) });
      const left = progress.seconds_left === null ? "" : ` · about ${duration(progress.seconds_left)} left`;
      const kept = run.games.length > 0; // some algorithms learn from games at once, and keep none
      const learning = progress.finished >= progress.games ? ", learning" : "";
      const games = kept ? `: ${progress.finished} of ${progress.games} games${learning}` : "";
      this.bar.hidden = !kept;
      this.text.textContent = `iteration ${progress.iteration}${games}${left}`;
    }
    this.unit.textContent = run.wanted === null ? "more minutes" : "iterations in all";
    const done = run.iterations >= run.wanted;
    if (document.activeElement !== this.more) this.more.value = run.wanted === null ? 5 : done ? 2 * run.wanted : run.wanted;
  }

  #how() {
    const amount = Number(this.more.value);
    if (!(amount > 0)) return {};
    return this.run.wanted === null ? { minutes: amount } : { iterations: Math.round(amount) };
  }

  async #play() {
    const { game, seats, player } = this.run.opponent;
    const view = await api.startSession(game, ["human", ...Array(seats - 1).fill(player)]);
    location.hash = `#play/${view.id}`;
  }

  async #do(ask) {
    try {
      await ask();
    } catch (error) {
      this.fail(error);
    }
  }
}
