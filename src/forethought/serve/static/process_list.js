// What was started from the page: how far each is, what it found, and buttons to stop or forget it.

import * as api from "./api.js";
import { h, replace } from "./dom.js";
import { duration } from "./formatting.js";
import { isOutdated } from "./user_file.js";

const EVERY = 1500; // milliseconds between two looks

export class ProcessList {
  // Shows the processes that are `wanted`; `hear` is called with them whenever they have changed.
  constructor(wanted, fail, hear = () => {}) {
    this.wanted = wanted;
    this.fail = fail;
    this.hear = hear;
    this.element = h("ul", { class: "processes" });
    this.shown = "";
    this.look();
    this.timer = setInterval(() => this.look(), EVERY);
  }

  // Draw everything again, also what the server tells as before: the user's file was edited.
  redraw() {
    this.shown = "";
    return this.look();
  }

  async look() {
    try {
      const found = (await api.processes()).filter(this.wanted);
      if (JSON.stringify(found) === this.shown) return;
      this.shown = JSON.stringify(found);
      replace(this.element, found.map((process) => this.#row(process)));
      this.hear(found);
    } catch (error) {
      if (this.shown !== null) this.fail(error);
      this.shown = null;
    }
  }

  leave() {
    clearInterval(this.timer);
  }

  #row(process) {
    const { id, kind, state } = process;
    const running = state === "running";
    const act = (ask, name) => h(
      "button",
      { type: "button", "aria-label": `${name} ${kind} ${process.title}`, click: () => this.#ask(ask, id) },
      name,
    );
    return h(
      "li",
      { class: "panel process", "data-state": state },
      h("header", {}, h("strong", {}, heading(process)), h("span", { class: `badge${running ? " live" : ""}` }, state)),
      h("p", { class: "muted" }, `${process.game_title} · ${process.title}`),
      running && process.part !== null && h("progress", { max: 1, value: process.part, "aria-label": "part done" }),
      h("p", { class: "told" }, process.told, running && process.seconds_left !== null && ` · ${duration(process.seconds_left)} left`),
      isOutdated(process) && h("p", { class: "muted" }, "The file was edited since: this is of an earlier version."),
      h(
        "div",
        { class: "line" },
        isContest(process) && ["stopped", "failed"].includes(state) && act(api.resumeProcess, "Resume"),
        running ? act(api.stopProcess, "Stop") : act(api.forgetProcess, "Forget"),
      ),
    );
  }

  async #ask(ask, id) {
    try {
      await ask(id);
      await this.look();
    } catch (error) {
      this.fail(error);
    }
  }
}

// What was played of a match or a ladder is stored: it can go on.
export const isContest = ({ kind }) => kind === "match" || kind === "ladder";

function heading({ kind, id, run, state }) {
  if (kind === "study" && state === "finished") return h("a", { href: `#study/${id}` }, "Study: the report");
  if (run !== null) return h("a", { href: `#watch/${encodeURIComponent(run)}` }, `Training of ${run}`);
  return kind === "match" ? "Match" : kind === "ladder" ? "Ladder" : "Study";
}
