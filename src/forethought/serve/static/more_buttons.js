// What else can be done with a position: compare planners, hear what a bot thought, go on with others, set it up.

import { h } from "./dom.js";

export class MoreButtons {
  constructor({ compare, bot, change, setUp }) {
    const button = (text, click) => h("button", { type: "button", click }, text);
    this.compare = button("Compare planners", compare);
    this.bot = button("What the bot thought", bot);
    this.change = button("Play on with others", change);
    this.setUp = button("Set up from here", setUp);
    this.bot.hidden = true;
    this.element = h("div", { class: "line more" }, this.compare, this.bot, this.change, this.setUp);
  }

  // Whether two planners are compared now.
  comparing(two) {
    this.compare.textContent = two ? "One planner only" : "Compare planners";
  }

  show({ game, over }, isOpen) {
    this.change.hidden = !isOpen || over;
    this.setUp.hidden = !game.can_set_up;
  }
}
