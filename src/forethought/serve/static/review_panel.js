// After a game: what each move cost, by a planner's values or exactly.

import { h, replace } from "./dom.js";
import * as api from "./api.js";
import { percent, seatName, signed } from "./formatting.js";
import { scrolled } from "./tables.js";

const SLIGHT = 0.02; // losses below this part of the largest are not marked

export class ReviewPanel {
  // `look(ply)` shows the position in which a move was made; `fail(error)` shows an error.
  constructor(look, fail) {
    this.look = look;
    this.fail = fail;
    this.body = h("div", {});
    this.element = h(
      "section",
      { class: "panel review", hidden: true },
      h("header", {}, h("h2", {}, "Review")),
      this.body,
    );
  }

  offer(view) {
    const already = this.reviewed === view.id && !this.element.hidden;
    this.element.hidden = !view.over;
    if (!view.over || already) return;
    this.reviewed = view.id;
    const begin = h(
      "button",
      { type: "button", class: "primary", click: () => this.#begin(view) },
      "What did each move cost?",
    );
    replace(this.body, begin);
  }

  async #begin(view) {
    replace(this.body, h("p", { class: "muted" }, "A planner reviews every decision …"));
    try {
      this.#show(view, await api.review(view.id));
    } catch (error) {
      this.reviewed = null;
      this.offer(view);
      this.fail(error);
    }
  }

  #show(view, { planner, moves }) {
    const worst = Math.max(...moves.map((one) => one.loss ?? 0), 1e-9);
    const valued = moves.some((one) => one.loss !== null);
    const head = ["ply", "", "played", valued ? "cost" : "probability", "best"].map((name) => h("th", {}, name));
    const rows = moves.map((one) => this.#row(view, one, worst));
    const exact = moves.some((one) => one.exact) ? " Costs marked = are exact." : "";
    const by = valued ? "By the values of" : "How often each move is played by";
    const decisions = view.history.filter((entry) => entry.player >= 0).length;
    const rest = moves.length < decisions ? " Later moves were not reviewed: the time ran out." : "";
    replace(
      this.body,
      h("p", { class: "muted" }, `${by} ${planner}.${exact}${rest}`),
      scrolled(h("table", { class: "moves" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))),
    );
  }

  #row(view, one, worst) {
    const slip = one.loss !== null && one.loss > SLIGHT * worst && one.action !== one.best;
    const name = seatName(view, one.player);
    const jump = h("button", { type: "button", class: "link", click: () => this.look(one.ply) }, String(one.ply));
    return h(
      "tr",
      { class: slip ? "slip" : "" },
      h("td", {}, jump),
      h("td", {}, h("span", { class: `disc owner${one.player + 1}`, role: "img", "aria-label": name, title: name })),
      h("td", {}, one.name),
      h("td", { class: "cost" }, cost(one, worst)),
      h("td", {}, one.action === one.best ? "\u2713" : one.best_name),
    );
  }
}

// What a move cost as a bar and a number; without values, how often the planner plays it.
function cost(one, worst) {
  if (one.loss === null) return one.probability === null ? "" : percent(one.probability);
  const bar = h("span", { class: "bar loss" });
  bar.style.width = `${Math.min(100, (100 * one.loss) / worst)}%`;
  return [
    h("span", { class: "track" }, bar),
    h("span", {}, `${one.exact ? "= " : ""}${one.loss ? signed(-one.loss) : "0"}`),
  ];
}
