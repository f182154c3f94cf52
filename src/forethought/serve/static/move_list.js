// The moves so far: a click on one shows the position after it.

import { h, replace } from "./dom.js";
import { isHuman, seatName } from "./formatting.js";

export class MoveList {
  // `look(place)` shows the position after so many moves.
  constructor(look) {
    this.look = look;
    this.list = h("ol", { class: "history" });
    this.news = h("p", { class: "unseen", role: "status" }); // what the others play, read aloud
    this.element = h("section", { class: "panel" }, h("header", {}, h("h2", {}, "Moves")), this.list);
  }

  // An unchanged list is left alone, so that a focused move stays.
  show(view) {
    const { history, seats } = view;
    const written = JSON.stringify(history);
    if (written === this.written) return;
    this.written = written;
    replace(this.list, history.map((entry) => this.#entry(view, entry)));
    this.list.lastElementChild?.scrollIntoView?.({ block: "nearest", container: "nearest" });
    const last = history.at(-1);
    const isOthers = last && last.player !== null && last.player >= 0 && !isHuman(seats[last.player]);
    this.news.textContent = isOthers ? `${seatName(view, last.player)}: ${last.name ?? "hidden"}` : "";
  }

  // Mark the move that led to a position.
  mark(place) {
    for (const link of this.list.querySelectorAll("[data-ply]")) {
      link.toggleAttribute("aria-current", Number(link.dataset.ply) === place - 1);
    }
  }

  #entry(view, { ply, player, name }) {
    const known = player !== null && player >= 0;
    const who = known ? `owner${player + 1}` : "chance";
    const label = `${known ? seatName(view, player) : player === null ? "somebody" : "chance"}: ${name ?? "hidden"}`;
    const click = () => this.look(ply + 1);
    const attributes = { type: "button", class: "link", "data-ply": ply, "aria-label": label, click };
    return h("li", { class: who }, h("span", { class: `disc ${who}` }), h("button", attributes, name ?? "hidden"));
  }
}
