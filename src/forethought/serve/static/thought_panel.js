// What a planner thinks: its policy as bars, its value and its simulations, updated while it searches.

import { BudgetInput } from "./budget_input.js";
import { h, replace, words } from "./dom.js";
import { rangesOf, strategyGrid } from "./strategy_grid.js";
import { aligned, measured, percent, short, signed } from "./formatting.js";

export const INVITATION = "Ask a planner what it would do here. It knows only what you know.";

const MOST_BARS = 9;
const MOST_MEASURES = 3; // columns of numbers
const FORMATS = new Map([["visits", short], ["prior", percent], ["value", aligned], ["expected return", aligned], ["relative regret", aligned]]);

export class ThoughtPanel {
  // `ask(spec)` starts a thought, `stop()` ends it. `name` tells two panels apart.
  constructor(ask, stop, name = "Think") {
    this.planner = h("select", { "aria-label": `planner (${name})` });
    this.budget = new BudgetInput(`the planner (${name})`);
    this.always = h("input", { type: "checkbox", change: () => this.always.checked && this.start() });
    this.button = h(
      "button",
      { type: "button", class: "primary", click: () => (this.running ? stop() : this.start()) },
      "Think",
    );
    this.body = h("div", { class: "thought", "aria-live": "off" });
    this.ask = ask;
    this.planners = [];
    this.planner.addEventListener("change", () => this.#offerBudget());
    this.element = h(
      "section",
      { class: "panel think", "aria-label": `what a planner thinks (${name})` },
      h("header", {}, h("h2", {}, name), h("label", { class: "check" }, this.always, "at every move")),
      h("div", { class: "line" }, this.planner, this.budget.element, this.button),
      this.body,
    );
    this.clear(INVITATION);
  }

  // Offer the planners that suit the game, as the server lists them.
  offer(planners, names) {
    this.names = names;
    this.planners = planners;
    replace(this.planner, this.planners.map((one, place) => h("option", { value: place }, one.label)));
    this.#offerBudget();
  }

  start() {
    if (!this.button.disabled) this.ask(this.spec);
  }

  get spec() {
    const chosen = this.planners[this.planner.value];
    return chosen ? this.budget.fill(chosen.thinking_template) : null;
  }

  // Whether there is something to think about now.
  enable(possible) {
    this.button.disabled = !possible;
  }

  clear(sentence = "") {
    this.#run(false);
    replace(this.body, h("p", { class: "muted" }, sentence));
  }

  waiting(sentence = "Thinking …") {
    this.#run(true);
    replace(this.body, h("p", { class: "muted" }, sentence));
  }

  // Stop where it is: thoughts so far stay visible, if there are any.
  halt() {
    if (this.body.querySelector(".measures")) this.#run(false);
    else this.clear(INVITATION);
  }

  show(thought, caption = null) {
    this.#run(!thought.done);
    replace(
      this.body,
      caption && h("p", { class: "muted" }, caption),
      measures(thought),
      bars(thought),
      thought.line.length > 1 && h("p", { class: "muted" }, `It expects ${thought.line.map(({ name }) => name).join(", ")}.`),
      thought.strategy && strategyGrid(thought.strategy),
      (thought.ranges ?? []).map((range) => rangesOf(range, this.names)),
    );
  }

  #run(running) {
    this.running = running;
    this.button.textContent = running ? "Stop" : "Think";
    this.element.classList.toggle("running", running);
  }

  #offerBudget() {
    const chosen = this.planners[this.planner.value];
    const [simulations] = chosen?.budgets ?? [];
    this.budget.offer(chosen, { kind: "simulations", amount: simulations && simulations.maximum / 2 });
  }
}

function measures(thought) {
  const value = thought.value === null || thought.value === undefined ? null : ["value", signed(thought.value)];
  const seconds = thought.seconds.toFixed(thought.seconds < 1 ? 2 : 1);
  const speed = short(thought.simulations_per_second);
  const duration = thought.cut ? "seconds, cut by the clock" : "seconds";
  const counts = [["simulations", short(thought.simulations)], ["per second", speed], [duration, seconds]];
  const known = [value, ...(thought.simulations > 0 ? counts : [])].filter(Boolean); // not every player simulates
  const pairs = known.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)));
  return h("dl", { class: "measures" }, pairs);
}

// Few actions keep their order, so that bars grow and shrink in place; of many, the best are listed.
function bars({ actions, shares }) {
  const many = actions.length > MOST_BARS;
  const chosen = many ? [...actions].sort((a, b) => b.share - a.share).slice(0, MOST_BARS) : actions;
  const best = Math.max(...actions.map((one) => one.probability));
  const columns = measuresOf(actions);
  const head = h(
    "tr",
    {},
    h("th", {}, "action"),
    h("th", { colspan: 2 }, shares),
    columns.map((column) => h("th", {}, column)),
  );
  const rest = actions.length - chosen.length;
  const longest = many ? chosen[0].share : 1; // many actions have small shares: bars are relative to the longest
  const body = chosen.map((one) => bar(one, one.probability === best, longest, columns));
  return [
    h("table", { class: "bars" }, h("thead", {}, head), h("tbody", {}, body)),
    rest > 0 && h("p", { class: "muted" }, `and ${rest} more action${rest > 1 ? "s" : ""}`),
  ];
}

function bar(one, isBest, longest, columns) {
  const length = h("span", { class: "bar" });
  length.style.width = `${(100 * one.share) / (longest || 1)}%`;
  const numbers = columns.map((name) => h("td", {}, number(name, one.measures[name])));
  return h(
    "tr",
    { class: isBest ? "best" : "" },
    h("th", { scope: "row" }, words(one.name)),
    h("td", { class: "track" }, length),
    h("td", {}, percent(one.share)),
    numbers,
  );
}

// The names of what the search measures of its actions.
function measuresOf(actions) {
  return [...new Set(actions.flatMap((one) => Object.keys(one.measures)))].slice(0, MOST_MEASURES);
}

function number(name, value) {
  if (typeof value !== "number") return "";
  return (FORMATS.get(name) ?? measured)(value);
}
